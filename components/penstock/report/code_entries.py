"""The entry of a finding's code, for forms that explain each code once: what holds, why it matters, how to fix it."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.core.findings import Finding, Source
from penstock.rules import registry
from penstock.rules.judge import INTERNAL
from penstock.rules.levels import RuleKind, RuleSeverity
from penstock.rules.rule import Rule

_TITLES = {
    Source.SPEC: "The stack file describes what can be built.",
    Source.CLOUD: "The provider accepts what the program asks for.",
    Source.POLICY: "Policies and their waivers are in order.",
    Source.BUDGET: "The environment costs no more than its budget allows.",
    Source.PROGRAM: "The program runs to its end, and declares all that it creates.",
}
"""What holds by a source, where a code has no title of its own."""


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """A code and what holds when all is well; `severity` is there for policies, `rule` where it is the id of one."""

    code: str
    title: str
    group: str
    severity: RuleSeverity | None = None
    rule: Rule | None = None


def entry_of(finding: Finding) -> CodeEntry:
    """Return the entry of a finding's code; its group is the category of a policy, and otherwise who reports it."""
    if finding.code == INTERNAL:
        return CodeEntry(INTERNAL, "Every rule can be evaluated.", finding.source.value)
    rule = registry.rule_named(finding.code) if finding.source in (Source.CLOUD, Source.POLICY) else None
    if rule is None:
        return CodeEntry(finding.code, _TITLES[finding.source], finding.source.value)
    if rule.kind is RuleKind.PROVIDER:
        return CodeEntry(rule.id, rule.title, finding.source.value, rule=rule)
    return CodeEntry(rule.id, rule.title, rule.category.value, rule.severity, rule)
