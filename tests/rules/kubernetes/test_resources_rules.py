"""Requests and limits: what an API server and a scheduler refuse."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.manifests import container, pod
from tests.rulecases import Case, Program, check, graph_of

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.resources.view import Site
from penstock.rules.kubernetes import quantities
from penstock.rules.kubernetes.pods import templates

RESOURCES = "spec.containers[0].resources"
GPU = "nvidia.com/gpu"
HUGE = "hugepages-2Mi"


def asking(requests: Any = None, limits: Any = None) -> Program:
    """A pod with requests and limits."""
    sides = {"requests": requests, "limits": limits}
    return pod(container(resources={side: found for side, found in sides.items() if found is not None}))


CASES = [
    Case("k8s-device-names-known", Outcome.PASS, asking({"cpu": 1}, {GPU: 1, "vpc.amazonaws.com/efa": 32})),
    Case(
        "k8s-device-names-known", Outcome.PASS, asking(limits={"nvidia.com/gpu.shared": 1, "nvidia.com/mig-1g.10gb": 1})
    ),
    Case("k8s-device-names-known", Outcome.PASS, asking(limits={"amd.com/gpu": 1, "example.com/fpga": 1})),
    Case(
        "k8s-device-names-known",
        Outcome.FAIL,
        asking(limits={"nvidia.com/gpus": 8}),
        path=f"{RESOURCES}.limits.nvidia.com/gpus",
        says="Did you mean nvidia.com/gpu?",
    ),
    Case(
        "k8s-device-names-known",
        Outcome.FAIL,
        asking({"vpc.amazon.com/efa": 1}),
        path=f"{RESOURCES}.requests.vpc.amazon.com/efa",
    ),
    Case("k8s-device-names-known", Outcome.UNKNOWN, asking(UNKNOWN)),
    Case("k8s-device-names-known", Outcome.NOT_APPLICABLE, asking({"cpu": 1})),
    Case(
        "k8s-resource-quantities-valid",
        Outcome.PASS,
        asking({"cpu": "500m", "memory": "1.5Gi"}, {"cpu": 2, "memory": "2e9"}),
    ),
    Case(
        "k8s-resource-quantities-valid",
        Outcome.FAIL,
        asking({"memory": "16GB"}),
        path=f"{RESOURCES}.requests.memory",
        says="16GB",
    ),
    Case("k8s-resource-quantities-valid", Outcome.FAIL, asking({"cpu": "-1"}), path=f"{RESOURCES}.requests.cpu"),
    Case("k8s-resource-quantities-valid", Outcome.FAIL, asking({"cpu": "2 cores"}), path=f"{RESOURCES}.requests.cpu"),
    Case("k8s-resource-quantities-valid", Outcome.UNKNOWN, asking({"cpu": UNKNOWN})),
    Case("k8s-resource-quantities-valid", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-request-within-limit", Outcome.PASS, asking({"cpu": "1000m"}, {"cpu": 1})),
    Case(
        "k8s-request-within-limit",
        Outcome.FAIL,
        asking({"memory": "2Gi"}, {"memory": "2G"}),
        path=f"{RESOURCES}.requests.memory",
    ),
    Case("k8s-request-within-limit", Outcome.UNKNOWN, asking({"cpu": UNKNOWN}, {"cpu": 1})),
    Case("k8s-request-within-limit", Outcome.NOT_APPLICABLE, asking({"cpu": 1}, {"memory": "1Gi"})),
    Case("k8s-device-requests-whole", Outcome.PASS, asking(None, {GPU: 8})),
    Case("k8s-device-requests-whole", Outcome.PASS, asking({GPU: "8"}, {GPU: 8})),
    Case("k8s-device-requests-whole", Outcome.FAIL, asking({GPU: 8}), path=f"{RESOURCES}.limits.{GPU}", says="limit"),
    Case(
        "k8s-device-requests-whole",
        Outcome.FAIL,
        asking({GPU: 4}, {GPU: 8}),
        path=f"{RESOURCES}.requests.{GPU}",
        says="8",
    ),
    Case(
        "k8s-device-requests-whole",
        Outcome.FAIL,
        asking(None, {GPU: "500m"}),
        path=f"{RESOURCES}.limits.{GPU}",
        says="whole",
    ),
    Case("k8s-device-requests-whole", Outcome.UNKNOWN, asking(None, {GPU: UNKNOWN})),
    Case("k8s-device-requests-whole", Outcome.NOT_APPLICABLE, asking({"cpu": 1})),
    Case("k8s-hugepages-requests-valid", Outcome.PASS, asking({"memory": "1Gi"}, {HUGE: "5120Mi"})),
    Case(
        "k8s-hugepages-requests-valid",
        Outcome.FAIL,
        asking(None, {HUGE: "5120Mi"}),
        path=f"{RESOURCES}.requests",
        says="memory",
    ),
    Case(
        "k8s-hugepages-requests-valid",
        Outcome.FAIL,
        asking({"cpu": 1, HUGE: "4Mi"}, {HUGE: "8Mi"}),
        path=f"{RESOURCES}.limits.{HUGE}",
    ),
    Case(
        "k8s-hugepages-requests-valid", Outcome.FAIL, asking({"cpu": 1, HUGE: "4Mi"}), path=f"{RESOURCES}.limits.{HUGE}"
    ),
    Case(
        "k8s-hugepages-requests-valid",
        Outcome.FAIL,
        asking({"cpu": 1}, {HUGE: "3Mi"}),
        path=f"{RESOURCES}.limits.{HUGE}",
    ),
    Case("k8s-hugepages-requests-valid", Outcome.UNKNOWN, asking({"cpu": 1}, {HUGE: UNKNOWN})),
    Case("k8s-hugepages-requests-valid", Outcome.NOT_APPLICABLE, asking({"cpu": 1})),
    Case("k8s-resource-names-known", Outcome.PASS, asking({"cpu": 1, "ephemeral-storage": "1Gi", HUGE: "2Mi", GPU: 1})),
    Case("k8s-resource-names-known", Outcome.FAIL, asking(None, {"gpu": 1}), path=f"{RESOURCES}.limits.gpu", says=GPU),
    Case("k8s-resource-names-known", Outcome.UNKNOWN, asking(UNKNOWN)),
    Case("k8s-resource-names-known", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-memory-unit-plausible", Outcome.PASS, asking({"memory": "64Mi"})),
    Case(
        "k8s-memory-unit-plausible",
        Outcome.FAIL,
        asking({"memory": "400m"}),
        path=f"{RESOURCES}.requests.memory",
        says="Mi",
    ),
    Case("k8s-memory-unit-plausible", Outcome.FAIL, asking({"memory": "16"}), path=f"{RESOURCES}.requests.memory"),
    Case("k8s-memory-unit-plausible", Outcome.UNKNOWN, asking({"memory": UNKNOWN})),
    Case("k8s-memory-unit-plausible", Outcome.NOT_APPLICABLE, asking({"cpu": 1})),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_resources_says_what_kubernetes_would(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    ("text", "amount"),
    [("500m", "0.5"), ("1Ki", "1024"), ("1k", "1000"), ("2e3", "2000"), (".5", "0.5"), ("1.", "1"), ("3u", "0.000003")],
)
def test_an_amount_is_read_as_kubernetes_reads_it(text: str, amount: str) -> None:
    assert quantities.parse(text) == Decimal(amount)


@pytest.mark.parametrize("text", ["", "m", "1GB", "1 Gi", "one", "0x10", "1K", "1e", "--1"])
def test_what_kubernetes_does_not_read_is_no_amount(text: str) -> None:
    assert quantities.parse(text) is None


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_amounts_keep_their_order_in_every_unit(one: int, other: int) -> None:
    for suffix in ("", "m", "Ki", "M", "Gi", "e3"):
        first, second = quantities.parse(f"{one}{suffix}"), quantities.parse(f"{other}{suffix}")
        assert first is not None
        assert second is not None
        assert (first < second) == (one < other)


def requests(**spec: Any) -> dict[str, Decimal]:
    """What a pod requests."""
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
