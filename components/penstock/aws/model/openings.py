"""Openings of AWS: rules of security groups, in the three forms that its provider has for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from penstock.aws.types import (
    EC2_DEFAULT_SECURITY_GROUP,
    EC2_SECURITY_GROUP,
    EC2_SECURITY_GROUP_RULE,
    VPC_SECURITY_GROUP_EGRESS_RULE,
    VPC_SECURITY_GROUP_INGRESS_RULE,
)
from penstock.graph.property_path import Location
from penstock.graph.values import UNKNOWN, listed
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, Site, View
from penstock.model.openings.reach import Reach

GROUPS: Final = (EC2_SECURITY_GROUP, EC2_DEFAULT_SECURITY_GROUP)
"""The types of security groups."""

RULE_TYPES: Final = (VPC_SECURITY_GROUP_INGRESS_RULE, VPC_SECURITY_GROUP_EGRESS_RULE, EC2_SECURITY_GROUP_RULE)
"""The types of resources that are each one rule."""

DIRECTIONS: Final = ("ingress", "egress")

_PREFIX_LIST: Final = "aws:ec2/managedPrefixList:ManagedPrefixList"
_PREFIX_LIST_ENTRY: Final = "aws:ec2/managedPrefixListEntry:ManagedPrefixListEntry"


@dataclass(frozen=True, slots=True)
class _Form:
    """Names of the properties of a rule in one of the forms."""

    ranges: tuple[str, str]
    prefix_lists: str
    groups: str
    protocol: str


_INLINE: Final = _Form(("cidrBlocks", "ipv6CidrBlocks"), "prefixListIds", "securityGroups", "protocol")
_LEGACY: Final = _Form(("cidrBlocks", "ipv6CidrBlocks"), "prefixListIds", "sourceSecurityGroupId", "protocol")
_SPLIT: Final = _Form(("cidrIpv4", "cidrIpv6"), "prefixListId", "referencedSecurityGroupId", "ipProtocol")


@dataclass(frozen=True)
class AwsOpening:
    """One rule of a security group: what it lets through, and from or to whom.

    A part is read when it is asked for, so that a range which is not known yet hides no port. All parts raise
    `NotKnown` and `TypeMismatch`, as blocks do.

    Attributes:
        block: where the rule is written: in its group, or a resource of its own.
        direction: ingress or egress.
        form: what its properties are called.
    """

    block: Block
    direction: str
    form: _Form

    @property
    def path(self) -> str:
        """The path of its addresses, for a finding."""
        given = next((key for key in self.form.ranges if key in self.block), self.form.ranges[0])
        return self.block.at(given)

    @property
    def protocol_path(self) -> str:
        """The path of its protocol."""
        return self.block.at(self.form.protocol)

    @property
    def is_inline(self) -> bool:
        """Say whether it is written in its group."""
        return self.form is _INLINE

    @property
    def ports(self) -> tuple[int | None, int | None]:
        """The first and the last port, as they are written."""
        return self.block.integer("fromPort"), self.block.integer("toPort")

    @cached_property
    def reach(self) -> Reach:
        """The protocol and ports that it lets through."""
        first, last = self.ports
        ports = [] if first is None else [(first, first if last is None else last)]
        return Reach.of(self.block.text(self.form.protocol) or None, ports)

    @property
    def ranges(self) -> list[Location]:
        """Each address range, and where it is written; a list that is not known yet represents its items."""
        found = (place for key in self.form.ranges for place in self.block.locations(f"{key}[]"))
        return [place for place in found if place.value is not None]

    @property
    def addresses(self) -> list[Any]:
        """Its address ranges; what is not known, as a prefix list outside the program, stays in the list as unknown."""
        return [*(place.value for place in self.ranges), *self._of_prefix_lists()]

    @property
    def names_addresses(self) -> bool:
        """Say whether it names address ranges or prefix lists."""
        return any(key in self.block for key in (*self.form.ranges, self.form.prefix_lists))

    @cached_property
    def peers(self) -> frozenset[str]:
        """URNs of the program's security groups that it admits, its own among them."""
        named = {peer.urn for peer in self.block.found(self.form.groups, *GROUPS)}
        own = [self.group] if self.block.flag("self") else []
        return frozenset(named | {group.urn for group in own})

    @property
    def group(self) -> View:
        """The group that it is a rule of.

        Raises:
            NotKnown: that lies outside the program.
        """
        found = self.block.owner if self.is_inline else self.block.one("securityGroupId", *GROUPS)
        if found is None:
            raise NotKnown
        return found

    @property
    def joined_groups(self) -> list[View]:
        """The groups that it joins, its own among them.

        Raises:
            NotKnown: one of them lies outside the program.
        """
        return [self.group, *self.block.many(self.form.groups, *GROUPS)]

    @property
    def is_own(self) -> bool:
        """Say whether it speaks of members of its own group, and of nobody else."""
        if self.addresses:
            return False
        if self.is_inline:
            return self.block.flag("self") is True and not self.block.count(self.form.groups)
        if self.form is _LEGACY and self.block.flag("self"):
            return True
        return self.form.groups in self.block and self._is_same(self.form.groups, "securityGroupId")

    def _is_same(self, one: str, other: str) -> bool:
        try:
            return bool(self.block.text(one) == self.block.text(other))
        except NotKnown:
            this, that = self.block.one(one, *GROUPS), self.block.one(other, *GROUPS)
            return this is not None and that is not None and this.urn == that.urn

    def _of_prefix_lists(self) -> Iterator[Any]:
        key = self.form.prefix_lists
        given = listed(self.block.given(key))
        if not given:
            return
        try:
            found = self.block.found(key, _PREFIX_LIST)
        except NotKnown:
            found = []
        for prefix_list in found:
            yield from (place.value for place in prefix_list.locations("entries[].cidr"))
            yield from (entry.value("cidr") for entry in prefix_list.referrers(_PREFIX_LIST_ENTRY, "prefixListId"))
        if len(found) < len(given):
            yield UNKNOWN


def openings(group: View, *directions: str) -> list[AwsOpening]:
    """Every rule of a security group in these directions, in whatever form the program declares it.

    Raises:
        NotKnown: the program only looks the group up, or it is not known which group a rule belongs to.
    """
    if group.resource.external:
        raise NotKnown
    read = group.site.once(_read_so_far)
    for direction in directions or DIRECTIONS:
        if (group.urn, direction) not in read:
            separate = [separate_opening(holder) for holder in separate_rules(group, direction)]
            read[group.urn, direction] = [*inline_openings(group, direction), *separate]
    return [opening for direction in directions or DIRECTIONS for opening in read[group.urn, direction]]


def inline_openings(group: View, *directions: str) -> list[AwsOpening]:
    """The rules that a security group itself writes."""
    return [
        inline_opening(group, place, direction)
        for direction in directions or DIRECTIONS
        for place in group.locations(f"{direction}[]")
    ]


def inline_opening(group: View, place: Location, direction: str) -> AwsOpening:
    """The rule at a place in a security group."""
    return AwsOpening(group.within(place), direction, _INLINE)


def separate_opening(holder: View) -> AwsOpening:
    """The rule that a resource is."""
    return AwsOpening(holder, direction_of(holder), _LEGACY if holder.type == EC2_SECURITY_GROUP_RULE else _SPLIT)


def separate_rules(group: View, *directions: str) -> list[View]:
    """The resources that are each one rule of a security group.

    Raises:
        NotKnown: the group of one of them is not known.
    """
    wanted = directions or DIRECTIONS
    own = {VPC_SECURITY_GROUP_INGRESS_RULE: "ingress", VPC_SECURITY_GROUP_EGRESS_RULE: "egress"}
    types = [type_ for type_ in RULE_TYPES if own.get(type_, wanted[0]) in wanted]
    holders = [holder for type_ in types for holder in group.referrers(type_, "securityGroupId")]
    return [holder for holder in holders if direction_of(holder) in wanted]


def direction_of(holder: View) -> str:
    """The direction of a resource that is one rule: ingress or egress."""
    if holder.type == EC2_SECURITY_GROUP_RULE:
        direction = holder.text("type")
        if direction is None:
            raise NotKnown
        return direction
    return "ingress" if holder.type == VPC_SECURITY_GROUP_INGRESS_RULE else "egress"


def _read_so_far(_: Site) -> dict[tuple[str, str], list[AwsOpening]]:
    """Openings by group and direction: many rules ask for the same ones."""
    return {}
