"""The groups of custom resources that Helm charts bring to a cluster."""

from __future__ import annotations

from penstock.catalog.tables import rows


def groups(chart: str) -> tuple[str, ...]:
    """The API groups that a chart defines kinds in; empty where it defines none that Penstock knows."""
    return tuple(row["group"] for row in rows("kubernetes/chart_crds") if row["chart"] == chart)
