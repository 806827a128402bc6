"""The pack's messages: rules as policies of the engine, and their results as its diagnostics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from google.protobuf.json_format import ParseDict
from pulumi.runtime.proto import analyzer_pb2 as rpc

from penstock import __version__
from penstock.core.findings import Finding, Severity
from penstock.core.wording import plural
from penstock.graph.graph import STACK_TYPE
from penstock.pack.config import OWN, PackConfig, schema
from penstock.rules.judge import Answer, Report
from penstock.rules.levels import RuleSeverity
from penstock.rules.rule import Rule

_ABOUT = "Policy settings are valid, waivers are in use, and undetermined policies are reported."
_SEVERITIES = {
    RuleSeverity.LOW: rpc.POLICY_SEVERITY_LOW,
    RuleSeverity.MEDIUM: rpc.POLICY_SEVERITY_MEDIUM,
    RuleSeverity.HIGH: rpc.POLICY_SEVERITY_HIGH,
    RuleSeverity.CRITICAL: rpc.POLICY_SEVERITY_CRITICAL,
}
_LEVELS = {Severity.ERROR: rpc.MANDATORY, Severity.WARNING: rpc.ADVISORY}


def info(config: PackConfig, catalogue: Iterable[Rule]) -> rpc.AnalyzerInfo:
    """Return the pack as the engine knows it: a policy for each rule in force, and one for the packs themselves."""
    own = rpc.PolicyInfo(
        name=OWN,
        displayName="Penstock's own settings",
        description=_ABOUT,
        enforcementLevel=config.own,
        policy_type=rpc.POLICY_TYPE_STACK,
    )
    ParseDict(schema(), own.configSchema.properties)
    policies = [_policy(rule, config.levels[rule.id]) for rule in catalogue if rule.id in config.levels]
    return rpc.AnalyzerInfo(
        name=OWN,
        displayName="Penstock",
        description="Policies for AI infrastructure on AWS, Google Cloud, Azure and Kubernetes.",
        version=__version__,  # by which organizations enforce a published pack
        supportsConfig=True,
        policies=[own, *policies],
    )


def _policy(rule: Rule, level: rpc.EnforcementLevel.ValueType) -> rpc.PolicyInfo:
    return rpc.PolicyInfo(
        name=rule.id,
        displayName=rule.title.removesuffix("."),
        description=f"{rule.title} {rule.rationale}",
        enforcementLevel=level,
        policy_type=rpc.POLICY_TYPE_STACK if spans(rule) else rpc.POLICY_TYPE_RESOURCE,
        severity=_SEVERITIES[rule.severity],
        tags=[rule.category, *rule.peers],
        remediation_steps=rule.fix,
    )


def spans(rule: Rule) -> bool:
    """Return whether a rule can be evaluated only when everything is registered."""
    return rule.joins or STACK_TYPE in rule.on


def violation(finding: Finding, rule: Rule) -> rpc.AnalyzeDiagnostic:
    """Return the diagnostic of a finding: the rule's title, what is wrong, and how to fix it."""
    return rpc.AnalyzeDiagnostic(
        policyName=rule.id,
        policyPackName=OWN,
        description=rule.title,
        message=f"{rule.title}\n{finding.message}\n{finding.hint}",
        urn=finding.urn or "",
        enforcementLevel=_LEVELS[finding.severity],
        severity=_SEVERITIES[rule.severity],
    )


def own_diagnostic(message: str, level: rpc.EnforcementLevel.ValueType = rpc.ADVISORY) -> rpc.AnalyzeDiagnostic:
    """Return a diagnostic of the pack itself."""
    return rpc.AnalyzeDiagnostic(
        policyName=OWN, policyPackName=OWN, description=_ABOUT, message=message, enforcementLevel=level
    )


def not_applicable(answer: Answer) -> rpc.PolicyNotApplicable:
    """Return why the engine must not count a rule as passed."""
    return rpc.PolicyNotApplicable(policy_name=answer.rule.id, reason=_reason(answer))


def _reason(answer: Answer) -> str:
    if answer.waiver is not None:
        return f"waived until {answer.waiver.expires} by {answer.waiver.owner}: {answer.waiver.reason}"
    if answer.exemption is not None:
        return answer.exemption.reason
    return "undetermined: a value is not known yet" if answer.outcome == "unknown" else ""


def of_rules(problems: Iterable[Finding], level: rpc.EnforcementLevel.ValueType) -> Iterator[rpc.AnalyzeDiagnostic]:
    """Return what is wrong with rules of a user's own."""
    for problem in problems:
        yield own_diagnostic(f"{problem.code}: {problem.message}\n{problem.hint}", level)


def of_waivers(report: Report) -> Iterator[rpc.AnalyzeDiagnostic]:
    """Yield what is wrong with waivers, and which of them were needed."""
    for finding in report.findings:
        if finding.urn is None and finding.code.startswith("POLICY-"):
            yield own_diagnostic(f"{finding.code}: {finding.message}\n{finding.hint}", _LEVELS[finding.severity])
    waived = report.of("waived")
    if waived:
        yield own_diagnostic("\n".join((f"{plural(len(waived), 'finding')} waived:", *map(_waived, waived))))


def _waived(answer: Answer) -> str:
    name = answer.resource.urn.rpartition("::")[2]
    return f"- {answer.rule.id} at {name}, {_reason(answer)}"


def of_undetermined(report: Report) -> Iterator[rpc.AnalyzeDiagnostic]:
    """Yield one line on the undetermined policies."""
    undetermined = Counter(answer.rule.id for answer in report.undetermined)
    if undetermined:
        listed = ", ".join(rule if count == 1 else f"{rule} × {count}" for rule, count in sorted(undetermined.items()))
        checked = plural(undetermined.total(), "policy check")
        yield own_diagnostic(f"{checked} undetermined until the resources exist: {listed}")
