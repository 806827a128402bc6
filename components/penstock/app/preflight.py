"""The preflight of a stack: its real clouds answer for every precondition of `pulumi up`."""

from __future__ import annotations

from collections.abc import Callable

from penstock.catalog.former_types import by_present_names
from penstock.graph.view import Site
from penstock.preflight.run import ask_all, inquiries_for
from penstock.report.assessment import home_of
from penstock.report.preflight import PreflightReport, report_of
from penstock.simulate.environment import Environment
from penstock.simulate.run import Rehearsal


def preflight(
    environment: Environment, rehearsal: Rehearsal, *, progress: Callable[[int, int], None] | None = None
) -> PreflightReport:
    """Ask the clouds of an environment for each precondition of its rehearsal.

    Args:
        environment: the stack.
        rehearsal: its rehearsal.
        progress: called with the count of answers so far, and of all.

    Raises:
        CannotAsk: an SDK is missing, or there are no credentials that a cloud accepts.
    """
    site = Site(by_present_names(rehearsal.graph), rehearsal.quotas)
    inquiries = inquiries_for(site, rehearsal.preconditions, environment.description)
    asked = ask_all(inquiries, rehearsal.preconditions, site, environment.description, progress)
    return report_of(
        asked,
        environment=environment.stack,
        cloud=environment.cloud,
        callers=tuple(each.caller for each in inquiries.values()),
        redaction=rehearsal.redaction,
        home=home_of(environment.project, environment.stack),
    )
