"""Settings that pods bring to GPUDirect, so that NCCL takes the interfaces of the GPUs and not that of the pod."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.gkemanifests import (
    MEMORY,
    daemon,
    gke,
    gpus,
    installer,
    interfaces,
    network_object,
    plain,
    trainer,
)
from tests.manifests import limited
from tests.rules.cases import RuleCase
from tests.rules.verdicts import RULES, verdict

from penstock.graph.verdict import Outcome
from penstock.kubernetes.facts import gpudirect
from penstock.kubernetes.rules.types import JOB_SET

MEGA = gke(system=plain(), train=gpus())
ALL_EIGHT = interfaces(*(f"tcpxo-eth{index}" for index in range(1, 9)))
DEVICES = " ".join(f"- path: {device}" for device in gpudirect.daemons()[1].devices)
APERTURE = [{"name": "aperture", "mountPath": "/dev/aperture_devices"}]


TEMPLATE = {"spec": {"containers": [limited(gpu="8")]}}

COUNTED: dict[str, tuple[str, Callable[[int], dict[str, Any]]]] = {
    "a set with jobs of several pods": (
        JOB_SET,
        lambda count: {"replicatedJobs": [{"template": {"spec": {"parallelism": count, "template": TEMPLATE}}}]},
    ),
    "a set of several jobs": (
        JOB_SET,
        lambda count: {"replicatedJobs": [{"replicas": count, "template": {"spec": {"template": TEMPLATE}}}]},
    ),
    "a leader with workers": (
        "kubernetes:leaderworkerset.x-k8s.io/v1:LeaderWorkerSet",
        lambda count: {"leaderWorkerTemplate": {"size": count, "workerTemplate": TEMPLATE}},
    ),
    "a job of PyTorch": (
        "kubernetes:kubeflow.org/v1:PyTorchJob",
        lambda count: {
            "pytorchReplicaSpecs": {
                "Master": {"template": TEMPLATE},
                "Worker": {"replicas": count - 1, "template": TEMPLATE},
            }
        },
    ),
}
"""Workloads whose pods work together, by how many they are."""


def test_no_rule_complains_of_the_job_that_does_all_this() -> None:
    shared = [{"name": "shm", "mountPath": "/dev/shm"}]
    main = {**limited(gpu="8"), "volumeMounts": APERTURE + shared, "env": [{"name": "NCCL_DEBUG", "value": "INFO"}]}
    metadata = {"annotations": {**ALL_EIGHT["annotations"], "devices.gke.io/container.daemon": DEVICES}}
    volumes = [*MEMORY, {"name": "aperture", "hostPath": {"path": "/dev/aperture_devices"}}]
    networks = [network_object(f"tcpxo-eth{index}", f"network-{index}") for index in range(1, 9)]
    program = {
        **MEGA,
        **installer(),
        **trainer(metadata=metadata, first=[daemon()], containers=[main], volumes=volumes),
        **{name: inputs for network in networks for name, inputs in network.items()},
    }

    said = {
        rule.id: verdict(RuleCase(rule.id, Outcome.PASS, program)).outcome
        for rule in RULES
        if rule.id.startswith("k8s-")
    }

    assert [code for code, outcome in said.items() if outcome is Outcome.FAIL] == []
    speak_of_it = {
        "k8s-gke-pod-networks-exist",
        "k8s-gke-pod-all-fabric-interfaces",
        "k8s-gke-interfaces-no-host-network",
        "k8s-gpudirect-daemon-sidecar",
        "k8s-gpudirect-daemon-present",
        "k8s-gpudirect-daemon-release",
        "k8s-gpudirect-daemon-devices",
        "k8s-gpudirect-aperture-mounted",
    }

    assert {id_ for id_ in speak_of_it if said[id_] is not Outcome.PASS} == set()


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("kind", COUNTED)
def test_pods_that_work_together_need_the_fabric_once_they_are_several(kind: str, count: int) -> None:
    type_, spec = COUNTED[kind]
    program = {**MEGA, "it": (type_, {"metadata": {"name": "it"}, "spec": spec(count)})}
    outcome = verdict(RuleCase("k8s-gke-pod-all-fabric-interfaces", Outcome.PASS, program)).outcome

    assert outcome is (Outcome.FAIL if count > 1 else Outcome.NOT_APPLICABLE)
