"""The parts of a report that people read: figures with unit, derivation and source, sentences, and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from penstock.catalog.sizing_assumptions import assumption


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFigure:
    """One number of a report.

    Attributes:
        what: the quantity.
        value: the number with its unit, as people read it.
        how: how it follows: a formula with its numbers, or what is assumed.
        source: where the assumption or the price comes from.
        unverified: whether that source does not confirm it.
    """

    what: str
    value: str
    how: str = ""
    source: str = ""
    unverified: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """A table: its title, the heads of its columns, and rows as long as those."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSection:
    """One step of a framework."""

    title: str
    sentences: tuple[str, ...] = ()
    figures: tuple[ReportFigure, ...] = ()
    tables: tuple[ReportTable, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SizingDocument:
    """A whole report: the answer in a few sentences and rows, then each framework with its sections."""

    title: str
    answer: tuple[str, ...]
    summary: tuple[tuple[str, str], ...] = ()
    frameworks: tuple[tuple[str, tuple[ReportSection, ...]], ...]

    def figures(self) -> Iterator[ReportFigure]:
        """Every figure, in the order of the report."""
        for _, sections in self.frameworks:
            for section in sections:
                yield from section.figures


def assumed_figure(name: str, what: str) -> ReportFigure:
    """An assumption of the catalogue as a figure."""
    found = assumption(name)
    return ReportFigure(
        what=what,
        value=f"{found.value:g} {found.unit}",
        how=found.meaning,
        source=f"{found.source}, {found.as_of}",
        unverified="value" in found.unverified,
    )
