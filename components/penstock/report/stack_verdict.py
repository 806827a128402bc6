"""The verdict on one environment in short: what is wrong, how much would be created, how soon, and at which price.

It is data, so that it can go from the process that worked it out to one that compares, sums up or shows it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final
from zlib import crc32

from penstock.core.findings import Finding, Severity, Source
from penstock.cost.total_words import omission_words
from penstock.report.assessment import Assessment
from penstock.report.cost_change import both_sides
from penstock.report.figures import is_shown
from penstock.report.overview import Overview

OPERATIONS: Final = ("created", "updated", "replaced", "deleted", "moved")
"""What may become of a resource, in the order in which reports count it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StackVerdict:
    """What a command found in one environment.

    `is_result` is False where nothing was rehearsed: the description or the program is wrong. `resources` are those
    that would be created, by their URNs, each with a number that changes with its inputs; `costs_by_place` is USD a
    month by the file and line that resources come from, and `omits` names what `monthly_usd` leaves out; empty for
    nothing. These and the times in seconds are those of `rehearse`; `check` works out none.
    """

    environment: str
    cloud: str | None = None
    is_result: bool
    findings: tuple[Finding, ...] = ()
    resources: Mapping[str, int] | None = None
    components: int = 0
    monthly_usd: float | None = None
    omits: str = ""
    costs_by_place: Mapping[str, float] = field(default_factory=dict)
    first_accelerator_s: float | None = None
    makespan_s: float | None = None
    changes: Mapping[str, int] | None = None
    """Of a report on a change: the resources by what becomes of them, counted."""
    data_lost: int = 0
    cost_change: str = ""

    @property
    def ok(self) -> bool:
        """True if nothing was found that blocks."""
        return self.is_result and not any(finding.blocks for finding in self.findings)

    def count(self, severity: Severity) -> int:
        """The number of findings of a severity."""
        return sum(finding.severity is severity for finding in self.findings)


def verdict_of(assessment: Assessment) -> StackVerdict:
    """Return the verdict that an assessment comes to, which has no secrets any more (`redacted`)."""
    shared: dict[str, Any] = {
        "environment": assessment.environment,
        "cloud": assessment.cloud,
        "findings": assessment.findings,
        "is_result": assessment.judgement is not None,
    }
    if not isinstance(assessment, Overview):
        return StackVerdict(**shared)
    shown = [resource for resource in assessment.graph if is_shown(resource)]
    costs: defaultdict[str, float] = defaultdict(float)
    for line in assessment.cost.lines:
        resource = assessment.graph.resources.get(line.urn)
        if resource is not None and resource.place is not None:
            costs[f"{resource.place.file}:{resource.place.line}"] += line.monthly_usd
    return StackVerdict(
        **shared,
        resources={each.urn: crc32(repr(each.inputs).encode()) for each in shown if each.custom},
        components=sum(not each.custom for each in shown),
        monthly_usd=assessment.cost.known_usd,
        omits=omission_words(assessment.cost),
        costs_by_place=dict(costs),
        first_accelerator_s=assessment.timeline.time_to_first_accelerator_s,
        makespan_s=assessment.timeline.makespan_s,
        **_change(assessment),
    )


def _change(overview: Overview) -> dict[str, Any]:
    changes, cost_change = overview.changes, overview.cost_change
    if changes is None:
        return {}
    return {
        "changes": {word: len(getattr(changes, word)) for word in OPERATIONS},
        "data_lost": len(changes.data_lost),
        "cost_change": "" if cost_change is None else both_sides(cost_change),
    }


def document(verdict: StackVerdict) -> dict[str, Any]:
    """Return a verdict as plain data."""
    return asdict(verdict)


def verdict_from(content: Mapping[str, Any]) -> StackVerdict:
    """Return the verdict that `document` has made plain."""
    found = (
        Finding(
            **{
                **each,
                "severity": Severity(each["severity"]),
                "source": Source(each["source"]),
                "places": tuple(each["places"]),
            }
        )
        for each in content["findings"]
    )
    return StackVerdict(**{**content, "findings": tuple(found)})
