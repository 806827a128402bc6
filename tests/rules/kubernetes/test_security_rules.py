"""Pod Security Standards and role bindings."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import container, namespace, pod
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import CLUSTER_ROLE_BINDING, CONFIG_MAP, NAMESPACE, ROLE_BINDING

LABEL = "pod-security.kubernetes.io/"
OTHER: Program = {"it": (CONFIG_MAP, {})}
TEAM = {"name": "it", "namespace": "team"}
FIRST = "spec.containers[0]"
SAFE = {
    "allowPrivilegeEscalation": False,
    "runAsNonRoot": True,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}


def labelled(key: str, value: Any) -> Program:
    """A namespace with a label of Pod Security Admission."""
    return {"it": (NAMESPACE, {"metadata": {"labels": {f"{LABEL}{key}": value}}})}


def under(level: str, *containers: dict[str, Any], **spec: Any) -> Program:
    """A pod in a namespace that enforces a level."""
    return {**namespace(labels={f"{LABEL}enforce": level}), **pod(*containers, metadata=TEAM, **spec)}


def secured(**security: Any) -> dict[str, Any]:
    """A container with a security context."""
    return container(securityContext=security)


def binding(type_: str = ROLE_BINDING, role: Any = None, **subject: Any) -> Program:
    """A binding of a role to a subject."""
    subjects = [subject or {"kind": "ServiceAccount", "name": "a", "namespace": "team"}]
    return {"it": (type_, {"roleRef": role or {"kind": "ClusterRole", "name": "view"}, "subjects": subjects})}


CASES = [
    Case("k8s-ns-pod-security-labels", Outcome.PASS, labelled("enforce", "restricted")),
    Case(
        "k8s-ns-pod-security-labels",
        Outcome.FAIL,
        labelled("enforce", "strict"),
        path=f"metadata.labels.{LABEL}enforce",
        says="baseline",
    ),
    Case(
        "k8s-ns-pod-security-labels",
        Outcome.FAIL,
        labelled("enforced", "baseline"),
        path=f"metadata.labels.{LABEL}enforced",
    ),
    Case("k8s-ns-pod-security-labels", Outcome.UNKNOWN, labelled("enforce", UNKNOWN)),
    Case("k8s-ns-pod-security-labels", Outcome.NOT_APPLICABLE, labelled("enforce-version", "latest")),
    Case("k8s-pod-security-level-met", Outcome.PASS, under("restricted", secured(**SAFE))),
    Case(
        "k8s-pod-security-level-met",
        Outcome.PASS,
        under(
            "restricted",
            secured(allowPrivilegeEscalation=False, capabilities={"drop": ["ALL"]}),
            securityContext={"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        ),
    ),
    Case(
        "k8s-pod-security-level-met",
        Outcome.PASS,
        under("baseline", secured(capabilities={"add": ["NET_BIND_SERVICE", "KILL"]})),
    ),
    Case(
        "k8s-pod-security-level-met",
        Outcome.FAIL,
        under("baseline", secured(privileged=True)),
        path=f"{FIRST}.securityContext.privileged",
    ),
    Case(
        "k8s-pod-security-level-met",
        Outcome.FAIL,
        under("baseline", secured(capabilities={"add": ["IPC_LOCK"]})),
        path=f"{FIRST}.securityContext.capabilities.add",
        says="IPC_LOCK",
    ),
    Case("k8s-pod-security-level-met", Outcome.FAIL, under("baseline", hostNetwork=True), path="spec.hostNetwork"),
    Case(
        "k8s-pod-security-level-met",
        Outcome.FAIL,
        under("baseline", volumes=[{"name": "a", "hostPath": {"path": "/"}}]),
        path="spec.volumes[0].hostPath",
    ),
    Case(
        "k8s-pod-security-level-met",
        Outcome.FAIL,
        under("restricted"),
        path=f"{FIRST}.securityContext.allowPrivilegeEscalation",
        says="runAsNonRoot",
    ),
    Case(
        "k8s-pod-security-level-met",
        Outcome.FAIL,
        under("restricted", secured(**SAFE | {"runAsNonRoot": False})),
        path=f"{FIRST}.securityContext.runAsNonRoot",
    ),
    Case("k8s-pod-security-level-met", Outcome.UNKNOWN, pod(metadata=TEAM)),
    Case("k8s-pod-security-level-met", Outcome.UNKNOWN, under("baseline", hostNetwork=UNKNOWN)),
    Case("k8s-pod-security-level-met", Outcome.NOT_APPLICABLE, {**namespace(), **pod(metadata=TEAM)}),
    Case("k8s-rbac-binding-valid", Outcome.PASS, binding()),
    Case("k8s-rbac-binding-valid", Outcome.PASS, binding(kind="Group", name="a", apiGroup="rbac.authorization.k8s.io")),
    Case(
        "k8s-rbac-binding-valid",
        Outcome.FAIL,
        binding(CLUSTER_ROLE_BINDING, {"kind": "Role", "name": "a"}),
        path="roleRef.kind",
        says="ClusterRole",
    ),
    Case(
        "k8s-rbac-binding-valid", Outcome.FAIL, binding(kind="ServiceAccount", name="a"), path="subjects[0].namespace"
    ),
    Case("k8s-rbac-binding-valid", Outcome.FAIL, binding(kind="Role", name="a"), path="subjects[0].kind"),
    Case(
        "k8s-rbac-binding-valid",
        Outcome.FAIL,
        binding(kind="User", name="a", apiGroup="v1"),
        path="subjects[0].apiGroup",
    ),
    Case(
        "k8s-rbac-binding-valid",
        Outcome.FAIL,
        binding(role={"kind": "Role", "apiGroup": "v1"}),
        path="roleRef.apiGroup",
    ),
    Case("k8s-rbac-binding-valid", Outcome.UNKNOWN, binding(kind=UNKNOWN)),
    Case("k8s-rbac-binding-valid", Outcome.NOT_APPLICABLE, OTHER),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_security_says_what_an_api_server_would(case: Case) -> None:
    check(case)
