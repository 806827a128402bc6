"""The figures at the top of the page, and what a rehearsal has to say beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from penstock.core.wording import plural
from penstock.cost.total_words import NOT_KNOWN, omission_words, span
from penstock.graph.graph import Graph
from penstock.report import engine, faults
from penstock.report.assessment import Assessment
from penstock.report.cost import cell
from penstock.report.cost_change import both_sides, cost_change_of, difference_words
from penstock.report.figures import is_shown, not_counted
from penstock.report.html.checks import undetermined_answers
from penstock.report.overview import Overview
from penstock.report.topology import DrawnRegion, accelerators_at_most
from penstock.report.wording import minutes


@dataclass(frozen=True, slots=True)
class FigureTile:
    """A figure with its name, its unit and a remark; `section` is the part of the page that has more of it."""

    name: str
    value: str
    remark: str
    section: str
    unit: str = ""


def tiles(assessment: Assessment, graph: Graph | None, regions: Sequence[DrawnRegion]) -> list[FigureTile]:
    """Return the figures that an assessment has."""
    return [
        *_change(assessment),
        *(_rehearsed(assessment) if isinstance(assessment, Overview) else ()),
        *(_size(graph, regions) if graph is not None else ()),
        *_checks(assessment),
        *_needed(assessment),
    ]


def notes(overview: Overview) -> list[tuple[str, list[str]]]:
    """Return what faults did and what the Pulumi CLI did, each below a title; nothing where nobody asked for it."""
    found = []
    if overview.outcome is not None:
        found.append(("Faults", list(faults.lines(overview.outcome))))
    if overview.steps:
        found.append(("The Pulumi CLI", list(engine.lines(overview.steps))))
    return found


def _change(assessment: Assessment) -> Iterator[FigureTile]:
    change = cost_change_of(assessment)
    if assessment.changes is not None:
        lost = len(assessment.changes.data_lost)
        replaced = len(assessment.changes.replaced)
        yield FigureTile(
            "Changes", str(len(assessment.changes)), f"{replaced} replaced, {lost} with data lost", "changes"
        )
    if change is not None:
        unit = "" if change.difference_usd is None else "USD"
        value = difference_words(change.difference_usd).replace("-", "−")
        yield FigureTile("Monthly cost, change", value, both_sides(change), "cost", unit)


def _rehearsed(overview: Overview) -> Iterator[FigureTile]:
    cost, timeline = overview.cost, overview.timeline
    if overview.changes is None and (cost.lines or cost.unpriced):
        unpriced = f"{plural(not_counted(cost), 'resource')} not counted" if cost.unpriced else "at list prices"
        remark = "; ".join(part for part in (span(cost).strip("()"), omission_words(cost), unpriced) if part)
        yield FigureTile("Monthly cost", NOT_KNOWN if cost.known_usd is None else cell(cost), remark, "cost", "USD")
    if timeline.makespan_s > 0:
        first = timeline.first_accelerator
        remark = f"first accelerator after {minutes(first.median_s)}" if first is not None else "by median latencies"
        yield FigureTile("Ready after", minutes(timeline.makespan_s), remark, "timeline")


def _size(graph: Graph, regions: Sequence[DrawnRegion]) -> Iterator[FigureTile]:
    pools = [pool for region in regions for pool in region.every_pool]
    if most := sum(map(accelerators_at_most, pools)):
        start = sum(pool.accelerators * (pool.start or 0) for pool in pools)
        yield FigureTile("Accelerators", f"{most:,}", f"at most; {start:,} from the start", "topology")
    shown = [resource for resource in graph if is_shown(resource)]
    custom = sum(resource.custom for resource in shown)
    yield FigureTile("Resources", f"{custom:,}", f"in {plural(len(shown) - custom, 'component')}", "resources")


def _checks(assessment: Assessment) -> Iterator[FigureTile]:
    reports = [report for report in (assessment.judgement, assessment.policies) if report is not None]
    if reports:
        undetermined = len(list(undetermined_answers(assessment)))
        remark = f"{undetermined} undetermined" if undetermined else "none undetermined"
        yield FigureTile("Checks passed", f"{sum(each.passed for each in reports):,}", remark, "checks")


def _needed(assessment: Assessment) -> Iterator[FigureTile]:
    if assessment.preconditions:
        yield FigureTile(
            "Preconditions", str(len(assessment.preconditions)), "before the first pulumi up", "preconditions"
        )
