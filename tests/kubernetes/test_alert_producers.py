"""In each environment something produces what its alerts read: metrics, and the conditions of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
import yaml
from tests.environments import PROJECT, STACKS
from tests.kubernetes.clusters import with_addons
from tests.kubernetes.promql import names

from penstock import description
from penstock.graph.graph import Graph
from penstock.kubernetes.facts.exporter_metrics import find_metric
from penstock.platform import Platform
from penstock.testing import rehearse

pytestmark = pytest.mark.slow

OF_THE_STACK = frozenset(["kube-state-metrics", "kubelet", "node-exporter"])
"""Exporters that kube-prometheus-stack installs, or reads on every node."""

BY_THE_KUBELET = frozenset(["Ready"])


@cache
def watched(stack: str) -> Graph:
    """An environment with observability, whether or not its description enables it."""
    described = yaml.safe_load(PROJECT.stack_file(stack).read_text(encoding="utf-8"))
    platform = described["config"]["penstock:platform"]
    addons = {**platform.get("addons", {}), "observability": {"logs": {}}}
    return rehearse(lambda: Platform(description.parse(with_addons(platform, addons)))).graph


def charts(graph: Graph) -> dict[str, Mapping[str, Any]]:
    releases = graph.of_type("kubernetes:helm.sh/v3:Release")
    return {str(each.inputs["name"]): each.inputs["values"] for each in releases}


def rules_of(graph: Graph) -> list[Mapping[str, Any]]:
    (found,) = graph.of_type("kubernetes:monitoring.coreos.com/v1:PrometheusRule")
    return [rule for group in found.inputs["spec"]["groups"] for rule in group["rules"]]


def counters(graph: Graph) -> frozenset[str]:
    """The metrics of the one exporter of GPUs, by the file that it reads."""
    installed = charts(graph)
    own = [
        each.inputs["data"]["counters.csv"]
        for each in graph.of_type("kubernetes:core/v1:ConfigMap")
        if each.inputs["metadata"]["name"] == "dcgm-counters"
    ]
    of_operator = installed.get("gpu-operator", {}).get("dcgmExporter", {})
    runs = of_operator.get("enabled", True) and "config" in of_operator
    files = [*(own if "dcgm-exporter" in installed else []), *([of_operator["config"]["data"]] if runs else [])]
    assert len(files) <= 1, "two exporters on one node take the counters from each other"
    return frozenset(line.split(",")[0] for file in files for line in file.splitlines())


def monitored(graph: Graph) -> frozenset[str]:
    """The namespaces whose services and pods Prometheus reads by a monitor of ours."""
    kinds = ("ServiceMonitor", "PodMonitor")
    monitors = [each for kind in kinds for each in graph.of_type(f"kubernetes:monitoring.coreos.com/v1:{kind}")]
    return frozenset(
        name for each in monitors for name in each.inputs["spec"]["namespaceSelector"].get("matchNames", ())
    )


def is_exported(metric: str, graph: Graph) -> bool:
    installed, made = charts(graph), {rule.get("record") for rule in rules_of(graph)}
    if metric.startswith("DCGM_"):
        return metric in counters(graph)
    if metric.startswith("penstock:"):
        return metric in made
    found = find_metric(metric)
    if found is None:
        return False
    if found.exporter in OF_THE_STACK:
        return "kube-prometheus-stack" in installed
    if found.exporter == "kueue":
        return "kueue" in installed and "kueue-system" in monitored(graph)
    return found.exporter == "job" or found.exporter in installed


def conditions_set(graph: Graph) -> Iterator[str]:
    """The conditions that something sets on nodes, as the objects of the program show it."""
    yield from BY_THE_KUBELET
    detector = charts(graph).get("node-problem-detector", {}).get("settings", {})
    for text in detector.get("custom_monitor_definitions", {}).values():
        yield from re.findall(r'"condition": "(\w+)"', text)
    if any(each.inputs["addonName"] == "eks-node-monitoring-agent" for each in graph.of_type("aws:eks/addon:Addon")):
        yield "AcceleratedHardwareReady"
    pools = graph.of_type("azure-native:containerservice:AgentPool")
    if any(_has_driver_of_aks(each.inputs) for each in pools):
        yield from ("GPUMissing", "NVLinkStatusInactive")


def _has_driver_of_aks(pool: Mapping[str, Any]) -> bool:
    with_gpus = str(pool["vmSize"]).startswith(("Standard_NC", "Standard_ND"))
    return with_gpus and (pool.get("gpuProfile") or {}).get("driver") != "None"


@pytest.mark.parametrize("stack", STACKS)
def test_something_exports_what_the_rules_of_an_environment_read(stack: str) -> None:
    graph = watched(stack)

    read = {metric: rule for rule in rules_of(graph) for metric, _ in names(rule["expr"]).read}
    assert {metric for metric in read if not is_exported(metric, graph)} == set()


@pytest.mark.parametrize("stack", STACKS)
def test_something_sets_the_conditions_for_which_the_rules_of_an_environment_wait(stack: str) -> None:
    graph = watched(stack)

    chosen = (found for rule in rules_of(graph) for found in re.findall(r'condition=~?"([^"]*)"', rule["expr"]))
    assert {each for found in chosen for each in found.split("|")} <= set(conditions_set(graph))
