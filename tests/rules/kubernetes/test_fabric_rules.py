"""What trains slowly over EFA without any error."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import ANYWHERE, container, limited, pod, with_efa
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome

TOLERANT = {"tolerations": ANYWHERE}


def trainer(efa: Any = "2", gpu: Any = "8", **spec: Any) -> Program:
    """A pod beside a pool whose nodes have 8 GPUs and 2 EFA devices."""
    return {**with_efa(), **pod(limited(gpu=gpu, efa=efa), **TOLERANT, **spec)}


def user(**fields: Any) -> Program:
    """A pod with a container that uses EFA."""
    return pod({**limited(gpu="8", efa="2"), **fields})


CASES = [
    Case("k8s-efa-devices-per-accelerator", Outcome.PASS, trainer()),
    Case("k8s-efa-devices-per-accelerator", Outcome.PASS, trainer(efa="1", gpu="4")),
    Case(
        "k8s-efa-devices-per-accelerator",
        Outcome.FAIL,
        trainer(efa="1"),
        "spec.containers",
        "Request 2 of vpc.amazonaws.com/efa",
    ),
    Case(
        "k8s-efa-devices-per-accelerator", Outcome.FAIL, trainer(efa="1"), "spec.containers", "Request 2", preview=True
    ),
    Case("k8s-efa-devices-per-accelerator", Outcome.UNKNOWN, user()),
    Case("k8s-efa-devices-per-accelerator", Outcome.UNKNOWN, trainer(efa=UNKNOWN)),
    Case(
        "k8s-efa-devices-per-accelerator", Outcome.NOT_APPLICABLE, {**with_efa(), **pod(limited(gpu="8"), **TOLERANT)}
    ),
    Case("k8s-efa-devices-per-accelerator", Outcome.NOT_APPLICABLE, {**with_efa(), **pod(limited(gpu="8", efa="1"))}),
    Case("k8s-efa-pod-unprivileged", Outcome.PASS, user()),
    Case("k8s-efa-pod-unprivileged", Outcome.PASS, user(securityContext={"capabilities": {"add": ["IPC_LOCK"]}})),
    Case(
        "k8s-efa-pod-unprivileged", Outcome.FAIL, trainer(hostNetwork=True), "spec.hostNetwork", "Leave hostNetwork out"
    ),
    Case(
        "k8s-efa-pod-unprivileged",
        Outcome.FAIL,
        user(securityContext={"privileged": True}),
        "spec.containers[0].securityContext.privileged",
        "IPC_LOCK",
    ),
    Case("k8s-efa-pod-unprivileged", Outcome.UNKNOWN, trainer(hostNetwork=UNKNOWN)),
    Case("k8s-efa-pod-unprivileged", Outcome.NOT_APPLICABLE, pod(limited(gpu="8"), hostNetwork=True)),
    Case("k8s-efa-nccl-defaults", Outcome.PASS, user(env=[{"name": "NCCL_DEBUG", "value": "INFO"}])),
    Case("k8s-efa-nccl-defaults", Outcome.PASS, user(env=[{"name": "NCCL_PROTO", "value": "LL128"}])),
    Case(
        "k8s-efa-nccl-defaults",
        Outcome.FAIL,
        user(env=[{"name": "NCCL_PROTO", "value": "Simple"}]),
        "spec.containers[0].env[0].name",
        "Leave NCCL_PROTO out",
    ),
    Case(
        "k8s-efa-nccl-defaults",
        Outcome.FAIL,
        user(env=[{"name": "A", "value": "1"}, {"name": "RDMAV_FORK_SAFE", "value": "1"}]),
        "spec.containers[0].env[1].name",
        "RDMAV_FORK_SAFE",
    ),
    Case("k8s-efa-nccl-defaults", Outcome.UNKNOWN, user(env=[{"name": "NCCL_PROTO", "value": UNKNOWN}])),
    Case(
        "k8s-efa-nccl-defaults", Outcome.NOT_APPLICABLE, pod(container(env=[{"name": "RDMAV_FORK_SAFE", "value": "1"}]))
    ),
    Case("k8s-efa-hugepages-requested", Outcome.PASS, pod(limited(gpu="8", efa="2", **{"hugepages-2Mi": "5120Mi"}))),
    Case("k8s-efa-hugepages-requested", Outcome.FAIL, user(), "spec.containers[0].resources", "hugepages-2Mi: 5120Mi"),
    Case("k8s-efa-hugepages-requested", Outcome.UNKNOWN, pod(limited(gpu="8", efa=UNKNOWN))),
    Case("k8s-efa-hugepages-requested", Outcome.NOT_APPLICABLE, pod(container())),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_pods_with_efa_says_what_happens(case: Case) -> None:
    check(case)


def test_a_pod_that_may_run_beside_the_fabric_is_left_alone() -> None:
    program = {**with_efa(), **pod(limited(gpu="8", efa="1"), nodeSelector={"pool": "other"}, **TOLERANT)}

    check(Case("k8s-efa-devices-per-accelerator", Outcome.NOT_APPLICABLE, program))
