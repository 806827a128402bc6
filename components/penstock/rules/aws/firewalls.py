"""Security groups as rules on them read them: what they let in and out, wherever a program writes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from penstock.resources.property_path import PropertyPath
from penstock.resources.verdict import NotKnown
from penstock.resources.view import Block, Site, View
from penstock.rules.aws import nodes
from penstock.rules.aws.types import (
    DEFAULT_SECURITY_GROUP,
    EGRESS_RULE,
    INGRESS_RULE,
    SECURITY_GROUP,
    SECURITY_GROUP_RULE,
    VPC,
)

GROUPS = (SECURITY_GROUP, DEFAULT_SECURITY_GROUP)
"""The types of security groups."""

RULES = (INGRESS_RULE, EGRESS_RULE, SECURITY_GROUP_RULE)
"""The types of resources that are each one rule."""

ALL = "all"
"""The protocol of rules that admit all of them; AWS writes -1."""

_PROTOCOLS = {"-1": ALL, "6": "tcp", "17": "udp", "1": "icmp", "58": "icmpv6"}
_ADDRESSES = ("cidrIpv4", "cidrIpv6", "prefixListId", "cidrBlocks", "ipv6CidrBlocks", "prefixListIds")
_PEERS = ("referencedSecurityGroupId", "sourceSecurityGroupId", "securityGroups")


@dataclass(frozen=True, slots=True)
class Opening:
    """One rule of a security group.

    Attributes:
        direction: ingress or egress.
        protocol: in lower case, `all` for all of them.
        first, last: the ports; None where the rule names none.
        addressed: whether it admits addresses, by CIDR or prefix list.
        peers: URNs of the program's security groups that it admits, its own among them.
    """

    direction: str
    protocol: str
    first: int | None
    last: int | None
    addressed: bool
    peers: frozenset[str]

    def covers(self, port: int) -> bool:
        """Whether it lets TCP through at a port."""
        if self.protocol == ALL:
            return True
        return self.protocol == "tcp" and self.first is not None and self.first <= port <= (self.last or self.first)


def openings(group: View) -> list[Opening]:
    """Every rule of a security group.

    Raises:
        NotKnown: a rule cannot be read, or nobody can tell which group it belongs to.
    """
    read = group.site.once(_openings_read)
    if group.urn not in read:
        read[group.urn] = [
            *(_opening(direction, block, group) for direction, block in inline(nodes.inside(group))),
            *(_opening(direction_of(holder), holder, group) for holder in separate(group)),
        ]
    return read[group.urn]


def separate(group: View) -> list[View]:
    """The resources that are each one rule of a security group.

    Raises:
        NotKnown: nobody can tell of one which group it belongs to.
    """
    return [holder for type_ in RULES for holder in group.referrers(type_, "securityGroupId")]


def inline(group: View) -> Iterator[tuple[str, Block]]:
    """The rules that a security group itself writes, with their directions."""
    for direction in ("ingress", "egress"):
        for block in group.blocks(direction):
            yield direction, block


def direction_of(holder: View) -> str:
    """The direction of a resource that is one rule: ingress or egress."""
    if holder.type == SECURITY_GROUP_RULE:
        direction = holder.text("type")
        if direction is None:
            raise NotKnown
        return direction
    return "ingress" if holder.type == INGRESS_RULE else "egress"


def protocol(block: Block) -> str:
    """The protocol of a rule in lower case, its number spelled out where it has a name."""
    written = (block.text("ipProtocol") or block.text("protocol") or "").lower()
    return _PROTOCOLS.get(written, written)


def network(placed: View) -> str:
    """What tells the VPC of a subnet or a group: its URN, or its id where it lies outside the program.

    Raises:
        NotKnown: it is in the region's default VPC, or the id is not known yet.
    """
    try:
        vpc = placed.one("vpcId", VPC)
    except NotKnown:
        vpc = None
    name = vpc.urn if vpc is not None else placed.text("vpcId")
    if name is None:
        raise NotKnown
    return name


def used(holder: View, path: str) -> list[View]:
    """The program's security groups that a property names; those outside the program are left out.

    `path` may lead into objects and lists. In a preview the groups are those that the property is made from.
    """
    try:
        return holder.found(path, *GROUPS)
    except NotKnown:
        return holder.sources(PropertyPath.parse(path).top, *GROUPS)


def _openings_read(_: Site) -> dict[str, list[Opening]]:
    """Those read so far, by the URN of their group: many rules ask for the same ones."""
    return {}


def _opening(direction: str, block: Block, group: View) -> Opening:
    peers = {peer.urn for key in _PEERS if key in block for peer in block.found(key, *GROUPS)}
    if block.flag("self"):
        peers.add(group.urn)
    return Opening(
        direction,
        protocol(block),
        block.integer("fromPort"),
        block.integer("toPort"),
        any(key in block for key in _ADDRESSES),
        frozenset(peers),
    )
