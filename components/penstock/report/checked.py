"""What is wrong with an environment, its budget included, and no more: neither its bill nor its timeline."""

from __future__ import annotations

from penstock.cost import cost_of
from penstock.cost.budget import over_budget
from penstock.policies.judge import judge_policies
from penstock.report.assessment import Assessment, home_of
from penstock.report.coverage import coverage_of
from penstock.simulate.environment import Environment
from penstock.simulate.run import Rehearsal


def assessment_of(environment: Environment, rehearsal: Rehearsal) -> Assessment:
    """Return the findings of the provider rules, the policies and the budget on a rehearsal."""
    judgement = rehearsal.judgement
    policies = judge_policies(rehearsal.graph, environment.policies, beside=judgement)
    home = home_of(environment.project, environment.stack)
    priced = cost_of(rehearsal.graph, environment.usage)
    found = (
        *rehearsal.findings,
        *policies.findings,
        *over_budget(priced, rehearsal.graph),
        *environment.usage_findings(priced.unmatched, priced.misdeclared),
    )
    return Assessment(
        environment=environment.stack,
        cloud=environment.cloud,
        findings=environment.located(found, rehearsal.graph),
        judgement=judgement,
        policies=policies,
        preconditions=rehearsal.preconditions,
        coverage=coverage_of(
            rehearsal.graph,
            judgement=judgement,
            policies=policies,
            findings=rehearsal.findings,
            folder=home.folder,
        ),
        home=home,
        redaction=rehearsal.redaction,
    )
