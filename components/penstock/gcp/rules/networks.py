"""Networks: their size of packets, profiles and subnetworks."""

from __future__ import annotations

from ipaddress import IPv4Network

from penstock.catalog import limits
from penstock.core.cidr import first_overlap
from penstock.core.wording import listed
from penstock.gcp.facts import address_ranges, network_profiles
from penstock.gcp.model import places
from penstock.gcp.rules import profiles, ranges
from penstock.gcp.types import COMPUTE_NETWORK, COMPUTE_NETWORK_PEERING, COMPUTE_SUBNETWORK
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Failure, NotKnown, Outcome, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=COMPUTE_NETWORK,
    severity=HIGH,
    rationale="The Compute Engine API rejects other values.",
    fix="Set mtu to a number from 1300 to 8896.",
    sources=("Compute API v1, discovery document, Network.mtu",),
)
def gcp_net_mtu(network: View) -> Verdict:
    """The MTU of a network is from 1300 to 8896 bytes."""
    mtu = network.integer("mtu")
    if not mtu:
        return NOT_APPLICABLE
    least, most = (limits.find_limit(name, "gcp").most for name in ("network_mtu_least", "network_mtu"))
    hint = f"Use {min(max(mtu, least), most)}."
    return allow(least <= mtu <= most, f"mtu {mtu} is out of range", hint=hint, path="mtu")


@RULES.rule(
    on=COMPUTE_NETWORK,
    severity=HIGH,
    rationale="The API finds no network profile under another path.",
    fix="Set networkProfile to projects/PROJECT/global/networkProfiles/ZONE-vpc-roce, with the zone of the nodes.",
    sources=(
        "Compute API v1, discovery document, Network.networkProfile",
        "VPC documentation, RDMA network profiles (catalogue, gcp_network_profiles)",
    ),
)
def gcp_net_profile_path(network: View) -> Verdict:
    """The profile of a network is projects/PROJECT/global/networkProfiles/ZONE-PROFILE, in an existing region."""
    text = network.text("networkProfile")
    if not text:
        return NOT_APPLICABLE
    profile, path = profiles.read(text), "networkProfile"
    if profile is None:
        hint = "Write projects/PROJECT/global/networkProfiles/ZONE-vpc-roce, with a zone such as us-central1-b."
        return fail(f"{text!r} is not a path of a network profile", hint=hint, path=path)
    hint = "Name the zone of the nodes that have interfaces in this network."
    return allow(places.exists(profile.zone), f"{profile.zone} is not a zone of Google Cloud", hint=hint, path=path)


@RULES.rule(
    on=COMPUTE_NETWORK,
    severity=MEDIUM,
    rationale="An unknown profile may be misspelled, and rules on the network cannot be checked.",
    fix="Set networkProfile to a known profile of the zone, such as ZONE-vpc-roce.",
    sources=("VPC documentation, RDMA network profiles (catalogue, gcp_network_profiles)",),
)
def gcp_net_profile_known(network: View) -> Verdict:
    """The network profile of a network is one that the catalogue knows."""
    profile = profiles.of_network(network)
    if profile is None:
        return NOT_APPLICABLE
    hint = f"Use {profile.zone}-NAME, where NAME is one of {listed(network_profiles.network_profile_names())}."
    message = f"Penstock knows no network profile {profile.name}"
    return allow(profile.facts is not None, message, hint=hint, path="networkProfile")


@RULES.rule(
    on=COMPUTE_NETWORK,
    severity=HIGH,
    rationale="Automatic subnetworks are in every region, and a network with an RDMA profile is limited to one zone.",
    fix="Set autoCreateSubnetworks to false; the default is true.",
    sources=(
        "VPC documentation, RDMA network profiles (catalogue, gcp_network_profiles)",
        "cluster-toolkit 1.95, modules/network/gpu-rdma-vpc",
    ),
)
def gcp_net_rdma_custom_mode(network: View) -> Verdict:
    """A network with an RDMA profile does not create subnetworks automatically."""
    if profiles.of_network(network) is None:
        return NOT_APPLICABLE
    return allow(
        network.flag("autoCreateSubnetworks") is False,
        "a network for RDMA belongs to one zone, and autoCreateSubnetworks creates a subnetwork in every region",
        hint="Set autoCreateSubnetworks to false; it is true where nothing is said.",
        path="autoCreateSubnetworks",
    )


@RULES.rule(
    on=COMPUTE_SUBNETWORK,
    severity=HIGH,
    rationale="A network with a profile takes no subnetworks of other regions.",
    fix="Set region to that of the profile's zone.",
    joins=True,
    sources=("VPC documentation, RDMA network profiles (catalogue, gcp_network_profiles)",),
)
def gcp_subnet_rdma_region(subnetwork: View) -> Verdict:
    """A subnetwork of a network with a profile is in the region of the profile's zone."""
    profile = profiles.of_network(subnetwork.one("network", COMPUTE_NETWORK))
    if profile is None:
        return NOT_APPLICABLE
    region, wanted = places.region(subnetwork), places.region_of(profile.zone)
    message = f"the network is for {profile.zone}, and the subnetwork is in {region}"
    return allow(region == wanted, message, hint=f"Set region to {wanted}.", path="region")


@RULES.rule(
    on=COMPUTE_SUBNETWORK,
    severity=HIGH,
    rationale=(
        "The network profile excludes other settings, and with the bare-metal profile Google creates the only "
        "subnetwork itself."
    ),
    fix=(
        "Set stackType to that of the profile and leave secondaryIpRanges out; with vpc-roce-metal leave the "
        "subnetwork out and name default-subnet-1-NETWORK."
    ),
    joins=True,
    sources=("VPC documentation, RDMA network profiles (catalogue, gcp_network_profiles)",),
)
def gcp_subnet_rdma_settings(subnetwork: View) -> Verdict:
    """A subnetwork of an RDMA network has the stack type and secondary ranges that the network profile allows."""
    profile = profiles.of_network(subnetwork.one("network", COMPUTE_NETWORK))
    facts = profile.facts if profile is not None else None
    if facts is None:
        return NOT_APPLICABLE
    if not facts.own_subnetworks:
        message = f"Google creates the subnetwork of a network with {facts.name} itself, and takes no other"
        return fail(message, hint="Leave this subnetwork out: name default-subnet-1-NETWORK.", path="network")
    if facts.secondary_ranges is False and subnetwork.count("secondaryIpRanges"):
        message = f"a subnetwork of a network with {facts.name} has no secondary ranges"
        return fail(message, hint="Leave secondaryIpRanges out.", path="secondaryIpRanges")
    stack = subnetwork.text("stackType") or "IPV4_ONLY"
    return allow(
        facts.stack_type in (None, stack),
        f"a network with {facts.name} has addresses of {facts.stack_type} only, and no {stack}",
        hint=f"Set stackType to {facts.stack_type}.",
        path="stackType",
    )


@RULES.rule(
    on=COMPUTE_SUBNETWORK,
    severity=HIGH,
    rationale="The API rejects ranges with host bits set, ranges smaller than /29 and prohibited ranges.",
    fix="Set ipCidrRange to the start of a private range, such as 10.0.0.0/20.",
    sources=(
        "VPC documentation, subnets: prohibited ranges (catalogue, gcp_address_ranges)",
        "Compute Engine API, 400 on 10.0.1.0/23: must be a CIDR address range",
    ),
)
def gcp_subnet_range_valid(subnetwork: View) -> Verdict:
    """Each range of a subnetwork is a whole CIDR range of /29 or larger that Google does not reserve."""
    written = [
        (text, block.at("ipCidrRange"))
        for block in (subnetwork, *subnetwork.blocks("secondaryIpRanges"))
        if (text := block.text("ipCidrRange")) is not None and block.text("ipVersion") != "IPV6"
    ]
    return each(written, lambda item: _range(*item))


@RULES.rule(
    on=COMPUTE_NETWORK,
    severity=HIGH,
    rationale="The API rejects a range that overlaps another one of the network.",
    fix="Set ipCidrRange to a range beside those in use.",
    joins=True,
    sources=(
        "Compute API v1, discovery document, Subnetwork.ipCidrRange: unique and non-overlapping within a network",
    ),
)
def gcp_net_ranges_overlap(network: View) -> Verdict:
    """Ranges of a network do not overlap: subnetworks, pods, services and ranges allocated to Google's services."""
    found = ranges.of_network(network)
    if not found:
        return NOT_APPLICABLE
    failures = []
    for rank, later in enumerate(found):
        first = next((other for other in found[:rank] if other.cidr.overlaps(later.cidr)), None)
        if first is not None:
            message = f"{later.cidr} overlaps {first.cidr} of {first.holder.name}"
            hint = f"Take a range beside {first.cidr}."
            failures.append(Failure(message, hint, later.path, later.holder.urn))
    return Verdict(Outcome.FAIL, tuple(failures)) if failures else PASS


@RULES.rule(
    on=COMPUTE_SUBNETWORK,
    severity=HIGH,
    rationale="Google creates a subnetwork in every region out of that range, and rejects one that overlaps.",
    fix="Set autoCreateSubnetworks of the network to false, or set ipCidrRange to a range outside 10.128.0.0/9.",
    joins=True,
    sources=("Pulumi Google Cloud 10.2, compute.Network, auto_create_subnetworks",),
)
def gcp_subnet_auto_range(subnetwork: View) -> Verdict:
    """A subnetwork in an auto-mode network is outside the range that automatic subnetworks are taken from."""
    network = ranges.home(subnetwork)
    if network is None or profiles.of_network(network) is not None:
        return NOT_APPLICABLE
    if network.flag("autoCreateSubnetworks") is False:
        return NOT_APPLICABLE
    taken = address_ranges.auto_subnetworks()
    inside = [own for own in ranges.of_subnetwork(subnetwork) if own.cidr.overlaps(taken)]
    return allow(
        not inside,
        f"{network.name} creates a subnetwork in every region out of {taken}, and the range overlaps it",
        hint=f"Set autoCreateSubnetworks of {network.name} to false, or take a range outside {taken}.",
        path=inside[0].path if inside else "",
    )


@RULES.rule(
    on=COMPUTE_NETWORK_PEERING,
    severity=HIGH,
    rationale="Google Cloud does not peer networks whose subnetwork ranges overlap.",
    fix="Give one of the two networks another ipCidrRange.",
    joins=True,
    sources=("VPC documentation, VPC Network Peering: subnet ranges must not overlap",),
)
def gcp_net_peering_overlap(peering: View) -> Verdict:
    """Peered networks have no overlapping ranges."""
    ends = [peering.one(key, COMPUTE_NETWORK) for key in ("network", "peerNetwork")]
    first, second = (ranges.of_network(end) if end is not None else None for end in ends)
    if first is None or second is None:
        return NOT_APPLICABLE
    if not first or not second:
        raise NotKnown
    shared = next((one for one in first for other in second if one.cidr.overlaps(other.cidr)), None)
    message = f"both networks have addresses in {shared.cidr}" if shared is not None else ""
    return allow(
        shared is None,
        f"{message}, so that Google does not peer them",
        hint="Give one of the two another range.",
        path="peerNetwork",
    )


def _range(text: str, path: str) -> Verdict:
    smallest = limits.find_limit("subnetwork_prefix", "gcp").most
    try:
        network = IPv4Network(text, strict=False)
    except ValueError:
        return fail(f"{text!r} is not a range of IPv4", hint="Write one such as 10.0.0.0/20.", path=path)
    if "/" not in text:
        hint = f"Say how long its prefix is, as in {network.network_address}/20."
        return fail(f"{text} is an address, not a range", hint=hint, path=path)
    if str(network) != text:
        return fail(f"{text} is not the start of its network", hint=f"Write {network}.", path=path)
    if network.prefixlen > smallest:
        hint = f"Use a /{smallest} or larger, such as {network.network_address}/20."
        return fail(f"a /{network.prefixlen} is not made", hint=hint, path=path)
    kept = first_overlap(network, address_ranges.reserved())
    hint = "Take a private range, such as 10.0.0.0/20."
    return allow(kept is None, f"{network} overlaps {kept}, which Google reserves", hint=hint, path=path)
