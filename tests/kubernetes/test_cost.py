"""Cost: whose prices are taken, and what an hour of a pool's accelerators costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING
from tests.kubernetes.clusters import cluster_of, with_addons

from penstock.addons.cost.component import price_rules
from penstock.catalog import prices
from penstock.description import parse
from penstock.platform import Platform
from penstock.testing import RehearsalResult, rehearse


def built(description: Mapping[str, Any], cost: Mapping[str, Any]) -> RehearsalResult:
    described = with_addons(description, {"observability": {}, "cost": cost})
    return rehearse(lambda: Platform(parse(described)))


def values(run: RehearsalResult) -> Mapping[str, Any]:
    (found,) = [
        each.inputs["values"]["opencost"]
        for each in run.graph.of_type("kubernetes:helm.sh/v3:Release")
        if each.inputs["name"] == "opencost"
    ]
    return found  # type: ignore[no-any-return]  # values of a chart are anything


@pytest.mark.parametrize(
    ("description", "cost"), [(TRAINING, {}), (GCP_TRAINING, {}), (ONPREM_TRAINING, {"accelerator_hour_usd": 2.5})]
)
def test_it_reads_the_prometheus_of_the_platform(description: Mapping[str, Any], cost: Mapping[str, Any]) -> None:
    run = built(description, cost)

    prometheus = values(run)["prometheus"]["internal"]
    assert prometheus == {
        "serviceName": "kube-prometheus-stack-prometheus",
        "namespaceName": "monitoring",
        "port": 9090,
    }
    assert [each for each in run.findings if "opencost" in str(each)] == []


def test_what_answers_without_a_password_is_off() -> None:
    opencost = values(built(ONPREM_TRAINING, {"accelerator_hour_usd": 2.5}))

    assert opencost["ui"] == opencost["mcp"] == {"enabled": False}


def test_the_description_has_the_price_where_no_cloud_does() -> None:
    described = values(built(ONPREM_TRAINING, {"accelerator_hour_usd": 2.5}))["customPricing"]

    assert described["costModel"] == {"GPU": 2.5 * 730, "gpuLabel": "nvidia.com/gpu.product"}  # OpenCost divides by 730
    assert values(built(TRAINING, {}))["customPricing"] == {"enabled": False}


def test_a_machine_costs_what_its_accelerators_cost_together() -> None:
    (rule,) = price_rules(cluster_of(TRAINING), None)
    machine = prices.on_demand("p5.48xlarge", "us-east-1", "aws")

    assert machine is not None
    assert rule["labels"] == {"pool": "train", "resource": "nvidia.com/gpu"}
    assert float(rule["expr"].removeprefix("vector(").removesuffix(")")) * 8 == pytest.approx(machine.usd, rel=1e-4)


def test_a_price_of_the_description_holds_for_each_pool() -> None:
    (rule,) = price_rules(cluster_of(ONPREM_TRAINING), 2.5)

    assert rule["expr"] == "vector(2.5)"


def test_only_opencost_reaches_prometheus_from_outside() -> None:
    run = built(ONPREM_TRAINING, {"accelerator_hour_usd": 2.5})
    opened = [
        entry
        for each in run.graph.of_type("kubernetes:networking.k8s.io/v1:NetworkPolicy")
        for entry in each.inputs["spec"].get("ingress", ())
        if any(port["port"] == 9090 for port in entry.get("ports", ()))
    ]

    ((peer,),) = (entry["from"] for entry in opened)
    assert peer["namespaceSelector"]["matchLabels"] == {"kubernetes.io/metadata.name": "opencost"}
