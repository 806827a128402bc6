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
    Case("k8s-service-ports-valid", Outcome.PASS, service({"port": 80, "targetPort": "http"})),
    Case("k8s-service-ports-valid", Outcome.PASS, service({"port": 80, "name": "a"}, {"port": 81, "name": "b"})),
    Case("k8s-service-ports-valid", Outcome.PASS, {"it": (SERVICE, {"spec": {"type": "ExternalName"}})}),
    Case(
        "k8s-service-ports-valid",
        Outcome.FAIL,
        service({"port": 80}, {"port": 81}),
        path="spec.ports[0].name",
        says="several",
    ),
    Case("k8s-service-ports-valid", Outcome.FAIL, service({"port": 0}), path="spec.ports[0].port"),
    Case(
        "k8s-service-ports-valid",
        Outcome.FAIL,
        service({"port": 1, "targetPort": 70000}),
        path="spec.ports[0].targetPort",
    ),
    Case(
        "k8s-service-ports-valid", Outcome.FAIL, service({"port": 1, "protocol": "HTTP"}), path="spec.ports[0].protocol"
    ),
    Case("k8s-service-ports-valid", Outcome.FAIL, service(type="Loadbalancer"), path="spec.type", says="LoadBalancer"),
    Case("k8s-service-ports-valid", Outcome.FAIL, {"it": (SERVICE, {"spec": {}})}, path="spec.ports"),
    Case(
        "k8s-service-ports-valid",
        Outcome.FAIL,
        service({"port": 1, "name": "a"}, {"port": 2, "name": "a"}),
        path="spec.ports[1].name",
    ),
    Case("k8s-service-ports-valid", Outcome.UNKNOWN, service({"port": UNKNOWN})),
    Case("k8s-service-ports-valid", Outcome.NOT_APPLICABLE, OTHER),
    Case("k8s-service-node-port-range", Outcome.PASS, service({"port": 80, "nodePort": 30080}, type="NodePort")),
    Case(
        "k8s-service-node-port-range",
        Outcome.FAIL,
        service({"port": 80, "nodePort": 8080}),
        path="spec.ports[0].nodePort",
        says="30000",
    ),
    Case("k8s-service-node-port-range", Outcome.UNKNOWN, service({"port": 80, "nodePort": UNKNOWN})),
    Case("k8s-service-node-port-range", Outcome.NOT_APPLICABLE, service()),
    Case("k8s-service-selects-pods", Outcome.PASS, {**pods(), **service(**CHOOSING)}),
    Case(
        "k8s-service-selects-pods",
        Outcome.FAIL,
        {**pods(label="other"), **service(**CHOOSING)},
        path="spec.selector",
        says="app=web",
    ),
    Case("k8s-service-selects-pods", Outcome.UNKNOWN, {**pods("team"), **service(**CHOOSING)}),
    Case(
        "k8s-service-selects-pods", Outcome.UNKNOWN, {**pods(label="other"), **release("x", "x"), **service(**CHOOSING)}
    ),
    Case("k8s-service-selects-pods", Outcome.UNKNOWN, {**pods(label=UNKNOWN), **service(**CHOOSING)}),
    Case("k8s-service-selects-pods", Outcome.NOT_APPLICABLE, service()),
    Case(
        "k8s-service-target-port-exists",
        Outcome.PASS,
        {**pods(), **service({"port": 80, "targetPort": "http"}, **CHOOSING)},
    ),
    Case(
        "k8s-service-target-port-exists",
        Outcome.FAIL,
        {**pods(), **service({"port": 80, "targetPort": "web"}, **CHOOSING)},
        path="spec.ports[0].targetPort",
        says="http",
    ),
    Case("k8s-service-target-port-exists", Outcome.UNKNOWN, service({"port": 80, "targetPort": "web"}, **CHOOSING)),
    Case(
        "k8s-service-target-port-exists",
        Outcome.NOT_APPLICABLE,
        {**pods(), **service({"port": 80, "targetPort": 8000}, **CHOOSING)},
    ),
    Case("k8s-ingress-paths-valid", Outcome.PASS, ingress()),
    Case("k8s-ingress-paths-valid", Outcome.FAIL, ingress(pathType=None), path=f"{PATH}.pathType", says="Prefix"),
    Case("k8s-ingress-paths-valid", Outcome.FAIL, ingress(path="api"), path=f"{PATH}.path", says="api"),
    Case("k8s-ingress-paths-valid", Outcome.FAIL, ingress(pathType="prefix"), path=f"{PATH}.pathType"),
    Case("k8s-ingress-paths-valid", Outcome.UNKNOWN, ingress(pathType=UNKNOWN)),
    Case("k8s-ingress-paths-valid", Outcome.NOT_APPLICABLE, {"it": (INGRESS, {"spec": {}})}),
    Case("k8s-ingress-backends-exist", Outcome.PASS, {**WEB, **ingress()}),
    Case(
        "k8s-ingress-backends-exist",
        Outcome.FAIL,
        {**WEB, **ingress(port={"number": 8080})},
        path=f"{PATH}.backend.service.port",
        says="80",
    ),
    Case(
        "k8s-ingress-backends-exist",
        Outcome.FAIL,
        {**WEB, **ingress(port={"name": "http"})},
        path=f"{PATH}.backend.service.port",
    ),
    Case(
        "k8s-ingress-backends-exist",
        Outcome.FAIL,
        {"web": (SERVICE, {"metadata": {"name": "web", "namespace": "team"}, "spec": {}}), **ingress()},
        path=f"{PATH}.backend.service.name",
        says="team",
    ),
    Case("k8s-ingress-backends-exist", Outcome.UNKNOWN, ingress()),
    Case("k8s-ingress-backends-exist", Outcome.NOT_APPLICABLE, OTHER),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_services_says_what_kubernetes_would(case: Case) -> None:
    check(case)
