"""Kueue: what its definitions refuse, and queues that lead nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import job, pod
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import CLUSTER_QUEUES, CONFIG_MAP, FLAVORS, LOCAL_QUEUES, TOPOLOGIES

OTHER: Program = {"it": (CONFIG_MAP, {})}
GPU = "nvidia.com/gpu"
HOST = "kubernetes.io/hostname"


def flavor(name: Any = "h100", **quotas: Any) -> dict[str, Any]:
    """A flavor with quotas of GPUs and CPU, or with what is given."""
    own = quotas or {GPU: 8, "cpu": 96}
    return {"name": name, "resources": [{"name": key, "nominalQuota": value} for key, value in own.items()]}


def group(*flavors: dict[str, Any], covers: Any = (GPU, "cpu")) -> dict[str, Any]:
    """A group of resources."""
    return {"coveredResources": list(covers) if covers is not UNKNOWN else covers, "flavors": list(flavors)}


def queue(*groups: Any, called: str = "it", **spec: Any) -> Program:
    """A cluster queue; its name is `team`."""
    own = {"resourceGroups": list(groups or (group(flavor()),)), **spec}
    return {called: (CLUSTER_QUEUES[0], {"metadata": {"name": "team"}, "spec": own})}


def limited(**limits: Any) -> dict[str, Any]:
    """A group with one quota that has limits."""
    quota = {"name": GPU, "nominalQuota": 8, **limits}
    return group({"name": "h100", "resources": [quota]}, covers=(GPU,))


def local(leads_to: Any, called: str = "it", namespace: str = "default") -> Program:
    """A local queue; its name is `jobs`."""
    metadata = {"name": "jobs", "namespace": namespace}
    return {called: (LOCAL_QUEUES[0], {"metadata": metadata, "spec": {"clusterQueue": leads_to}})}


def topology(*labels: Any) -> Program:
    """A topology with levels."""
    return {"it": (TOPOLOGIES[0], {"spec": {"levels": [{"nodeLabel": label} for label in labels]}})}


def made(name: str) -> Program:
    """A flavor that the program makes."""
    return {"flavor": (FLAVORS[0], {"metadata": {"name": name}})}


QUEUED = {"name": "it", "labels": {"kueue.x-k8s.io/queue-name": "jobs"}}
GROUPS = "spec.resourceGroups"
QUOTA = f"{GROUPS}[0].flavors[0].resources[0]"

CASES = [
    Case("k8s-kueue-flavor-quotas-complete", Outcome.PASS, queue()),
    Case(
        "k8s-kueue-flavor-quotas-complete",
        Outcome.FAIL,
        queue(group(flavor(**{GPU: 8}))),
        path=f"{GROUPS}[0].flavors[0].resources",
        says="cpu",
    ),
    Case(
        "k8s-kueue-flavor-quotas-complete",
        Outcome.FAIL,
        queue(group(flavor(), covers=("cpu", GPU))),
        path=f"{GROUPS}[0].flavors[0].resources",
    ),
    Case("k8s-kueue-flavor-quotas-complete", Outcome.FAIL, queue(*[group()] * 17), path=GROUPS, says="16"),
    Case("k8s-kueue-flavor-quotas-complete", Outcome.UNKNOWN, queue(group(flavor(), covers=UNKNOWN))),
    Case("k8s-kueue-flavor-quotas-complete", Outcome.NOT_APPLICABLE, OTHER),
    Case(
        "k8s-kueue-resource-in-one-group",
        Outcome.PASS,
        queue(group(flavor()), group(flavor("spot", memory=1), covers=("memory",))),
    ),
    Case(
        "k8s-kueue-resource-in-one-group",
        Outcome.FAIL,
        queue(group(), group()),
        path=f"{GROUPS}[1].coveredResources",
        says=GPU,
    ),
    Case(
        "k8s-kueue-resource-in-one-group",
        Outcome.FAIL,
        queue(group(flavor()), group(flavor(memory=1), covers=("memory",))),
        path=f"{GROUPS}[1].flavors",
        says="h100",
    ),
    Case("k8s-kueue-resource-in-one-group", Outcome.UNKNOWN, queue(group(flavor(UNKNOWN)))),
    Case("k8s-kueue-resource-in-one-group", Outcome.NOT_APPLICABLE, OTHER),
    Case("k8s-kueue-quota-amounts-valid", Outcome.PASS, queue(limited(borrowingLimit=8, lendingLimit=8), cohort="all")),
    Case(
        "k8s-kueue-quota-amounts-valid",
        Outcome.FAIL,
        queue(limited(borrowingLimit=8)),
        path=f"{QUOTA}.borrowingLimit",
        says="cohort",
    ),
    Case(
        "k8s-kueue-quota-amounts-valid",
        Outcome.FAIL,
        queue(limited(lendingLimit=9), cohort="all"),
        path=f"{QUOTA}.lendingLimit",
    ),
    Case(
        "k8s-kueue-quota-amounts-valid",
        Outcome.FAIL,
        queue(limited(nominalQuota="many")),
        path=f"{QUOTA}.nominalQuota",
        says="many",
    ),
    Case(
        "k8s-kueue-quota-amounts-valid", Outcome.FAIL, queue(limited(nominalQuota=None)), path=f"{QUOTA}.nominalQuota"
    ),
    Case("k8s-kueue-quota-amounts-valid", Outcome.UNKNOWN, queue(limited(nominalQuota=UNKNOWN))),
    Case("k8s-kueue-quota-amounts-valid", Outcome.NOT_APPLICABLE, OTHER),
    Case("k8s-kueue-flavor-exists", Outcome.PASS, {**made("h100"), **queue()}),
    Case(
        "k8s-kueue-flavor-exists",
        Outcome.FAIL,
        {**made("a100"), **queue()},
        path=f"{GROUPS}[0].flavors[0].name",
        says="a100",
    ),
    Case("k8s-kueue-flavor-exists", Outcome.UNKNOWN, queue()),
    Case("k8s-kueue-flavor-exists", Outcome.NOT_APPLICABLE, OTHER),
    Case("k8s-kueue-cluster-queue-exists", Outcome.PASS, {**queue(called="queue"), **local("team")}),
    Case(
        "k8s-kueue-cluster-queue-exists",
        Outcome.FAIL,
        {**queue(called="queue"), **local("teams")},
        path="spec.clusterQueue",
        says="team.",
    ),
    Case("k8s-kueue-cluster-queue-exists", Outcome.UNKNOWN, local("team")),
    Case("k8s-kueue-cluster-queue-exists", Outcome.NOT_APPLICABLE, OTHER),
    Case("k8s-kueue-topology-levels-valid", Outcome.PASS, topology("topology.k8s.aws/network-node-layer-1", HOST)),
    Case(
        "k8s-kueue-topology-levels-valid",
        Outcome.FAIL,
        topology(HOST, "rack"),
        path="spec.levels[0].nodeLabel",
        says="end",
    ),
    Case("k8s-kueue-topology-levels-valid", Outcome.FAIL, topology("rack", "rack"), path="spec.levels[1].nodeLabel"),
    Case("k8s-kueue-topology-levels-valid", Outcome.FAIL, topology(), path="spec.levels"),
    Case("k8s-kueue-topology-levels-valid", Outcome.UNKNOWN, topology(UNKNOWN)),
    Case("k8s-kueue-topology-levels-valid", Outcome.NOT_APPLICABLE, OTHER),
    Case("k8s-kueue-queue-in-namespace", Outcome.PASS, {**local("team", "queue"), **pod(metadata=QUEUED)}),
    Case(
        "k8s-kueue-queue-in-namespace",
        Outcome.FAIL,
        {**local("team", "queue", "research"), **pod(metadata=QUEUED)},
        path="metadata.labels.kueue.x-k8s.io/queue-name",
        says="research",
    ),
    Case("k8s-kueue-queue-in-namespace", Outcome.UNKNOWN, pod(metadata=QUEUED)),
    Case("k8s-kueue-queue-in-namespace", Outcome.NOT_APPLICABLE, job()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_kueue_says_what_kueue_would(case: Case) -> None:
    check(case)
