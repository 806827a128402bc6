"""Pinned charts: each can be had, comes after what it needs, and says how its kinds come and go."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter

import pytest

from penstock.core.errors import UnknownFact
from penstock.kubernetes.facts import chart_crds, charts
from penstock.kubernetes.facts.charts import Chart

CHARTS = charts.all_charts()
BY_NAME = {chart.name: chart for chart in CHARTS}


def test_an_unknown_chart_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match="Did you mean gpu-operator"):
        charts.find_chart("gpu_operator")


def test_each_chart_is_pinned_once() -> None:
    assert len(BY_NAME) == len(CHARTS)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_a_chart_is_in_a_repository_or_a_registry(chart: Chart) -> None:
    if chart.repository is None:
        assert chart.chart.startswith("oci://")
        assert chart.chart.endswith(f"/{chart.name}")
    else:
        assert chart.repository.startswith("https://")
        assert chart.chart == chart.name
    assert re.fullmatch(r"v?\d+\.\d+\.\d+", chart.version)
    assert chart.digest is None or re.fullmatch(r"sha256:[0-9a-f]{64}", chart.digest)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_images_have_a_registry_and_no_tag(chart: Chart) -> None:
    for image in (chart.image, *chart.images):
        assert image is None or re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+(/[a-z0-9._-]+)+", image), image


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_kinds_survive_or_not_where_there_are_kinds(chart: Chart) -> None:
    assert (chart.crds_survive is None) == (chart.crds == ("none",))
    assert chart_crds.groups(chart.name) == () or chart.crds != ("none",)
    if "folder" in chart.crds:
        assert chart.crds_survive, "Helm never deletes what is in the folder crds"
    assert ("crds" in chart.hooks) == ("hook" in chart.crds)


def test_charts_have_an_order_in_which_each_finds_what_it_needs() -> None:
    order = tuple(TopologicalSorter({chart.name: chart.needs for chart in CHARTS}).static_order())

    assert set(order) == set(BY_NAME)
    assert order.index("cert-manager") < order.index("slurm-operator") < order.index("slurm")


def test_a_chart_is_no_older_than_what_it_needs() -> None:
    for chart in CHARTS:
        for needed in chart.needs:
            theirs, ours = _version(BY_NAME[needed].min_kubernetes), _version(chart.min_kubernetes)
            assert not ours or ours >= theirs, (chart.name, needed)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_waiting_has_an_end_and_a_reason(chart: Chart) -> None:
    assert 60 <= chart.timeout_s <= 3600
    assert chart.timeout_reason


def _version(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, text.split("."))) if text else ()
