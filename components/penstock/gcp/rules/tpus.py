"""Rules on TPU slices: topology, hosts and pools."""

from __future__ import annotations

from collections.abc import Callable

from penstock.catalog import machines
from penstock.core.wording import listed
from penstock.gcp.facts import tpus
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.facts.tpus import Slice
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.rules import nodes
from penstock.gcp.types import TPU_V2_VM
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail, together
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_GENERATIONS = {"V4": "tpu-v4", "V5LITE_POD": "tpu-v5e", "V5P": "tpu-v5p", "V6E": "tpu-v6e"}
"""Cloud TPU's words for what the catalogue calls by GKE's (Cloud TPU API, AcceleratorConfig.type)."""
_PLACED = "placementPolicy"


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "GKE rejects a topology that the machine type does not have; the same number of chips may need another machine "
        "type."
    ),
    fix=(
        "Set tpuTopology (or acceleratorTopology of the workload policy) to a topology of the machine type, or leave "
        "it out."
    ),
    joins=True,
    sources=("cluster-toolkit 1.95, pkg/config/hardware.go", "GKE documentation, About TPUs in GKE"),
)
def gcp_tpu_topology_machine(pool: GkePool) -> Verdict:
    """The topology of a TPU slice is one that the machine type comes in."""
    machine, named = pool.machine, nodes.topology(pool)
    if machine is None or named is None or (machine.accelerator_kind != "tpu" and not _own_topology(pool)):
        return NOT_APPLICABLE
    topology, path = named
    trouble = tpus.problem(machine, topology) or ""
    message, _, rest = trouble.partition(". ")
    hint = rest or f"Use one of {listed(tpus.topologies(machine))}." if tpus.topologies(machine) else "Leave it out."
    return allow(not trouble, message.rstrip("."), hint=hint, path=path)


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="The hosts of a slice are created together, so GKE refuses another number of nodes.",
    fix=(
        "Set nodeCount or initialNodeCount to the number of hosts: the chips of the topology divided by the chips of a "
        "machine."
    ),
    joins=True,
    sources=("cluster-toolkit 1.95, pkg/config/hardware.go", "GKE documentation, About TPUs in GKE"),
)
def gcp_tpu_slice_hosts(view: View) -> Verdict:
    """A node pool for a TPU slice has as many nodes as the slice has hosts."""

    def check(pool: GkePool, slice_: Slice) -> Verdict:
        counts = [(key, pool.block.integer(key)) for key in ("nodeCount", "initialNodeCount") if key in pool.block]
        allowed = (0, slice_.hosts)
        message = f"a slice of {slice_.topology} has {slice_.hosts} hosts, and {{}} asks for {{}}"
        return together(
            allow(
                count in allowed,
                message.format(key, count),
                hint=f"Set it to {slice_.hosts}.",
                path=pool.block.at(key),
            )
            for key, count in counts
        )

    return _on_slices(view, check)


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="The hosts of a slice start together, so GKE cannot scale to a number between.",
    fix="Set maxNodeCount to the number of hosts, and minNodeCount to 0 or the same number.",
    sources=("vllm-project/ci-infra pull request 545", "GKE documentation, About TPUs in GKE: autoscaling"),
)
def gcp_tpu_slice_autoscaling(view: View) -> Verdict:
    """A node pool for a TPU slice scales between no nodes and all hosts of the slice."""

    def check(pool: GkePool, slice_: Slice) -> Verdict:
        scaling = pool.block.block("autoscaling")
        if scaling is None:
            return NOT_APPLICABLE
        high, low = scaling.integer("maxNodeCount"), scaling.integer("minNodeCount") or 0
        hosts = slice_.hosts
        message = f"a slice of {slice_.topology} has {hosts} hosts, which start together"
        return together(
            [
                allow(
                    high in (None, hosts),
                    f"{message}, and up to {high} are set",
                    hint=f"Set it to {hosts}.",
                    path=scaling.at("maxNodeCount"),
                ),
                allow(
                    low in (0, hosts),
                    f"{message}, and at least {low} are set",
                    hint=f"Set it to 0 or {hosts}.",
                    path=scaling.at("minNodeCount"),
                ),
            ]
        )

    return _on_slices(view, check)


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="Bounds in total leave no room for a slice in any one zone, and GKE refuses them.",
    fix="Use minNodeCount and maxNodeCount, and leave totalMinNodeCount and totalMaxNodeCount out.",
    sources=("vllm-project/ci-infra pull request 545", "GKE documentation, About TPUs in GKE: autoscaling"),
)
def gcp_tpu_autoscaling_per_zone(view: View) -> Verdict:
    """The autoscaling bounds of a node pool for a TPU slice are given per zone."""

    def check(pool: GkePool, slice_: Slice) -> Verdict:
        scaling = pool.block.block("autoscaling")
        if scaling is None:
            return NOT_APPLICABLE
        given = [key for key in ("totalMaxNodeCount", "totalMinNodeCount") if key in scaling]
        message = f"{listed(given)} leave no room for a slice in any one zone"
        hint = f"Use minNodeCount 0 and maxNodeCount {slice_.hosts}."
        return allow(not given, message, hint=hint, path=scaling.at(given[0] if given else ""))

    return _on_slices(view, check)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="A placement is for slices of several machines; the machine type alone describes a single one.",
    fix="Leave placementPolicy out.",
    sources=("xpk, core/nodepool.py", "cluster-toolkit 1.95, examples of TPU clusters"),
)
def gcp_tpu_single_host_placement(pool: GkePool) -> Verdict:
    """A TPU slice of a single machine has no topology and no placement policy."""
    slice_ = _slice(pool)
    if slice_ is None:
        return NOT_APPLICABLE
    message = f"{slice_.topology} is a single machine, and placement is for several"
    return allow(slice_.multi_host, message, path=pool.block.at(_PLACED))


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="GKE does not place a slice in the way of another generation.",
    fix=(
        "Set policyName to a ResourcePolicy with a workloadPolicy of type HIGH_THROUGHPUT and the slice's "
        "acceleratorTopology for TPU7x, and tpuTopology without policyName for older generations."
    ),
    joins=True,
    sources=("xpk, core/nodepool.py", "cluster-toolkit 1.95, examples of TPU clusters"),
)
def gcp_tpu_slice_placement(view: View) -> Verdict:
    """A TPU7x slice is placed by a workload policy of its topology, an older one by the pool's tpuTopology."""

    def check(pool: GkePool, slice_: Slice) -> Verdict:
        placement = pool.block.block(_PLACED)
        machine = pool.machine
        if placement is None or machine is None:
            return NOT_APPLICABLE
        path = placement.at("policyName")
        if slice_.policy == "workload":
            if "policyName" not in placement:
                hint = "Name a ResourcePolicy with a workloadPolicy of type HIGH_THROUGHPUT and "
                hint += f"acceleratorTopology {slice_.topology}."
                message = f"slices of {machine.machine_type} are placed by a workload policy, and none is named"
                return fail(message, hint=hint, path=path)
            return _placed_by(pool, slice_)
        message = f"slices of {machine.machine_type} are placed by tpuTopology, and not by a workload policy"
        hint = f"Leave policyName out, and set tpuTopology to {slice_.topology}."
        return allow(
            "policyName" not in placement or nodes.workload_policy(pool) is None, message, hint=hint, path=path
        )

    return _on_slices(view, check)


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="The hosts of a slice are connected directly, so GKE creates a slice in a single zone only.",
    fix="Set nodeLocations to one zone.",
    joins=True,
    sources=(
        "xpk, core/nodepool.py",
        "cluster-toolkit 1.95, examples of TPU clusters",
        "GKE documentation, TPU node pools",
    ),
)
def gcp_tpu_slice_one_zone(view: View) -> Verdict:
    """A node pool for a TPU slice is in one zone."""

    def check(pool: GkePool, slice_: Slice) -> Verdict:
        zones = pool.zones()
        where = listed(zones) if zones else f"three zones of {pool.place()}"
        message = f"a slice of {slice_.topology} is in one zone, and the nodes start in {where}"
        hint = f"Name one zone, such as {zones[0]}." if zones else "Name one zone in nodeLocations."
        return allow(zones is not None and len(zones) == 1, message, hint=hint, path=pool.block.at("nodeLocations"))

    return _on_slices(view, check)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale=(
        "Google's blueprints start TPUs from COS_CONTAINERD alone; no primary source confirms that GKE refuses other "
        "images."
    ),
    fix="Set imageType to COS_CONTAINERD.",
    sources=("[?] inferred: cluster-toolkit 1.95 starts TPUs from COS_CONTAINERD alone",),
)
def gcp_tpu_cos_image(pool: GkePool) -> Verdict:
    """Nodes with TPUs run Container-Optimized OS."""
    machine, config = pool.machine, pool.config
    image = config.text("imageType") if config is not None else None
    if machine is None or config is None or image is None or machine.accelerator_kind != "tpu":
        return NOT_APPLICABLE
    message = f"{machine.machine_type} does not run {image}"
    path = config.at("imageType")
    return allow(image.upper().startswith("COS"), message, hint="Use COS_CONTAINERD.", path=path)


@RULES.rule(
    on=TPU_V2_VM,
    severity=HIGH,
    rationale="The Cloud TPU API rejects a topology that the generation does not have.",
    fix="Set acceleratorConfig.topology to a topology of the generation.",
    sources=(
        "cluster-toolkit 1.95, pkg/config/hardware.go",
        "GKE documentation, About TPUs in GKE",
        "Cloud TPU API, AcceleratorConfig",
    ),
)
def gcp_tpu_vm_topology(view: View) -> Verdict:
    """The topology of a TPU VM is one that its generation comes in."""
    config = view.block("acceleratorConfig")
    generation, topology = (config.text(key) if config is not None else None for key in ("type", "topology"))
    if config is None or generation not in _GENERATIONS or topology is None:
        return NOT_APPLICABLE
    its = [machine for machine in machines.machine_types(GcpMachine) if machine.accelerator == _GENERATIONS[generation]]
    known = dict.fromkeys(shape for machine in its for shape in tpus.topologies(machine))
    message = f"{topology} is not a topology of {generation}"
    path = config.at("topology")
    comes = any(tpus.problem(machine, topology) is None for machine in its)
    return allow(comes, message, hint=f"Use one of {listed(known)}.", path=path)


@RULES.rule(
    on=TPU_V2_VM,
    severity=HIGH,
    rationale="The Cloud TPU API takes only one of the two.",
    fix="Leave acceleratorType out, or acceleratorConfig.",
    sources=("Cloud TPU API, Node: acceleratorType and acceleratorConfig",),
)
def gcp_tpu_vm_accelerator(view: View) -> Verdict:
    """A TPU VM is described by an accelerator type or by an accelerator configuration, and not by both."""
    if "acceleratorType" not in view and "acceleratorConfig" not in view:
        return NOT_APPLICABLE
    both = view.text("acceleratorType") is not None and view.block("acceleratorConfig") is not None
    message = "acceleratorType and acceleratorConfig exclude one another, and both are set"
    hint = "Leave acceleratorType out; the topology says more."
    return allow(not both, message, hint=hint, path="acceleratorType")


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="Without a topology each machine is a slice of its own, and the nodes form no larger one.",
    fix="Set placementPolicy.tpuTopology, or acceleratorTopology of the workload policy, to the topology of the slice.",
    sources=("xpk, core/nodepool.py", "cluster-toolkit 1.95, examples of TPU clusters"),
)
def gcp_tpu_slice_topology(pool: GkePool) -> Verdict:
    """TPU machines that are placed together name the topology that they form."""
    machine, count = pool.machine, pool.block.integer("nodeCount") or 0
    if machine is None or machine.accelerator_kind != "tpu" or count < 2:  # noqa: PLR2004 - several
        return NOT_APPLICABLE
    if _PLACED not in pool.block:
        return NOT_APPLICABLE
    shapes = [shape for shape in tpus.topologies(machine) if tpus.slice_(machine, shape).multi_host]
    if not shapes:
        return NOT_APPLICABLE
    message = f"{count} nodes of {machine.machine_type} without a topology are {count} slices and no larger one"
    fits = [shape for shape in shapes if tpus.slice_(machine, shape).hosts == count]
    hint = f"Name a topology, such as {(fits or shapes)[0]}."
    return allow(nodes.topology(pool) is not None, message, hint=hint, path=pool.block.at(_PLACED))


def _slice(pool: GkePool) -> Slice | None:
    """The slice that a pool names; None where it names none, or one that the machine does not come in."""
    machine, named = pool.machine, nodes.topology(pool)
    if machine is None or named is None or machine.accelerator_kind != "tpu":
        return None
    return None if tpus.problem(machine, named[0]) else tpus.slice_(machine, named[0])


def _on_slices(view: View, check: Callable[[GkePool, Slice], Verdict]) -> Verdict:
    """Asks of every pool for a slice of several machines."""

    def ask(pool: GkePool) -> Verdict:
        slice_ = _slice(pool)
        return check(pool, slice_) if slice_ is not None and slice_.multi_host else NOT_APPLICABLE

    return each(gke_pools(view), ask)


def _own_topology(pool: GkePool) -> bool:
    placement = pool.block.block(_PLACED)
    return placement is not None and "tpuTopology" in placement


def _placed_by(pool: GkePool, slice_: Slice) -> Verdict:
    """Return whether the policy that a pool names places its slice."""
    policy, workload = nodes.policy(pool), nodes.workload_policy(pool)
    if policy is None:
        return NOT_APPLICABLE
    if workload is None:
        message, hint = "the policy places no workloads", "Give it a workloadPolicy of type HIGH_THROUGHPUT."
        return nodes.allow_at(policy, holds=False, message=message, hint=hint, path="workloadPolicy")
    topology = workload.text("acceleratorTopology")
    message = f"the policy places slices of {topology or 'no topology'}, and the pool is for {slice_.topology}"
    path = "workloadPolicy.acceleratorTopology"
    hint = f"Set it to {slice_.topology}."
    return nodes.allow_at(policy, topology == slice_.topology, message, hint=hint, path=path)
