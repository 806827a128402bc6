"""Rules on the networks of a node pool: how many, how large their packets, and who wires them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from penstock.catalog import limits
from penstock.catalog.gcp import fabrics, gke_versions
from penstock.catalog.gcp.fabrics import NetworkFabric, NetworkGroup
from penstock.catalog.gcp.machines import GcpMachine
from penstock.model.gcp import places
from penstock.model.pools.gke import POOLS, GkePool, gke_pools, pools_of
from penstock.resources.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each, fail, together
from penstock.resources.view import Block, Site, View
from penstock.rules.gcp import nodes, wiring
from penstock.rules.gcp.nodes import SINGLE, Starter, allow_at
from penstock.rules.gcp.types import CLUSTER, NETWORK
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.wording import listed

RULES = RuleSet(Category.PROVIDER)

_NETWORKS = "networkConfig.additionalNodeNetworkConfigs"
_ROCE = "roce"


@RULES.rule(
    "gcp-fabric-network-count",
    on=POOLS,
    severity=HIGH,
    rationale=(
        "With too few networks an interface stays idle, and an additional one takes the slot of a GPU's interface, so "
        "that GPUDirect does not start."
    ),
    fix="List one entry in additionalNodeNetworkConfigs for each fabric interface of the machine type.",
    reads=("networkConfig.additionalNodeNetworkConfigs", "nodeConfig.machineType"),
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
        "NVIDIA/aicr issue 381",
        "NVIDIA/aicr pull request 420",
    ),
)
def a_fabric_has_exactly_its_networks(view: View) -> Verdict:
    """A node pool with additional networks lists exactly as many as the machine type has fabric interfaces."""

    def check(pool: GkePool) -> Verdict:
        fabric, machine = pool.fabric, pool.machine
        if fabric is None or machine is None or not wiring.entries(pool):
            return NOT_APPLICABLE
        count = len(wiring.entries(pool))
        message = f"{machine.machine_type} has {fabric.interfaces} interfaces beside its first, and {count} are listed"
        hint = f"List {fabric.interfaces}: {_in_words(fabric)}."
        return allow(count == fabric.interfaces, message, hint=hint, path=_wired_at(pool))

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-fabric-wired",
    on=POOLS,
    severity=MEDIUM,
    rationale="The nodes start, but exchange their data over the first interface instead of the fabric.",
    fix=(
        "List the networks of the fabric in additionalNodeNetworkConfigs, or set acceleratorNetworkProfile to auto "
        "where DRANET serves the machine type."
    ),
    reads=(
        "autoscaling",
        "initialNodeCount",
        "networkConfig.acceleratorNetworkProfile",
        "networkConfig.additionalNodeNetworkConfigs",
        "nodeConfig.machineType",
        "nodeCount",
        "nodeLocations",
    ),
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
    ),
)
def a_fabric_is_used(view: View) -> Verdict:
    """A node pool of several machines with a fabric uses the fabric, by additional networks or by GKE's DRANET."""

    def check(pool: GkePool) -> Verdict:
        fabric, machine = pool.fabric, pool.machine
        if fabric is None or machine is None or pool.most() < 2:  # noqa: PLR2004 - several
            return NOT_APPLICABLE
        dranet = fabrics.dranet(machine)
        message = (
            f"nodes of {machine.machine_type} have no networks for their fabric, and talk over the first interface"
        )
        hint = f"List {fabric.interfaces} additional networks: {_in_words(fabric)}."
        hint = f"{hint} Or set acceleratorNetworkProfile to auto." if dranet else hint
        hint = f"{hint} Leave it so where each machine works alone."
        used = wiring.entries(pool) or wiring.accelerator_profile(pool)
        return allow(used, message, hint=hint, path=_wired_at(pool))

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-fabric-network-mtu",
    on=NETWORK,
    severity=MEDIUM,
    rationale="The interfaces work with another MTU, but with packets of a size that the fabric is not designed for.",
    fix="Set mtu of the network to the value of the fabric.",
    reads=("mtu", "name", "networkProfile"),
    joins=True,
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
        "cluster-toolkit pull request 3175",
    ),
)
def a_network_of_a_fabric_has_its_packet_size(network: View) -> Verdict:
    """A network of a fabric has the MTU of that fabric: 8244 bytes for TCPX and TCPXO, 8896 for RDMA."""
    users = _machines_on(network)
    if not users or ("networkProfile" in network and "mtu" not in network):
        return NOT_APPLICABLE
    mtu = network.integer("mtu")
    size = limits.find_limit("network_mtu_default", "gcp").most if mtu is None else mtu

    def check(machine: GcpMachine) -> Verdict:
        sizes = (
            {group.mtu for group in fabrics.find_fabric(machine.fabric).groups} if machine.fabric is not None else set()
        )
        if len(sizes) != 1:
            return NOT_APPLICABLE
        (right,) = sizes
        message = f"packets have {size} bytes at most, and the fabric of {machine.machine_type} is made for {right}"
        return allow(size == right, message, hint=f"Set mtu to {right}.", path="mtu")

    return each(users, check)


@RULES.rule(
    "gcp-rdma-network-profile",
    on=POOLS,
    severity=HIGH,
    rationale=(
        "RDMA interfaces attach only to networks with an RDMA network profile, and only in the zone of that profile."
    ),
    fix=(
        "Keep the nodes in one zone, and set networkProfile of the network to the RDMA profile of that zone, such as "
        "ZONE-vpc-roce."
    ),
    reads=("networkConfig.additionalNodeNetworkConfigs[].network", "nodeConfig.machineType", "nodeLocations"),
    joins=True,
    sources=("VPC documentation, RDMA network profiles",),
)
def rdma_interfaces_stand_on_a_network_for_rdma(view: View) -> Verdict:
    """RDMA interfaces of a node pool are on a network with the RDMA network profile of the nodes' zone."""

    def check(pool: GkePool) -> Verdict:
        group = _rdma(pool)
        if group is None or not wiring.entries(pool):
            return NOT_APPLICABLE
        zones = pool.zones()
        given = wiring.networks(pool)
        made = [network for network in given if _profile(network)]
        if not given:
            raise NotKnown
        zone = zones[0] if zones else "ZONE"
        right = f"{zone}-{group.profile}"
        if not made:
            message = f"none of the additional networks is made for RDMA, which {group.interfaces} interfaces need"
            return fail(message, hint=f"Give one of them the networkProfile {right}.", path=_wired_at(pool))
        return each(made, lambda network: _is_at(network, group, zones, right))

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-rdma-host-interface-first",
    on=POOLS,
    severity=MEDIUM,
    rationale="Pods look for the RDMA interfaces from eth2 on, and in another order do not find them there.",
    fix="List the host network first in additionalNodeNetworkConfigs, then the interfaces for RDMA.",
    reads=("networkConfig.additionalNodeNetworkConfigs[].network", "nodeConfig.machineType"),
    joins=True,
    sources=("cluster-toolkit 1.95, examples/gke-a3-ultragpu",),
)
def the_host_interface_comes_first(view: View) -> Verdict:
    """The network of the host's second interface is listed before the networks for RDMA."""

    def check(pool: GkePool) -> Verdict:
        group, fabric, wired = _rdma(pool), pool.fabric, wiring.entries(pool)
        if group is None or fabric is None or len(wired) != fabric.interfaces:
            return NOT_APPLICABLE
        hosts = fabric.interfaces - group.interfaces
        order = [bool(_profile(network)) for entry in wired if (network := wiring.network_of(entry)) is not None]
        if not any(order):
            return NOT_APPLICABLE  # another rule tells
        right = [False] * hosts + [True] * group.interfaces
        message = f"the interfaces for RDMA are not the last {group.interfaces}, where the fabric looks for them"
        hint = f"List the host network first, then {group.interfaces} interfaces for RDMA."
        return allow(order == right, message, hint=hint, path=_wired_at(pool))

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-fabric-subnetwork-per-interface",
    on=POOLS,
    severity=HIGH,
    rationale=(
        "Compute Engine does not attach two interfaces of a machine to one subnetwork, nor to one ordinary network."
    ),
    fix="Give each entry of additionalNodeNetworkConfigs its own subnetwork, and outside RDMA its own network.",
    reads=(
        "networkConfig.additionalNodeNetworkConfigs[].network",
        "networkConfig.additionalNodeNetworkConfigs[].subnetwork",
        "nodeConfig.machineType",
    ),
    joins=True,
    sources=(
        "GKE documentation, set up multi-network support for pods",
        "Compute Engine documentation, multiple network interfaces",
    ),
)
def no_two_interfaces_share_a_subnetwork(view: View) -> Verdict:
    """Each interface of a node is on a subnetwork of its own, and on a network of its own unless that is for RDMA."""

    def check(pool: GkePool) -> Verdict:
        group, wired = _rdma(pool), wiring.entries(pool)
        if len(wired) < 2 or (group is not None and not group.subnetworks):  # noqa: PLR2004 - a pair
            return NOT_APPLICABLE
        taken: Counter[str] = Counter()

        def own(entry: Block) -> Verdict:
            subnetwork = wiring.subnetwork_of(entry)
            network = wiring.network_of(entry)
            if subnetwork is None or network is None:
                return NOT_APPLICABLE
            taken.update({subnetwork.urn, network.urn})
            shared = group is not None or _profile(network)
            alone = taken[subnetwork.urn] == 1 and (taken[network.urn] == 1 or shared)
            what = "subnetwork" if taken[subnetwork.urn] > 1 else "network"
            message = f"another interface of the node is on the same {what}"
            hint = f"Give each interface a {what} of its own."
            return allow(alone, message, hint=hint, path=entry.at(what))

        return each(wired, own)

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-fabric-not-cluster-network",
    on=POOLS,
    severity=HIGH,
    rationale=(
        "The first interface of each node is on the cluster's network already, and a second interface on the same "
        "network is refused."
    ),
    fix="Use a separate network for each entry of additionalNodeNetworkConfigs.",
    reads=("cluster", "networkConfig.additionalNodeNetworkConfigs[].network"),
    joins=True,
    sources=(
        "GKE documentation, set up multi-network support for pods",
        "Compute Engine documentation, multiple network interfaces",
    ),
)
def additional_networks_are_not_that_of_the_cluster(view: View) -> Verdict:
    """The additional networks of a node pool differ from the network of its cluster."""

    def check(pool: GkePool) -> Verdict:
        wired = wiring.networks(pool)
        if not wired:
            return NOT_APPLICABLE
        home = pool.cluster.one("network", NETWORK)
        message = f"{home.name if home else ''} is the network of the cluster, and the first interface is on it"
        hint = "Use a network of its own for each further interface."
        return each(
            wired, lambda one: allow(home is None or one.urn != home.urn, message, hint=hint, path=_wired_at(pool))
        )

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-fabric-subnetwork-of-network",
    on=POOLS,
    severity=HIGH,
    rationale="GKE rejects a subnetwork of another network or of another region.",
    fix="Set subnetwork to one of the named network in the region of the node pool.",
    reads=(
        "cluster",
        "location",
        "networkConfig.additionalNodeNetworkConfigs[].network",
        "networkConfig.additionalNodeNetworkConfigs[].subnetwork",
    ),
    joins=True,
    sources=("GKE documentation, set up multi-network support for pods",),
)
def a_subnetwork_is_of_its_network(view: View) -> Verdict:
    """The subnetwork of an additional interface belongs to the network named beside it, in the region of the pool."""

    def check(pool: GkePool, entry: Block) -> Verdict:
        network, subnetwork = wiring.network_of(entry), wiring.subnetwork_of(entry)
        if network is None or subnetwork is None:
            return NOT_APPLICABLE
        owner, region = subnetwork.one("network", NETWORK), subnetwork.text("region")
        path = entry.at("subnetwork")
        here = places.region_of(pool.place())
        return together(
            [
                allow(
                    owner is None or owner.urn == network.urn,
                    f"{subnetwork.name} is no subnetwork of {network.name}",
                    hint=f"Use a subnetwork of {network.name}.",
                    path=path,
                ),
                allow(
                    region in (None, here),
                    f"{subnetwork.name} is in {region}, and the pool in {here}",
                    hint=f"Use a subnetwork in {here}.",
                    path=path,
                ),
            ]
        )

    return together(each(wiring.entries(pool), lambda entry: check(pool, entry)) for pool in gke_pools(view))  # noqa: B023


@RULES.rule(
    "gcp-gke-multi-networking",
    on=CLUSTER,
    severity=HIGH,
    rationale="GKE refuses the node pools otherwise.",
    fix="Set enableMultiNetworking of the cluster to true.",
    reads=("enableMultiNetworking", "name", "nodeConfig", "nodePools"),
    joins=True,
    sources=("GKE documentation, set up multi-network support for pods",),
)
def additional_networks_need_a_cluster_with_several(cluster: View) -> Verdict:
    """A cluster whose node pools have additional networks has multi-networking enabled."""
    wired = [pool for pool in pools_of(cluster) if wiring.entries(pool)]
    if not wired:
        return NOT_APPLICABLE
    names = listed(dict.fromkeys(pool.view.name for pool in wired))
    message = f"nodes of {names} have additional networks, and multi-networking is off"
    hint, path = "Set enableMultiNetworking to true.", "enableMultiNetworking"
    return allow(cluster.flag(path), message, hint=hint, path=path)


@RULES.rule(
    "gcp-gke-network-feature-version",
    on=POOLS,
    severity=HIGH,
    rationale="GKE refuses the feature on older versions.",
    fix="Set minMasterVersion of the cluster, or version of the node pool, to a GKE version that has the feature.",
    reads=(
        "cluster",
        "networkConfig.acceleratorNetworkProfile",
        "networkConfig.additionalNodeNetworkConfigs",
        "version",
    ),
    joins=True,
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
        "GKE documentation, set up multi-network support for pods",
    ),
)
def the_version_of_gke_has_the_networks(view: View) -> Verdict:
    """The GKE version has the network feature that the node pool uses: multi-networking or DRANET."""

    def check(pool: GkePool) -> Verdict:
        features = _features(pool)
        if not features:
            return NOT_APPLICABLE
        return each(features, lambda feature: nodes.has_feature(pool, feature))

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-fabric-version",
    on=POOLS,
    severity=MEDIUM,
    rationale="An older version creates the nodes all the same, but Google does not support the fabric on them.",
    fix="Set minMasterVersion of the cluster, or version of the node pool, to a GKE version that supports the fabric.",
    reads=(
        "networkConfig.acceleratorNetworkProfile",
        "networkConfig.additionalNodeNetworkConfigs",
        "nodeConfig.machineType",
        "version",
    ),
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
    ),
)
def the_version_of_gke_is_made_for_the_fabric(view: View) -> Verdict:
    """The GKE version is one on which Google supports the fabric of the machine type."""

    def check(pool: GkePool) -> Verdict:
        fabric = pool.fabric if wiring.accelerator_profile(pool) is None and wiring.entries(pool) else None
        if fabric is None or fabric.name not in gke_versions.features():
            return NOT_APPLICABLE
        return nodes.has_feature(pool, fabric.name)

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-gke-fast-socket-gvnic",
    on=POOLS,
    severity=HIGH,
    rationale="Fast Socket does not work over another interface.",
    fix="Set gvnic.enabled to true.",
    reads=("nodeConfig.fastSocket.enabled", "nodeConfig.gvnic.enabled"),
    sources=("Pulumi Google Cloud 10.2, container.NodePool, node_config.fast_socket",),
)
def fast_socket_needs_gvnic(view: View) -> Verdict:
    """NCCL Fast Socket is enabled only on nodes with Google's own network interface (gVNIC)."""

    def check(pool: GkePool) -> Verdict:
        config = pool.config
        if config is None or not nodes.enabled(config, "fastSocket"):
            return NOT_APPLICABLE
        message = "Fast Socket works over gVNIC only, which is not asked for"
        return allow(
            nodes.enabled(config, "gvnic"), message, hint="Set gvnic.enabled to true.", path=config.at("gvnic")
        )

    return each(gke_pools(view), check)


@RULES.rule(
    "gcp-rdma-interface-type",
    on=SINGLE,
    severity=HIGH,
    rationale="An RDMA network accepts only RDMA interfaces, and MRDMA interfaces attach to no other network.",
    fix=(
        "Set nicType to MRDMA on networks for RDMA and to GVNIC elsewhere, with the first interface on an ordinary "
        "network."
    ),
    reads=("networkInterfaces[].network", "networkInterfaces[].nicType"),
    joins=True,
    sources=("VPC documentation, RDMA network profiles",),
)
def interfaces_for_rdma_are_of_their_type(machine: View) -> Verdict:
    """An interface on a network for RDMA has the type MRDMA, and no other interface has; the first is for the host."""
    interfaces = machine.blocks("networkInterfaces")

    def check(interface: Block) -> Verdict:
        kind = interface.text("nicType")
        if kind != "MRDMA" and ("network" not in interface or interface.value("network") == "default"):
            return NOT_APPLICABLE
        network = interface.one("network", NETWORK)
        if network is None:
            return NOT_APPLICABLE
        rdma = _ROCE in (_profile(network) or "")
        path = interface.at("nicType")
        if rdma and interface.at("") == interfaces[0].at(""):
            message = f"the first interface is on {network.name}, which is for RDMA only"
            return fail(message, hint="Put the first interface on an ordinary network.", path=interface.at("network"))
        message = f"an interface on {network.name} is {kind or 'of no type'}"
        hint = "Set nicType to MRDMA." if rdma else "Set nicType to GVNIC, or use a network with a profile for RDMA."
        return allow((kind == "MRDMA") == rdma, message, hint=hint, path=path)

    return each(interfaces, check)


@RULES.rule(
    "gcp-fabric-interface-count",
    on=SINGLE,
    severity=HIGH,
    rationale=(
        "A missing interface leaves its accelerators without the fabric, and an additional one takes the slot of an "
        "accelerator's interface."
    ),
    fix="List the interfaces of the fabric in networkInterfaces after the first one, and no others.",
    reads=("machineType", "networkInterfaces"),
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
        "Compute Engine documentation, GPU machine types: interfaces",
    ),
)
def a_machine_has_exactly_the_interfaces_of_its_fabric(view: View) -> Verdict:
    """A machine with more than one interface has exactly the interfaces of its fabric after the first one."""
    machine, count = Starter(view, view).machine, view.count("networkInterfaces")
    if machine is None or machine.fabric is None or count < 2:  # noqa: PLR2004 - more than the first
        return NOT_APPLICABLE
    fabric = fabrics.find_fabric(machine.fabric)
    message = f"{machine.machine_type} has {fabric.interfaces} interfaces beside its first, and {count - 1} are listed"
    hint = f"List {fabric.interfaces} after the first: {_in_words(fabric)}."
    return allow(count - 1 == fabric.interfaces, message, hint=hint, path="networkInterfaces")


def _rdma(pool: GkePool) -> NetworkGroup | None:
    """The part of a pool's fabric that is for RDMA; None where the fabric is of another kind."""
    fabric = pool.fabric
    return next((group for group in fabric.groups if group.profile), None) if fabric is not None else None


def _in_words(fabric: NetworkFabric) -> str:
    parts = [
        f"{group.interfaces} on {group.networks} {'network' if group.networks == 1 else 'networks'} "
        f"for the {'host' if group.role == 'host' else 'accelerators'}"
        for group in fabric.groups
    ]
    return ", ".join(parts)


def _wired_at(pool: GkePool) -> str:
    return pool.block.at(_NETWORKS)


def _profile(network: View) -> str | None:
    """The profile of a network by its last name; None for an ordinary network."""
    text = network.text("networkProfile")
    return None if text is None else text.rpartition("/")[2]


def _is_at(network: View, group: NetworkGroup, zones: list[str] | None, right: str) -> Verdict:
    profile = _profile(network) or ""
    places = [f"{zone}-{group.profile}" for zone in zones or ()]
    where = listed(zones) if zones else "three zones that GKE chooses"
    message = f"{network.name} is made by the profile {profile}, and the nodes start in {where}"
    holds = places == [profile]
    hint = f"Keep the nodes in one zone, and set networkProfile to {right}."
    return allow_at(network, holds, message, hint=hint, path="networkProfile")


def _machines_on(network: View) -> list[GcpMachine]:
    """The machine types with a further interface on a network.

    Raises:
        NotKnown: none is found, and of some machines nobody can tell.
    """
    index = network.site.once(_by_network)
    found = list(index.get(network.urn, {}).values())
    if not found and "" in index:
        raise NotKnown
    return found


def _by_network(site: Site) -> dict[str, dict[str, GcpMachine]]:
    """The machine types by the networks of their further interfaces; under the empty URN if some cannot be told."""
    index: dict[str, dict[str, GcpMachine]] = {}
    for view in site.of_type(*POOLS, *SINGLE):
        try:
            wired = list(_wired(view))
        except NotKnown:
            index.setdefault("", {})
            continue
        for machine, network in wired:
            index.setdefault(network.urn, {})[machine.machine_type] = machine
    return index


def _wired(view: View) -> Iterator[tuple[GcpMachine, View]]:
    """The machine types that a resource starts, with each network of a further interface of theirs."""
    if view.type in POOLS:
        for pool in gke_pools(view):
            machine = pool.machine
            if machine is not None:
                yield from ((machine, network) for network in wiring.networks(pool))
        return
    machine = Starter(view, view).machine
    for interface in view.blocks("networkInterfaces")[1:] if machine is not None else ():
        network = wiring.network_of(interface)
        if machine is not None and network is not None:
            yield machine, network


def _features(pool: GkePool) -> list[str]:
    """What a pool uses that GKE has from some version on."""
    if wiring.accelerator_profile(pool) is not None:
        return ["dranet"]
    return ["multi_networking"] if wiring.entries(pool) else []
