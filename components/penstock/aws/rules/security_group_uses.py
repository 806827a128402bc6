"""Security groups of machines, endpoints and file systems: VPC, number, tags, and the rules that EFA needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from penstock.aws.model.ec2 import subnets_of
from penstock.aws.model.launch_templates import efa_interfaces, is_efa, starters_from
from penstock.aws.model.openings import GROUPS, openings
from penstock.aws.rules import firewalls
from penstock.aws.types import (
    EC2_INSTANCE,
    EC2_LAUNCH_TEMPLATE,
    EC2_NETWORK_INTERFACE,
    EC2_SECURITY_GROUP,
    EC2_SUBNET,
    EC2_VPC_ENDPOINT,
    EFS_MOUNT_TARGET,
    EKS_CLUSTER,
    FSX_LUSTRE_FILE_SYSTEM,
)
from penstock.catalog import limits
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import (
    NOT_APPLICABLE,
    PASS,
    UNKNOWN,
    NotKnown,
    Outcome,
    TypeMismatch,
    Verdict,
    allow,
    each,
    fail,
    together,
)
from penstock.graph.view import Block, Site, View
from penstock.model.openings.reach import ALL
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_GROUPS = {
    EC2_LAUNCH_TEMPLATE: ("networkInterfaces[].securityGroups", "vpcSecurityGroupIds"),
    EC2_INSTANCE: ("vpcSecurityGroupIds",),
    EC2_NETWORK_INTERFACE: ("securityGroups",),
    FSX_LUSTRE_FILE_SYSTEM: ("securityGroupIds",),
    EFS_MOUNT_TARGET: ("securityGroups",),
    EC2_VPC_ENDPOINT: ("securityGroupIds",),
    EKS_CLUSTER: ("vpcConfig.securityGroupIds",),
}
"""Where each type names the groups that guard it."""

_SUBNETS = {
    EC2_INSTANCE: "subnetId",
    EC2_NETWORK_INTERFACE: "subnetId",
    FSX_LUSTRE_FILE_SYSTEM: "subnetIds",
    EFS_MOUNT_TARGET: "subnetId",
    EKS_CLUSTER: "vpcConfig.subnetIds",
}
"""The property of each type that names its subnets."""


@dataclass(frozen=True, slots=True)
class _Fabric:
    """The groups on the EFA interfaces of one machine; `more` says that some of them lie outside the program."""

    groups: tuple[View, ...]
    more: bool


@RULES.rule(
    on=EC2_SECURITY_GROUP,
    severity=HIGH,
    rationale="The instances start, but EFA traffic is blocked, and collective operations over EFA fail.",
    fix="Add an ingress and an egress rule with protocol -1 that name the security group itself by its id.",
    joins=True,
    sources=("EC2 user guide, efa-start", "aws-ofi-nccl issue 663", "gardener pull 1832"),
)
def aws_efa_sg_self_reference(group: View) -> Verdict:
    """A security group of EFA interfaces admits all traffic from and to itself by id; CIDR ranges do not count."""
    fabrics = group.site.once(_fabrics).get(group.urn)
    if fabrics is None:
        return NOT_APPLICABLE
    missing = _missing(group)
    if not missing:
        return PASS

    def check(fabric: _Fabric) -> Verdict:
        if any(not _missing(other) for other in fabric.groups):
            return PASS
        if fabric.more and not _meant_for_fabric(group):
            return UNKNOWN
        ways = {"ingress": "in from", "egress": "out to"}
        return fail(
            (
                f"EFA needs all protocols {' and '.join(ways[way] for way in missing)} the group itself; no "
                "rule allows this"
            ),
            hint=f"Add a rule for {' and one for '.join(missing)} with protocol -1 that names this group by its id.",
            path=missing[0],
        )

    said = [check(fabric) for fabric in fabrics]
    return next((verdict for verdict in said if verdict.outcome is Outcome.FAIL), together(said))


@RULES.rule(
    on=(EC2_LAUNCH_TEMPLATE, EC2_NETWORK_INTERFACE, EC2_INSTANCE),
    severity=MEDIUM,
    rationale="EC2 refuses further security groups on an interface unless the quota has been raised.",
    fix="Merge some of the security groups, or request a quota increase.",
    sources=("EKS best practices guide, scalability/quotas (L-2AFB9258)",),
)
def aws_quota_sg_per_interface(holder: View) -> Verdict:
    """A network interface has at most as many security groups as the account's quota: five, unless raised."""
    limit = limits.find_limit("security_groups_per_interface", "aws")
    most = holder.site.quotas.get(limit.quota, limit.most)
    lists: list[tuple[Block, str]] = [(holder, path) for path in _GROUPS[holder.type] if "." not in path]
    if holder.type == EC2_LAUNCH_TEMPLATE:
        lists += [(interface, "securityGroups") for interface in holder.blocks("networkInterfaces")]
    return each(
        [(block, key) for block, key in lists if key in block],
        lambda item: allow(
            item[0].count(item[1]) <= most,
            f"{item[0].count(item[1])} security groups on one interface; quota {limit.quota} allows {most:g}",
            hint=f"Merge them into {most:g}, or request an increase of quota {limit.quota}.",
            path=item[0].at(item[1]),
        ),
    )


@RULES.rule(
    on=tuple(_GROUPS),
    severity=HIGH,
    rationale="EC2 rejects a security group of another VPC with InvalidGroup.NotFound or InvalidParameter.",
    fix="Set vpcId of the security group to the VPC of the subnets that use the group.",
    joins=True,
    sources=("EC2 API: InvalidGroup.NotFound, InvalidParameter",),
)
def aws_sg_same_vpc(holder: View) -> Verdict:
    """The security groups of a resource are in the VPC of its subnets."""
    paths = _GROUPS[holder.type]
    groups = {group.urn: (group, path) for path in paths for group in firewalls.used(holder, path)}
    if not groups:
        return NOT_APPLICABLE
    homes = {firewalls.network(group): path for group, path in groups.values()}
    places = _places(holder)
    if not places and len(homes) == 1:
        return NOT_APPLICABLE
    strange = [path for home, path in homes.items() if home not in places] if places else list(homes.values())
    return allow(
        not strange,
        "a security group is in another VPC than the resource that uses it, which EC2 refuses",
        hint="Set the group's vpcId to that of the subnets that use it.",
        path=PropertyPath.parse(strange[0]).top if strange else "",
    )


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=MEDIUM,
    rationale="The nodes join, but the load balancer controller expects exactly one tagged security group and fails.",
    fix="Keep the tag kubernetes.io/cluster/NAME on one of the security groups only.",
    joins=True,
    sources=("terraform-aws-eks FAQ: expected exactly one securityGroup tagged with kubernetes.io/cluster/NAME",),
)
def aws_eks_one_owned_sg(template: View) -> Verdict:
    """At most one security group of a node has the tag kubernetes.io/cluster/NAME with the value owned."""
    groups = {group.urn: group for path in _GROUPS[EC2_LAUNCH_TEMPLATE] for group in firewalls.used(template, path)}
    if not groups:
        return NOT_APPLICABLE
    tagged = Counter(
        key
        for group in groups.values()
        if (tags := group.block("tags")) is not None
        for key in tags
        if key.startswith("kubernetes.io/cluster/") and tags.text(key) == "owned"
    )
    twice = [key for key, count in tagged.items() if count > 1]
    return allow(
        not twice,
        f"several security groups of a node have the tag {twice[0] if twice else ''}",
        hint="Keep the tag on one of them.",
        path="networkInterfaces" if "networkInterfaces" in template else "vpcSecurityGroupIds",
    )


def _fabrics(site: Site) -> dict[str, list[_Fabric]]:
    holders = site.of_type(EC2_LAUNCH_TEMPLATE, EC2_NETWORK_INTERFACE)
    fabrics = {
        (fabric.more, *(group.urn for group in fabric.groups)): fabric
        for holder in holders
        for fabric in _fabric(holder)
    }
    found: dict[str, list[_Fabric]] = {}
    for fabric in fabrics.values():
        for group in fabric.groups:
            found.setdefault(group.urn, []).append(fabric)
    return found


def _fabric(holder: View) -> Iterator[_Fabric]:
    """The EFA interfaces of a machine; none where their type is not known yet."""
    with suppress(NotKnown, TypeMismatch):
        if holder.type == EC2_NETWORK_INTERFACE:
            interfaces: list[Block] = [holder] if is_efa(holder) else []
        else:
            interfaces = efa_interfaces(holder)
        if interfaces:
            yield _groups(holder, interfaces)


def _groups(holder: View, interfaces: list[Block]) -> _Fabric:
    try:
        groups = {group.urn: group for each in interfaces for group in each.found("securityGroups", *GROUPS)}
        more = any(each.count("securityGroups") > len(groups) for each in interfaces)
    except NotKnown:
        top = "securityGroups" if holder.type == EC2_NETWORK_INTERFACE else "networkInterfaces"
        groups, more = {group.urn: group for group in holder.sources(top, *GROUPS)}, True
    return _Fabric(tuple(groups.values()), more)


def _missing(group: View) -> list[str]:
    there = {
        opening.direction for opening in openings(group) if opening.reach.protocol == ALL and group.urn in opening.peers
    }
    return [direction for direction in ("ingress", "egress") if direction not in there]


def _meant_for_fabric(group: View) -> bool:
    """Return whether a group has some of the rules for EFA, so that no other group is meant to have them."""
    return any(
        group.urn in opening.peers or (opening.direction == "ingress" and opening.reach.protocol == ALL)
        for opening in openings(group)
    )


def _places(holder: View) -> set[str]:
    """The VPCs of a resource, as far as the program names them."""
    if holder.type == EC2_VPC_ENDPOINT:
        return {firewalls.network(holder)}
    if holder.type == EC2_LAUNCH_TEMPLATE:
        subnets = [subnet for starter in starters_from(holder) for subnet in subnets_of(starter)]
    else:
        subnets = holder.found(_SUBNETS[holder.type], EC2_SUBNET)
    return {firewalls.network(subnet) for subnet in subnets}
