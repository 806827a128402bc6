"""Rules of security groups on AWS, in the three forms that its provider has for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from penstock.policies.open_world import Reach, listed
from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import NOT_APPLICABLE, NotKnown, Verdict, each
from penstock.resources.view import Block, View

GROUP = "aws:ec2/securityGroup:SecurityGroup"
DEFAULT_GROUP = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup"
INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
EGRESS = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
LEGACY = "aws:ec2/securityGroupRule:SecurityGroupRule"

_PREFIX_LIST = "aws:ec2/managedPrefixList:ManagedPrefixList"
_PREFIX_LIST_ENTRY = "aws:ec2/managedPrefixListEntry:ManagedPrefixListEntry"


@dataclass(frozen=True, slots=True)
class _Form:
    """What the properties of a rule are called in one of the forms."""

    ranges: tuple[str, ...]
    prefix_lists: str
    groups: str
    protocol: str


_INLINE = _Form(("cidrBlocks", "ipv6CidrBlocks"), "prefixListIds", "securityGroups", "protocol")
_LEGACY = _Form(("cidrBlocks", "ipv6CidrBlocks"), "prefixListIds", "sourceSecurityGroupId", "protocol")
_SPLIT = _Form(("cidrIpv4", "cidrIpv6"), "prefixListId", "referencedSecurityGroupId", "ipProtocol")


@dataclass(frozen=True, slots=True)
class GroupRule:
    """One rule: what it lets through, and from or to whom."""

    block: Block
    form: _Form

    @property
    def path(self) -> str:
        """Where its addresses stand, for a finding."""
        given = next((key for key in self.form.ranges if key in self.block), self.form.ranges[0])
        return self.block.at(given)

    def addresses(self) -> list[Any]:
        """Its address ranges; what is not known, as a prefix list outside the program, stays in the list as unknown."""
        ranges = [item for key in self.form.ranges for item in self._listed(key)]
        return [*ranges, *self._of_prefix_lists()]

    def reach(self) -> Reach:
        """The protocol and ports that it lets through."""
        first, last = self.block.integer("fromPort"), self.block.integer("toPort")
        ports = [] if first is None else [(first, first if last is None else last)]
        return Reach.of(self.block.text(self.form.protocol), ports)

    def is_own(self) -> bool:
        """Whether it speaks of members of its own group, and of nobody else."""
        if self.addresses():
            return False
        if self.form is _INLINE:
            return self.block.flag("self") is True and not self.block.count("securityGroups")
        if self.form is _LEGACY and self.block.flag("self"):
            return True
        return self.form.groups in self.block and self._same(self.form.groups, "securityGroupId")

    def groups(self) -> list[View]:
        """The groups that it joins, its own among them.

        Raises:
            NotKnown: one of them lies outside the program.
        """
        if self.form is _INLINE:
            return [self.block.owner, *self.block.many("securityGroups", GROUP)]
        return [*self.block.many("securityGroupId", GROUP), *self.block.many(self.form.groups, GROUP)]

    def _same(self, one: str, other: str) -> bool:
        try:
            return bool(self.block.text(one) == self.block.text(other))
        except NotKnown:
            this, that = self.block.one(one, GROUP), self.block.one(other, GROUP)
            return this is not None and that is not None and this.urn == that.urn

    def _listed(self, key: str) -> list[Any]:
        return listed(self.block.given(key))

    def _of_prefix_lists(self) -> Iterator[Any]:
        key = self.form.prefix_lists
        given = self._listed(key)
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


def judge_rules(it: View, check: Callable[[GroupRule], Verdict], *, inward: bool) -> Verdict:
    """One verdict over the rules that a resource declares itself, inward or outward."""
    if it.type in (GROUP, DEFAULT_GROUP):
        places = it.locations("ingress[]" if inward else "egress[]")
        return each(places, lambda place: check(GroupRule(it.within(place), _INLINE)))
    return each((it,), lambda view: check(GroupRule(view, _form(view))) if _is(view, inward=inward) else NOT_APPLICABLE)


def rules_of(group: View, *, inward: bool) -> Iterator[GroupRule]:
    """The rules of a group, in whatever form the program declares them."""
    for place in group.locations("ingress[]" if inward else "egress[]"):
        yield GroupRule(group.within(place), _INLINE)
    for type_ in (INGRESS if inward else EGRESS, LEGACY):
        for view in group.referrers(type_, "securityGroupId"):
            if _is(view, inward=inward):
                yield GroupRule(view, _form(view))


def lets_itself(group: View) -> bool:
    """Whether members of a group may send each other everything, by its id and in both directions."""
    return all(
        any(rule.reach().protocol == "all" and rule.is_own() for rule in rules_of(group, inward=inward))
        for inward in (True, False)
    )


def lets_addresses(group: View) -> bool:
    """Whether a group lets address ranges send its members everything."""
    return any(rule.reach().protocol == "all" and rule.addresses() for rule in rules_of(group, inward=True))


def is_of_fabric(rule: GroupRule) -> bool:
    """Whether a rule speaks of members of one group that lets itself everything, or of two such groups.

    EFA needs that between nodes, and between nodes and a Lustre file system that they reach by EFA.
    """
    if rule.addresses():
        return False
    return rule.is_own() or all(lets_itself(group) for group in rule.groups())


def _form(view: View) -> _Form:
    return _LEGACY if view.type == LEGACY else _SPLIT


def _is(view: View, *, inward: bool) -> bool:
    """Whether a rule of its own resource goes this way."""
    if view.type == LEGACY:
        return view.text("type") == ("ingress" if inward else "egress")
    return view.type == (INGRESS if inward else EGRESS)
