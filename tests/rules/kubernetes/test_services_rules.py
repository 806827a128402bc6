"""Services and ingresses: what an API server refuses, and what would reach nothing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import container, deployment, release
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import CONFIG_MAP, DEPLOYMENT, INGRESS, SERVICE

OTHER: Program = {"it": (CONFIG_MAP, {})}


def service(*ports: Any, called: Any = "it", **spec: Any) -> Program:
    """A service; its name is `web`."""
    own = {"ports": list(ports) or [{"port": 80}]} | spec
    return {called: (SERVICE, {"metadata": {"name": "web"}, "spec": own})}


def pods(namespace: str = "default", label: Any = "web") -> Program:
    """A Deployment of pods with a port that has a name."""
    spec = {"containers": [container(ports=[{"containerPort": 8000, "name": "http"}])]}
    template = {"metadata": {"labels": {"app": label}}, "spec": spec}
    inputs = deployment(template)["it"][1]
    return {"pods": (DEPLOYMENT, {**inputs, "metadata": {"name": "pods", "namespace": namespace}})}


def ingress(*, port: Any = None, name: str = "web", **path: Any) -> Program:
    """An ingress with one path."""
    backend = {"service": {"name": name, "port": port or {"number": 80}}}
    paths = [{"path": "/", "pathType": "Prefix", "backend": backend} | path]
    return {"it": (INGRESS, {"spec": {"rules": [{"http": {"paths": paths}}]}})}


CHOOSING = {"selector": {"app": "web"}}
PATH = "spec.rules[0].http.paths[0]"
WEB = service(called="web")

CASES = [
    Case("K8S-SVC-001", Outcome.PASS, service({"port": 80, "targetPort": "http"})),
    Case("K8S-SVC-001", Outcome.PASS, service({"port": 80, "name": "a"}, {"port": 81, "name": "b"})),
    Case("K8S-SVC-001", Outcome.PASS, {"it": (SERVICE, {"spec": {"type": "ExternalName"}})}),
    Case("K8S-SVC-001", Outcome.FAIL, service({"port": 80}, {"port": 81}), path="spec.ports[0].name", says="several"),
    Case("K8S-SVC-001", Outcome.FAIL, service({"port": 0}), path="spec.ports[0].port"),
    Case("K8S-SVC-001", Outcome.FAIL, service({"port": 1, "targetPort": 70000}), path="spec.ports[0].targetPort"),
    Case("K8S-SVC-001", Outcome.FAIL, service({"port": 1, "protocol": "HTTP"}), path="spec.ports[0].protocol"),
    Case("K8S-SVC-001", Outcome.FAIL, service(type="Loadbalancer"), path="spec.type", says="LoadBalancer"),
    Case("K8S-SVC-001", Outcome.FAIL, {"it": (SERVICE, {"spec": {}})}, path="spec.ports"),
    Case(
        "K8S-SVC-001",
        Outcome.FAIL,
        service({"port": 1, "name": "a"}, {"port": 2, "name": "a"}),
        path="spec.ports[1].name",
    ),
    Case("K8S-SVC-001", Outcome.UNKNOWN, service({"port": UNKNOWN})),
    Case("K8S-SVC-001", Outcome.NOT_APPLICABLE, OTHER),
    Case("K8S-SVC-002", Outcome.PASS, service({"port": 80, "nodePort": 30080}, type="NodePort")),
    Case(
        "K8S-SVC-002",
        Outcome.FAIL,
        service({"port": 80, "nodePort": 8080}),
        path="spec.ports[0].nodePort",
        says="30000",
    ),
    Case("K8S-SVC-002", Outcome.UNKNOWN, service({"port": 80, "nodePort": UNKNOWN})),
    Case("K8S-SVC-002", Outcome.NOT_APPLICABLE, service()),
    Case("K8S-SVC-003", Outcome.PASS, {**pods(), **service(**CHOOSING)}),
    Case(
        "K8S-SVC-003",
        Outcome.FAIL,
        {**pods(label="other"), **service(**CHOOSING)},
        path="spec.selector",
        says="app=web",
    ),
    Case("K8S-SVC-003", Outcome.UNKNOWN, {**pods("team"), **service(**CHOOSING)}),
    Case("K8S-SVC-003", Outcome.UNKNOWN, {**pods(label="other"), **release("x", "x"), **service(**CHOOSING)}),
    Case("K8S-SVC-003", Outcome.UNKNOWN, {**pods(label=UNKNOWN), **service(**CHOOSING)}),
    Case("K8S-SVC-003", Outcome.NOT_APPLICABLE, service()),
    Case("K8S-SVC-004", Outcome.PASS, {**pods(), **service({"port": 80, "targetPort": "http"}, **CHOOSING)}),
    Case(
        "K8S-SVC-004",
        Outcome.FAIL,
        {**pods(), **service({"port": 80, "targetPort": "web"}, **CHOOSING)},
        path="spec.ports[0].targetPort",
        says="http",
    ),
    Case("K8S-SVC-004", Outcome.UNKNOWN, service({"port": 80, "targetPort": "web"}, **CHOOSING)),
    Case("K8S-SVC-004", Outcome.NOT_APPLICABLE, {**pods(), **service({"port": 80, "targetPort": 8000}, **CHOOSING)}),
    Case("K8S-SVC-005", Outcome.PASS, ingress()),
    Case("K8S-SVC-005", Outcome.FAIL, ingress(pathType=None), path=f"{PATH}.pathType", says="Prefix"),
    Case("K8S-SVC-005", Outcome.FAIL, ingress(path="api"), path=f"{PATH}.path", says="api"),
    Case("K8S-SVC-005", Outcome.FAIL, ingress(pathType="prefix"), path=f"{PATH}.pathType"),
    Case("K8S-SVC-005", Outcome.UNKNOWN, ingress(pathType=UNKNOWN)),
    Case("K8S-SVC-005", Outcome.NOT_APPLICABLE, {"it": (INGRESS, {"spec": {}})}),
    Case("K8S-SVC-006", Outcome.PASS, {**WEB, **ingress()}),
    Case(
        "K8S-SVC-006",
        Outcome.FAIL,
        {**WEB, **ingress(port={"number": 8080})},
        path=f"{PATH}.backend.service.port",
        says="80",
    ),
    Case("K8S-SVC-006", Outcome.FAIL, {**WEB, **ingress(port={"name": "http"})}, path=f"{PATH}.backend.service.port"),
    Case(
        "K8S-SVC-006",
        Outcome.FAIL,
        {"web": (SERVICE, {"metadata": {"name": "web", "namespace": "team"}, "spec": {}}), **ingress()},
        path=f"{PATH}.backend.service.name",
        says="team",
    ),
    Case("K8S-SVC-006", Outcome.UNKNOWN, ingress()),
    Case("K8S-SVC-006", Outcome.NOT_APPLICABLE, OTHER),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_services_says_what_kubernetes_would(case: Case) -> None:
    check(case)
