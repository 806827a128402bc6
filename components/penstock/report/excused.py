"""What is waived and what is disabled, of provider rules and policies alike: nothing is excused in silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.core.findings import kind_of
from penstock.core.wording import plural
from penstock.report.assessment import Assessment
from penstock.rules import registry
from penstock.rules.judge import Answer, Report
from penstock.rules.levels import Category, Enforcement, RuleKind
from penstock.rules.settings import Settings


def waived_answers(assessment: Assessment) -> tuple[Answer, ...]:
    """The waived answers of provider rules, and then those of policies."""
    return tuple(answer for report in _reports(assessment) for answer in report.of("waived"))


def disabled_names(assessment: Assessment) -> list[str]:
    """The rules and categories that the settings disable: those of the kinds of rules that were evaluated."""
    judgement, policies = assessment.judgement, assessment.policies
    return [
        *(disabled(judgement.settings, RuleKind.PROVIDER) if judgement is not None else ()),
        *(disabled(policies.settings, RuleKind.POLICY) if policies is not None else ()),
    ]


def excused_sentences(assessment: Assessment) -> Iterator[str]:
    """What is disabled, and how many findings are known, in sentences."""
    names = disabled_names(assessment)
    if names:
        yield f"Disabled by settings: {', '.join(names)}."
    if assessment.known:
        yield f"{plural(len(assessment.known), 'known finding')} of the baseline."


def disabled(settings: Settings, kind: RuleKind) -> list[str]:
    """The names of one kind of rules that the settings disable, each a rule or a category."""
    names = [name for name, level in settings.rules.items() if level is Enforcement.DISABLED]
    return [name for name in names if _kind_of_rules(name) is kind]


def waived_lines(title: str, report: Report) -> Iterator[str]:
    """The waived answers of a report below a title, each with its reason and owner; nothing where none is."""
    waived = report.of("waived")
    if waived:
        yield title
        yield from (f"  {rule_and_resource(answer)}: {waiver_of(answer)}" for answer in waived)


def rule_and_resource(answer: Answer) -> str:
    """The rule and the resource of an answer."""
    return f"{answer.rule.id}  {answer.resource.name} ({kind_of(answer.resource.type)})"


def waiver_of(answer: Answer) -> str:
    """The reason, the owner and the last day of a waiver."""
    waiver = answer.waiver
    return "" if waiver is None else f"{waiver.reason} ({waiver.owner}, until {waiver.expires})"


def waived_document(answer: Answer) -> dict[str, Any]:
    """A waived answer as data, with reason, owner and last day."""
    record: dict[str, Any] = {"rule": answer.rule.id, "urn": answer.resource.urn}
    if answer.waiver is not None:
        record |= {
            "reason": answer.waiver.reason,
            "owner": answer.waiver.owner,
            "expires": answer.waiver.expires.isoformat(),
        }
    return record | {"messages": [failure.message for failure in answer.verdict.failures]}


def _reports(assessment: Assessment) -> Iterator[Report]:
    yield from (report for report in (assessment.judgement, assessment.policies) if report is not None)


def _kind_of_rules(name: str) -> RuleKind:
    """Whether a name in the settings is about provider rules or about policies."""
    rule = registry.rule_named(name)
    if rule is not None:
        return rule.kind
    return RuleKind.PROVIDER if name == Category.PROVIDER else RuleKind.POLICY
