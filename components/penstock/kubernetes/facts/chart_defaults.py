"""Insecure defaults of Helm charts: values that no release should leave as the chart has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, records


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartDefault:
    """One value of a chart.

    Attributes:
        key: its path; `env[NAME]` is the value of the variable of that name in a list of such.
        default: as JSON, what the chart takes where a release says nothing; None where it takes nothing.
        where: the path of a switch, a colon and the chart's own position of it: off, the value has no effect.
        instead: what is right.
        why: what happens otherwise.
    """

    chart: str
    key: str
    default: str | None
    where: Annotated[tuple[str, ...], Column(separator=":")]
    instead: str
    why: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def insecure_defaults(chart: str) -> tuple[ChartDefault, ...]:
    """The insecure defaults of a chart; empty where none is known."""
    return tuple(each for each in all_insecure_defaults() if each.chart == chart)


def all_insecure_defaults() -> tuple[ChartDefault, ...]:
    """Those of all charts, in the order of the table."""
    return records(ChartDefault, "kubernetes/chart_defaults")
