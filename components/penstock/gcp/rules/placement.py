"""Rules on compact placement and workload policies."""

from __future__ import annotations

from penstock.catalog import limits
from penstock.core.wording import listed
from penstock.gcp.facts import compact_placement
from penstock.gcp.model import places
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.rules import nodes, wiring
from penstock.gcp.rules.nodes import allow_at
from penstock.gcp.types import COMPUTE_RESOURCE_POLICY
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, fail, together
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_RACK = "1x72"
"""The accelerator topology of one NVLink domain of 72 GPUs (cluster-toolkit 1.95, examples/gke-a4x)."""
_PLACED = "placementPolicy"


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="Compact placement works within a single zone, so GKE cannot place the nodes.",
    fix="Set nodeLocations to one zone.",
    joins=True,
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",),
)
def gcp_placement_one_zone(pool: GkePool) -> Verdict:
    """Nodes with compact placement are in one zone."""
    if not _compact(pool) or nodes.topology(pool) is not None:
        return NOT_APPLICABLE  # another rule reports slices
    zones = pool.zones()
    where = listed(zones) if zones else f"three zones of {pool.place()}"
    message = f"compact placement works within one zone, and the nodes start in {where}"
    hint = f"Name one zone, such as {zones[0]}." if zones else "Name one zone in nodeLocations."
    return allow(zones is not None and len(zones) == 1, message, hint=hint, path=pool.block.at("nodeLocations"))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "A blue-green upgrade would need a second compact placement for all nodes, and GKE refuses the combination."
    ),
    fix="Set upgradeSettings.strategy to SURGE.",
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",),
)
def gcp_placement_surge_upgrade(pool: GkePool) -> Verdict:
    """Nodes with compact placement are upgraded by surge, and not blue-green."""
    settings = pool.block.block("upgradeSettings")
    if not _compact(pool) or settings is None:
        return NOT_APPLICABLE
    message = "GKE upgrades nodes in a compact placement by surge only, and not blue-green"
    path = settings.at("strategy")
    return allow(settings.text("strategy") != "BLUE_GREEN", message, hint="Use SURGE.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="Queued provisioning places the machines itself, and GKE refuses compact placement with it.",
    fix="Leave placementPolicy out.",
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",),
)
def gcp_placement_no_queued(pool: GkePool) -> Verdict:
    """A node pool with queued provisioning has no compact placement, unless its machines are TPUs."""
    machine = pool.machine
    if not nodes.enabled(pool.block, "queuedProvisioning") or machine is None:
        return NOT_APPLICABLE
    message = "queued provisioning places machines itself, and compact placement is set"
    free = machine.accelerator_kind == "tpu" or not _compact(pool)
    return allow(free, message, path=pool.block.at(_PLACED))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="Machines of other families cannot be placed compactly when they are bought by flex-start.",
    fix="Leave placementPolicy out, or buy the machines without flexStart.",
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",),
)
def gcp_placement_flex_start(pool: GkePool) -> Verdict:
    """Flex-start machines have compact placement only on A3 Ultra, A4, H4D and TPUs."""
    machine, config = pool.machine, pool.config
    if machine is None or config is None or not config.flag("flexStart"):
        return NOT_APPLICABLE
    if nodes.enabled(pool.block, "queuedProvisioning"):
        return NOT_APPLICABLE  # reported by another rule
    either = machine.accelerator_kind == "tpu" or compact_placement.with_flex_start(machine.machine_type)
    message = f"{machine.machine_type} cannot be placed compactly when it is bought by flex start"
    hint = "Leave placementPolicy out, or buy the machines otherwise."
    return allow(either or not _compact(pool), message, hint=hint, path=pool.block.at(_PLACED))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="Without the policy nothing keeps the nodes in one NVLink domain of 72 GPUs.",
    fix=(
        "Set placementPolicy.policyName to a ResourcePolicy with a workloadPolicy of type HIGH_THROUGHPUT and "
        "acceleratorTopology 1x72."
    ),
    joins=True,
    sources=("cluster-toolkit 1.95, examples/gke-a4x", "AI Hypercomputer documentation, GKE cluster with A4X"),
)
def gcp_placement_nvlink_policy(pool: GkePool) -> Verdict:
    """A node pool of machines in NVLink racks, such as A4X, has a workload policy with the topology 1x72."""
    machine = pool.machine
    if machine is None or not _in_racks(pool):
        return NOT_APPLICABLE
    path = pool.block.at(f"{_PLACED}.policyName")
    hint = f"Name a ResourcePolicy with a workloadPolicy of type HIGH_THROUGHPUT and acceleratorTopology {_RACK}."
    placement = pool.block.block(_PLACED)
    if placement is None or "policyName" not in placement:
        return fail(f"nothing keeps the nodes of {machine.machine_type} in one NVLink domain", hint=hint, path=path)
    policy = nodes.policy(pool)
    workload = policy.block("workloadPolicy") if policy is not None else None
    if policy is None or workload is None:
        return fail(f"the policy places no workloads, which {machine.machine_type} needs", hint=hint, path=path)
    topology = workload.text("acceleratorTopology")
    message = f"the policy asks for {topology or 'no topology'}, and a rack of {machine.machine_type} is {_RACK}"
    path = "workloadPolicy.acceleratorTopology"
    return allow_at(policy, topology == _RACK, message, hint=f"Set it to {_RACK}.", path=path)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="A rack has no room for further nodes, so the node pool cannot reach its size.",
    fix="Create one node pool for each rack, with nodeCount or maxNodeCount of at most 18.",
    sources=("cluster-toolkit 1.95, examples/gke-a4x", "AI Hypercomputer documentation, GKE cluster with A4X"),
)
def gcp_placement_nvlink_size(pool: GkePool) -> Verdict:
    """A node pool of machines in NVLink racks has at most 18 nodes, the size of one rack."""
    machine = pool.machine
    if machine is None or not _in_racks(pool):
        return NOT_APPLICABLE
    room, wanted = limits.find_limit("nvlink_domain_nodes", "gcp").most, pool.most()
    message = f"{wanted} nodes of {machine.machine_type} do not fit into one rack, which has {room}"
    return allow(wanted <= room, message, hint="Create a node pool for each rack.", path=_size_at(pool))


@RULES.rule(
    on=COMPUTE_RESOURCE_POLICY,
    severity=HIGH,
    rationale="The API rejects both together, and each of them with another type.",
    fix="Set type to HIGH_THROUGHPUT, and leave maxTopologyDistance out where acceleratorTopology is set.",
    sources=("Compute Engine API, ResourcePolicy",),
)
def gcp_placement_workload_policy(policy: View) -> Verdict:
    """A workload policy sets a topology or a maximum distance, and either only with the type HIGH_THROUGHPUT."""
    workload = policy.block("workloadPolicy")
    if workload is None:
        return NOT_APPLICABLE
    given = [
        key for key in ("acceleratorTopology", "acceleratorTopologyMode", "maxTopologyDistance") if key in workload
    ]
    kind = workload.text("type")
    verdicts = [
        allow(
            not given or kind == "HIGH_THROUGHPUT",
            f"a workload policy of type {kind} takes no {given[0] if given else ''}",
            hint="Set type to HIGH_THROUGHPUT.",
            path=workload.at("type"),
        ),
        allow(
            "maxTopologyDistance" not in given or len(given) == 1,
            "a topology and a distance are given, which exclude one another",
            hint="Leave maxTopologyDistance out.",
            path=workload.at("maxTopologyDistance"),
        ),
    ]
    return together(verdicts)


@RULES.rule(
    on=COMPUTE_RESOURCE_POLICY,
    severity=HIGH,
    rationale="The kinds of a resource policy are mutually exclusive, and the API rejects two of them together.",
    fix="Create two resource policies, or leave groupPlacementPolicy out.",
    sources=("Compute Engine API, ResourcePolicy, policy kinds are mutually exclusive",),
)
def gcp_placement_policy_kind(policy: View) -> Verdict:
    """A resource policy places groups or workloads, and not both."""
    if "groupPlacementPolicy" not in policy and "workloadPolicy" not in policy:
        return NOT_APPLICABLE
    message = "groupPlacementPolicy and workloadPolicy exclude one another"
    hint = "Make two policies, or leave groupPlacementPolicy out."
    return allow(
        policy.block("groupPlacementPolicy") is None or policy.block("workloadPolicy") is None,
        message,
        hint=hint,
        path="groupPlacementPolicy",
    )


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="GKE does not find a resource policy of another region.",
    fix="Set region of the ResourcePolicy to that of the node pool.",
    joins=True,
    sources=("Kubernetes Engine API, PlacementPolicy.policyName",),
)
def gcp_placement_policy_region(pool: GkePool) -> Verdict:
    """The placement policy of a node pool is in the region of the node pool."""
    policy = nodes.policy(pool)
    if policy is None:
        return NOT_APPLICABLE
    there, here = policy.text("region"), places.region_of(pool.place())
    if there is None:
        raise NotKnown
    message = f"the policy {policy.name} is in {there}, and the pool in {here}"
    there = there.rpartition("/")[2]
    return allow(there == here, message, hint=f"Make it in {here}.", path=pool.block.at(f"{_PLACED}.policyName"))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="The autoscaler adds no nodes beyond that number to a compact placement.",
    fix="Lower totalMaxNodeCount, maxNodeCount or nodeCount to the number of nodes that compact placement holds.",
    sources=("source of GKE's cluster autoscaler, machine families",),
)
def gcp_placement_compact_size(pool: GkePool) -> Verdict:
    """A node pool with compact placement is no larger than GKE's autoscaler supports for the machine type."""
    machine = pool.machine
    if machine is None or machine.compact_nodes is None or not _compact(pool):
        return NOT_APPLICABLE
    wanted, room = pool.most(), machine.compact_nodes
    message = f"GKE's autoscaler places {room} nodes of {machine.machine_type} compactly, and not {wanted}"
    return allow(wanted <= room, message, hint=f"Use {room} nodes or fewer.", path=_size_at(pool))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="The nodes start, but no fabric crosses zones, and nodes far from one another communicate more slowly.",
    fix=(
        "Set nodeLocations to one zone, and set placementPolicy or use a reservation of machines that are close "
        "together."
    ),
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf", "Kueue documentation, topology"),
)
def gcp_placement_fabric_close(pool: GkePool) -> Verdict:
    """Machines that use a GPU fabric are close together in one zone, by a placement policy or a reservation."""
    machine = pool.machine
    kind = machine.accelerator_kind if machine is not None else None
    if machine is None or machine.fabric is None or kind != "gpu" or pool.most() < 2:  # noqa: PLR2004 - several
        return NOT_APPLICABLE
    if _in_racks(pool) or not (wiring.entries(pool) or wiring.accelerator_profile(pool)):
        return NOT_APPLICABLE  # reported by another rule, and one warning is enough where the fabric is left out
    config, target = pool.config, pool.affinity
    reserved = target is not None and target.text("consumeReservationType") == "SPECIFIC_RESERVATION"
    queued = nodes.enabled(pool.block, "queuedProvisioning")
    flexible = config is not None and config.flag("flexStart")
    close = _PLACED in pool.block or reserved or queued or flexible
    count = pool.zone_count()
    return together(
        [
            allow(
                count == 1,
                f"the nodes of {machine.machine_type} are spread over {count} zones, which no fabric crosses",
                hint="Name one zone in nodeLocations.",
                path=pool.block.at("nodeLocations"),
            ),
            allow(
                close,
                f"nothing places the nodes of {machine.machine_type} close to one another",
                hint="Name a placementPolicy, or a reservation with compact placement.",
                path=pool.block.at(_PLACED),
            ),
        ]
    )


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale="Other machines cannot be started unconnected, so the node pool is not created.",
    fix=(
        "Set consumeReservationType to SPECIFIC_RESERVATION and name a reservation, or set acceleratorTopologyMode to "
        "AUTO_CONNECT."
    ),
    joins=True,
    sources=("cluster-toolkit 1.95, modules/compute/gke-node-pool/main.tf",),
)
def gcp_placement_provision_only(pool: GkePool) -> Verdict:
    """Machines with the topology mode PROVISION_ONLY come from a named reservation, and not from flex-start."""
    workload = nodes.workload_policy(pool)
    if workload is None or workload.text("acceleratorTopologyMode") != "PROVISION_ONLY":
        return NOT_APPLICABLE
    config, target = pool.config, pool.affinity
    kind = target.text("consumeReservationType") if target is not None else None
    flexible = nodes.enabled(pool.block, "queuedProvisioning") or (config is not None and config.flag("flexStart"))
    message = "the policy starts machines unconnected (PROVISION_ONLY), which only a named reservation can"
    hint = "Set consumeReservationType to SPECIFIC_RESERVATION and name one, or use the mode AUTO_CONNECT."
    holds = kind == "SPECIFIC_RESERVATION" and not flexible
    return allow(holds, message, hint=hint, path=pool.block.at("nodeConfig.reservationAffinity"))


def _compact(pool: GkePool) -> bool:
    """Return whether a pool's nodes are placed compactly: by a policy that GKE creates, or by one for groups."""
    placement = pool.block.block(_PLACED)
    if placement is None or placement.text("type") != "COMPACT":
        return False
    return "policyName" not in placement or nodes.workload_policy(pool) is None


def _in_racks(pool: GkePool) -> bool:
    """Return whether the machines of a pool are in racks whose GPUs are all joined by NVLink."""
    machine = pool.machine
    return machine is not None and machine.family.startswith("a4x-")


def _size_at(pool: GkePool) -> str:
    scaling: Block | None = pool.block.block("autoscaling")
    for key in ("totalMaxNodeCount", "maxNodeCount"):
        if scaling is not None and key in scaling:
            return scaling.at(key)
    return pool.block.at("nodeCount" if "nodeCount" in pool.block else "initialNodeCount")
