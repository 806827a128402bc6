"""The bill of a month for machines to read, and in few lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from penstock.core.findings import Finding
from penstock.core.wording import inflect, plural
from penstock.cost import Cost, CostGroup, Line, by_component
from penstock.cost.change import CostChange
from penstock.cost.groups import NONE
from penstock.cost.total import Total
from penstock.cost.total_words import NOT_KNOWN, doubt_words, doubtful_usd, omission_words, span, total_words, usd
from penstock.cost.work import JobCost, PoolRate
from penstock.graph.graph import Graph
from penstock.report import found
from penstock.report.cost_change import difference_words, in_words
from penstock.report.markdown_text import code, folded, marker, plain, table_lines
from penstock.report.price_sources import price_source

SHORT: Final = 5
"""How many components the short table of a rehearsal names."""


@dataclass(frozen=True, slots=True)
class Bill:
    """What `penstock cost` reports: a bill by groups, the rates of pools, and the cost of declared jobs.

    `findings` are those on the budget, and on usage that nothing in the program matches or that cannot be.
    """

    environment: str
    project: str
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
    """Return a bill as JSON: its total with bounds, how sure it is, each line, and what has no price."""
    return {
        **_sums(cost, is_known=cost.known_usd is not None),
        "omitted": omission_words(cost) or None,
        "doubtful_usd": {name: round(amount, 2) for name, amount in doubtful_usd(cost).items()},
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


def _sums(of: Total, *, is_known: bool) -> dict[str, float | bool | None]:
    """The sums of some lines; null where there is no figure, which is not 0."""
    sums = {"monthly_usd": of.monthly_usd, "low_usd": of.low_usd, "high_usd": of.high_usd}
    figures = {name: None if amount is None or not is_known else round(amount, 2) for name, amount in sums.items()}
    return {**figures, "complete": of.is_complete}


def change_document(change: CostChange) -> dict[str, Any]:
    """Return the difference between two bills as JSON."""
    return {
        "old_usd": round(change.old.monthly_usd, 2),
        "old_complete": change.old.is_complete,
        "new_usd": round(change.new.monthly_usd, 2),
        "new_complete": change.new.is_complete,
        "difference_usd": _rounded(change.difference_usd),
        "still_paid": [asdict(each) for each in change.still_paid],
        "unknown": [asdict(each) for each in change.unknown],
        "components": [
            {
                "component": step.component,
                "old_usd": step.old_usd,
                "new_usd": step.new_usd,
                "difference_usd": _rounded(step.difference_usd),
            }
            for step in change.steps
        ],
        "newly_unpriced": list(change.newly_unpriced),
    }


def _rounded(amount: float | None) -> float | None:
    return None if amount is None else round(amount, 2)


def short_table(cost: Cost, graph: Graph) -> Iterator[str]:
    """Yield the total, and the components that cost most, a line each with its bounds."""
    groups = [group for group in by_component(cost, graph) if group.high_usd != 0 or not group.is_complete]
    if not groups:
        return
    groups.sort(key=lambda group: not group.unpriced_machines)
    shown, rest = groups[:SHORT], groups[SHORT:]
    rows: list[tuple[str, Total]] = [(group.name, group) for group in shown]
    if rest:
        lines, unpriced = (tuple(each for group in rest for each in getattr(group, of)) for of in ("lines", "unpriced"))
        rows.append((f"{len(rest)} more", CostGroup("", lines, unpriced)))
    rows.append(("total", cost))
    width = max(len(name) for name, _ in rows)
    figures = [cell(total) for _, total in rows]
    longest = max(map(len, figures))
    yield "Cost by component, USD a month (`penstock cost` shows each line):"
    for (name, total), figure in zip(rows, figures, strict=True):
        note = span(total) or omission_words(total)
        yield f"  {name:{width}}  {figure:>{longest}}{f'  {note}' if note else ''}"
    yield ""


def change_lines(change: CostChange) -> Iterator[str]:
    """Yield the difference between two bills for people, a line for each component that differs."""
    yield change_sentence(change)
    width = max((len(step.component) for step in change.steps), default=0)
    for step in change.steps:
        difference = difference_words(step.difference_usd)
        yield f"  {step.component:{width}}  {usd(step.old_usd)} → {usd(step.new_usd)}  ({difference})"
    if change.newly_unpriced:
        count = len(change.newly_unpriced)
        verbs = inflect(count, "is usage-based or has", "are usage-based or have")
        yield f"  {plural(count, 'new resource')} {verbs} no known price"


def change_markdown(change: CostChange) -> Iterator[str]:
    """Yield the difference between two bills as Markdown: a sentence, and a table of the components that differ."""
    yield f"**{plain(change_sentence(change))}**"
    yield ""
    rows = [
        (code(step.component), usd(step.old_usd), usd(step.new_usd), difference_words(step.difference_usd))
        for step in change.steps
    ]
    if rows:
        yield from table_lines(("Component", "USD a month before", "after", "difference"), rows)


def change_sentence(change: CostChange) -> str:
    """Return the difference between two bills in a sentence."""
    words = in_words(change)
    return f"{words[:1].upper()}{words[1:]}."


def markdown(bill: Bill) -> str:
    """Return what `penstock cost` reports as Markdown."""
    return "\n".join(_markdown(bill)).rstrip("\n")


def _markdown(bill: Bill) -> Iterator[str]:
    cost = bill.cost
    yield marker("cost", bill.project, bill.environment)
    yield f"## Cost of {code(bill.environment)}"
    yield ""
    words = total_words(cost)
    bounds = span(cost)
    yield f"**{plain(words[:1].upper() + words[1:])}**{f' {bounds}' if bounds else ''}, at list prices."
    yield ""
    if doubts := doubt_words(cost):
        yield f"{doubts}."
        yield ""
    rows = [
        (code(group.name), *(cells(group) if group.lines else [NOT_KNOWN] * 3), str(len(group.unpriced) or ""))
        for group in bill.groups
    ]
    rows.append(("**Total**", *(cells(cost) if cost.lines else [NOT_KNOWN] * 3), str(len(cost.unpriced) or "")))
    if bill.unused_tag:
        yield f"No resource that costs something has the tag or label {code(bill.unused_tag)}."
        yield ""
    yield from table_lines((heading(bill.by), "USD a month", "low", "high", "without a price"), rows)
    lines = [
        (
            plain(each.what),
            f"{each.quantity:,.6g} {plain(each.unit)}",
            f"{each.unit_usd:g}",
            usd(each.monthly_usd),
            *map(plain, (confidence(each), each.assumes, f"{price_source(each)}, {each.as_of}" if each.source else "")),
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


def cell(total: Total) -> str:
    """Return a sum as the cell of a table, below a heading that has its unit."""
    if total.known_usd is None and not total.is_complete:
        return NOT_KNOWN
    return f"{'' if total.is_complete else 'at least '}{usd(total.monthly_usd)}"


def cells(total: Total) -> tuple[str, str, str]:
    """Return a sum and its bounds as cells of a table."""
    return cell(total), usd(total.low_usd), NOT_KNOWN if total.high_usd is None else usd(total.high_usd)
