"""The bill of a stack: what a month costs, what its pools and jobs cost an hour, and what its budget says."""

from __future__ import annotations

from penstock.app.assess import findings_in, overview_of
from penstock.core.findings import Source
from penstock.cost import grouped
from penstock.cost.work import job_costs, pool_rates
from penstock.report.cost import Bill
from penstock.report.redacted import redacted
from penstock.simulate.environment import Environment


def price(environment: Environment, *, by: str = "component") -> Bill:
    """Rehearse an environment and return its bill, without secrets.

    Args:
        environment: the stack.
        by: how lines are grouped: `component`, `pool`, `resource`, `type` or `tag:KEY`.

    Raises:
        PenstockError: as `Environment.rehearse`.
    """
    rehearsal = environment.rehearse()
    whole = redacted(
        overview_of(rehearsal, environment=environment.stack, cloud=environment.cloud, usage=environment.usage)
    )
    of_budgets = (each for each in whole.findings if each.source is Source.BUDGET)
    return Bill(
        environment=whole.environment,
        project=environment.project.name,
        cost=whole.cost,
        by=by,
        groups=grouped(whole.cost, whole.graph, by),
        rates=pool_rates(whole.cost, whole.graph, environment.usage),
        jobs=job_costs(whole.cost, whole.graph, environment.usage),
        findings=findings_in(environment, of_budgets, whole.cost, whole.graph),
    )
