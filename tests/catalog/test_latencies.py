"""Latencies are ordered, and a type that nobody measured still has one."""

from __future__ import annotations

from penstock.catalog import latencies
from penstock.catalog.tables import rows


def test_figures_are_in_order() -> None:
    for row in rows("latencies"):
        assert float(row["min_s"]) <= float(row["median_s"]) <= float(row["p95_s"]), row


def test_what_makes_a_type_slower_is_known() -> None:
    group = "aws:eks/nodeGroup:NodeGroup"

    assert latencies.of(group, "accelerated").median_s > latencies.of(group).median_s
    assert latencies.of(group, "never measured") == latencies.of(group)


def test_an_unknown_type_takes_as_long_as_small_ones() -> None:
    assert latencies.of("nobody:index:Thing") == latencies.of("*")
