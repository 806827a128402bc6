"""The cost: a map whose tiles are as large as what they cost, and the lines of the bill by component."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from squarify import normalize_sizes, squarify

from penstock.core.wording import plural
from penstock.cost import Cost, Line
from penstock.cost.total_words import span
from penstock.graph.graph import Graph
from penstock.report.changes import names_above
from penstock.report.cost_change import cost_change_of, in_words
from penstock.report.figures import dates, not_counted, price
from penstock.report.html.naming import Called, called
from penstock.report.overview import Overview
from penstock.report.price_sources import price_source
from penstock.report.topology import PLATFORM

_WIDTH, _HEIGHT = 100.0, 40.0
"""The area of the map; tiles are given in percent of either."""

_LEAST_SHARE: Final = 0.004
"""Of all costs: smaller components share a tile."""
_LEAST_PERCENT: Final = 0.1
_MOST_TILES: Final = 11
_TONES: Final = 6


@dataclass(frozen=True, slots=True)
class CostLine:
    """What is paid for a resource, or for several alike: then `count` is how many, and the name is that of none."""

    name: str
    kind: str
    what: str
    count: int
    monthly_usd: float
    guessed: bool
    source: str


@dataclass(frozen=True, slots=True)
class CostSlice:
    """A component and its lines, the dearest first."""

    name: str
    monthly_usd: float
    percent: float
    lines: tuple[CostLine, ...]

    @property
    def share(self) -> str:
        """Its share of the whole in words."""
        return f"< {_LEAST_PERCENT} %" if 0 < self.percent < _LEAST_PERCENT else f"{self.percent:.1f} %"


@dataclass(frozen=True, slots=True)
class CostTile:
    """A tile of the map: a component, its cost, and where it lies, in percent of the map's width and height."""

    name: str
    monthly_usd: float
    percent: float
    tone: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class CostSection:
    """The cost in a sentence, as a map and as a bill, with what could not be priced.

    `bounds` says between what the sum lies, and `dates` how old the prices are; both are empty where nothing is known.
    """

    sentence: str
    bounds: str
    dates: str
    change: str | None
    total: str
    tiles: tuple[CostTile, ...]
    groups: tuple[CostSlice, ...]
    unpriced: tuple[tuple[Called, str], ...]
    missing: str


def section(overview: Overview) -> CostSection | None:
    """Return the cost of a rehearsal; None where nothing that bills is created."""
    cost, graph = overview.cost, overview.graph
    if not cost.lines and not cost.unpriced:
        return None
    total = cost.monthly_usd
    groups = _groups(cost.lines, graph, total)
    return CostSection(
        sentence=price(cost),
        bounds=_bounds(cost),
        dates=dates(cost),
        change=in_words(change) if (change := cost_change_of(overview)) is not None else None,
        total=f"{'' if cost.is_complete else 'at least '}{total:,.2f}",
        tiles=_tiles(groups),
        groups=groups,
        unpriced=tuple((called(each.urn, graph), each.why) for each in cost.unpriced),
        missing=f"{plural(len(cost.unpriced), 'amount')} of {plural(not_counted(cost), 'resource')}",
    )


def _bounds(cost: Cost) -> str:
    bounds = span(cost).strip("()")
    return f"Between the least and the most that is assumed: {bounds} USD." if bounds else ""


def component_of(urn: str, graph: Graph) -> str:
    """Return the name of the component that a resource is paid under: the outermost one below the platform."""
    resource = graph.resources.get(urn)
    if resource is None:
        return urn
    above = names_above(resource, graph)
    outermost = graph.resources.get(resource.parent)
    while outermost is not None and outermost.parent and outermost.parent in graph.resources:
        if graph[outermost.parent].type == PLATFORM:
            return outermost.name
        outermost = graph[outermost.parent]
    return above[0] if above else resource.name


def _groups(lines: Sequence[Line], graph: Graph, total: float) -> tuple[CostSlice, ...]:
    members: dict[str, list[Line]] = {}
    for line in lines:
        members.setdefault(component_of(line.urn, graph), []).append(line)
    sums = {name: sum(line.monthly_usd for line in group) for name, group in members.items()}
    ranked = sorted(members, key=lambda name: -sums[name])
    return tuple(
        CostSlice(name, sums[name], _percent(sums[name], total), tuple(_alike(members[name], graph))) for name in ranked
    )


def _alike(lines: Sequence[Line], graph: Graph) -> Iterator[CostLine]:
    """The lines of a component, with those that differ by their resource alone together."""
    together: dict[tuple[str, str, str, bool, float], list[Called]] = {}
    for line in lines:
        resource = called(line.urn, graph)
        guessed = line.unverified and bool(line.monthly_usd)
        together.setdefault((line.what, resource.kind, price_source(line), guessed, line.monthly_usd), []).append(
            resource
        )
    for (what, kind, source, guessed, usd), resources in together.items():
        name = resources[0].name if len(resources) == 1 else ""
        yield CostLine(name, kind, what, len(resources), usd * len(resources), guessed, source)


def _tiles(groups: Sequence[CostSlice]) -> tuple[CostTile, ...]:
    """The map by the squarified treemap of Bruls, Huizing and van Wijk, as the library squarify lays it out."""
    paid = [group for group in groups if group.monthly_usd > 0]
    total = sum(group.monthly_usd for group in paid)
    shown = [group for group in paid[:_MOST_TILES] if group.monthly_usd >= total * _LEAST_SHARE]
    rest = [group for group in paid if group not in shown]
    parts = [(group.name, group.monthly_usd) for group in shown]
    if rest:
        parts.append((f"{len(rest)} more", sum(group.monthly_usd for group in rest)))
    if not parts:
        return ()
    sizes = normalize_sizes([usd for _, usd in parts], _WIDTH, _HEIGHT)
    places = squarify(sizes, 0.0, 0.0, _WIDTH, _HEIGHT)
    return tuple(
        CostTile(
            name=name,
            monthly_usd=usd,
            percent=_percent(usd, total),
            tone=min(index, _TONES - 1),
            x=round(place["x"], 3),
            y=round(place["y"] / _HEIGHT * 100, 3),
            width=round(place["dx"], 3),
            height=round(place["dy"] / _HEIGHT * 100, 3),
        )
        for index, ((name, usd), place) in enumerate(zip(parts, places, strict=True))
    )


def _percent(part: float, whole: float) -> float:
    return round(part / whole * 100, 2) if whole > 0 else 0.0
