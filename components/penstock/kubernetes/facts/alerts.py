"""Alerts, recorded series and panels: expressions over the metrics of exporters.

Those of pools and devices have gaps for what a platform has: `${nodes}`, the series of a pool's nodes, `${pool}`,
`${floor}`, `${most}`, and of a device `${resource}`, `${series}` (its name in metrics) and `${count}`. `${xid_reset}`
and the like are the errors that call for an action, `${unhealthy_nodes}` the nodes that report something broken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import records

Scope = Literal["pool", "device", "accelerator"]
Requirement = Literal["gpu", "queueing", "cost", "security", "logs", "conditions", "reserved", "prepaid"]
Severity = Literal["critical", "warning", "info"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A series that is computed once, for dashboards.

    Attributes:
        each: what there is one rule for; None for one rule in all.
        needs: what a platform must have; None where the rule holds for any. With `gpu`, pools are those with NVIDIA's,
            with `reserved` those that run on reservations, and with `prepaid` also those on capacity blocks.
    """

    record: str
    each: Scope | None
    needs: Requirement | None
    expr: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """An alert, whose texts are templates of Prometheus.

    Attributes:
        each: as of `Recording`, as `needs`.
        wait: how long the expression must hold, as Prometheus writes times.
        keep: how long the alert stays after it no longer does; None for no longer.
        action: what to do about it.
    """

    alert: str
    group: str
    each: Scope | None
    needs: Requirement | None
    expr: str
    wait: str
    keep: str | None
    severity: Severity
    summary: str
    action: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A panel of a dashboard: one expression.

    Attributes:
        unit: as Grafana calls it.
        legend: the name of each line, as a template of Grafana; None for a single value.
        needs: as of `Recording`.
    """

    dashboard: str
    title: str
    kind: Literal["stat", "timeseries"]
    expr: str
    unit: str
    legend: str | None
    needs: Requirement | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def alerts() -> tuple[Alert, ...]:
    """Each alert, in the order of the table."""
    return records(Alert, "kubernetes/alerts")


def recordings() -> tuple[Recording, ...]:
    """Each recorded series."""
    return records(Recording, "kubernetes/recordings")


def panels() -> tuple[Panel, ...]:
    """Each panel, in the order in which dashboards show them."""
    return records(Panel, "kubernetes/panels")
