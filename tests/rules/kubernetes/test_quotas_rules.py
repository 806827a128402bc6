"""Quotas and limits of namespaces."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import container, deployment, limited, namespace, pod
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import CONFIG_MAP, DEPLOYMENT, LIMIT_RANGE, QUOTA

OTHER: Program = {"it": (CONFIG_MAP, {})}
GPUS = "requests.nvidia.com/gpu"


def quota(hard: Any, called: str = "it", **spec: Any) -> Program:
    """A quota of the namespace `default`."""
    return {called: (QUOTA, {"metadata": {"name": called}, "spec": {"hard": hard, **spec}})}


def in_team(program: Program) -> Program:
    """A program whose objects are all in a namespace that it makes."""
    moved = {
        name: (type_, {**inputs, "metadata": {**inputs.get("metadata", {}), "namespace": "team"}})
        for name, (type_, inputs) in program.items()
    }
    return {**namespace(), **moved}


def limits(called: str = "it", **item: Any) -> Program:
    """A limit range on containers in the namespace `default`."""
    return {called: (LIMIT_RANGE, {"spec": {"limits": [{"type": "Container", **item}]}})}


def standing(count: Any, **requests: str) -> Program:
    """A Deployment of pods that request something."""
    template = {"metadata": {"labels": {"app": "it"}}, "spec": {"containers": [limited(**requests)]}}
    return {"pods": (DEPLOYMENT, deployment(template, replicas=count)["it"][1])}


COUNTED = quota({"requests.cpu": "10", "limits.memory": "1Ti"}, "quota")
FULL = {"limits": {"cpu": "1", "memory": "1Gi"}}
RESOURCES = "spec.containers[0].resources"

CASES = [
    Case(
        "K8S-QUOTA-001",
        Outcome.PASS,
        quota({"requests.cpu": 10, "limits.memory": "1Ti", GPUS: "8", "pods": 5, "count/jobs.batch": 3, "cpu": "1"}),
    ),
    Case("K8S-QUOTA-001", Outcome.FAIL, quota({"gpu": 8}), path="spec.hard.gpu", says=GPUS),
    Case("K8S-QUOTA-001", Outcome.FAIL, quota({"cpu": "ten"}), path="spec.hard.cpu", says="ten"),
    Case("K8S-QUOTA-001", Outcome.UNKNOWN, quota({"cpu": UNKNOWN})),
    Case("K8S-QUOTA-001", Outcome.NOT_APPLICABLE, OTHER),
    Case("K8S-QUOTA-002", Outcome.PASS, quota({GPUS: 8, "count/pytorchjobs.kubeflow.org": 2})),
    Case("K8S-QUOTA-002", Outcome.PASS, quota({"gold.storageclass.storage.k8s.io/requests.storage": "1Ti"})),
    Case("K8S-QUOTA-002", Outcome.FAIL, quota({"nvidia.com/gpu": 8}), path="spec.hard.nvidia.com/gpu", says=GPUS),
    Case(
        "K8S-QUOTA-002",
        Outcome.FAIL,
        quota({"limits.nvidia.com/gpu": 8}),
        path="spec.hard.limits.nvidia.com/gpu",
        says=GPUS,
    ),
    Case("K8S-QUOTA-002", Outcome.UNKNOWN, quota(UNKNOWN)),
    Case("K8S-QUOTA-002", Outcome.NOT_APPLICABLE, quota({"cpu": 1})),
    Case("K8S-QUOTA-003", Outcome.PASS, {**COUNTED, **pod(container(resources=FULL))}),
    Case(
        "K8S-QUOTA-003",
        Outcome.PASS,
        in_team({**COUNTED, **limits("range", default={"cpu": "1", "memory": "1Gi"}), **pod()}),
    ),
    Case(
        "K8S-QUOTA-003",
        Outcome.FAIL,
        in_team({**COUNTED, **pod(container(resources={"limits": {"memory": "1Gi"}}))}),
        path=f"{RESOURCES}.requests.cpu",
        says="resources.requests.cpu",
    ),
    Case(
        "K8S-QUOTA-003",
        Outcome.FAIL,
        in_team({**COUNTED, **pod(container(resources={"requests": {"cpu": "1", "memory": "1Gi"}}))}),
        path=f"{RESOURCES}.limits.memory",
    ),
    Case("K8S-QUOTA-003", Outcome.UNKNOWN, {**COUNTED, **pod()}),
    Case("K8S-QUOTA-003", Outcome.UNKNOWN, {**COUNTED, **pod(container(resources=UNKNOWN))}),
    Case("K8S-QUOTA-003", Outcome.NOT_APPLICABLE, pod()),
    Case("K8S-QUOTA-003", Outcome.NOT_APPLICABLE, {**quota({GPUS: 8}, "quota"), **pod()}),
    Case("K8S-QUOTA-004", Outcome.PASS, {**quota({GPUS: 16, "pods": 2}), **standing(2, gpu="8")}),
    Case(
        "K8S-QUOTA-004", Outcome.FAIL, {**quota({GPUS: 8}), **standing(2, gpu="8")}, path=f"spec.hard.{GPUS}", says="16"
    ),
    Case("K8S-QUOTA-004", Outcome.FAIL, {**quota({"pods": 1}), **standing(2)}, path="spec.hard.pods"),
    Case(
        "K8S-QUOTA-004",
        Outcome.FAIL,
        {**quota({"requests.memory": "64Gi"}), **standing(3, memory="32Gi")},
        path="spec.hard.requests.memory",
        says="96Gi",
    ),
    Case("K8S-QUOTA-004", Outcome.UNKNOWN, {**quota({GPUS: 8}), **standing(UNKNOWN, gpu="8")}),
    Case("K8S-QUOTA-004", Outcome.NOT_APPLICABLE, quota({GPUS: 8})),
    Case("K8S-QUOTA-004", Outcome.NOT_APPLICABLE, {**quota({GPUS: 8}, scopes=["BestEffort"]), **standing(2, gpu="8")}),
    Case("K8S-QUOTA-005", Outcome.PASS, limits(min={"cpu": "100m"}, default={"cpu": 1}, max={"cpu": 2})),
    Case(
        "K8S-QUOTA-005",
        Outcome.FAIL,
        limits(defaultRequest={"cpu": 2}, default={"cpu": 1}),
        path="spec.limits[0].defaultRequest.cpu",
        says="default is 1",
    ),
    Case("K8S-QUOTA-005", Outcome.UNKNOWN, limits(max={"cpu": UNKNOWN})),
    Case("K8S-QUOTA-005", Outcome.NOT_APPLICABLE, OTHER),
    Case("K8S-QUOTA-006", Outcome.PASS, {**limits("range", max={"cpu": 2}), **pod(limited(cpu="2"))}),
    Case(
        "K8S-QUOTA-006",
        Outcome.FAIL,
        {**limits("range", max={"cpu": 2}), **pod(limited(cpu="3"))},
        path=f"{RESOURCES}.requests.cpu",
        says="allows 2",
    ),
    Case("K8S-QUOTA-006", Outcome.UNKNOWN, {**limits("range", max={"cpu": 2}), **pod(limited(cpu=UNKNOWN))}),
    Case("K8S-QUOTA-006", Outcome.NOT_APPLICABLE, pod()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_quotas_says_what_an_api_server_would(case: Case) -> None:
    check(case)
