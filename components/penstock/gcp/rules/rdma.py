"""Rules on RDMA networks: their profile, the interfaces on them, and the order of these."""

from __future__ import annotations

from penstock.core.wording import listed
from penstock.gcp.facts.fabrics import NetworkGroup
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.rules import wiring
from penstock.gcp.rules.nodes import SINGLE, allow_at
from penstock.gcp.types import COMPUTE_NETWORK
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_ROCE = "roce"


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "RDMA interfaces attach only to networks with an RDMA network profile, and only in the zone of that profile."
    ),
    fix=(
        "Keep the nodes in one zone, and set networkProfile of the network to the RDMA profile of that zone, such as "
        "ZONE-vpc-roce."
    ),
    joins=True,
    sources=("VPC documentation, RDMA network profiles",),
)
def gcp_rdma_network_profile(pool: GkePool) -> Verdict:
    """RDMA interfaces of a node pool are on a network with the RDMA network profile of the nodes' zone."""
    group = wiring.rdma_group(pool)
    if group is None or not wiring.entries(pool):
        return NOT_APPLICABLE
    zones = pool.zones()
    given = wiring.networks(pool)
    made = [network for network in given if wiring.profile_of(network)]
    if not given:
        raise NotKnown
    zone = zones[0] if zones else "ZONE"
    right = f"{zone}-{group.profile}"
    if not made:
        message = f"none of the additional networks has an RDMA profile, which {group.interfaces} interfaces need"
        return fail(message, hint=f"Give one of them the networkProfile {right}.", path=wiring.path_of(pool))
    return each(made, lambda network: _is_at(network, group, zones, right))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="Pods look for the RDMA interfaces from eth2 on, and in another order do not find them there.",
    fix="List the host network first in additionalNodeNetworkConfigs, then the interfaces for RDMA.",
    joins=True,
    sources=("cluster-toolkit 1.95, examples/gke-a3-ultragpu",),
)
def gcp_rdma_host_interface_first(pool: GkePool) -> Verdict:
    """The network of the host's second interface is listed before the networks for RDMA."""
    group, fabric, wired = wiring.rdma_group(pool), pool.fabric, wiring.entries(pool)
    if group is None or fabric is None or len(wired) != fabric.interfaces:
        return NOT_APPLICABLE
    hosts = fabric.interfaces - group.interfaces
    order = [bool(wiring.profile_of(network)) for entry in wired if (network := wiring.network_of(entry)) is not None]
    if not any(order):
        return NOT_APPLICABLE  # reported by another rule
    right = [False] * hosts + [True] * group.interfaces
    message = f"the interfaces for RDMA are not the last {group.interfaces}, where the fabric looks for them"
    hint = f"List the host network first, then {group.interfaces} interfaces for RDMA."
    return allow(order == right, message, hint=hint, path=wiring.path_of(pool))


@RULES.rule(
    on=SINGLE,
    severity=HIGH,
    rationale="An RDMA network accepts only RDMA interfaces, and MRDMA interfaces attach to no other network.",
    fix=(
        "Set nicType to MRDMA on networks for RDMA and to GVNIC elsewhere, with the first interface on an ordinary "
        "network."
    ),
    joins=True,
    sources=("VPC documentation, RDMA network profiles",),
)
def gcp_rdma_interface_type(machine: View) -> Verdict:
    """Interfaces on an RDMA network, and no others, have the type MRDMA; the first interface is never one."""
    interfaces = machine.blocks("networkInterfaces")

    def check(interface: Block) -> Verdict:
        kind = interface.text("nicType")
        if kind != "MRDMA" and ("network" not in interface or interface.value("network") == "default"):
            return NOT_APPLICABLE
        network = interface.one("network", COMPUTE_NETWORK)
        if network is None:
            return NOT_APPLICABLE
        rdma = _ROCE in (wiring.profile_of(network) or "")
        path = interface.at("nicType")
        if rdma and interface.at("") == interfaces[0].at(""):
            message = f"the first interface is on {network.name}, which is for RDMA only"
            return fail(message, hint="Put the first interface on an ordinary network.", path=interface.at("network"))
        message = f"an interface on {network.name} has nicType {kind or 'unset'}"
        hint = "Set nicType to MRDMA." if rdma else "Set nicType to GVNIC, or use a network with a profile for RDMA."
        return allow((kind == "MRDMA") == rdma, message, hint=hint, path=path)

    return each(interfaces, check)


def _is_at(network: View, group: NetworkGroup, zones: list[str] | None, right: str) -> Verdict:
    profile = wiring.profile_of(network) or ""
    places = [f"{zone}-{group.profile}" for zone in zones or ()]
    where = listed(zones) if zones else "three zones that GKE chooses"
    message = f"{network.name} has the profile {profile}, and the nodes start in {where}"
    holds = places == [profile]
    hint = f"Keep the nodes in one zone, and set networkProfile to {right}."
    return allow_at(network, holds, message, hint=hint, path="networkProfile")
