"""What pods bring to GPUDirect, so that NCCL takes the interfaces of the GPUs and not that of the pod."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.gkemanifests import (
    MEMORY,
    annotated,
    daemon,
    gke,
    gpus,
    installer,
    interfaces,
    network_object,
    plain,
    trainer,
)
from tests.manifests import deployment, limited, pod
from tests.rulecases import RULES, Case, Program, check, verdict

from penstock.catalog.gcp import gpudirect
from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import JOB_SET

MEGA = gke(system=plain(), train=gpus())
ULTRA = gke(train=gpus("a3-ultragpu-8g", networks=9))
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


def claimed(**spec: Any) -> Program:
    """Pods on a pool whose interfaces GKE makes itself."""
    pool = gpus("a3-ultragpu-8g", networks=0) | {"networkConfig": {"acceleratorNetworkProfile": "auto"}}
    return {**gke(train=pool), **trainer(**spec)}


def mega(**fields: Any) -> Program:
    """Pods on machines with TCPXO."""
    return {**MEGA, **trainer(**fields)}


def with_daemon(main: dict[str, Any] | None = None, annotations: Any = None, **fields: Any) -> Program:
    """A pod with the daemon of TCPXO as a sidecar."""
    metadata = {"name": "it"} if annotations is None else {"name": "it", "annotations": annotations}
    return pod(main or limited(gpu="8"), metadata=metadata, initContainers=[daemon(**fields)])


CASES = [
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.PASS, mega(metadata=ALL_EIGHT)),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.PASS, {**ULTRA, **trainer(metadata=ALL_EIGHT)}),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.PASS, claimed(resourceClaims=[{"name": "rdma"}])),
    Case(
        "k8s-gke-pod-all-fabric-interfaces",
        Outcome.FAIL,
        claimed(),
        "spec.template.spec.resourceClaims",
        "mrdma.google.com",
    ),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.FAIL, mega(), "spec.template.metadata", "asks for 0 interfaces"),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.FAIL, mega(), "spec.template.metadata", "have 8", preview=True),
    Case(
        "k8s-gke-pod-all-fabric-interfaces",
        Outcome.FAIL,
        mega(metadata=interfaces("tcpxo-eth1", "tcpxo-eth2")),
        "spec.template.metadata.annotations",
        "asks for 2 interfaces",
    ),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.UNKNOWN, trainer()),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.UNKNOWN, mega(pods=UNKNOWN)),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.NOT_APPLICABLE, mega(gpu="4")),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.NOT_APPLICABLE, mega(pods=1)),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.NOT_APPLICABLE, mega(subdomain=None)),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.NOT_APPLICABLE, mega(hostNetwork=True)),
    Case("k8s-gke-pod-all-fabric-interfaces", Outcome.NOT_APPLICABLE, {**gke(train=gpus(networks=0)), **trainer()}),
    Case(
        "k8s-gke-pod-all-fabric-interfaces", Outcome.NOT_APPLICABLE, {**gke(a=gpus(), b=gpus(networks=0)), **trainer()}
    ),
    Case("k8s-gke-interfaces-no-host-network", Outcome.PASS, pod(metadata=interfaces("a"))),
    Case(
        "k8s-gke-interfaces-no-host-network",
        Outcome.FAIL,
        pod(metadata=interfaces("a"), hostNetwork=True),
        "spec.hostNetwork",
        "Leave",
    ),
    Case("k8s-gke-interfaces-no-host-network", Outcome.UNKNOWN, pod(metadata=interfaces("a"), hostNetwork=UNKNOWN)),
    Case("k8s-gke-interfaces-no-host-network", Outcome.NOT_APPLICABLE, pod(hostNetwork=True)),
    Case("k8s-gpudirect-daemon-sidecar", Outcome.PASS, trainer(first=[daemon()])),
    Case("k8s-gpudirect-daemon-sidecar", Outcome.PASS, pod(limited(gpu="8"), daemon(restartPolicy=None))),
    Case(
        "k8s-gpudirect-daemon-sidecar",
        Outcome.FAIL,
        trainer(containers=[limited(gpu="8"), daemon(restartPolicy=None)]),
        "spec.template.spec.containers[1].name",
        "initContainers",
    ),
    Case(
        "k8s-gpudirect-daemon-sidecar",
        Outcome.FAIL,
        trainer(first=[daemon(restartPolicy=None)]),
        "spec.template.spec.initContainers[0].restartPolicy",
        "makes it a sidecar",
    ),
    Case("k8s-gpudirect-daemon-sidecar", Outcome.UNKNOWN, trainer(first=[daemon(restartPolicy=UNKNOWN)])),
    Case("k8s-gpudirect-daemon-sidecar", Outcome.NOT_APPLICABLE, trainer()),
    Case("k8s-gpudirect-daemon-present", Outcome.PASS, mega(metadata=ALL_EIGHT, first=[daemon()])),
    Case(
        "k8s-gpudirect-daemon-present",
        Outcome.FAIL,
        mega(metadata=ALL_EIGHT),
        "spec.template.spec.initContainers",
        "tcpgpudmarxd-dev:v1.0.21 as a sidecar",
    ),
    Case(
        "k8s-gpudirect-daemon-present",
        Outcome.FAIL,
        mega(metadata=ALL_EIGHT, first=[daemon(fabric="other")]),
        "spec.template.spec.initContainers",
        "no container",
    ),
    Case("k8s-gpudirect-daemon-present", Outcome.UNKNOWN, trainer(metadata=ALL_EIGHT)),
    Case("k8s-gpudirect-daemon-present", Outcome.NOT_APPLICABLE, {**ULTRA, **trainer(metadata=ALL_EIGHT)}),
    Case("k8s-gpudirect-daemon-present", Outcome.NOT_APPLICABLE, mega()),
    Case("k8s-gpudirect-daemon-release", Outcome.PASS, {**installer(), **with_daemon()}),
    Case("k8s-gpudirect-daemon-release", Outcome.PASS, {**installer("v1.0.14"), **with_daemon(tag="v1.0.20")}),
    Case(
        "k8s-gpudirect-daemon-release",
        Outcome.FAIL,
        {**installer("v1.0.14"), **with_daemon()},
        "spec.initContainers[0].image",
        "Use the daemon v1.0.20",
    ),
    Case("k8s-gpudirect-daemon-release", Outcome.UNKNOWN, with_daemon()),
    Case("k8s-gpudirect-daemon-release", Outcome.UNKNOWN, {**installer("v9"), **with_daemon()}),
    Case("k8s-gpudirect-daemon-release", Outcome.UNKNOWN, {**installer(fabric="tcpx"), **with_daemon()}),
    Case("k8s-gpudirect-daemon-release", Outcome.NOT_APPLICABLE, {**installer(), **pod()}),
    Case(
        "k8s-gpudirect-daemon-devices",
        Outcome.PASS,
        with_daemon(annotations={"devices.gke.io/container.daemon": DEVICES}),
    ),
    Case("k8s-gpudirect-daemon-devices", Outcome.PASS, with_daemon(securityContext={"privileged": True})),
    Case(
        "k8s-gpudirect-daemon-devices",
        Outcome.FAIL,
        with_daemon(),
        says="does not get /dev/nvidia0",
        path="metadata.annotations",
    ),
    Case(
        "k8s-gpudirect-daemon-devices",
        Outcome.FAIL,
        with_daemon(annotations={"devices.gke.io/container.main": DEVICES}),
        "metadata.annotations",
        "devices.gke.io/container.daemon",
    ),
    Case(
        "k8s-gpudirect-daemon-devices",
        Outcome.UNKNOWN,
        with_daemon(annotations={"devices.gke.io/container.daemon": UNKNOWN}),
    ),
    Case("k8s-gpudirect-daemon-devices", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-gpudirect-aperture-mounted", Outcome.PASS, with_daemon({**limited(gpu="8"), "volumeMounts": APERTURE})),
    Case(
        "k8s-gpudirect-aperture-mounted",
        Outcome.PASS,
        with_daemon({**limited(gpu="8"), "securityContext": {"privileged": True}}),
    ),
    Case(
        "k8s-gpudirect-aperture-mounted",
        Outcome.FAIL,
        with_daemon(),
        "spec.containers[0].volumeMounts",
        "/dev/aperture_devices",
    ),
    Case("k8s-gpudirect-aperture-mounted", Outcome.UNKNOWN, with_daemon({**limited(gpu="8"), "volumeMounts": UNKNOWN})),
    Case("k8s-gpudirect-aperture-mounted", Outcome.NOT_APPLICABLE, with_daemon(fabric="tcpx", tag="v2.0.12")),
    Case("k8s-gpudirect-aperture-mounted", Outcome.NOT_APPLICABLE, pod(limited(gpu="8"))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_gpudirect_says_what_training_would_show(case: Case) -> None:
    check(case)


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
        rule.id: verdict(Case(rule.id, Outcome.PASS, program)).outcome for rule in RULES if rule.id.startswith("k8s-")
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
    outcome = verdict(Case("k8s-gke-pod-all-fabric-interfaces", Outcome.PASS, program)).outcome

    assert outcome is (Outcome.FAIL if count > 1 else Outcome.NOT_APPLICABLE)


def test_servers_that_know_nothing_of_each_other_need_no_fabric() -> None:
    template = {"metadata": {"labels": {"app": "it"}}, "spec": {"containers": [limited(gpu="8")]}}

    check(
        Case("k8s-gke-pod-all-fabric-interfaces", Outcome.NOT_APPLICABLE, {**MEGA, **deployment(template, replicas=3)})
    )


def test_interfaces_that_cannot_be_read_are_another_rules_business() -> None:
    check(
        Case(
            "k8s-gke-interfaces-no-host-network", Outcome.NOT_APPLICABLE, pod(metadata=annotated("{"), hostNetwork=True)
        )
    )
