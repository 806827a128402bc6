"""The keys that pinned charts read: a table for each pin, and none for a version that is pinned no more."""

from __future__ import annotations

from penstock.catalog.tables import path_of, table_names
from penstock.kubernetes.facts import chart_values, charts
from penstock.kubernetes.facts.chart_values import ValueKey, read, table_of, written

NOT_SEEN = {"neuron-helm-chart"}
"""Pinned at a version whose values are not public."""


def test_each_pinned_chart_has_its_keys() -> None:
    assert {chart.name for chart in charts.all_charts() if chart_values.keys_of_chart(chart) is None} == NOT_SEEN


def test_no_table_is_left_of_another_version() -> None:
    tables = {path_of(table_of(chart)) for chart in charts.all_charts() if chart.name not in NOT_SEEN}

    assert tables == {path_of(name) for name in table_names() if "/chart_values/" in name}


def test_a_text_says_all_of_a_key() -> None:
    key = ValueKey(
        {
            "image": ValueKey({"tag": ValueKey(types=("string",))}, is_closed=True, types=("object", "null")),
            "labels": ValueKey(takes_any=True),
            "replicas": ValueKey(),
        },
        takes_names=True,
    )

    assert written("", key) == "~{image:object|null!{tag:string} labels* replicas}"
    assert read(written("", key)) == key


def test_a_chart_reads_keys_names_that_templates_look_up_and_what_any_map_takes() -> None:
    keys = chart_values.keys_of_chart(charts.find_chart("argo-cd"))
    assert keys is not None
    server, params = keys.root.below["server"], keys.root.below["configs"].below["params"]

    assert keys.reads(server, "replicas")
    assert keys.reads(params, "anything")
    assert not keys.reads(server, "replicaz")
    assert ("global", "image", "tag") in set(keys.paths())
