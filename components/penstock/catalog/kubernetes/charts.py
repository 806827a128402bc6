"""Helm charts at the versions that Penstock installs."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One pinned chart.

    Attributes:
        repository: address of the Helm repository; None when `chart` is a whole OCI address.
        namespace: where its makers install it.
        image: what it runs, without a tag; None when that differs by region.
    """

    name: str
    repository: str | None
    chart: str
    version: str
    namespace: str
    image: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_chart(name: str) -> Chart:
    """The pin of a chart.

    Raises:
        UnknownFact: Penstock pins no such chart.
    """
    return record_of(Chart, "kubernetes/charts", name, "chart")
