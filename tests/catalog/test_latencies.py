"""Latencies are ordered, and a type that nobody measured still has one."""

from __future__ import annotations

import pulumi_azure_native  # noqa: F401 - the SDKs tell which types there are
import pulumi_gcp  # noqa: F401
import pytest

from penstock.catalog import latencies
from penstock.catalog.tables import rows, rows_of_clouds
from penstock.providers import room_of
from penstock.simulate.sdk_types import input_types


def test_figures_are_in_order() -> None:
    for row in (*rows("latencies"), *rows_of_clouds("latencies")):
        assert float(row["min_s"]) <= float(row["median_s"]) <= float(row["p95_s"]), row


def test_what_makes_a_type_slower_is_known() -> None:
    group = "aws:eks/nodeGroup:NodeGroup"

    assert latencies.latency_of(group, "accelerated").median_s > latencies.latency_of(group).median_s
    assert latencies.latency_of(group, "never measured") == latencies.latency_of(group)


def test_an_empty_pool_of_google_is_there_first_and_metal_last() -> None:
    of_pools = [
        latencies.latency_of("gcp:container/nodePool:NodePool", variant) for variant in ("empty", "", "slice", "metal")
    ]

    assert [latency.median_s for latency in of_pools] == sorted({latency.median_s for latency in of_pools})


def test_an_unknown_type_takes_as_long_as_small_ones() -> None:
    assert latencies.latency_of("nobody:index:Thing") == latencies.latency_of("*")


def test_a_pool_of_gpus_on_azure_takes_longest() -> None:
    of_pools = [
        latencies.latency_of("azure-native:containerservice:AgentPool", variant)
        for variant in ("empty", "", "accelerated")
    ]

    assert [latency.median_s for latency in of_pools] == sorted({latency.median_s for latency in of_pools})


@pytest.mark.parametrize("package", ["gcp", "azure-native"])
def test_every_type_of_a_package_is_one_that_there_is(package: str) -> None:
    named = {row["type"].split()[0] for row in rows(f"{room_of(package)}/latencies")}

    assert named
    assert not [type_ for type_ in named if input_types(type_) is None]
