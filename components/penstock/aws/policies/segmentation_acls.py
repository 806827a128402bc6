"""Network ACLs of AWS: what guards a subnet where a security group was forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, each, fail
from penstock.graph.view import Block, View
from penstock.model.openings.addresses import open_range
from penstock.model.openings.reach import Reach
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SEGMENTATION)

_ACLS: Final = ("aws:ec2/networkAcl:NetworkAcl", "aws:ec2/defaultNetworkAcl:DefaultNetworkAcl")
_RULE: Final = "aws:ec2/networkAclRule:NetworkAclRule"

_ADMINISTRATION: Final = (22, 3389)
_FIRST_FOR_ANSWERS, _LAST_FOR_ANSWERS = 1024, 60999
"""An ACL keeps no state: answers come back to the ports from which clients ask, 32768 to 60999 on Linux and others on
other systems (VPC user guide, "Ephemeral ports"). A range from 1024 up to there lets answers in, and no administrator.
"""


class _Form(NamedTuple):
    """The names of the properties of an entry."""

    action: str
    number: str


_INLINE: Final = _Form("action", "ruleNo")
_SPLIT: Final = _Form("ruleAction", "ruleNumber")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of an ACL: the first that fits decides, by its number."""

    block: Block
    form: _Form

    @property
    def allows(self) -> bool:
        return (self.block.text(self.form.action) or "").lower() == "allow"

    @property
    def number(self) -> int:
        return self.block.integer(self.form.number) or 0

    def family(self) -> str:
        return "ipv6CidrBlock" if "ipv6CidrBlock" in self.block else "cidrBlock"

    def is_for_the_world(self) -> bool:
        return open_range([self.block.value(self.family())]) is not None

    def reach(self) -> Reach:
        first, last = self.block.integer("fromPort"), self.block.integer("toPort")
        return Reach.of(self.block.text("protocol"), [] if first is None or last is None else [(first, last)])

    def lets_answers_in(self) -> bool:
        if self.reach().protocol == "all":
            return False
        first, last = self.block.integer("fromPort") or 0, self.block.integer("toPort") or 0
        return first >= _FIRST_FOR_ANSWERS and last >= _LAST_FOR_ANSWERS

    def is_before(self, other: _Entry) -> bool:
        return self.number < other.number and self.family() == other.family()


@RULES.rule(
    on=(*_ACLS, _RULE),
    joins=True,
    severity=MEDIUM,
    rationale=(
        "The ACL is what still holds when somebody opens a security group in haste: SSH then faces the whole internet."
    ),
    fix="Name the ranges of offices and bastions in cidrBlock, or put an entry that denies the port before this one; "
    "Session Manager needs neither port.",
    peers="CKV_AWS_231 CKV_AWS_232 CKV_AWS_352 AWS-0102 AWS-0105 KICS:a20be318 KICS:3af7f2fd",
    cis=("AWS 5.0: 5.2",),
)
def aws_nacl_no_world_admin(it: View, _: Settings) -> Verdict:
    """A network ACL keeps the ports of administrators, 22 and 3389, from the whole internet."""
    if it.type != _RULE:
        entries = [_Entry(it.within(place), _INLINE) for place in it.locations("ingress[]") if place.value is not None]
        return each(entries, lambda entry: _judge(entry, entries))
    if it.flag("egress"):
        return NOT_APPLICABLE
    siblings = [rule for acl in it.found("networkAclId", *_ACLS) for rule in acl.referrers(_RULE, "networkAclId")]
    return _judge(_Entry(it, _SPLIT), [_Entry(rule, _SPLIT) for rule in siblings if not rule.flag("egress")])


def _judge(entry: _Entry, others: Iterable[_Entry]) -> Verdict:
    if not entry.allows:
        return NOT_APPLICABLE
    if not entry.is_for_the_world() or entry.lets_answers_in():
        return PASS
    denied = [other for other in others if not other.allows and other.is_before(entry) and other.is_for_the_world()]
    open_ports = [
        port
        for port in _ADMINISTRATION
        if entry.reach().touches((port,)) and not any(other.reach().touches((port,)) for other in denied)
    ]
    if not open_ports:
        return PASS
    path = entry.block.at(entry.family())
    return fail(f"{path} lets the whole internet reach TCP {' and '.join(map(str, open_ports))}", path=path)
