"""Helm charts at the versions that Penstock installs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from penstock.catalog.records import keyed, record_of

Hook = Literal["crds", "certs", "secret", "migration", "objects", "check", "pull", "cleanup", "none"]
CrdSource = Literal["folder", "template", "hook", "chart", "none"]

RELEASE: Final = "kubernetes:helm.sh/v3:Release"
HELM_CHARTS: Final = (RELEASE, "kubernetes:helm.sh/v4:Chart")
"""What installs a chart: by Helm itself, or as objects of Pulumi's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One pinned chart. What it has and runs holds for the values that its makers chose, unless the source says so.

    Attributes:
        repository: address of the Helm repository; None when `chart` is a whole OCI address.
        digest: SHA-256 of the packed chart, as the index of its repository has it; None where nobody looked.
        namespace: where its makers install it.
        image: what it runs, without a tag; None when that differs by region, or when it runs nothing.
        images: what it runs beside that, its hooks included.
        hooks: what its hooks do: apply or upgrade kinds, make certificates or a secret, migrate objects, create
            objects of the chart's own kinds, check that a webhook serves, pull images, or clean up at the end.
        crds: where its kinds come from: its folder `crds`, which Helm never upgrades, its templates, a hook, another
            chart, or nowhere.
        crds_survive: whether its kinds, and so all objects of them, outlive it; None where it has none.
        webhook: whether the API server asks it before it takes objects of the kinds that it knows.
        awaited: whether its pods become ready by themselves.
        timeout_s: how long to wait for that, and for its hooks, by `timeout_reason`.
        needs: charts that must be there first.
        min_kubernetes: the oldest version that it installs on, or that its makers name; None where neither is known.
    """

    name: str
    repository: str | None
    chart: str
    version: str
    digest: str | None
    namespace: str
    image: str | None
    images: tuple[str, ...]
    hooks: tuple[Hook, ...]
    crds: tuple[CrdSource, ...]
    crds_survive: bool | None
    webhook: bool
    awaited: bool
    timeout_s: int
    timeout_reason: str
    needs: tuple[str, ...]
    min_kubernetes: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_chart(name: str) -> Chart:
    """The pin of a chart.

    Raises:
        UnknownFact: Penstock pins no such chart.
    """
    return record_of(Chart, "kubernetes/charts", name, "chart")


def all_charts() -> tuple[Chart, ...]:
    """Each pinned chart, in the order of the table."""
    return tuple(keyed(Chart, "kubernetes/charts").values())
