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
        "k8s-quota-resources-known",
        Outcome.PASS,
        quota({"requests.cpu": 10, "limits.memory": "1Ti", GPUS: "8", "pods": 5, "count/jobs.batch": 3, "cpu": "1"}),
    ),
    Case("k8s-quota-resources-known", Outcome.FAIL, quota({"gpu": 8}), path="spec.hard.gpu", says=GPUS),
    Case("k8s-quota-resources-known", Outcome.FAIL, quota({"cpu": "ten"}), path="spec.hard.cpu", says="ten"),
    Case("k8s-quota-resources-known", Outcome.UNKNOWN, quota({"cpu": UNKNOWN})),
    Case("k8s-quota-resources-known", Outcome.NOT_APPLICABLE, OTHER),
    Case("k8s-quota-devices-as-requests", Outcome.PASS, quota({GPUS: 8, "count/pytorchjobs.kubeflow.org": 2})),
    Case(
        "k8s-quota-devices-as-requests",
        Outcome.PASS,
        quota({"gold.storageclass.storage.k8s.io/requests.storage": "1Ti"}),
    ),
    Case(
        "k8s-quota-devices-as-requests",
        Outcome.FAIL,
        quota({"nvidia.com/gpu": 8}),
        path="spec.hard.nvidia.com/gpu",
        says=GPUS,
    ),
    Case(
        "k8s-quota-devices-as-requests",
        Outcome.FAIL,
        quota({"limits.nvidia.com/gpu": 8}),
        path="spec.hard.limits.nvidia.com/gpu",
        says=GPUS,
    ),
    Case("k8s-quota-devices-as-requests", Outcome.UNKNOWN, quota(UNKNOWN)),
    Case("k8s-quota-devices-as-requests", Outcome.NOT_APPLICABLE, quota({"cpu": 1})),
    Case("k8s-quota-pod-sets-resources", Outcome.PASS, {**COUNTED, **pod(container(resources=FULL))}),
    Case(
        "k8s-quota-pod-sets-resources",
        Outcome.PASS,
        in_team({**COUNTED, **limits("range", default={"cpu": "1", "memory": "1Gi"}), **pod()}),
    ),
    Case(
        "k8s-quota-pod-sets-resources",
        Outcome.FAIL,
        in_team({**COUNTED, **pod(container(resources={"limits": {"memory": "1Gi"}}))}),
        path=f"{RESOURCES}.requests.cpu",
        says="resources.requests.cpu",
    ),
    Case(
        "k8s-quota-pod-sets-resources",
        Outcome.FAIL,
        in_team({**COUNTED, **pod(container(resources={"requests": {"cpu": "1", "memory": "1Gi"}}))}),
        path=f"{RESOURCES}.limits.memory",
    ),
    Case("k8s-quota-pod-sets-resources", Outcome.UNKNOWN, {**COUNTED, **pod()}),
    Case("k8s-quota-pod-sets-resources", Outcome.UNKNOWN, {**COUNTED, **pod(container(resources=UNKNOWN))}),
    Case("k8s-quota-pod-sets-resources", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-quota-pod-sets-resources", Outcome.NOT_APPLICABLE, {**quota({GPUS: 8}, "quota"), **pod()}),
    Case("k8s-quota-fits-workloads", Outcome.PASS, {**quota({GPUS: 16, "pods": 2}), **standing(2, gpu="8")}),
    Case(
        "k8s-quota-fits-workloads",
        Outcome.FAIL,
        {**quota({GPUS: 8}), **standing(2, gpu="8")},
        path=f"spec.hard.{GPUS}",
        says="16",
    ),
    Case("k8s-quota-fits-workloads", Outcome.FAIL, {**quota({"pods": 1}), **standing(2)}, path="spec.hard.pods"),
    Case(
        "k8s-quota-fits-workloads",
        Outcome.FAIL,
        {**quota({"requests.memory": "64Gi"}), **standing(3, memory="32Gi")},
        path="spec.hard.requests.memory",
        says="96Gi",
    ),
    Case("k8s-quota-fits-workloads", Outcome.UNKNOWN, {**quota({GPUS: 8}), **standing(UNKNOWN, gpu="8")}),
    Case("k8s-quota-fits-workloads", Outcome.NOT_APPLICABLE, quota({GPUS: 8})),
    Case(
        "k8s-quota-fits-workloads",
        Outcome.NOT_APPLICABLE,
        {**quota({GPUS: 8}, scopes=["BestEffort"]), **standing(2, gpu="8")},
    ),
    Case(
        "k8s-limitrange-values-ordered", Outcome.PASS, limits(min={"cpu": "100m"}, default={"cpu": 1}, max={"cpu": 2})
    ),
    Case(
        "k8s-limitrange-values-ordered",
        Outcome.FAIL,
        limits(defaultRequest={"cpu": 2}, default={"cpu": 1}),
        path="spec.limits[0].defaultRequest.cpu",
        says="default is 1",
    ),
    Case("k8s-limitrange-values-ordered", Outcome.UNKNOWN, limits(max={"cpu": UNKNOWN})),
    Case("k8s-limitrange-values-ordered", Outcome.NOT_APPLICABLE, OTHER),
    Case("k8s-pod-within-limitrange", Outcome.PASS, {**limits("range", max={"cpu": 2}), **pod(limited(cpu="2"))}),
    Case(
        "k8s-pod-within-limitrange",
        Outcome.FAIL,
        {**limits("range", max={"cpu": 2}), **pod(limited(cpu="3"))},
        path=f"{RESOURCES}.requests.cpu",
        says="allows 2",
    ),
    Case(
        "k8s-pod-within-limitrange", Outcome.UNKNOWN, {**limits("range", max={"cpu": 2}), **pod(limited(cpu=UNKNOWN))}
    ),
    Case("k8s-pod-within-limitrange", Outcome.NOT_APPLICABLE, pod()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_quotas_says_what_an_api_server_would(case: Case) -> None:
    check(case)
