"""Rules on node pools with accelerators and InfiniBand: sizes, drivers, and how far the fabric reaches."""

from __future__ import annotations

from penstock.azure.facts.os_skus import os_skus
from penstock.azure.facts.size_names import read_size
from penstock.azure.facts.sizes import find_size, known_sizes
from penstock.azure.model.pools import AksPool, aks_pools, machine_of_size
from penstock.azure.rules.pools import POOLS
from penstock.azure.types import CONTAINERSERVICE_MANAGED_CLUSTER
from penstock.catalog import limits
from penstock.core.wording import did_you_mean, listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.kubernetes.facts.mig import is_indivisible
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_NAMES = {
    "standard_nd128isr_gb200_v6": "Standard_ND128isr_NDR_GB200_v6",
    "standard_nd128isr_ndr_gb300_v6": "Standard_ND128isr_GB300_v6",
}
"""What people write for sizes of racks, of which one names its InfiniBand and the next does not."""


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Azure has no size of that name, and creates no node pool.",
    fix="Set vmSize to the full name of a size, such as Standard_ND96isr_H100_v5.",
    sources=("Azure virtual machine sizes documentation, naming conventions",),
)
def az_vm_size_name(pool: AksPool) -> Verdict:
    """The size of the nodes has the form of Azure's names: Standard, family, vCPU, features, accelerator, version."""
    size = pool.block.text("vmSize")
    if size is None:
        return NOT_APPLICABLE
    path, meant = pool.block.at("vmSize"), _NAMES.get(size.casefold())
    if meant is not None:
        return fail(f"{size!r} is not a size of Azure", hint=f"Use {meant}.", path=path)
    message = f"{size!r} is not a name of a size"
    return allow(read_size(size), message, hint="Write one such as Standard_ND96isr_H100_v5.", path=path)


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="InfiniBand reaches the machines of one placement group only; beyond it, jobs fall back to TCP or fail.",
    fix="Set maxCount (or count) to 300 or less, and use more pools with one job in each.",
    sources=("Azure virtual machines documentation, set up InfiniBand",),
)
def az_ib_pool_span(view: View) -> Verdict:
    """A node pool on InfiniBand has at most 300 nodes, the most of a placement group."""
    most = limits.find_limit("machines_of_a_placement_group_on_request", "azure").most
    return each(aks_pools(view), lambda pool: _spans(pool, most, f"Use {most}, and another pool."))


@RULES.rule(
    on=POOLS,
    severity=MEDIUM,
    rationale="Azure puts 100 machines into a placement group, and up to 300 where its support raised the limit.",
    fix="Set maxCount (or count) to 100 or less, or ask Azure's support to raise the limit first and waive this rule.",
    sources=("Azure virtual machines documentation, set up InfiniBand",),
)
def az_ib_pool_request(view: View) -> Verdict:
    """A node pool on InfiniBand has at most 100 nodes, which a placement group holds without a request."""
    most = limits.find_limit("machines_of_a_placement_group", "azure").most
    return each(aks_pools(view), lambda pool: _spans(pool, most, f"Use {most}, or ask Azure's support for more."))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Pools of single machines have no InfiniBand, and jobs fall back to TCP.",
    fix="Set type to VirtualMachineScaleSets.",
    sources=("AKS documentation, virtual machines node pools",),
)
def az_ib_scale_set(pool: AksPool) -> Verdict:
    """A node pool on InfiniBand is a scale set."""
    if not _has_rdma(pool):
        return NOT_APPLICABLE
    kind = pool.block.text("type") or "VirtualMachineScaleSets"
    path = pool.block.at("type")
    message = f"pools of the type {kind} have no InfiniBand"
    return allow(kind == "VirtualMachineScaleSets", message, hint="Use VirtualMachineScaleSets.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="InfiniBand reaches no machine in another zone, and jobs fall back to TCP or fail.",
    fix="Set availabilityZones of the pool to one zone, with another pool in another zone.",
    sources=("Azure virtual machines documentation, set up InfiniBand",),
)
def az_ib_one_zone(pool: AksPool) -> Verdict:
    """A node pool on InfiniBand is in one zone at most.

    AKS installs no driver of InfiniBand beside that of GPUs (<https://learn.microsoft.com/azure/aks/use-nvidia-gpu>):
    where it installs the latter, machines do without the fabric, and are as good in three zones.
    """
    profile = pool.block.block("gpuProfile")
    by_aks = profile is not None and profile.text("driver") == "Install"
    if by_aks or not _has_rdma(pool):
        return NOT_APPLICABLE
    count, path = pool.block.count("availabilityZones"), pool.block.at("availabilityZones")
    return allow(count <= 1, f"nodes on InfiniBand are in {count} zones", hint="Use one zone.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="The driver of InfiniBand is built for Ubuntu, and jobs fall back to TCP on anything else.",
    fix="Set osType to Linux and osSKU to Ubuntu.",
    sources=("AKS documentation, set up InfiniBand",),
)
def az_ib_system(pool: AksPool) -> Verdict:
    """A node pool on InfiniBand runs Ubuntu."""
    if not _has_rdma(pool):
        return NOT_APPLICABLE
    family, name = pool.block.text("osType") or "Linux", pool.block.text("osSKU") or "Ubuntu"
    linux = family.casefold() == "linux"
    shown, path = (name, pool.block.at("osSKU")) if linux else (family, pool.block.at("osType"))
    message = f"there is no driver of InfiniBand for {shown}"
    return allow(linux and name.startswith("Ubuntu"), message, hint="Use Ubuntu.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Azure has no size of that name, and creates no node pool.",
    fix="Set vmSize to a size that `az vm list-skus --location REGION --size Standard_N` lists.",
    sources=("Azure virtual machine sizes documentation, naming conventions",),
)
def az_vm_size_known(pool: AksPool) -> Verdict:
    """A size with accelerators is one that Azure sells; of the others there are new ones each month."""
    size = pool.block.text("vmSize") or ""
    named = read_size(size)
    if named is None or not named.family.startswith("N"):
        return NOT_APPLICABLE
    if find_size(size) is not None or machine_of_size(size) is not None:
        return PASS
    hint = did_you_mean(size, known_sizes()) or "Use one such as Standard_ND96isr_H100_v5."
    return fail(f"Azure has no size {size}", hint=hint, path=pool.block.at("vmSize"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS has no driver of these GPUs for the operating system.",
    fix="Set osSKU to Ubuntu.",
    sources=("AKS documentation, upgrade the OS version", "AKS documentation, use AMD GPUs"),
)
def az_aks_gpu_os(pool: AksPool) -> Verdict:
    """The operating system of nodes with GPUs is one for which AKS supports them."""
    size, name = pool.block.text("vmSize"), pool.block.text("osSKU")
    machine = machine_of_size(size) if size is not None else None
    system = os_skus().get(name) if name is not None else None
    if machine is None or not machine.accelerators or system is None:
        return NOT_APPLICABLE
    supported = system.amd if _is_amd(machine.machine_type) else system.nvidia is not False
    amd = _is_amd(machine.machine_type)
    fitting = [each.name for each in os_skus().values() if (each.amd if amd else each.nvidia)]
    message = f"AKS has no driver of the GPUs of {machine.machine_type} for {system.name}"
    hint = f"Use one of {listed(fitting)}."
    return allow(supported, message, hint=hint, path=pool.block.at("osSKU"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS installs no driver of AMD GPUs, and rejects a pool that asks for one.",
    fix="Set gpuProfile.driver to None, and install the AMD GPU Operator.",
    sources=("AKS documentation, use AMD GPUs",),
)
def az_aks_amd_driver(pool: AksPool) -> Verdict:
    """A node pool with AMD GPUs does not ask AKS for a driver."""
    profile, size = pool.block.block("gpuProfile"), pool.block.text("vmSize")
    driver = profile.text("driver") if profile is not None else None
    if profile is None or driver is None or size is None or not _is_amd(size):
        return NOT_APPLICABLE
    message = f"AKS has no driver for the GPUs of {size}"
    return allow(driver == "None", message, hint="Use None.", path=profile.at("driver"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="Only some of NVIDIA's GPUs have slices, and AKS rejects the pool of another size.",
    fix="Leave gpuInstanceProfile out, or set vmSize to a size whose GPUs have slices, such as A100 or H100.",
    sources=("AKS documentation, multi-instance GPUs",),
)
def az_aks_gpu_slices(pool: AksPool) -> Verdict:
    """Only nodes whose GPUs have slices (MIG) have a profile of slices."""
    size = pool.block.text("vmSize")
    machine = machine_of_size(size) if size is not None else None
    if "gpuInstanceProfile" not in pool.block or machine is None:
        return NOT_APPLICABLE
    sliced = machine.accelerator is not None and not is_indivisible(machine.accelerator)
    message = f"{machine.machine_type} has no GPUs with slices"
    return allow(sliced, message, hint="Leave it out.", path=pool.block.at("gpuInstanceProfile"))


@RULES.rule(
    on=POOLS,
    each_of=aks_pools,
    severity=HIGH,
    rationale="AKS' driver of NVIDIA is not signed for Secure Boot on Ubuntu, and AKS rejects the pool.",
    fix="Set gpuProfile.driver to None, and install a signed driver, or leave enableSecureBoot out.",
    sources=("AKS documentation, trusted launch",),
)
def az_aks_secure_boot_driver(pool: AksPool) -> Verdict:
    """Nodes with GPUs on Ubuntu that start securely have no driver of AKS."""
    security, size = pool.block.block("securityProfile"), pool.block.text("vmSize")
    machine = machine_of_size(size) if size is not None else None
    if security is None or not security.flag("enableSecureBoot") or machine is None or not machine.accelerators:
        return NOT_APPLICABLE
    if not (pool.block.text("osSKU") or "Ubuntu").startswith("Ubuntu"):
        return NOT_APPLICABLE
    profile = pool.block.block("gpuProfile")
    driver = (profile.text("driver") if profile is not None else None) or "Install"
    message = "nodes that start securely cannot have AKS' driver of GPUs"
    return allow(driver == "None", message, hint="Use None.", path=pool.block.at("gpuProfile.driver"))


@RULES.rule(
    on=CONTAINERSERVICE_MANAGED_CLUSTER,
    each_of=aks_pools,
    severity=MEDIUM,
    rationale="An update of one inline pool puts every pool of the cluster into the state Scaling.",
    fix="Describe pools with accelerators as AgentPool resources, and keep one system pool in agentPoolProfiles.",
    sources=("pulumi-azure-native issue 4264, inline node pools",),
)
def az_aks_gpu_beside_cluster(pool: AksPool) -> Verdict:
    """Node pools with accelerators are resources of their own, not profiles of their cluster."""
    size = pool.block.text("vmSize")
    if size is None:
        return NOT_APPLICABLE
    gpu = (named := read_size(size)) is not None and named.family.startswith("N")
    message = f"the pool of {size} is described in its cluster"
    return allow(not gpu, message, hint="Use an AgentPool.", path=pool.block.at("vmSize"))


def _spans(pool: AksPool, most: int, hint: str) -> Verdict:
    """The verdict on a pool on InfiniBand that may have so many nodes."""
    if not _has_rdma(pool):
        return NOT_APPLICABLE
    key = "maxCount" if pool.block.flag("enableAutoScaling") else "count"
    count = pool.most()
    message = f"InfiniBand reaches {most} nodes of a pool, and this may have {count}"
    return allow(count <= most, message, hint=hint, path=pool.block.at(key))


def _has_rdma(pool: AksPool) -> bool:
    named = read_size(pool.block.text("vmSize") or "")
    return named is not None and named.rdma


def _is_amd(size: str) -> bool:
    named = read_size(size)
    return named is not None and named.accelerator.startswith("MI")
