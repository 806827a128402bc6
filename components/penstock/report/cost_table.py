"""The bill of a month as tables in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from penstock.economics.cost import Line, Unpriced
from penstock.report.cost import Bill, confidence, heading, job_cells, rate_cells, span, unit_price, usd
from penstock.report.terminal import harmless_text
from penstock.report.wording import plural

_LEAST_WIDTH = 40


def show(bill: Bill, console: Console) -> None:
    """Print the total, the lines by group with their sources, what has no figure, rates of pools, and jobs."""
    cost = bill.cost
    if not cost.lines:
        console.print(harmless_text(f"{bill.environment}: no cost is known of what it creates", "bold"))
        _show_unpriced(cost.unpriced, console)
        _show_findings(bill, console)
        return
    bounds = span(cost.monthly_usd, cost.low_usd, cost.high_usd)
    head = f"{bill.environment}: about {usd(cost.monthly_usd)} USD a month" + (f" {bounds}" if bounds else "")
    console.print(harmless_text(f"{head}, at list prices before tax and discounts", "bold"), soft_wrap=True)
    sources: dict[tuple[str, str, str], int] = {}
    console.print(_lines(bill, sources))
    if bill.unused_tag:
        console.print(harmless_text(f"No resource that costs something has the tag or label {bill.unused_tag}."))
    for (known, source, as_of), number in sources.items():
        console.print(harmless_text(f"[{number}] {known}: {source}, {as_of}", "dim"), soft_wrap=True)
    stale = sum(line.stale for line in cost.lines)
    if stale:
        console.print(
            harmless_text(
                f"{plural(stale, 'line')} {'has a price' if stale == 1 else 'have prices'} past the shelf life: "
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


def _lines(bill: Bill, sources: dict[tuple[str, str, str], int]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_footer=False)
    table.add_column(heading(bill.by), min_width=_LEAST_WIDTH, overflow="fold")
    for name in ("Quantity", "USD a unit", "USD a month", "At least", "At most"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for group in bill.groups:
        if not group.lines:
            continue
        table.add_row(
            harmless_text(group.name, "bold"), "", "", *_figures(group.monthly_usd, group.low_usd, group.high_usd), ""
        )
        for count, line in _merged(group.lines):
            origin = (confidence(line), line.source, line.as_of)
            number = sources.setdefault(origin, len(sources) + 1) if line.source else 0
            what = f"  {line.what}" + (f"  ({count} of them)" if count > 1 else "")
            known = f"{'~' if line.unverified else ''}[{number}]" if number else ""
            unit = Text(f"{line.unit_usd:,.5g}/{line.unit}") if number else Text("")
            quantity = f"{line.quantity:,.6g}" if number else ""
            figures = _figures(line.monthly_usd, line.low_usd, line.high_usd)
            note = harmless_text(f"    {line.assumes}", "dim")
            lines = Text("\n").join([harmless_text(what), note]) if line.assumes else harmless_text(what)
            table.add_row(lines, quantity, unit, *figures, Text(known))
    total = bill.cost
    table.add_section()
    table.add_row(Text("Total", "bold"), "", "", *_figures(total.monthly_usd, total.low_usd, total.high_usd), "")
    return table


def _figures(expected: float, low: float, high: float) -> tuple[str, str, str]:
    return f"{expected:,.2f}", usd(low), usd(high)


def _merged(lines: Iterable[Line]) -> Iterator[tuple[int, Line]]:
    """The lines of one kind and price together, as one for each of a dozen endpoints would tell nothing."""
    kinds: dict[tuple[object, ...], list[Line]] = {}
    for line in lines:
        kinds.setdefault((line.what, line.unit_usd, line.source, line.as_of, line.assumes), []).append(line)
    for alike in kinds.values():
        fields = ("monthly_usd", "low_usd", "high_usd", "quantity")
        sums = {field: sum(getattr(line, field) for line in alike) for field in fields}
        yield len(alike), replace(alike[0], **sums)


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
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for name in ("Pool", "Machine", "Machines", "USD a machine-hour", "USD an accelerator-hour"):
            table.add_column(name, justify="left" if name in ("Pool", "Machine") else "right")
        for rate in bill.rates:
            table.add_row(
                harmless_text(rate.pool), harmless_text(rate.machine_type), f"{rate.machines:g}", *rate_cells(rate)
            )
        console.print(table)
    if bill.jobs:
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for name in ("Job", "Accelerator-hours", "Machines", "Storage", "Egress", "USD"):
            table.add_column(name, justify="left" if name == "Job" else "right")
        for job in bill.jobs:
            table.add_row(harmless_text(f"{job.job}: {job.assumes}"), f"{job.accelerator_hours:,.6g}", *job_cells(job))
        console.print(table)
