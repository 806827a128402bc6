"""Requests and limits: what an API server and a scheduler refuse."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.manifests import container, pod
from tests.programs import graph_of

from penstock.graph.view import Site
from penstock.kubernetes.model.pods.templates import templates


def requests(**spec: Any) -> dict[str, Decimal]:
    """The requests of a pod."""
    graph = graph_of(pod(*spec.pop("containers"), **spec))
    (found,) = [pods for view in Site(graph).of_type(next(iter(graph)).type) for pods in templates(view)]
    return found.requests


def cpu(amount: str, **more: Any) -> dict[str, Any]:
    """A container that requests CPU."""
    return container(resources={"requests": {"cpu": amount}}, **more)


def test_a_pod_requests_the_sum_of_what_runs_or_the_most_that_prepares() -> None:
    running = [cpu("1"), cpu("2")]

    assert requests(containers=running)["cpu"] == 3
    assert requests(containers=running, initContainers=[cpu("5")])["cpu"] == 5
    assert requests(containers=running, initContainers=[cpu("2", restartPolicy="Always"), cpu("4")])["cpu"] == 6
    assert requests(containers=running, initContainers=[cpu("4"), cpu("2", restartPolicy="Always")])["cpu"] == 5


def test_what_a_pod_requests_as_a_whole_counts_for_all_its_containers() -> None:
    assert requests(containers=[cpu("1")], resources={"requests": {"cpu": "4"}})["cpu"] == 4
