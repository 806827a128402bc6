"""Metrics of exporters other than DCGM's, as far as alerts and dashboards read them."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class ExporterMetric:
    """One metric.

    Attributes:
        exporter: who exports it.
        labels: the labels of its series; `label_*` stands for one for each label of a Kubernetes object.
    """

    metric: str
    exporter: str
    labels: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_metric(name: str) -> ExporterMetric | None:
    """The metric of that name; None for one that no exporter of the table has."""
    return keyed(ExporterMetric, "kubernetes/exporter_metrics").get(name)
