"""Containers: what an API server refuses in a pod."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import container, job, limited, pod
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN, Secret
from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import CONFIG_MAP

FIRST = "spec.containers[0]"
OTHER: Program = {"it": (CONFIG_MAP, {})}


def env(**variable: Any) -> Program:
    """A pod with one environment variable."""
    return pod(container(env=[variable]))


def probe(kind: str = "readinessProbe", **fields: Any) -> Program:
    """A pod with a probe."""
    return pod(container(**{kind: fields}))


def ports(*found: dict[str, Any]) -> Program:
    """A pod with ports."""
    return pod(container(ports=list(found)))


def required(**expression: Any) -> Program:
    """A pod that asks something of its node."""
    terms = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "pool", **expression}]}]}
    return pod(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}})


TERM = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
DIGEST = f"nvcr.io/nvidia/pytorch@sha256:{'0' * 64}"
SPLIT = {"volumes": [{"name": "ib", "hostPath": {"path": "/dev/infiniband"}}]}

PROBED_PORT = "spec.containers[0].readinessProbe.httpGet.port"


def probed(port: Any) -> Program:
    """A pod that is asked at a port whether it is ready."""
    asked = {"httpGet": {"path": "/", "port": port}}
    return pod(container(ports=[{"containerPort": 8000, "name": "http"}], readinessProbe=asked))


CASES = [
    Case("k8s-container-names-unique", Outcome.PASS, pod(container("a"), container("b"))),
    Case(
        "k8s-container-names-unique", Outcome.FAIL, pod(container("a"), container("a")), path="spec.containers[1].name"
    ),
    Case("k8s-container-names-unique", Outcome.FAIL, pod(container("Main")), path=f"{FIRST}.name", says="Main"),
    Case(
        "k8s-container-names-unique",
        Outcome.FAIL,
        {"it": (pod()["it"][0], {"spec": {"containers": []}})},
        path="spec.containers",
    ),
    Case(
        "k8s-container-names-unique",
        Outcome.FAIL,
        pod(container("a"), initContainers=[container("a")]),
        path=f"{FIRST}.name",
    ),
    Case("k8s-container-names-unique", Outcome.UNKNOWN, pod(container(UNKNOWN))),
    Case("k8s-container-names-unique", Outcome.NOT_APPLICABLE, OTHER),
    *(
        Case("k8s-container-image-reference", Outcome.PASS, pod(container(image=image)))
        for image in (
            "nginx",
            "localhost:5000/a/b_c:V1.2",
            DIGEST,
            "ghcr.io/Me/x".lower(),
            "a--b/c__d:1@" + DIGEST[23:],
        )
    ),
    Case(
        "k8s-container-image-reference",
        Outcome.FAIL,
        pod(container(image="ghcr.io/Me/App:1")),
        path=f"{FIRST}.image",
        says="small",
    ),
    Case("k8s-container-image-reference", Outcome.FAIL, pod({"name": "main"}), path=f"{FIRST}.image", says="no image"),
    Case("k8s-container-image-reference", Outcome.FAIL, pod(container(image="nginx:")), path=f"{FIRST}.image"),
    Case("k8s-container-image-reference", Outcome.FAIL, pod(container(image=" nginx")), path=f"{FIRST}.image"),
    Case("k8s-container-image-reference", Outcome.UNKNOWN, pod(container(image=UNKNOWN))),
    Case("k8s-container-image-reference", Outcome.NOT_APPLICABLE, OTHER),
    Case(
        "k8s-container-ports-valid", Outcome.PASS, ports({"containerPort": 80, "name": "http"}, {"containerPort": 81})
    ),
    Case(
        "k8s-container-ports-valid",
        Outcome.FAIL,
        ports({"containerPort": 70000}),
        path=f"{FIRST}.ports[0].containerPort",
    ),
    Case("k8s-container-ports-valid", Outcome.FAIL, ports({"name": "http"}), path=f"{FIRST}.ports[0].containerPort"),
    Case(
        "k8s-container-ports-valid",
        Outcome.FAIL,
        ports({"containerPort": 1, "name": "a-very-long-name"}),
        path=f"{FIRST}.ports[0].name",
        says="15",
    ),
    Case(
        "k8s-container-ports-valid",
        Outcome.FAIL,
        ports({"containerPort": 1, "name": "a"}, {"containerPort": 2, "name": "a"}),
        path=f"{FIRST}.ports[1].name",
    ),
    Case("k8s-container-ports-valid", Outcome.UNKNOWN, ports({"containerPort": UNKNOWN})),
    Case("k8s-container-ports-valid", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-container-env-valid", Outcome.PASS, env(name="NCCL_DEBUG", value=Secret("INFO"))),
    Case("k8s-container-env-valid", Outcome.FAIL, env(name="A=B", value="1"), path=f"{FIRST}.env[0].name", says="A=B"),
    Case("k8s-container-env-valid", Outcome.FAIL, env(value="1"), path=f"{FIRST}.env[0].name"),
    Case(
        "k8s-container-env-valid",
        Outcome.FAIL,
        env(name="A", value="1", valueFrom={}),
        path=f"{FIRST}.env[0].valueFrom",
    ),
    Case("k8s-container-env-valid", Outcome.UNKNOWN, env(name=UNKNOWN, value="1")),
    Case("k8s-container-env-valid", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-probe-fields-valid", Outcome.PASS, probe(tcpSocket={"port": 80}, periodSeconds=5, successThreshold=2)),
    Case(
        "k8s-probe-fields-valid", Outcome.FAIL, probe(periodSeconds=5), path=f"{FIRST}.readinessProbe", says="httpGet"
    ),
    Case(
        "k8s-probe-fields-valid",
        Outcome.FAIL,
        probe(exec={"command": ["true"]}, tcpSocket={"port": 80}),
        path=f"{FIRST}.readinessProbe",
    ),
    Case(
        "k8s-probe-fields-valid",
        Outcome.FAIL,
        probe("livenessProbe", tcpSocket={"port": 80}, successThreshold=2),
        path=f"{FIRST}.livenessProbe.successThreshold",
    ),
    Case(
        "k8s-probe-fields-valid",
        Outcome.FAIL,
        probe(httpGet={"port": 80, "scheme": "https"}),
        path=f"{FIRST}.readinessProbe.httpGet.scheme",
        says="HTTPS",
    ),
    Case(
        "k8s-probe-fields-valid",
        Outcome.FAIL,
        probe(tcpSocket={"port": 80}, periodSeconds=-1),
        path=f"{FIRST}.readinessProbe.periodSeconds",
    ),
    Case("k8s-probe-fields-valid", Outcome.UNKNOWN, probe(tcpSocket={"port": 80}, periodSeconds=UNKNOWN)),
    Case("k8s-probe-fields-valid", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-pod-policy-values", Outcome.PASS, pod(container(imagePullPolicy="Never"), dnsPolicy="Default")),
    Case(
        "k8s-pod-policy-values", Outcome.FAIL, pod(container(imagePullPolicy="always")), path=f"{FIRST}.imagePullPolicy"
    ),
    Case("k8s-pod-policy-values", Outcome.FAIL, pod(dnsPolicy="Cluster"), path="spec.dnsPolicy", says="ClusterFirst"),
    Case("k8s-pod-policy-values", Outcome.UNKNOWN, pod(dnsPolicy=UNKNOWN)),
    Case("k8s-pod-policy-values", Outcome.NOT_APPLICABLE, job()),
    Case(
        "k8s-pod-tolerations-valid", Outcome.PASS, pod(tolerations=[{"operator": "Exists"}, {"key": "a", "value": "b"}])
    ),
    Case(
        "k8s-pod-tolerations-valid",
        Outcome.FAIL,
        pod(tolerations=[{"key": "a", "operator": "Exists", "effect": "NO_SCHEDULE"}]),
        path="spec.tolerations[0].effect",
        says="NoSchedule",
    ),
    Case(
        "k8s-pod-tolerations-valid",
        Outcome.FAIL,
        pod(tolerations=[{"key": "a", "operator": "Exists", "value": "b"}]),
        path="spec.tolerations[0].value",
    ),
    Case("k8s-pod-tolerations-valid", Outcome.FAIL, pod(tolerations=[{"value": "b"}]), path="spec.tolerations[0].key"),
    Case(
        "k8s-pod-tolerations-valid",
        Outcome.FAIL,
        pod(tolerations=[{"key": "a", "effect": "NoSchedule", "tolerationSeconds": 5}]),
        path="spec.tolerations[0].tolerationSeconds",
    ),
    Case("k8s-pod-tolerations-valid", Outcome.UNKNOWN, pod(tolerations=[{"key": "a", "effect": UNKNOWN}])),
    Case("k8s-pod-tolerations-valid", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-node-affinity-operands", Outcome.PASS, required(operator="In", values=["a"])),
    Case(
        "k8s-node-affinity-operands",
        Outcome.FAIL,
        required(operator="In"),
        path=f"{TERM}[0].matchExpressions[0].values",
    ),
    Case(
        "k8s-node-affinity-operands",
        Outcome.FAIL,
        required(operator="Gt", values=["1", "2"]),
        path=f"{TERM}[0].matchExpressions[0].values",
    ),
    Case(
        "k8s-node-affinity-operands",
        Outcome.FAIL,
        required(operator="Equals"),
        path=f"{TERM}[0].matchExpressions[0].operator",
    ),
    Case(
        "k8s-node-affinity-operands",
        Outcome.FAIL,
        pod(affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {}}}),
        path=TERM,
    ),
    Case("k8s-node-affinity-operands", Outcome.UNKNOWN, required(operator=UNKNOWN)),
    Case("k8s-node-affinity-operands", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-efa-no-infiniband-mount", Outcome.PASS, pod(limited(efa="4"))),
    Case(
        "k8s-efa-no-infiniband-mount",
        Outcome.FAIL,
        pod(limited(efa="4"), **SPLIT),
        path="spec.volumes[0].hostPath.path",
    ),
    Case("k8s-efa-no-infiniband-mount", Outcome.UNKNOWN, pod(limited(efa="4"), volumes=UNKNOWN)),
    Case("k8s-efa-no-infiniband-mount", Outcome.NOT_APPLICABLE, pod(**SPLIT)),
    Case("k8s-probe-port-declared", Outcome.PASS, probed("http")),
    Case("k8s-probe-port-declared", Outcome.FAIL, probed("web"), path=PROBED_PORT, says="Its ports: http"),
    Case("k8s-probe-port-declared", Outcome.UNKNOWN, probed(UNKNOWN)),
    Case("k8s-probe-port-declared", Outcome.NOT_APPLICABLE, probed(8000)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_containers_says_what_an_api_server_would(case: Case) -> None:
    check(case)
