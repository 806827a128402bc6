"""The bill of a month as tables in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from penstock.core.wording import inflect, plural
from penstock.cost import Line, Unpriced
from penstock.cost.total import Total
from penstock.cost.total_words import NOT_KNOWN, doubt_words, span, total_words, usd
from penstock.report.cost import Bill, confidence, heading, job_cells, rate_cells, unit_price
from penstock.report.price_sources import price_source
from penstock.report.terminal import harmless_text, table_of

_LEAST_WIDTH = 40
_ANY_WIDTH = 1000


def show(bill: Bill, console: Console) -> None:
    """Print the total, the lines by group with their sources, what has no figure, rates of pools, and jobs."""
    cost = bill.cost
    if not cost.lines:
        console.print(harmless_text(f"{bill.environment}: {total_words(cost)}", "bold"), soft_wrap=True)
        _show_unpriced(cost.unpriced, console)
        _show_findings(bill, console)
        return
    bounds = span(cost)
    head = f"{bill.environment}: {total_words(cost)}" + (f" {bounds}" if bounds else "")
    console.print(harmless_text(f"{head}, at list prices before tax and discounts", "bold"), soft_wrap=True)
    if doubts := doubt_words(cost):
        console.print(harmless_text(f"{doubts[:1].upper()}{doubts[1:]}."), soft_wrap=True)
    sources: dict[tuple[str, str, str], int] = {}
    console.print(_fitting(bill, sources, console))
    if bill.unused_tag:
        console.print(harmless_text(f"No resource that costs something has the tag or label {bill.unused_tag}."))
    for (known, source, as_of), number in sources.items():
        console.print(harmless_text(f"[{number}] {known}: {source}, {as_of}", "dim"), soft_wrap=True)
    stale = sum(line.stale for line in cost.lines)
    if stale:
        console.print(
            harmless_text(
                f"{plural(stale, 'line')} {inflect(stale, 'has a price', 'have prices')} past the shelf life: "
                "`penstock catalog refresh` asks the clouds for newer ones."
            ),
            soft_wrap=True,
        )
    _show_unpriced(cost.unpriced, console)
    _show_work(bill, console)
    _show_findings(bill, console)


def _show_findings(bill: Bill, console: Console) -> None:
    for finding in bill.findings:
        console.print()
        console.print(harmless_text(f"{finding.severity.value}  {finding.head}"), soft_wrap=True)
        for text in filter(None, (finding.message, finding.hint)):
            console.print(harmless_text(f"  {text}"), soft_wrap=True)


def _fitting(bill: Bill, sources: dict[tuple[str, str, str], int], console: Console) -> Table:
    """The table with all its columns, or, where the terminal has no room for them, with few."""
    table = _lines(bill, sources, wide=True)
    table.columns[0].width = _LEAST_WIDTH
    needed = console.measure(table, options=console.options.update(width=_ANY_WIDTH)).maximum
    table.columns[0].width = None
    return table if needed <= console.width else _lines(bill, sources, wide=False)


def _lines(bill: Bill, sources: dict[tuple[str, str, str], int], *, wide: bool) -> Table:
    """The lines by group: where a terminal is narrow, quantities and bounds stand below what they are of."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_footer=False)
    table.add_column(heading(bill.by), min_width=_LEAST_WIDTH, overflow="fold")
    for name in ("Quantity", "USD a unit", "USD a month", "Low", "High") if wide else ("USD a month",):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)

    def row(what: Text, amount: Line | Total, known: str = "") -> None:
        line = amount if isinstance(amount, Line) and known else None
        quantity = f"{line.quantity:,.6g}" if line else ""
        unit = f"{line.unit_usd:,.5g}/{line.unit}" if line else ""
        expected, *bounds = _figures(amount)
        notes = [amount.assumes] if isinstance(amount, Line) else []
        if not wide:
            between = span(amount).strip("()")
            notes = [f"{quantity} × {unit}" if line else "", *notes, between and f"{between} USD"]
        noted = "; ".join(filter(None, notes))
        cells = [quantity, unit, expected, *bounds] if wide else [expected]
        table.add_row(
            Text("\n").join([what, harmless_text(f"    {noted}", "dim")]) if noted else what, *cells, Text(known)
        )

    for group in bill.groups:
        if group.lines:
            row(harmless_text(group.name, "bold"), group)
        for count, line in _merged(group.lines):
            origin = (confidence(line), price_source(line), line.as_of)
            number = sources.setdefault(origin, len(sources) + 1) if line.source else 0
            what = harmless_text(f"  {line.what}" + (f"  ({count} of them)" if count > 1 else ""))
            row(what, line, f"{'~' if line.unverified else ''}[{number}]" if number else "")
    table.add_section()
    row(Text("Total", "bold"), bill.cost)
    return table


def _figures(amount: Line | Total) -> tuple[str, str, str]:
    least = "" if isinstance(amount, Line) or amount.is_complete else "at least "
    high = NOT_KNOWN if amount.high_usd is None else usd(amount.high_usd)
    return f"{least}{amount.monthly_usd:,.2f}", usd(amount.low_usd), high


def _merged(lines: Iterable[Line]) -> Iterator[tuple[int, Line]]:
    """The lines of one kind and price together, as one for each of a dozen endpoints would tell nothing."""
    kinds: dict[tuple[object, ...], list[Line]] = {}
    for line in lines:
        kinds.setdefault((line.what, line.unit_usd, line.source, line.as_of, line.assumes), []).append(line)
    fields = ("monthly_usd", "low_usd", "high_usd", "quantity")
    merged = [
        (len(alike), replace(alike[0], **{field: sum(getattr(line, field) for line in alike) for field in fields}))
        for alike in kinds.values()
    ]
    yield from sorted(merged, key=lambda each: -each[1].monthly_usd)


def _show_unpriced(unpriced: Iterable[Unpriced], console: Console) -> None:
    found = list(unpriced)
    if not found:
        return
    console.print()
    console.print(Text(f"Not in the total, {plural(len(found), 'amount')} that nobody knows yet:"))
    for each in found:
        name = each.urn.rpartition("::")[2]
        price = f"  {unit_price(each.unit_usd, each.unit)}" if each.unit else ""
        where = f"  declare {each.depends_on}" if each.depends_on.startswith("penstock:") else ""
        where = where or (f"  depends on {each.depends_on}" if each.depends_on else "")
        console.print(harmless_text(f"  {name}: {each.why}{price}{where}"), soft_wrap=True)


def _show_work(bill: Bill, console: Console) -> None:
    if bill.rates:
        console.print()
        of_pools = ("Pool", "Machine", "Machines", "USD a machine-hour", "USD an accelerator-hour")
        table = table_of(*of_pools, figures_from=2, lined=True)
        for rate in bill.rates:
            table.add_row(
                harmless_text(rate.pool), harmless_text(rate.machine_type), f"{rate.machines:g}", *rate_cells(rate)
            )
        console.print(table)
    if bill.jobs:
        of_jobs = ("Job", "Accelerator-hours", "Machines", "Storage", "Egress", "USD")
        table = table_of(*of_jobs, figures_from=1, lined=True)
        for job in bill.jobs:
            table.add_row(harmless_text(f"{job.job}: {job.assumes}"), f"{job.accelerator_hours:,.6g}", *job_cells(job))
        console.print(table)
