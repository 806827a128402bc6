"""Helm charts whose release is ready only when a Deployment of it runs on some node."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerChart:
    """One chart. Charts of DaemonSets and definitions alone are ready on no node, too, and are not listed."""

    chart: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def has_controller(chart: str) -> bool:
    """Return whether a chart of this name is known to run a Deployment."""
    return chart in keyed(ControllerChart, "kubernetes/controller_charts")
