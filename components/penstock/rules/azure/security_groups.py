"""Rules on network security groups."""

from __future__ import annotations

from typing import Final

from penstock.resources.verdict import NOT_APPLICABLE, PASS, Failure, Outcome, Verdict
from penstock.resources.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

GROUP: Final = "azure-native:network:NetworkSecurityGroup"
SECURITY_RULE: Final = "azure-native:network:SecurityRule"


@RULES.rule(
    "az-nsg-priority-once",
    on=GROUP,
    severity=HIGH,
    rationale="Azure rejects the second rule with SecurityRuleConflict.",
    fix="Set priority of one of the rules to a number from 100 to 4096 that no other rule of its direction has.",
    reads=("securityRules[].direction", "securityRules[].name", "securityRules[].priority"),
    joins=True,
    sources=("Azure Virtual Network documentation, network security groups",),
)
def rules_of_a_direction_have_different_priorities(group: View) -> Verdict:
    """No two rules of a security group have the same direction and priority."""
    beside = group.referrers(SECURITY_RULE, "networkSecurityGroupName")
    names = {name for rule in beside if (name := rule.given("securityRuleName")) is not None}
    rules: list[Block] = [rule for rule in group.blocks("securityRules") if rule.given("name") not in names]
    rules += beside
    if not rules:
        return NOT_APPLICABLE
    taken: set[tuple[str, int]] = set()
    failures = []
    for rule in rules:
        direction, priority = rule.text("direction"), rule.integer("priority")
        if direction is None or priority is None:
            continue
        if (direction, priority) in taken:
            message = f"another rule has the priority {priority}, {direction}, already"
            failures.append(Failure(message, "Use another priority.", rule.at("priority"), rule.owner.urn))
        taken.add((direction, priority))
    return Verdict(Outcome.FAIL, tuple(failures)) if failures else PASS
