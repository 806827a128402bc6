"""Whether some node of the program's cluster takes a pod."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import (
    ANYWHERE,
    GPU,
    GPU_TAINT,
    cluster,
    container,
    deployment,
    gpus,
    limited,
    plain,
    pod,
    release,
    with_efa,
)
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import AUTOSCALING_GROUP, SUBNET
from penstock.rules.kubernetes.types import CONFIG_MAP, POD

SYSTEM = plain(labels={"pool": "system"})
TRAIN = gpus(labels={"pool": "train"})
OTHER: Program = {"it": (CONFIG_MAP, {})}
TOLERANT = {"tolerations": [{"key": GPU, "operator": "Exists", "effect": "NoSchedule"}]}
PLUGIN = release(resource="plugin")
QUEUED = {"name": "it", "labels": {"kueue.x-k8s.io/queue-name": "team"}}


def on(program: Program, **groups: Any) -> Program:
    """A program beside a cluster with two groups, or with others."""
    return {**cluster(**(groups or {"system": SYSTEM, "train": TRAIN})), **program}


def wanting(operator: str, *values: str, key: str = "pool") -> Program:
    """A pod whose affinity requires something of a label."""
    expression = {"key": key, "operator": operator, "values": list(values)}
    terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    return pod(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}})


def replicas(count: Any, **template: Any) -> Program:
    """A Deployment of pods with eight GPUs each."""
    spec = {"containers": [limited(gpu="8")], **TOLERANT}
    return deployment({"metadata": {"labels": {"app": "it"}}, "spec": spec | template}, replicas=count)


ZONED = gpus(subnetIds=[Ref("subnet")])
IN_ZONE = {**on({"subnet": (SUBNET, {"availabilityZone": "us-east-1a"})}, train=ZONED)}
ZONE = "topology.kubernetes.io/zone"

CASES = [
    Case("k8s-pod-node-labels-exist", Outcome.PASS, on(pod(nodeSelector={"pool": "train"}))),
    Case("k8s-pod-node-labels-exist", Outcome.PASS, on(pod(nodeSelector={"pool": "train"})), preview=True),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.PASS,
        on(pod(nodeSelector={"kubernetes.io/arch": "amd64", "pool": "system"})),
    ),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.PASS,
        on(pod(nodeSelector={"node.kubernetes.io/instance-type": "p5.48xlarge"})),
    ),
    Case("k8s-pod-node-labels-exist", Outcome.PASS, on(wanting("NotIn", "train"))),
    Case("k8s-pod-node-labels-exist", Outcome.PASS, on(wanting("DoesNotExist", key="spot"))),
    Case("k8s-pod-node-labels-exist", Outcome.PASS, {**IN_ZONE, **pod(nodeSelector={ZONE: "us-east-1a"})}),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.FAIL,
        {**IN_ZONE, **pod(nodeSelector={ZONE: "us-east-1b"})},
        path="spec.nodeSelector",
        says="us-east-1b",
    ),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.FAIL,
        on(pod(nodeSelector={"pool": "batch"})),
        path="spec.nodeSelector",
        says="pool=train",
    ),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.FAIL,
        on(pod(nodeSelector={"pool": "batch"})),
        path="spec.nodeSelector",
        says="pool=batch",
        preview=True,
    ),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.FAIL,
        on(pod(nodeSelector={"pool": "train", "kubernetes.io/arch": "arm64"})),
        path="spec.nodeSelector",
        says="arm64",
    ),
    Case("k8s-pod-node-labels-exist", Outcome.FAIL, on(wanting("In", "batch", "serve")), path="spec.affinity"),
    Case("k8s-pod-node-labels-exist", Outcome.FAIL, on(wanting("Exists", key="spot")), path="spec.affinity"),
    Case("k8s-pod-node-labels-exist", Outcome.UNKNOWN, pod(nodeSelector={"pool": "batch"})),
    Case("k8s-pod-node-labels-exist", Outcome.UNKNOWN, on(pod(nodeSelector={"nvidia.com/gpu.product": "H100"}))),
    Case("k8s-pod-node-labels-exist", Outcome.UNKNOWN, on(wanting("Gt", "4"))),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.UNKNOWN,
        on(pod(nodeSelector={"pool": "batch"}), system=plain(labels=UNKNOWN)),
    ),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.UNKNOWN,
        {**on(pod(nodeSelector={"pool": "batch"})), **release("oci://public.ecr.aws/karpenter/karpenter", "scaler")},
    ),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.UNKNOWN,
        {**on(pod(nodeSelector={"pool": "b"})), "asg": (AUTOSCALING_GROUP, {})},
    ),
    Case("k8s-pod-node-labels-exist", Outcome.NOT_APPLICABLE, on(pod())),
    Case("k8s-pod-requests-fit-node", Outcome.PASS, on(pod(limited(gpu="8", cpu="100")))),
    Case("k8s-pod-requests-fit-node", Outcome.PASS, on(pod(limited(memory="16Gi")))),
    Case(
        "k8s-pod-requests-fit-node",
        Outcome.FAIL,
        on(pod(limited(gpu="16"))),
        path="spec.containers",
        says="p5.48xlarge has 8",
    ),
    Case("k8s-pod-requests-fit-node", Outcome.FAIL, on(pod(limited(gpu="16"))), path="spec.containers", preview=True),
    Case(
        "k8s-pod-requests-fit-node",
        Outcome.FAIL,
        on(pod(limited(gpu="4"), limited(gpu="5"))),
        path="spec.containers",
        says="9",
    ),
    Case(
        "k8s-pod-requests-fit-node",
        Outcome.FAIL,
        on(pod(limited(cpu="192"))),
        path="spec.containers",
        says="keeps for itself",
    ),
    Case(
        "k8s-pod-requests-fit-node", Outcome.FAIL, on(pod(limited(memory="2Ti"))), path="spec.containers", says="2048Gi"
    ),
    Case(
        "k8s-pod-requests-fit-node",
        Outcome.FAIL,
        on(pod(limited(gpu="1"), nodeSelector={"pool": "system"})),
        path="spec.containers",
        says="m6i.2xlarge has 0",
    ),
    Case(
        "k8s-pod-requests-fit-node",
        Outcome.FAIL,
        {**with_efa(), **pod(limited(efa="4"))},
        path="spec.containers",
        says="has 2",
    ),
    Case("k8s-pod-requests-fit-node", Outcome.PASS, {**with_efa(), **pod(limited(efa="2", gpu="8"))}),
    Case("k8s-pod-requests-fit-node", Outcome.PASS, {**with_efa(), **pod(limited(efa="2", gpu="8"))}, preview=True),
    Case("k8s-pod-requests-fit-node", Outcome.UNKNOWN, pod(limited(gpu="16"))),
    Case(
        "k8s-pod-requests-fit-node", Outcome.UNKNOWN, on(pod(container(resources={"limits": {"example.com/fpga": 1}})))
    ),
    Case(
        "k8s-pod-requests-fit-node", Outcome.UNKNOWN, on(pod(limited(gpu="8")), train=gpus(instanceTypes=["z9.metal"]))
    ),
    Case(
        "k8s-pod-requests-fit-node",
        Outcome.UNKNOWN,
        {**on(pod(limited(gpu="16"))), **release(resource="plugin", values={"config": {"map": {"default": "x"}}})},
    ),
    Case("k8s-pod-requests-fit-node", Outcome.NOT_APPLICABLE, on(pod())),
    Case("k8s-pod-tolerates-pool-taints", Outcome.PASS, on(pod())),
    Case("k8s-pod-tolerates-pool-taints", Outcome.PASS, on(pod(limited(gpu="8"), **TOLERANT))),
    Case("k8s-pod-tolerates-pool-taints", Outcome.PASS, on(pod(limited(gpu="8"), tolerations=ANYWHERE))),
    Case("k8s-pod-tolerates-pool-taints", Outcome.PASS, on(pod(limited(gpu="8")), train=gpus(taints=[]))),
    Case(
        "k8s-pod-tolerates-pool-taints",
        Outcome.PASS,
        on(pod(), train=gpus(taints=[GPU_TAINT | {"effect": "PREFER_NO_SCHEDULE"}])),
    ),
    Case(
        "k8s-pod-tolerates-pool-taints",
        Outcome.FAIL,
        on(pod(limited(gpu="8"))),
        path="spec.tolerations",
        says="key: nvidia.com/gpu",
    ),
    Case(
        "k8s-pod-tolerates-pool-taints", Outcome.FAIL, on(pod(limited(gpu="8"))), path="spec.tolerations", preview=True
    ),
    Case("k8s-pod-tolerates-pool-taints", Outcome.FAIL, on(pod(), train=TRAIN), path="spec.tolerations", says="train"),
    Case(
        "k8s-pod-tolerates-pool-taints",
        Outcome.FAIL,
        on(pod(limited(gpu="8"), tolerations=[{"key": GPU, "value": "true", "effect": "NoSchedule"}])),
        path="spec.tolerations",
        says="present",
    ),
    Case(
        "k8s-pod-tolerates-pool-taints", Outcome.FAIL, on(pod(nodeSelector={"pool": "train"})), path="spec.tolerations"
    ),
    Case("k8s-pod-tolerates-pool-taints", Outcome.UNKNOWN, pod()),
    Case("k8s-pod-tolerates-pool-taints", Outcome.UNKNOWN, on(pod(limited(gpu="8"), metadata=QUEUED))),
    Case("k8s-pod-tolerates-pool-taints", Outcome.NOT_APPLICABLE, on(pod(nodeSelector={"pool": "batch"}))),
    Case("k8s-pod-devices-advertised", Outcome.PASS, {**on(pod(limited(gpu="1"))), **PLUGIN}),
    Case(
        "k8s-pod-devices-advertised",
        Outcome.PASS,
        on(pod(limited(gpu="1")), train=gpus(amiType="BOTTLEROCKET_x86_64_NVIDIA")),
    ),
    Case("k8s-pod-devices-advertised", Outcome.FAIL, on(pod(limited(gpu="1"))), path="spec.containers", says=GPU),
    Case(
        "k8s-pod-devices-advertised",
        Outcome.FAIL,
        {**with_efa(), **PLUGIN, **pod(limited(gpu="1", efa="2"))},
        path="spec.containers",
        says="vpc.amazonaws.com/efa",
    ),
    Case("k8s-pod-devices-advertised", Outcome.UNKNOWN, pod(limited(gpu="1"))),
    Case("k8s-pod-devices-advertised", Outcome.UNKNOWN, {**on(pod(limited(gpu="1"))), **release(UNKNOWN, "plugin")}),
    Case("k8s-pod-devices-advertised", Outcome.NOT_APPLICABLE, on(pod())),
    Case("k8s-replicas-fit-pools", Outcome.PASS, on(replicas(2))),
    Case("k8s-replicas-fit-pools", Outcome.FAIL, on(replicas(3)), path="spec.replicas", says="2 replicas"),
    Case("k8s-replicas-fit-pools", Outcome.UNKNOWN, on(replicas(UNKNOWN))),
    Case("k8s-replicas-fit-pools", Outcome.NOT_APPLICABLE, on(OTHER)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_scheduling_says_what_the_scheduler_would(case: Case) -> None:
    check(case)


def test_with_two_clusters_nobody_can_tell_where_a_pod_goes() -> None:
    other = {"second": (cluster()["cluster"][0], {"name": "second"})}

    check(Case("k8s-pod-node-labels-exist", Outcome.UNKNOWN, {**on(pod(nodeSelector={"pool": "batch"})), **other}))


def test_a_template_of_another_kind_of_workload_is_judged_too() -> None:
    template = {"spec": {"containers": [limited(gpu="16")]}}
    ray = {"workerGroupSpecs": [{"template": template}]}

    check(
        Case(
            "k8s-pod-requests-fit-node",
            Outcome.FAIL,
            on({"it": ("kubernetes:ray.io/v1:RayCluster", {"spec": ray})}),
            path="spec.workerGroupSpecs[0].template.spec.containers",
        )
    )
    check(Case("k8s-pod-requests-fit-node", Outcome.UNKNOWN, on({"it": (POD, {"spec": UNKNOWN})})))
