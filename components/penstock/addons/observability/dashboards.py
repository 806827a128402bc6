"""Dashboards of Grafana, made from the table of panels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from penstock.addons.observability.alert_rules import expression, is_wanted
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.facts.alerts import Panel, panels

_WIDTH, _HEIGHT, _COLUMNS = 12, 8, 2
_SOURCE = {"type": "prometheus", "uid": "prometheus"}


def dashboards(cluster: InCluster) -> Mapping[str, str]:
    """Each dashboard as JSON, by its name: those of which the platform has something to show."""
    shown: dict[str, list[Panel]] = {}
    for each in panels():
        if is_wanted(each, cluster):
            shown.setdefault(each.dashboard, []).append(each)
    return {name: json.dumps(_dashboard(name, found, cluster), indent=1) for name, found in shown.items()}


def _dashboard(name: str, shown: list[Panel], cluster: InCluster) -> dict[str, Any]:
    return {
        "uid": f"penstock-{name}",
        "title": f"Penstock / {name}",
        "tags": ["penstock"],
        "schemaVersion": 41,
        "editable": False,
        "refresh": "1m",
        "time": {"from": "now-6h", "to": "now"},
        "panels": [_panel(number, each, expression(each, cluster)) for number, each in enumerate(shown)],
    }


def _panel(number: int, panel: Panel, expr: str) -> dict[str, Any]:
    target = {"refId": "A", "expr": expr, "datasource": _SOURCE}
    return {
        "id": number + 1,
        "title": panel.title,
        "type": panel.kind,
        "datasource": _SOURCE,
        "gridPos": {
            "x": number % _COLUMNS * _WIDTH,
            "y": number // _COLUMNS * _HEIGHT,
            "w": _WIDTH,
            "h": _HEIGHT,
        },
        "fieldConfig": {"defaults": {"unit": panel.unit}, "overrides": []},
        "targets": [{**target, **({"legendFormat": panel.legend} if panel.legend is not None else {})}],
    }
