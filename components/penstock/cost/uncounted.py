"""Declared usage of existing resources that no line of the bill reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from penstock.catalog.billed_parts import billed_parts
from penstock.core.findings import Severity, UsageProblem
from penstock.core.wording import listed, quoted
from penstock.cost.declared import NAMED, BilledSite
from penstock.graph.view import View


def uncounted(site: BilledSite) -> Iterator[UsageProblem]:
    """Yield declared amounts that change nothing in the bill of the resource that they name."""
    for block in NAMED if site.usage is not None else ():
        for name, usage in getattr(site.usage, block).items():
            fields = usage if block == "services" else ()
            unread = [field for field in fields if (f"{block}.{name}", field) not in site.found]
            paths: list[tuple[str, ...]] = [(block, name, field) for field in unread]
            if (block, name) not in site.found:
                paths = [(block, name)]
            views = site.called(name) if paths else []
            yield from (_problem(path, views) for path in paths if views)


def _problem(path: tuple[str, ...], views: Sequence[View]) -> UsageProblem:
    types = listed(sorted({view.type.rpartition(":")[2] for view in views}))
    counted = sorted({part.usage.removesuffix("?") for view in views for part in billed_parts(view.type) if part.usage})
    meant = ".".join((path[0], *path[2:]))
    return UsageProblem(
        "USAGE-006",
        Severity.WARNING,
        path,
        f"The bill of {quoted(path[1])} ({types}) does not read {meant}, so this usage is not counted.",
        f"Declare {listed(counted)}." if counted else "",
    )
