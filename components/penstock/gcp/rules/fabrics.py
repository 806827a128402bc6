"""Rules on the networks of a fabric: their number, their MTU and their subnetworks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from penstock.catalog import limits
from penstock.core.wording import plural
from penstock.gcp.facts import fabrics
from penstock.gcp.facts.fabrics import NetworkFabric
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.model import places
from penstock.gcp.model.gke import POOLS, GkePool, gke_pools
from penstock.gcp.rules import wiring
from penstock.gcp.rules.nodes import SINGLE, Starter
from penstock.gcp.types import COMPUTE_NETWORK
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each, together
from penstock.graph.view import Block, Site, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "With too few networks an interface stays idle, and an additional one takes the slot of a GPU's interface, so "
        "that GPUDirect does not start."
    ),
    fix="List one entry in additionalNodeNetworkConfigs for each fabric interface of the machine type.",
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
        "NVIDIA/aicr issue 381",
        "NVIDIA/aicr pull request 420",
    ),
)
def gcp_fabric_network_count(pool: GkePool) -> Verdict:
    """A node pool with additional networks lists exactly as many as the machine type has fabric interfaces."""
    fabric, machine = pool.fabric, pool.machine
    if fabric is None or machine is None or not wiring.entries(pool):
        return NOT_APPLICABLE
    count = len(wiring.entries(pool))
    message = f"{machine.machine_type} has {fabric.interfaces} interfaces beside its first, and {count} are listed"
    hint = f"List {fabric.interfaces}: {_in_words(fabric)}."
    return allow(count == fabric.interfaces, message, hint=hint, path=wiring.path_of(pool))


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=MEDIUM,
    rationale="The nodes start, but exchange their data over the first interface instead of the fabric.",
    fix=(
        "List the networks of the fabric in additionalNodeNetworkConfigs, or set acceleratorNetworkProfile to auto "
        "where DRANET serves the machine type."
    ),
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
    ),
)
def gcp_fabric_wired(pool: GkePool) -> Verdict:
    """A node pool of several machines with a fabric uses the fabric, by additional networks or by GKE's DRANET."""
    fabric, machine = pool.fabric, pool.machine
    if fabric is None or machine is None or pool.most() < 2:  # noqa: PLR2004 - several
        return NOT_APPLICABLE
    dranet = fabrics.dranet(machine)
    message = f"nodes of {machine.machine_type} have no networks for their fabric, and use the first interface only"
    hint = f"List {fabric.interfaces} additional networks: {_in_words(fabric)}."
    hint = f"{hint} Or set acceleratorNetworkProfile to auto." if dranet else hint
    hint = f"{hint} Leave it so where each machine works alone."
    used = wiring.entries(pool) or wiring.accelerator_profile(pool)
    return allow(used, message, hint=hint, path=wiring.path_of(pool))


@RULES.rule(
    on=COMPUTE_NETWORK,
    severity=MEDIUM,
    rationale="The interfaces work with another MTU, but with packets of a size that the fabric is not designed for.",
    fix="Set mtu of the network to the value of the fabric.",
    joins=True,
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
        "cluster-toolkit pull request 3175",
    ),
)
def gcp_fabric_network_mtu(network: View) -> Verdict:
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
        message = f"mtu is {size}; the fabric of {machine.machine_type} needs {right}"
        return allow(size == right, message, hint=f"Set mtu to {right}.", path="mtu")

    return each(users, check)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "Compute Engine does not attach two interfaces of a machine to one subnetwork, nor to one ordinary network."
    ),
    fix="Give each entry of additionalNodeNetworkConfigs its own subnetwork, and outside RDMA its own network.",
    joins=True,
    sources=(
        "GKE documentation, set up multi-network support for pods",
        "Compute Engine documentation, multiple network interfaces",
    ),
)
def gcp_fabric_subnetwork_per_interface(pool: GkePool) -> Verdict:
    """Each interface of a node has a subnetwork of its own, and outside of RDMA a network of its own."""
    group, wired = wiring.rdma_group(pool), wiring.entries(pool)
    if len(wired) < 2 or (group is not None and not group.subnetworks):  # noqa: PLR2004 - a pair
        return NOT_APPLICABLE
    taken: Counter[str] = Counter()

    def own(entry: Block) -> Verdict:
        subnetwork = wiring.subnetwork_of(entry)
        network = wiring.network_of(entry)
        if subnetwork is None or network is None:
            return NOT_APPLICABLE
        taken.update({subnetwork.urn, network.urn})
        shared = group is not None or wiring.profile_of(network)
        alone = taken[subnetwork.urn] == 1 and (taken[network.urn] == 1 or shared)
        what = "subnetwork" if taken[subnetwork.urn] > 1 else "network"
        message = f"another interface of the node is on the same {what}"
        hint = f"Give each interface a {what} of its own."
        return allow(alone, message, hint=hint, path=entry.at(what))

    return each(wired, own)


@RULES.rule(
    on=POOLS,
    each_of=gke_pools,
    severity=HIGH,
    rationale=(
        "The first interface of each node is on the cluster's network already, and a second interface on the same "
        "network is refused."
    ),
    fix="Use a separate network for each entry of additionalNodeNetworkConfigs.",
    joins=True,
    sources=(
        "GKE documentation, set up multi-network support for pods",
        "Compute Engine documentation, multiple network interfaces",
    ),
)
def gcp_fabric_not_cluster_network(pool: GkePool) -> Verdict:
    """The additional networks of a node pool differ from the network of its cluster."""
    wired = wiring.networks(pool)
    if not wired:
        return NOT_APPLICABLE
    home = pool.cluster.one("network", COMPUTE_NETWORK)
    message = f"{home.name if home else ''} is the network of the cluster, and the first interface is on it"
    hint = "Use a network of its own for each further interface."
    return each(
        wired, lambda one: allow(home is None or one.urn != home.urn, message, hint=hint, path=wiring.path_of(pool))
    )


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="GKE rejects a subnetwork of another network or of another region.",
    fix="Set subnetwork to one of the named network in the region of the node pool.",
    joins=True,
    sources=("GKE documentation, set up multi-network support for pods",),
)
def gcp_fabric_subnetwork_of_network(view: View) -> Verdict:
    """The subnetwork of an additional interface is one of the network beside it, in the region of the node pool."""

    def check(pool: GkePool, entry: Block) -> Verdict:
        network, subnetwork = wiring.network_of(entry), wiring.subnetwork_of(entry)
        if network is None or subnetwork is None:
            return NOT_APPLICABLE
        owner, region = subnetwork.one("network", COMPUTE_NETWORK), subnetwork.text("region")
        path = entry.at("subnetwork")
        here = places.region_of(pool.place())
        return together(
            [
                allow(
                    owner is None or owner.urn == network.urn,
                    f"{subnetwork.name} is not a subnetwork of {network.name}",
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
    on=SINGLE,
    severity=HIGH,
    rationale=(
        "A missing interface leaves its accelerators without the fabric, and an additional one takes the slot of an "
        "accelerator's interface."
    ),
    fix="List the interfaces of the fabric in networkInterfaces after the first one, and no others.",
    sources=(
        "cluster-toolkit 1.95, modules/compute/gke-node-pool, gpu_direct.tf",
        "cluster-toolkit 1.95, modules/network/multivpc",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
        "Compute Engine documentation, GPU machine types: interfaces",
    ),
)
def gcp_fabric_interface_count(view: View) -> Verdict:
    """A machine with more than one interface has exactly the interfaces of its fabric after the first one."""
    machine, count = Starter(view, view).machine, view.count("networkInterfaces")
    if machine is None or machine.fabric is None or count < 2:  # noqa: PLR2004 - more than the first
        return NOT_APPLICABLE
    fabric = fabrics.find_fabric(machine.fabric)
    message = f"{machine.machine_type} has {fabric.interfaces} interfaces beside its first, and {count - 1} are listed"
    hint = f"List {fabric.interfaces} after the first: {_in_words(fabric)}."
    return allow(count - 1 == fabric.interfaces, message, hint=hint, path="networkInterfaces")


def _in_words(fabric: NetworkFabric) -> str:
    parts = [
        f"{group.interfaces} on {plural(group.networks, 'network')} "
        f"for the {'host' if group.role == 'host' else 'accelerators'}"
        for group in fabric.groups
    ]
    return ", ".join(parts)


def _machines_on(network: View) -> list[GcpMachine]:
    """The machine types with a further interface on a network.

    Raises:
        NotKnown: none is found, and the networks of some machines are not known yet.
    """
    index = network.site.once(_by_network)
    found = list(index.get(network.urn, {}).values())
    if not found and "" in index:
        raise NotKnown
    return found


def _by_network(site: Site) -> dict[str, dict[str, GcpMachine]]:
    """The machine types by the networks of their further interfaces; under the empty URN if some are not known yet."""
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
