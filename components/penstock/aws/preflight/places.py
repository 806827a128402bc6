"""Where a program builds: zones that offer its machines, versions of EKS, ranges of networks, reservations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.aws.preconditions.places import region_of
from penstock.aws.preflight.account import AwsAccount, AwsRefused
from penstock.aws.types import EC2_VPC, EKS_CLUSTER
from penstock.core.wording import listed
from penstock.graph.view import Site
from penstock.preconditions import Precondition
from penstock.preconditions.need import NamedNeed, named
from penstock.preflight.inquiry import Reply, Status, met, not_asked, not_met
from penstock.preflight.machines import most_machines, pools_of, zones_of
from penstock.preflight.ranges import overlapping

VERSION: Final = "aws-kubernetes-version"
RANGE: Final = "aws-range"
HOW_OFFERED: Final = (
    "aws ec2 describe-instance-type-offerings --location-type availability-zone "
    "--filters Name=instance-type,Values={machine_type} --region {region}"
)


def versions_needed(site: Site) -> Iterator[Precondition]:
    """Yield the versions of Kubernetes that clusters ask EKS for."""
    for cluster in site.of_type(EKS_CLUSTER):
        version = cluster.given("version")
        if isinstance(version, str):
            region = region_of(site, cluster.urn)
            yield Precondition(
                f"Kubernetes {version} offered by EKS in {region}",
                "EKS refuses a version that it has not yet, or no longer.",
                f"aws eks describe-cluster-versions --region {region}",
                cluster.urn,
                named("version", {"version": version, "region": region}),
                VERSION,
            )


def ranges_needed(site: Site) -> Iterator[Precondition]:
    """Yield the ranges of the networks that a program creates."""
    for network in site.of_type(EC2_VPC):
        block = network.given("cidrBlock")
        tags = network.given("tags")
        if isinstance(block, str):
            region = region_of(site, network.urn)
            name = str(tags.get("Name") or network.name) if isinstance(tags, dict) else network.name
            yield Precondition(
                f"Range {block} free among the networks of {region}",
                "AWS creates networks that overlap, but connects them neither by peering nor by a transit gateway, and "
                "no range can be changed later.",
                "Set network.cidr to another range.",
                network.urn,
                named("range", {"range": block, "region": region, "name": name}),
                RANGE,
            )


def answer_offer(account: AwsAccount, need: NamedNeed) -> Reply:
    """Return whether the zones of a pool offer its machine type to this account."""
    machine_type, region = need.word("machine_type"), need.word("region")
    try:
        offerings = account.call(
            "ec2",
            "describe_instance_type_offerings",
            region,
            LocationType="availability-zone",
            Filters=[{"Name": "instance-type", "Values": [machine_type]}],
        )["InstanceTypeOfferings"]
    except AwsRefused as refusal:
        return refusal.reply()
    offering = sorted(each["Location"] for each in offerings)
    if not offering:
        return not_met(f"No zone of {region} offers it to this account.", "Choose another region or machine type.")
    missing = [zone for zone in zones_of(need) if zone not in offering]
    if missing:
        return not_met(f"Not in {listed(missing)}; in {listed(offering)}.", "Set the zone of the pool.")
    return met(f"Zones that offer it: {listed(offering)}.")


def answer_version(account: AwsAccount, need: NamedNeed) -> Reply:
    """Return whether EKS creates clusters of a version, and under which support."""
    version, region = need.word("version"), need.word("region")
    try:
        found = account.call("eks", "describe_cluster_versions", region, includeAll=True)["clusterVersions"]
    except AwsRefused as refusal:
        return refusal.reply()
    status = {each["clusterVersion"]: each.get("versionStatus") or each.get("status") for each in found}
    current = [each for each in status if str(status[each]).upper() != "UNSUPPORTED"]
    if version in current:
        return met(f"{str(status[version]).replace('_', ' ').capitalize()}.")
    return not_met(f"EKS offers {listed(current)}.", "Set cluster.version to one of them.")


def answer_range(account: AwsAccount, need: NamedNeed) -> Reply:
    """Return whether another network of the region has addresses of a range."""
    try:
        networks = account.call("ec2", "describe_vpcs", need.word("region"))["Vpcs"]
    except AwsRefused as refusal:
        return refusal.reply()
    in_use = []
    for each in networks:
        names = [tag["Value"] for tag in each.get("Tags", ()) if tag["Key"] == "Name"]
        if need.word("name") in names:
            continue  # the stack's own, which is there already
        blocks = [each["CidrBlock"], *(block["CidrBlock"] for block in each.get("CidrBlockAssociationSet", ()))]
        in_use += [(each["VpcId"], block) for block in dict.fromkeys(blocks)]
    shared = overlapping(need.word("range"), in_use)
    if not shared:
        return met(f"None of {len(networks)} networks overlaps it.")
    return not_met(f"It overlaps {listed([f'{name} ({block})' for name, block in shared])}.")


def with_size(account: AwsAccount, site: Site, need: NamedNeed, reply: Reply) -> Reply:
    """Return the answer for a reservation or a subnet, with whether it is large enough for the pools that name it."""
    pools = pools_of(site, "aws", need.word("name"))
    machines = most_machines(pools)
    if reply.status is not Status.MET or not pools or machines is None:
        return reply
    region, name = need.word("region"), need.word("name")
    if need.kind == "aws-subnet":
        subnet = account.call("ec2", "describe_subnets", region, SubnetIds=[name])["Subnets"][0]
        free = int(subnet["AvailableIpAddressCount"])
        found = f"{free} addresses free, and up to {machines} nodes; pods take addresses, too."
        return met(found) if free >= machines else not_met(found)
    held = account.call("ec2", "describe_capacity_reservations", region, CapacityReservationIds=[name])
    return _held(
        held["CapacityReservations"][0], machines, {each.name for pool in pools for each in pool.machine_types()}
    )


def _held(reservation: dict[str, object], machines: int, types: set[str]) -> Reply:
    total, free = int(str(reservation["TotalInstanceCount"])), int(str(reservation["AvailableInstanceCount"]))
    kind, zone = str(reservation["InstanceType"]), str(reservation.get("AvailabilityZone") or "")
    found = f"State {reservation['State']}: {total} {kind} in {zone}, {free} of them free, and up to {machines} needed."
    if types and kind not in types:
        return not_met(f"{found} The pool starts {listed(sorted(types))}.", "Name a reservation of that machine type.")
    if free < machines:
        return not_met(found, "Enlarge the reservation, or lower the pool's nodes.max.")
    if reservation["State"] != "active":
        return not_asked(f"{found} It has not begun.")
    return met(found)
