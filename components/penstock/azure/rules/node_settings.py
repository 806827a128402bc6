"""Rules on how nodes of AKS are set up: labels, taints, disks, the kubelet, and how they are upgraded."""

from __future__ import annotations

import re

from penstock.azure.facts.sizes import find_size
from penstock.azure.model.pools import AksPool, aks_pools, machine_of_size
from penstock.azure.rules.pools import POOLS
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail, together
from penstock.kubernetes.facts.label_forms import is_key, is_value
from penstock.kubernetes.facts.node_labels import TAINT_EFFECTS
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SHARE = re.compile(r"(\d+)%?")


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Kubernetes has no other labels, and AKS rejects the pool.",
    fix="Set the keys of nodeLabels to a name of letters, digits and .-_, with at most one prefix and a slash before.",
    sources=("AKS documentation, use labels",),
)
def az_aks_label_form(pool: AksPool) -> Verdict:
    """Labels of nodes have keys and values that Kubernetes takes."""
    labels = pool.block.block("nodeLabels")
    if labels is None:
        return NOT_APPLICABLE
    path = labels.at("")[:-1]
    hint = "Use letters, digits and .-_, such as team=vision."
    keys = each(labels, lambda key: allow(is_key(key), f"{key!r} is not a label", hint=hint, path=path))
    values = each(
        labels,
        lambda key: allow(is_value(labels.text(key) or ""), f"the label {key} has no such value", hint=hint, path=path),
    )
    return together((keys, values))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Kubernetes has no other taints, and AKS rejects the pool.",
    fix="Write nodeTaints as KEY=VALUE:EFFECT, with NoSchedule, PreferNoSchedule or NoExecute.",
    sources=("AKS documentation, use node taints",),
)
def az_aks_taint_form(pool: AksPool) -> Verdict:
    """Taints of nodes have a key, at most one value, and one of three effects."""

    def form(taint: str) -> Verdict:
        pair, _, effect = taint.rpartition(":")
        key, _, value = pair.partition("=")
        right = effect in TAINT_EFFECTS and is_key(key) and is_value(value)
        hint = "Write it such as sku=gpu:NoSchedule."
        return allow(right, f"{taint!r} is not a taint", hint=hint, path=pool.block.at("nodeTaints"))

    return each(pool.block.texts("nodeTaints"), form)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS upgrades with more nodes or with fewer, not with both, and not with neither.",
    fix="Set upgradeSettings.maxSurge to 0 and maxUnavailable to 1 where machines are scarce, or leave the latter out.",
    sources=("AKS documentation, upgrade options", "Azure/AKS issue 4277, maxUnavailable"),
)
def az_aks_upgrade_surge(pool: AksPool) -> Verdict:
    """An upgrade has surge nodes or nodes that are unavailable, each a number or a percentage."""
    settings = pool.block.block("upgradeSettings")
    if settings is None:
        return NOT_APPLICABLE
    amounts: dict[str, int] = {}
    for key in ("maxSurge", "maxUnavailable"):
        text = settings.text(key)
        found = _SHARE.fullmatch(text) if text is not None else None
        if found is not None:
            amounts[key] = int(found[1])
        elif text is not None:
            hint = "Use a number such as 1, or a percentage such as 33%."
            return fail(f"{text!r} is not a number of nodes", hint=hint, path=settings.at(key))
    path = settings.at("maxUnavailable")
    if len(amounts) < len(("maxSurge", "maxUnavailable")):
        return NOT_APPLICABLE
    surge, fewer = amounts["maxSurge"], amounts["maxUnavailable"]
    if surge and fewer:
        message = "an upgrade has maxSurge and maxUnavailable above 0"
        return fail(message, hint="Set one of them to 0.", path=path)
    return allow(surge or fewer, "an upgrade may take neither more nodes nor fewer", hint="Use 1.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="An ephemeral disk needs a local one, and AKS rejects the pool of a size that has none.",
    fix="Set osDiskType to Managed, or vmSize to a size with a local disk, such as Standard_D16ds_v5.",
    sources=("AKS documentation, storage concepts",),
)
def az_aks_ephemeral_disk(pool: AksPool) -> Verdict:
    """Nodes with an ephemeral disk of the system are of a size with a local disk that is as large."""
    size = pool.block.text("vmSize")
    machine = machine_of_size(size) if size is not None else None
    if machine is None or (pool.block.text("osDiskType") or "").casefold() != "ephemeral":
        return NOT_APPLICABLE
    message = f"{machine.machine_type} has no local disk for an ephemeral one"
    local = allow(machine.ephemeral_os, message, hint="Use Managed.", path=pool.block.at("osDiskType"))
    gib, room = pool.block.integer("osDiskSizeGB") or 0, machine.temp_gib
    if not machine.ephemeral_os or room is None:
        return local
    path, hint = pool.block.at("osDiskSizeGB"), f"Use {room} at most, or a managed disk."
    message = f"the local disk of {machine.machine_type} has {room} GiB, and not {gib}"
    return allow(gib <= room, message, hint=hint, path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="The image of a node does not fit on a smaller disk, and AKS rejects the pool.",
    fix="Set osDiskSizeGB to 30 or more, or to 0 for the size that AKS chooses.",
    sources=("AKS documentation, storage concepts",),
)
def az_aks_os_disk(pool: AksPool) -> Verdict:
    """The disk of a node's system has 30 GiB at least."""
    least = limits.find_limit("node_disk_gib_least", "azure").most
    gib = pool.block.integer("osDiskSizeGB")
    if not gib:
        return NOT_APPLICABLE
    message = f"a disk of {gib} GiB is too small for a node"
    return allow(gib >= least, message, hint=f"Use {least} or more.", path=pool.block.at("osDiskSizeGB"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="The kubelet does not start on a node with swap unless failSwapOn is false.",
    fix="Set kubeletConfig.failSwapOn to false, or leave linuxOSConfig.swapFileSizeMB out.",
    sources=("AKS documentation, custom node configuration",),
)
def az_aks_swap(pool: AksPool) -> Verdict:
    """Where nodes have swap, their kubelet starts with it."""
    system, kubelet = pool.block.block("linuxOSConfig"), pool.block.block("kubeletConfig")
    if system is None or not system.integer("swapFileSizeMB"):
        return NOT_APPLICABLE
    starts = kubelet is not None and kubelet.flag("failSwapOn") is False
    message = "the kubelet does not start on nodes with swap"
    hint = "Set kubeletConfig.failSwapOn to false."
    return allow(starts, message, hint=hint, path=system.at("swapFileSizeMB"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects a low mark above the high one.",
    fix="Set kubeletConfig.imageGcLowThreshold to less than imageGcHighThreshold.",
    sources=("Pulumi Azure Native, containerservice.AgentPool: kubelet configuration",),
)
def az_aks_image_marks(pool: AksPool) -> Verdict:
    """The kubelet cleans images from a high mark down to a lower one."""
    kubelet = pool.block.block("kubeletConfig")
    low = kubelet.integer("imageGcLowThreshold") if kubelet is not None else None
    high = kubelet.integer("imageGcHighThreshold") if kubelet is not None else None
    if kubelet is None or low is None or high is None:
        return NOT_APPLICABLE
    message = f"images are cleaned from {high} down to {low} percent"
    path = kubelet.at("imageGcLowThreshold")
    return allow(low < high, message, hint=f"Use less than {high}.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS rejects a smaller size for the cluster's own pods.",
    fix="Set vmSize of the pool to a size with 2 vCPU and 4 GiB of memory or more, such as Standard_D4ds_v5.",
    sources=("AKS documentation, system node pools",),
)
def az_aks_system_size(pool: AksPool) -> Verdict:
    """The nodes of a system pool have two vCPU at least."""
    least = limits.find_limit("system_vcpu_least", "azure").most
    size = find_size(pool.block.text("vmSize") or "")
    if size is None or not pool.is_system:
        return NOT_APPLICABLE
    message = f"{size.name} has {size.vcpu} vCPU"
    return allow(size.vcpu >= least, message, hint=f"Use {least} or more.", path=pool.block.at("vmSize"))
