"""Mirrors of Helm charts: registries, or folders that have each chart of the platform at its version."""

from __future__ import annotations

from penstock.description.forms import is_repository
from penstock.description.network import NetworkSpec
from penstock.description.positions import Path
from penstock.description.problems import Coded, Problem
from penstock.kubernetes.facts import chart_sources
from penstock.kubernetes.facts.charts import Chart

CHART_MIRROR_CODE = "SPEC-190"

_PATH: Path = ("network", "chart_mirror")


def unusable(network: NetworkSpec) -> Problem | None:
    """Return that a mirror is neither a registry nor a folder; None where it may be one."""
    mirror = network.chart_mirror
    if mirror is None or (not chart_sources.is_registry(mirror) and "://" not in mirror):
        return None
    if chart_sources.is_registry(mirror) and is_repository(mirror.removeprefix(chart_sources.REGISTRY).rstrip("/")):
        return None
    return Problem(
        _PATH,
        f"{mirror} is neither a registry nor a folder.",
        f"Write {chart_sources.REGISTRY} and the address of a registry, or the path of a folder of charts.",
    )


def lacking_chart(mirror: str, chart: Chart) -> Coded:
    """Return that a folder lacks a chart, and the command that puts it there."""
    hint = f"Run `{chart_sources.pull_command(chart, mirror)}`."
    return CHART_MIRROR_CODE, Problem(_PATH, chart_sources.lacking(mirror, chart), hint)
