"""Requests and limits: what an API server and a scheduler refuse."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.manifests import container, pod
from tests.programs import graph_of

from penstock.graph.view import Site
from penstock.kubernetes.model.pods.templates import templates
from penstock.model import quantities


@pytest.mark.parametrize(
    ("text", "amount"),
    [("500m", "0.5"), ("1Ki", "1024"), ("1k", "1000"), ("2e3", "2000"), (".5", "0.5"), ("1.", "1"), ("3u", "0.000003")],
)
def test_an_amount_is_read_as_kubernetes_reads_it(text: str, amount: str) -> None:
    assert quantities.parse_quantity(text) == Decimal(amount)


@pytest.mark.parametrize("text", ["", "m", "1GB", "1 Gi", "one", "0x10", "1K", "1e", "--1"])
def test_what_kubernetes_does_not_read_is_no_amount(text: str) -> None:
    assert quantities.parse_quantity(text) is None


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_amounts_keep_their_order_in_every_unit(one: int, other: int) -> None:
    for suffix in ("", "m", "Ki", "M", "Gi", "e3"):
        first, second = quantities.parse_quantity(f"{one}{suffix}"), quantities.parse_quantity(f"{other}{suffix}")
        assert first is not None
        assert second is not None
        assert (first < second) == (one < other)


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
