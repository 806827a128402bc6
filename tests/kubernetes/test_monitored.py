"""Monitoring reaches what it is to read, and nobody is let in where there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.addon_cases import PLATFORMS, together
from tests.kubernetes.every_addon import built

from penstock.graph.graph import Graph
from penstock.testing import rehearse

PROMETHEUS = {"kubernetes.io/metadata.name": "monitoring"}
POD_PORTS: Mapping[tuple[str, str], int | str] = {
    ("kueue-system", "https"): 8443,
    ("jobset-system", "https"): 8443,
    ("kubeflow-system", "monitoring-port"): 8443,
    ("gpu-operator", "metrics"): 9400,
    ("opencost", "http"): 9003,
}
"""What charts call the ports of their services, and the numbers that these have at the pods."""


def policies(graph: Graph) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for each in graph.of_type("kubernetes:networking.k8s.io/v1:NetworkPolicy"):
        yield each.inputs["metadata"]["namespace"], each.inputs["spec"]


def let_in(graph: Graph, namespaces: Mapping[str, str]) -> set[tuple[str, int | str]]:
    return {
        (namespace, port["port"])
        for namespace, spec in policies(graph)
        for rule in spec.get("ingress", ())
        for peer in rule.get("from", ())
        if peer.get("namespaceSelector", {}).get("matchLabels") == namespaces
        for port in rule.get("ports", ())
    }


def watched(graph: Graph) -> Iterator[tuple[str, str]]:
    """Each namespace that a monitor names, with the port that it reads there."""
    for kind, endpoints in (("ServiceMonitor", "endpoints"), ("PodMonitor", "podMetricsEndpoints")):
        for each in graph.of_type(f"kubernetes:monitoring.coreos.com/v1:{kind}"):
            spec = each.inputs["spec"]
            for namespace in spec["namespaceSelector"].get("matchNames", ()):
                yield from ((namespace, endpoint["port"]) for endpoint in spec[endpoints])
    if any(each.inputs["name"] == "opencost" for each in graph.of_type("kubernetes:helm.sh/v3:Release")):
        yield "opencost", "http"  # by the chart's own monitor


@pytest.mark.parametrize("provider", PLATFORMS)
def test_each_port_that_is_read_is_open_to_monitoring(provider: str) -> None:
    seen = set()
    for run in built(provider):
        closed = {namespace for namespace, _ in policies(run.graph)}
        opened = let_in(run.graph, PROMETHEUS)
        for namespace, port in watched(run.graph):
            seen.add(namespace)
            if namespace in closed:
                assert (namespace, POD_PORTS[namespace, port]) in opened

    assert seen >= {"kueue-system", "jobset-system", "kubeflow-system", "opencost"}


def test_jobs_of_a_team_are_read_where_they_ask_for_it() -> None:
    (run,) = built("kubernetes")

    (opening,) = [
        spec
        for namespace, spec in policies(run.graph)
        if namespace == "vision" and spec["podSelector"].get("matchLabels") == {"penstock.dev/metrics": "true"}
    ]
    assert opening["policyTypes"] == ["Ingress"]
    assert ("vision", "metrics") in let_in(run.graph, PROMETHEUS)


@pytest.mark.parametrize("provider", PLATFORMS)
def test_nobody_is_let_in_where_there_is_no_monitoring(provider: str) -> None:
    for case in together():
        unwatched = {key: value for key, value in case.addons.items() if key not in ("observability", "cost")}
        if case.provider == provider:
            run = rehearse({**case.platform, "addons": unwatched})

            assert let_in(run.graph, PROMETHEUS) == set()
