"""A report as text, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from penstock.report.sizing.document import ReportFigure, ReportSection, ReportTable, SizingDocument
from penstock.report.sizing.scale import calendar_factor
from penstock.sizing.own_comparison import own_comparison
from penstock.sizing.ranking import Choice, Ranking
from penstock.sizing.request import SizingRequest
from penstock.sizing.training import TrainingPlan

_WIDTH = 120
"""Columns of a report that is read from a file or a pipe."""
_NARROW = 110
"""Columns below which a source stands under how a figure follows, not beside it."""
_BELOW = "Below: SCALE, what is needed and why; DEPLOY, how to get there. --format json has every machine type."


def as_text(document: SizingDocument, width: int = _WIDTH) -> str:
    """The report for a terminal."""
    from io import StringIO

    from rich.console import Console

    page = StringIO()
    console = Console(file=page, width=width, highlight=False, color_system=None)
    for line in (document.title, "", *document.answer):
        console.print(line, markup=False)
    if document.summary:
        _print_rows(console, document.summary)
        console.print(f"\n{_BELOW}", markup=False)
    for name, sections in document.frameworks:
        console.print(f"\n{name}\n{'=' * len(name)}", markup=False)
        for section in sections:
            console.print(f"\n{section.title[0]}  {section.title}", markup=False)
            for sentence in section.sentences:
                console.print(sentence, markup=False)
            if section.figures:
                _print(console, _figure_table(section, merged=width < _NARROW))
            for table in section.tables:
                _print(console, table)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


def _print_rows(console: Any, rows: tuple[tuple[str, str], ...]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for what, found in rows:
        table.add_row(Text(what), Text(found))
    console.print()
    console.print(table)


def _print(console: Any, shown: ReportTable) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in shown.heads:
        table.add_column(head, overflow="fold")
    for row in shown.rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print()
    if shown.title:
        console.print(shown.title, markup=False)
    console.print(table)


def as_markdown(document: SizingDocument) -> str:
    """The report for a pull request or a wiki."""
    return "\n".join(_markdown(document)) + "\n"


def _markdown(document: SizingDocument) -> Iterator[str]:
    yield f"# {document.title}"
    yield ""
    yield from document.answer
    if document.summary:
        yield from ("", _row(("", "")), _row(("---", "---")))
        yield from map(_row, document.summary)
    for name, sections in document.frameworks:
        yield f"\n## {name}"
        for section in sections:
            yield f"\n### {section.title}"
            for sentence in section.sentences:
                yield f"\n{sentence}"
            tables = ((_figure_table(section),) if section.figures else ()) + section.tables
            for table in tables:
                yield from ("", f"**{table.title}**") if table.title else ()
                yield ""
                yield _row(table.heads)
                yield _row(tuple("---" for _ in table.heads))
                yield from map(_row, table.rows)


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _figure_table(section: ReportSection, *, merged: bool = False) -> ReportTable:
    """The figures of a section; with the source under how a figure follows where there is no room beside it."""
    if merged:
        narrow = tuple((each.what, each.value, _how_and_source(each)) for each in section.figures)
        return ReportTable(title="", heads=("figure", "value", "how, and its source"), rows=narrow)
    rows = tuple((each.what, each.value, each.how, _source(each)) for each in section.figures)
    return ReportTable(title="", heads=("figure", "value", "how", "source"), rows=rows)


def _how_and_source(figure: ReportFigure) -> str:
    source = _source(figure)
    return f"{figure.how} [{source}]" if figure.how and source else figure.how or source


def _source(figure: ReportFigure) -> str:
    return f"{figure.source} (unverified)" if figure.unverified and figure.source else figure.source


def as_json(document: SizingDocument, request: SizingRequest, ranking: Ranking) -> str:
    """The report for machines: the request, every choice with plain numbers, and what people read."""
    body = {
        "title": document.title,
        "answer": list(document.answer),
        "summary": dict(document.summary),
        "request": {**asdict(request), "defaulted": sorted(request.defaulted)},
        "choices": [_choice(each, calendar_factor(request)) for each in ranking.choices],
        "excluded": [
            {
                "cloud": each.hardware.cloud,
                "machine_type": each.hardware.machine_type,
                "kind": each.kind,
                "why": each.why,
                "fix": each.fix,
                "token_seconds": each.token_seconds,
                "first_token_seconds": each.first_token_seconds,
            }
            for each in ranking.excluded
        ],
        **({"on_premises": _own(ranking)} if request.on_premises else {}),
        "frameworks": {name: [asdict(each) for each in sections] for name, sections in document.frameworks},
    }
    return json.dumps(body, indent=2, ensure_ascii=False) + "\n"


def _own(ranking: Ranking) -> dict[str, Any] | None:
    """Servers of one's own in plain numbers: money in USD, power in kW; None where nothing is compared."""
    found = own_comparison(ranking)
    if found is None:
        return None
    site = found.site
    return {
        "servers": site.nodes,
        "accelerator": found.server.accelerator,
        "storage_servers": site.storage_servers,
        "storage_bytes": found.storage.capacity,
        "storage_bytes_per_second": found.storage.bandwidth,
        "capex_usd": site.capex_usd,
        "capex": site.capex,
        "opex_usd_per_year": site.opex_usd,
        "opex": site.opex,
        "server_hour_usd": site.node_hour_usd,
        "it_kw": site.it_kw,
        "site_kw": site.site_kw,
        "racks": site.racks,
        "compared_with": {
            "cloud": found.against.cloud,
            "machine_type": found.against.hardware.machine_type,
            "hour_usd": found.hourly_usd,
            "storage_month_usd": found.storage_month_usd,
        },
        "three_years_usd": {
            "own": found.own_usd,
            "on_demand": found.on_demand_usd,
            "reserved_3y": found.reserved_usd,
        },
        "break_even_use": {"on_demand": found.on_demand, "reserved_3y": found.reserved},
        "unverified": True,
    }


def _choice(choice: Choice, calendar: float | None) -> dict[str, Any]:
    plan, price = choice.plan, choice.offer.price
    found: dict[str, Any] = {
        "cloud": choice.cloud,
        "machine_type": choice.hardware.machine_type,
        "accelerator": choice.hardware.chip.accelerator,
        "software": choice.hardware.chip.software,
        "region": choice.offer.region,
        "bought": choice.offer.way,
        "nodes": plan.nodes,
        "accelerators": plan.accelerators,
        "nominal_memory_bytes": choice.hardware.memory,
        "usable_memory_bytes": choice.hardware.usable(trains=isinstance(plan, TrainingPlan)),
        "hours": choice.hours,
        "usd": choice.usd,
        "most_usd": choice.most_usd,
        "compared_usd": choice.compared_usd,
        "machine_usd": choice.machine_usd,
        "blended_usd": choice.blended_usd,
        "storage_usd": choice.storage_usd,
        "spot_usd": choice.spot_usd,
        "commitment": asdict(choice.commitment) if choice.commitment is not None else None,
        "unverified": choice.unverified,
        "price": asdict(price) if price is not None else None,
        "energy_kwh": choice.energy.kwh,
        "carbon_kg": choice.energy.carbon_kg,
    }
    if isinstance(plan, TrainingPlan):
        found |= {
            "wall_seconds": plan.wall_seconds,
            "productive_seconds": plan.productive_seconds,
            "calendar_seconds": plan.wall_seconds * calendar if calendar is not None else None,
            "mfu": plan.placement.mfu,
            "tokens_per_second": plan.tokens_per_second,
            "batch_tokens": plan.batch_tokens,
            "layout": asdict(plan.placement.layout),
            "memory_bytes": asdict(plan.placement.memory),
            "traffic": asdict(plan.placement.traffic),
            "interruptions": {**asdict(plan.interruptions), "lost": plan.interruptions.lost},
            "checkpoint": asdict(plan.checkpoint),
            "storage": asdict(choice.storage) if choice.storage is not None else None,
        }
        return found
    return found | {
        "tensor": plan.tensor,
        "batch": plan.batch,
        "replicas": plan.replicas,
        "token_seconds": plan.token_seconds,
        "load_token_seconds": plan.load_token_seconds,
        "prompt_seconds": plan.prompt_seconds,
        "first_token_seconds": plan.first_token_seconds,
        "replica_requests_per_second": plan.replica_rate,
        "memory_bytes": asdict(plan.memory),
    }
