"""Insecure defaults: what the table says of pinned charts is a key that they read."""

from __future__ import annotations

import json

import pytest

from penstock.kubernetes.facts import chart_values
from penstock.kubernetes.facts.chart_defaults import ChartDefault, all_insecure_defaults
from penstock.kubernetes.facts.charts import all_charts

PINNED = {chart.name: chart for chart in all_charts()}


@pytest.mark.parametrize("default", all_insecure_defaults(), ids=lambda each: f"{each.chart} {each.key}")
def test_a_default_is_of_a_key_that_the_chart_reads(default: ChartDefault) -> None:
    if default.chart not in PINNED:
        assert "default" in default.unverified, "only of charts that are pinned have the values been read"
        return
    keys = chart_values.keys_of_chart(PINNED[default.chart])
    assert keys is not None

    for path in (default.key.partition("[")[0], *default.where[:1]):
        place = keys.root
        for step in path.split("."):
            assert keys.reads(place, step), path
            place = place.below.get(step, chart_values.ValueKey(takes_any=True))


def test_each_says_what_is_right_and_why() -> None:
    for default in all_insecure_defaults():
        assert default.default is None or json.loads(default.default) is not None
        assert not default.where or default.where[1] in ("true", "false")
        assert default.instead
        assert default.why.endswith(".")
