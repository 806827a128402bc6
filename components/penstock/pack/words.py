"""The pack's words: rules as policies of the engine, and what comes of them as its diagnostics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from google.protobuf.json_format import ParseDict
from pulumi.runtime.proto import analyzer_pb2 as rpc

from penstock.findings import Finding, Severity
from penstock.pack.config import OWN, PackConfig, schema
from penstock.resources.graph import STACK_TYPE
from penstock.rules.judge import Answer, Report
from penstock.rules.levels import RuleSeverity
from penstock.rules.rule import Rule

_ABOUT = "Policy settings are right, waivers are in use, and what nobody can tell is told."
_WEIGHTS = {
    RuleSeverity.LOW: rpc.POLICY_SEVERITY_LOW,
    RuleSeverity.MEDIUM: rpc.POLICY_SEVERITY_MEDIUM,
    RuleSeverity.HIGH: rpc.POLICY_SEVERITY_HIGH,
    RuleSeverity.CRITICAL: rpc.POLICY_SEVERITY_CRITICAL,
}
_LEVELS = {Severity.ERROR: rpc.MANDATORY, Severity.WARNING: rpc.ADVISORY}


def info(config: PackConfig, catalogue: Iterable[Rule]) -> rpc.AnalyzerInfo:
    """The pack as the engine is told of it: a policy for each rule in force, and one for the packs themselves."""
    own = rpc.PolicyInfo(
        name=OWN,
        displayName="Penstock's own settings",
        description=_ABOUT,
        enforcementLevel=config.own,
        policy_type=rpc.POLICY_TYPE_STACK,
    )
    ParseDict(schema(), own.configSchema.properties)
    policies = [_policy(rule, config.levels[rule.id]) for rule in catalogue if rule.id in config.levels]
    return rpc.AnalyzerInfo(name=OWN, displayName="Penstock", supportsConfig=True, policies=[own, *policies])


def _policy(rule: Rule, level: rpc.EnforcementLevel.ValueType) -> rpc.PolicyInfo:
    return rpc.PolicyInfo(
        name=rule.id,
        displayName=rule.title.removesuffix("."),
        description=f"{rule.title} {rule.rationale}",
        enforcementLevel=level,
        policy_type=rpc.POLICY_TYPE_STACK if spans(rule) else rpc.POLICY_TYPE_RESOURCE,
        severity=_WEIGHTS[rule.severity],
        tags=[rule.category, *rule.peers],
        remediation_steps=rule.fix,
    )


def spans(rule: Rule) -> bool:
    """Whether a rule can be asked only when everything is registered."""
    return rule.joins or STACK_TYPE in rule.on


def violation(finding: Finding, rule: Rule) -> rpc.AnalyzeDiagnostic:
    """A finding on a resource: what should hold, what is wrong, and how to mend it."""
    return rpc.AnalyzeDiagnostic(
        policyName=rule.id,
        policyPackName=OWN,
        description=rule.title,
        message=f"{rule.title}\n{finding.message}\n{finding.hint}",
        urn=finding.urn or "",
        enforcementLevel=_LEVELS[finding.severity],
        severity=_WEIGHTS[rule.severity],
    )


def told(message: str, level: rpc.EnforcementLevel.ValueType = rpc.ADVISORY) -> rpc.AnalyzeDiagnostic:
    """What the pack says of itself."""
    return rpc.AnalyzeDiagnostic(
        policyName=OWN, policyPackName=OWN, description=_ABOUT, message=message, enforcementLevel=level
    )


def not_applicable(answer: Answer) -> rpc.PolicyNotApplicable:
    """Why the engine must not count a rule as one that holds."""
    return rpc.PolicyNotApplicable(policy_name=answer.rule.id, reason=_reason(answer))


def _reason(answer: Answer) -> str:
    if answer.waiver is not None:
        return f"waived until {answer.waiver.expires} by {answer.waiver.owner}: {answer.waiver.reason}"
    if answer.exemption is not None:
        return answer.exemption.reason
    return "nobody can tell yet" if answer.outcome == "unknown" else ""


def of_rules(problems: Iterable[Finding], level: rpc.EnforcementLevel.ValueType) -> Iterator[rpc.AnalyzeDiagnostic]:
    """Return what is wrong with rules of a user's own."""
    for problem in problems:
        yield told(f"{problem.code}: {problem.message}\n{problem.hint}", level)


def of_waivers(report: Report) -> Iterator[rpc.AnalyzeDiagnostic]:
    """What is wrong with waivers, and which of them were needed."""
    for finding in report.findings:
        if finding.urn is None and finding.code.startswith("POLICY-"):
            yield told(f"{finding.code}: {finding.message}\n{finding.hint}", _LEVELS[finding.severity])
    waived = report.of("waived")
    if waived:
        yield told("\n".join((f"{_count(len(waived), 'finding')} waived:", *map(_waived, waived))))


def _waived(answer: Answer) -> str:
    name = answer.resource.urn.rpartition("::")[2]
    return f"- {answer.rule.id} at {name}, {_reason(answer)}"


def of_doubts(report: Report) -> Iterator[rpc.AnalyzeDiagnostic]:
    """One line on what nobody can tell yet."""
    doubts = Counter(answer.rule.id for answer in report.of("unknown"))
    if doubts:
        listed = ", ".join(rule if count == 1 else f"{rule} × {count}" for rule, count in sorted(doubts.items()))
        question = _count(doubts.total(), "question")
        yield told(f"{question} nobody can answer before the resources are there: {listed}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
