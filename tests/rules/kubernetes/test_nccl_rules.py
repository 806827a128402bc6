"""NCCL's variables on the fabrics of Google Cloud, and the memory that the processes of a node share."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gkemanifests import MEMORY, gke, gpus, trainer
from tests.manifests import limited, pod
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome

MEGA = gke(train=gpus())
HIGH = gke(train=gpus("a3-highgpu-8g", networks=4))
ULTRA = gke(train=gpus("a3-ultragpu-8g", networks=9))


def on(pools: Program, name: str, value: Any, **fields: Any) -> Program:
    """Pods with one variable, beside pools."""
    return {**pools, **trainer(env=[{"name": name, "value": value}], **fields)}


def sharing(mounts: Any = None, volumes: Any = None, gpu: str = "8", **spec: Any) -> Program:
    """Pods whose container mounts something at /dev/shm."""
    mount = [{"name": "shm", "mountPath": "/dev/shm"}] if mounts is None else mounts
    main = {**limited(gpu=gpu), "volumeMounts": mount}
    return {**MEGA, **trainer(containers=[main], volumes=MEMORY if volumes is None else volumes, **spec)}


CASES = [
    Case("k8s-nccl-variables-fit-fabric", Outcome.PASS, on(MEGA, "NCCL_FASTRAK_NUM_FLOWS", "2")),
    Case("k8s-nccl-variables-fit-fabric", Outcome.PASS, on(ULTRA, "NCCL_NET", "gIB")),
    Case("k8s-nccl-variables-fit-fabric", Outcome.PASS, on(HIGH, "NCCL_IB_DISABLE", "1")),
    Case("k8s-nccl-variables-fit-fabric", Outcome.PASS, {**MEGA, **trainer()}),
    Case(
        "k8s-nccl-variables-fit-fabric",
        Outcome.FAIL,
        on(HIGH, "NCCL_FASTRAK_NUM_FLOWS", "2"),
        "spec.template.spec.containers[0].env[0].name",
        "is for tcpxo, and the pod lands on train, which has tcpx",
    ),
    Case(
        "k8s-nccl-variables-fit-fabric",
        Outcome.FAIL,
        on(ULTRA, "NCCL_NET", "Socket"),
        "spec.template.spec.containers[0].env[0].name",
        "for no fabric",
        preview=True,
    ),
    Case(
        "k8s-nccl-variables-fit-fabric",
        Outcome.FAIL,
        on(ULTRA, "NCCL_IB_DISABLE", "1"),
        says="nccl-rdma-h200",
        path="spec.template.spec.containers[0].env[0].name",
    ),
    Case("k8s-nccl-variables-fit-fabric", Outcome.UNKNOWN, on(MEGA, "NCCL_NET", UNKNOWN)),
    Case(
        "k8s-nccl-variables-fit-fabric", Outcome.NOT_APPLICABLE, on(gke(train=gpus(networks=0)), "NCCL_NET", "Socket")
    ),
    Case("k8s-nccl-variables-match-profile", Outcome.PASS, on(MEGA, "NCCL_PROTO", "Simple")),
    Case("k8s-nccl-variables-match-profile", Outcome.PASS, on(MEGA, "NCCL_TUNER_CONFIG_PATH", "/opt/tuner.textproto")),
    Case("k8s-nccl-variables-match-profile", Outcome.PASS, on(ULTRA, "NCCL_DEBUG", "INFO")),
    Case(
        "k8s-nccl-variables-match-profile",
        Outcome.FAIL,
        on(HIGH, "NCCL_PROTO", "LL128"),
        "spec.template.spec.containers[0].env[0].value",
        "Google sets it to Simple for tcpx",
    ),
    Case(
        "k8s-nccl-variables-match-profile",
        Outcome.FAIL,
        on(MEGA, "NCCL_NVLSTREE_MAX_CHUNKSIZE", "65536"),
        "spec.template.spec.containers[0].env[0].value",
        "ConfigMap nccl-tcpxo",
    ),
    Case("k8s-nccl-variables-match-profile", Outcome.UNKNOWN, on(HIGH, "NCCL_PROTO", UNKNOWN)),
    Case(
        "k8s-nccl-variables-match-profile",
        Outcome.NOT_APPLICABLE,
        on(gke(train=gpus(networks=0)), "NCCL_PROTO", "LL128"),
    ),
    Case("k8s-nccl-shared-memory-mounted", Outcome.PASS, sharing()),
    Case("k8s-nccl-shared-memory-mounted", Outcome.PASS, sharing([], hostIPC=True)),
    Case(
        "k8s-nccl-shared-memory-mounted",
        Outcome.FAIL,
        sharing([]),
        "spec.template.spec.containers[0].volumeMounts",
        "medium: Memory",
    ),
    Case(
        "k8s-nccl-shared-memory-mounted",
        Outcome.FAIL,
        sharing(volumes=[{"name": "shm", "emptyDir": {}}]),
        "spec.template.spec.containers[0].volumeMounts",
        "64 MiB",
    ),
    Case("k8s-nccl-shared-memory-mounted", Outcome.UNKNOWN, sharing(UNKNOWN)),
    Case("k8s-nccl-shared-memory-mounted", Outcome.NOT_APPLICABLE, sharing([], gpu="1")),
    Case("k8s-nccl-shared-memory-mounted", Outcome.NOT_APPLICABLE, pod(limited(gpu="8"))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_nccl_says_what_training_would_show(case: Case) -> None:
    check(case)
