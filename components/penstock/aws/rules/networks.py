"""Networks: the ranges of VPCs and subnets, their zones, and the names that they resolve."""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv4Network

from penstock.aws.model.ec2 import names_region
from penstock.aws.model.launch_templates import inside
from penstock.aws.rules import nodes
from penstock.aws.types import (
    EC2_INTERNET_GATEWAY,
    EC2_SUBNET,
    EC2_VPC,
    EC2_VPC_ENDPOINT,
    EC2_VPC_IPV4_CIDR_BLOCK_ASSOCIATION,
    EC2_VPC_PEERING_CONNECTION,
    EKS_CLUSTER,
)
from penstock.catalog.regions import all_regions
from penstock.core.cidr import ipv4_range, is_inside, shared_range
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Failure, NotKnown, Outcome, Verdict, allow, fail
from penstock.graph.view import Site, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_LARGEST, _SMALLEST = 16, 28
"""The prefix lengths between which EC2 makes VPCs and subnets (EC2 API, CreateVpc and CreateSubnet)."""


@RULES.rule(
    on=(EC2_VPC, EC2_SUBNET, EC2_VPC_IPV4_CIDR_BLOCK_ASSOCIATION),
    severity=HIGH,
    rationale="EC2 rejects a CIDR block of another size, or one that does not start at its network address.",
    fix="Set cidrBlock to a network of /16 to /28, such as 10.0.0.0/16.",
    sources=("EC2 API model in botocore 1.44, CreateVpc", "EC2 API model in botocore 1.44, CreateSubnet"),
)
def aws_vpc_cidr_size(holder: View) -> Verdict:
    """The CIDR block of a VPC or subnet is a whole network of /16 to /28."""
    written = holder.text("cidrBlock")
    if not written:
        return NOT_APPLICABLE
    path = "cidrBlock"
    try:
        network = IPv4Network(written, strict=False)
    except ValueError:
        return fail(f"{written!r} is not an IPv4 CIDR range", hint="Write one such as 10.0.0.0/16.", path=path)
    if str(network) != written:
        return fail(f"{written} has host bits set", hint=f"Write {network}.", path=path)
    hint = f"Use one from /{_LARGEST} to /{_SMALLEST}, such as {network.network_address}/{_nearest(network)}."
    return allow(
        _LARGEST <= network.prefixlen <= _SMALLEST, f"AWS does not create a /{network.prefixlen}", hint=hint, path=path
    )


@RULES.rule(
    on=EC2_SUBNET,
    severity=HIGH,
    rationale="CreateSubnet fails with InvalidSubnet.Range.",
    fix="Set cidrBlock of the subnet to a part of a range of the VPC.",
    joins=True,
    sources=("EC2 API: InvalidSubnet.Range",),
)
def aws_subnet_in_vpc_cidr(subnet: View) -> Verdict:
    """The CIDR block of a subnet is part of a CIDR block of its VPC."""
    own, vpc = _range(subnet), subnet.one("vpcId", EC2_VPC)
    if own is None or vpc is None:
        return NOT_APPLICABLE
    ranges = _ranges(vpc)
    if is_inside(own, ranges):
        return PASS
    if not ranges:
        raise NotKnown
    names = " or ".join(map(str, ranges))
    return fail(f"{own} is outside the VPC, which has {names}", hint=f"Use a part of {names}.", path="cidrBlock")


@RULES.rule(
    on=EC2_VPC,
    severity=HIGH,
    rationale="CreateSubnet fails with InvalidSubnet.Conflict for the second one.",
    fix="Set cidrBlock of one of the subnets to a free range of the VPC.",
    joins=True,
    sources=("EC2 API: InvalidSubnet.Conflict",),
)
def aws_subnet_no_overlap(vpc: View) -> Verdict:
    """No two subnets of a VPC overlap."""
    subnets = [(rank, _range(subnet), subnet) for rank, subnet in enumerate(vpc.referrers(EC2_SUBNET, "vpcId"))]
    ranges = sorted(
        ((own, rank, subnet) for rank, own, subnet in subnets if own is not None), key=lambda each: each[:2]
    )
    if not ranges:
        return NOT_APPLICABLE
    failures = []
    widest = ranges[0]
    for found in ranges[1:]:
        if found[0].network_address <= widest[0].broadcast_address:
            first, second = sorted((widest, found), key=lambda each: each[1])
            message = f"{second[0]} overlaps {first[0]} of {first[2].name}"
            hint = f"Use a range outside {first[0]}."
            failures.append(Failure(message, hint, "cidrBlock", second[2].urn))
        widest = max(widest, found, key=lambda each: each[0].broadcast_address)
    return Verdict(Outcome.FAIL, tuple(failures)) if failures else PASS


@RULES.rule(
    on=EC2_SUBNET,
    severity=HIGH,
    rationale="CreateSubnet rejects the zone with InvalidParameterValue.",
    fix="Set availabilityZone to a zone of the provider's region.",
    joins=True,
    sources=("EC2 API: InvalidParameterValue for availabilityZone",),
)
def aws_subnet_zone_in_region(subnet: View) -> Verdict:
    """The availability zone of a subnet is in the region of its provider."""
    zone = subnet.text("availabilityZone")
    if zone is None:
        return NOT_APPLICABLE
    home = _home(subnet)
    if nodes.region_of(zone) == home or zone.startswith(f"{home}-"):
        return PASS  # a local or wavelength zone carries its region's name, too
    strange = nodes.region_of(zone) is None
    if strange and zone.startswith(home):
        return PASS  # a zone that the catalogue may not know yet
    if home not in {region.name for region in all_regions("aws")}:
        raise NotKnown  # aws-region-exists
    if not names_region(subnet) and not any(used.startswith(home) for used in subnet.site.once(_zones)):
        raise NotKnown
    return fail(f"{zone} is not a zone of {home}", hint=f"Use one such as {home}a.", path="availabilityZone")


@RULES.rule(
    on=EC2_VPC,
    severity=HIGH,
    rationale=(
        "CreateVpcEndpoint refuses private DNS without them, and nodes cannot resolve the private endpoint of the "
        "cluster."
    ),
    fix="Set enableDnsSupport and enableDnsHostnames to true.",
    joins=True,
    sources=(
        "EC2 API, CreateVpcEndpoint: private DNS",
        "EKS user guide, network-reqs",
        "EKS user guide, cluster-endpoint",
    ),
)
def aws_vpc_dns_enabled(vpc: View) -> Verdict:
    """A VPC with private DNS of endpoints, or a private cluster endpoint, has DNS support and DNS hostnames on."""
    off = [
        key
        for key, default in (("enableDnsSupport", True), ("enableDnsHostnames", False))
        if not (default if (given := vpc.flag(key)) is None else given)
    ]
    needy = [each for each in vpc.referrers(EC2_VPC_ENDPOINT, "vpcId") if each.flag("privateDnsEnabled")]
    if not needy:
        needy = [cluster for cluster in _clusters(vpc) if _is_private(cluster)]
    if not needy:
        return NOT_APPLICABLE
    return allow(
        not off,
        f"{needy[0].name} has private DNS, and {' and '.join(off)} of its VPC is false",
        hint=f"Set {' and '.join(off)} to true.",
        path=off[0] if off else "",
    )


@RULES.rule(
    on=EC2_VPC,
    severity=HIGH,
    rationale="CreateVpc fails with InvalidVpc.Range, since no instance can have an address in these ranges.",
    fix="Set cidrBlock to a private range, such as 10.0.0.0/16.",
    sources=("RFC 6890", "EC2 API: InvalidVpc.Range"),
)
def aws_vpc_cidr_usable(vpc: View) -> Verdict:
    """The CIDR block of a VPC is outside the loopback, link-local, multicast and other reserved ranges."""
    own = _range(vpc)
    if own is None:
        return NOT_APPLICABLE
    first = own.network_address
    taken = first.is_loopback or first.is_link_local or first.is_multicast or first.is_reserved or first.packed[0] == 0
    hint = "Use a private range, such as 10.0.0.0/16."
    return allow(
        not taken, f"{own} is reserved: no instance can have an address in this range", hint=hint, path="cidrBlock"
    )


@RULES.rule(
    on=EC2_VPC_PEERING_CONNECTION,
    severity=HIGH,
    rationale="AWS does not establish a peering connection between VPCs with overlapping CIDR blocks.",
    fix="Set cidrBlock of one of the two VPCs to another range.",
    joins=True,
    sources=("VPC peering guide, invalid configurations: overlapping CIDR blocks",),
)
def aws_vpc_peering_no_overlap(peering: View) -> Verdict:
    """Two peered VPCs do not have overlapping CIDR blocks."""
    ends = [peering.one(key, EC2_VPC) for key in ("vpcId", "peerVpcId")]
    first, second = [_ranges(inside(end)) if end is not None else [] for end in ends]
    if not first or not second:
        return NOT_APPLICABLE
    shared = shared_range(first, second)
    return allow(
        shared is None,
        f"both VPCs have addresses in {shared}, so AWS does not peer them",
        hint="Set another range on one of the two.",
        path="peerVpcId",
    )


@RULES.rule(
    on=EC2_VPC,
    severity=HIGH,
    rationale="AttachInternetGateway refuses a second gateway.",
    fix="Leave one of the internet gateways out, or set its vpcId to another VPC.",
    joins=True,
    sources=("EC2 API, AttachInternetGateway: one for each VPC",),
)
def aws_vpc_one_internet_gateway(vpc: View) -> Verdict:
    """A VPC has at most one internet gateway."""
    found = vpc.referrers(EC2_INTERNET_GATEWAY, "vpcId")
    if not found:
        return NOT_APPLICABLE
    if len(found) == 1:
        return PASS
    message = f"{found[0].name} is already attached to the VPC"
    return Verdict(Outcome.FAIL, (Failure(message, "Leave this one out.", "vpcId", found[1].urn),))


def _nearest(network: IPv4Network) -> int:
    return min(max(network.prefixlen, _LARGEST), _SMALLEST)


def _range(holder: View) -> IPv4Network | None:
    """The range of something; None where it has none, or where what is written is none."""
    return ipv4_range(inside(holder).text("cidrBlock"))


def _ranges(vpc: View) -> list[IPv4Network]:
    """Every range of a VPC.

    Raises:
        NotKnown: AWS chooses one of them.
    """
    holders = [inside(vpc), *vpc.referrers(EC2_VPC_IPV4_CIDR_BLOCK_ASSOCIATION, "vpcId")]
    if any("cidrBlock" not in holder for holder in holders):
        raise NotKnown
    return [own for holder in holders if (own := _range(holder)) is not None]


def _region(holder: View) -> str:
    region = holder.text("region") or holder.provider.text("region")
    if not region and holder.has_own_provider:
        raise NotKnown  # its profile or the shell decides, and not the stack's configuration
    region = region or holder.outputs.text("region")
    if not region:
        raise NotKnown
    return region


def _home(subnet: View) -> str:
    """The region that a subnet is in; where no provider says so, that of most subnets of its VPC."""
    try:
        return _region(subnet)
    except NotKnown:
        vpc = subnet.one("vpcId", EC2_VPC)
        beside = vpc.referrers(EC2_SUBNET, "vpcId") if vpc is not None else []
        regions = Counter(nodes.region_of(zone) for each in beside if (zone := each.text("availabilityZone")))
        (found, count), *others = regions.most_common() or [(None, 0)]
        if found is None or (others and others[0][1] == count):
            raise
        return found


def _zones(site: Site) -> set[str]:
    """The zones that the program's subnets are in, as far as they are written."""
    given = (subnet.resource.inputs.get("availabilityZone") for subnet in site.of_type(EC2_SUBNET))
    return {zone for zone in given if isinstance(zone, str)}


def _clusters(vpc: View) -> list[View]:
    found = (cluster for subnet in vpc.referrers(EC2_SUBNET, "vpcId") for cluster in _in_subnet(subnet))
    return list({cluster.urn: cluster for cluster in found}.values())


def _in_subnet(subnet: View) -> list[View]:
    try:
        return subnet.referrers(EKS_CLUSTER, "vpcConfig.subnetIds")
    except NotKnown:
        return []


def _is_private(cluster: View) -> bool:
    config = cluster.block("vpcConfig")
    return config is not None and config.flag("endpointPrivateAccess") is True
