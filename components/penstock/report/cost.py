"""The bill of a month for machines to read, and in few lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from penstock.economics.cost import Cost, CostGroup, Line, by_component
from penstock.economics.cost.change import CostChange
from penstock.economics.cost.groups import NONE
from penstock.economics.cost.work import JobCost, PoolRate
from penstock.findings import Finding
from penstock.report import found
from penstock.report.markdown_text import code, folded, plain, table_lines
from penstock.resources.graph import Graph

SHORT: Final = 5
"""How many components the short table of a rehearsal names."""


@dataclass(frozen=True, slots=True)
class Bill:
    """What `penstock cost` reports: a bill by groups, the rates of pools, and the cost of declared jobs.

    `findings` are those on the budget, and on usage that nothing in the program matches or that cannot be.
    """

    environment: str
    cost: Cost
    by: str
    groups: tuple[CostGroup, ...]
    rates: tuple[PoolRate, ...]
    jobs: tuple[JobCost, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def unused_tag(self) -> str:
        """The tag that lines are grouped by, where no resource has it; empty otherwise."""
        kind, _, key = self.by.partition(":")
        return key if kind == "tag" and all(group.name == NONE for group in self.groups) else ""

    @property
    def ok(self) -> bool:
        """True if nothing was found that blocks."""
        return not any(finding.blocks for finding in self.findings)


def document(cost: Cost) -> dict[str, Any]:
    """Return a bill as JSON: its total with bounds, each line, and what has no price."""
    return {
        **_sums(cost, is_known=cost.known_usd is not None),
        "lines": [{**asdict(line), "unverified": line.unverified} for line in cost.lines],
        "unpriced": [asdict(each) for each in cost.unpriced],
    }


def bill_document(bill: Bill) -> dict[str, Any]:
    """Return what `penstock cost` reports as JSON."""
    return {
        "environment": bill.environment,
        "cost": document(bill.cost),
        "by": bill.by,
        "groups": [
            {
                "name": group.name,
                **_sums(group, is_known=bool(group.lines)),
                "lines": [bill.cost.lines.index(line) for line in group.lines],
                "unpriced": [each.urn for each in group.unpriced],
            }
            for group in bill.groups
        ],
        "pools": [asdict(rate) for rate in bill.rates],
        "jobs": [{**asdict(job), "usd": None if job.usd is None else round(job.usd, 2)} for job in bill.jobs],
        "findings": [found.document(each) for each in bill.findings],
    }


def _sums(of: Cost | CostGroup, *, is_known: bool) -> dict[str, float | None]:
    """The sums of some lines; null where there is no figure, which is not 0."""
    sums = {"monthly_usd": of.monthly_usd, "low_usd": of.low_usd, "high_usd": of.high_usd}
    return {name: round(amount, 2) if is_known else None for name, amount in sums.items()}


def change_document(change: CostChange) -> dict[str, Any]:
    """Return the difference between two bills as JSON."""
    return {
        "old_usd": round(change.old.monthly_usd, 2),
        "new_usd": round(change.new.monthly_usd, 2),
        "difference_usd": round(change.difference_usd, 2),
        "components": [{**asdict(step), "difference_usd": round(step.difference_usd, 2)} for step in change.steps],
        "newly_unpriced": list(change.newly_unpriced),
    }


def short_table(cost: Cost, graph: Graph) -> Iterator[str]:
    """Yield the components that cost most, and the total, a line each with its bounds."""
    groups = [group for group in by_component(cost, graph) if group.high_usd]
    if not groups:
        return
    shown, rest = groups[:SHORT], groups[SHORT:]
    rows = [(group.name, group.monthly_usd, group.low_usd, group.high_usd) for group in shown]
    if rest:
        sums = [sum(getattr(group, field) for group in rest) for field in ("monthly_usd", "low_usd", "high_usd")]
        rows.append((f"{len(rest)} more", *sums))
    rows.append(("total", cost.monthly_usd, cost.low_usd, cost.high_usd))
    width = max(len(name) for name, *_ in rows)
    figures = [usd(expected) for _, expected, *_ in rows]
    longest = max(map(len, figures))
    yield "Cost by component, USD a month (`penstock cost` shows each line):"
    for (name, expected, low, high), figure in zip(rows, figures, strict=True):
        bounds = span(expected, low, high)
        yield f"  {name:{width}}  {figure:>{longest}}{f'  {bounds}' if bounds else ''}"
    yield ""


def change_lines(change: CostChange) -> Iterator[str]:
    """Yield the difference between two bills for people, a line for each component that differs."""
    yield change_sentence(change)
    width = max((len(step.component) for step in change.steps), default=0)
    for step in change.steps:
        yield f"  {step.component:{width}}  {usd(step.old_usd)} → {usd(step.new_usd)}  ({signed(step.difference_usd)})"
    if change.newly_unpriced:
        yield f"  {len(change.newly_unpriced)} new resources are usage-based or have no known price"


def change_markdown(change: CostChange) -> Iterator[str]:
    """Yield the difference between two bills as Markdown: a sentence, and a table of the components that differ."""
    yield f"**{plain(change_sentence(change))}**"
    yield ""
    rows = [
        (code(step.component), usd(step.old_usd), usd(step.new_usd), signed(step.difference_usd))
        for step in change.steps
    ]
    if rows:
        yield from table_lines(("Component", "USD a month before", "after", "difference"), rows)


def change_sentence(change: CostChange) -> str:
    """Return the difference between two bills in a sentence."""
    old, new = change.old.monthly_usd, change.new.monthly_usd
    if not change.steps:
        return f"The cost stays at about {usd(new)} USD a month."
    share = f", {change.difference_usd / old:+.0%}" if old else ""
    return f"The cost changes from {usd(old)} to {usd(new)} USD a month ({signed(change.difference_usd)}{share})."


def markdown(bill: Bill) -> str:
    """Return what `penstock cost` reports as Markdown."""
    return "\n".join(_markdown(bill)).rstrip("\n")


def _markdown(bill: Bill) -> Iterator[str]:
    cost = bill.cost
    yield f"## Cost of {code(bill.environment)}"
    yield ""
    bounds = span(cost.monthly_usd, cost.low_usd, cost.high_usd)
    if cost.lines:
        yield f"About **{usd(cost.monthly_usd)} USD a month**{f' {bounds}' if bounds else ''}, at list prices."
    else:
        yield "No cost is known of what it creates."
    yield ""
    rows = [
        (
            code(group.name),
            *(usd(sum_) if group.lines else "not known" for sum_ in (group.monthly_usd, group.low_usd, group.high_usd)),
            str(len(group.unpriced) or ""),
        )
        for group in bill.groups
    ]
    if bill.unused_tag:
        yield f"No resource that costs something has the tag or label {code(bill.unused_tag)}."
        yield ""
    yield from table_lines((heading(bill.by), "USD a month", "at least", "at most", "without a price"), rows)
    lines = [
        (
            plain(each.what),
            f"{each.quantity:,.6g} {plain(each.unit)}",
            f"{each.unit_usd:g}",
            usd(each.monthly_usd),
            *map(plain, (confidence(each), each.assumes, f"{each.source}, {each.as_of}" if each.source else "")),
        )
        for each in cost.lines
    ]
    head = ("What", "Quantity", "USD a unit", "USD a month", "Confidence", "Assumes", "Source and date")
    yield from folded(f"{len(lines)} lines", table_lines(head, lines))
    unpriced = [
        (
            code(each.urn.rpartition("::")[2]),
            plain(each.why),
            plain(each.depends_on),
            unit_price(each.unit_usd, each.unit),
        )
        for each in cost.unpriced
    ]
    if unpriced:
        head_of_unpriced = ("Resource", "What", "Depends on", "Price of a unit")
        yield from folded(f"{len(unpriced)} without a figure", table_lines(head_of_unpriced, unpriced))
    if bill.rates:
        rates = [(code(rate.pool), plain(rate.machine_type), *rate_cells(rate)) for rate in bill.rates]
        yield from table_lines(("Pool", "Machine", "USD a machine-hour", "USD an accelerator-hour"), rates)
    if bill.jobs:
        jobs = [(code(job.job), plain(job.assumes), *job_cells(job)) for job in bill.jobs]
        yield from table_lines(("Job", "Assumes", "Machines", "Storage", "Egress", "USD"), jobs)
    if bill.findings:
        findings = [
            (code(each.code), code(_where(each)), plain(each.message), plain(each.hint)) for each in bill.findings
        ]
        yield from table_lines(("Finding", "Where", "What is wrong", "How to fix it"), findings)


def _where(finding: Finding) -> str:
    return finding.head.removesuffix(f"[{finding.code}]").strip()


def heading(by: str) -> str:
    """Return the heading of groups; the key of a tag stays as it is written."""
    kind, colon, key = by.partition(":")
    return f"{kind.capitalize()}{colon}{key}"


def rate_cells(rate: PoolRate) -> tuple[str, str]:
    """Return the price of a machine-hour and of an accelerator-hour, as texts; "not known" where there is none."""
    node = "not known" if rate.node_hour_usd is None else f"{rate.node_hour_usd:,.2f}"
    if not rate.accelerators:
        return node, ""
    return node, "not known" if rate.accelerator_hour_usd is None else f"{rate.accelerator_hour_usd:,.2f}"


def job_cells(job: JobCost) -> Sequence[str]:
    """Return the parts of the cost of a job and its sum, as texts; "not known" where a part has no price."""
    parts = (job.machines_usd, job.storage_usd, job.egress_usd, job.usd)
    return ["not known" if part is None else usd(part) for part in parts]


def unit_price(price: float | None, unit: str) -> str:
    """Return the price of a unit as text; "not known" where there is none."""
    return "not known" if price is None else f"{price:g} USD per {unit}"


def confidence(line: Line) -> str:
    """Return how a price is known, and whether it is past its shelf life."""
    known = line.confidence if line.source else ""
    return f"{known}, stale" if line.stale else known


def usd(amount: float) -> str:
    """Return an amount of USD as people write it: without cents from 100 on."""
    return f"{amount:,.0f}" if abs(amount) >= 100 else f"{amount:,.2f}"  # noqa: PLR2004 - where cents stop mattering


def signed(amount: float) -> str:
    """Return a difference of USD with its sign."""
    return f"{'+' if amount >= 0 else '-'}{usd(abs(amount))}"


def span(expected: float, low: float, high: float) -> str:
    """Return the bounds of an amount as text; empty where they are the amount."""
    if round(low) == round(expected) == round(high):
        return ""
    return f"({usd(low)} to {usd(high)})"
