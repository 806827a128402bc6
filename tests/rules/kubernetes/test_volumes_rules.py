"""Volumes, and what pods refer to by name."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import container, pod
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.values import Secret as Hidden
from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import CLAIM, CONFIG_MAP, SECRET, SERVICE_ACCOUNT, STATEFUL_SET, STORAGE_CLASS

OTHER: Program = {"it": (CONFIG_MAP, {})}
SHM = {"name": "shm", "emptyDir": {"medium": "Memory"}}


def mounting(*mounts: dict[str, Any], volumes: Any = (SHM,)) -> Program:
    """A pod whose container mounts volumes."""
    return pod(container(volumeMounts=list(mounts)), volumes=list(volumes) if isinstance(volumes, tuple) else volumes)


def at(path: Any, name: str = "shm") -> dict[str, Any]:
    """A mount."""
    return {"name": name, "mountPath": path}


def variable(kind: str, **reference: Any) -> Program:
    """A pod with a variable from a ConfigMap or a Secret."""
    return pod(container(env=[{"name": "A", "valueFrom": {kind: reference}}]))


def holding(type_: str = CONFIG_MAP, namespace: str = "default", **inputs: Any) -> Program:
    """A ConfigMap, Secret or the like that is named `settings`."""
    return {"settings": (type_, {"metadata": {"name": "settings", "namespace": namespace}, **inputs})}


def stateful(**claim: Any) -> Program:
    """A StatefulSet whose pods mount what they claim."""
    spec = {"containers": [container(volumeMounts=[at("/data", "data")])]}
    claims = [{"metadata": {"name": "data"}, "spec": claim}]
    return {"it": (STATEFUL_SET, {"spec": {"template": {"spec": spec}, "volumeClaimTemplates": claims}})}


def claim(modes: Any = ("ReadWriteOnce",), storage: Any = "100Gi") -> dict[str, Any]:
    """What a claim says."""
    return {"accessModes": list(modes), "resources": {"requests": {"storage": storage}}}


MOUNT = "spec.containers[0].volumeMounts"
ENV = "spec.containers[0].env[0].valueFrom"
USING = pod(serviceAccountName="settings")
KEYED = variable("configMapKeyRef", name="settings", key="a")
MANY = {"name": "many", "emptyDir": {}, "configMap": {"name": "a"}}


def sharing(mode: Any = "ReadWriteMany", **security: Any) -> Program:
    """A pod that mounts a claim of the program, with a security context."""
    data = {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}
    spec = {"accessModes": [mode], "resources": {"requests": {"storage": "1Ti"}}}
    files = {"files": (CLAIM, {"metadata": {"name": "data"}, "spec": spec})}
    return {**files, **pod(volumes=[data], securityContext=security)}


CASES = [
    Case("K8S-VOL-001", Outcome.PASS, mounting(at("/dev/shm"))),
    Case("K8S-VOL-001", Outcome.PASS, stateful(**claim())),
    Case("K8S-VOL-001", Outcome.FAIL, mounting(at("/dev/shm", "shn")), path=f"{MOUNT}[0].name", says="shm"),
    Case("K8S-VOL-001", Outcome.FAIL, mounting(at("/a"), at("/a")), path=f"{MOUNT}[1].mountPath"),
    Case("K8S-VOL-001", Outcome.FAIL, mounting({"name": "shm"}), path=f"{MOUNT}[0].mountPath"),
    Case("K8S-VOL-001", Outcome.UNKNOWN, mounting(at("/a"), volumes=UNKNOWN)),
    Case("K8S-VOL-001", Outcome.NOT_APPLICABLE, pod()),
    Case("K8S-VOL-002", Outcome.PASS, pod(volumes=[SHM, {"name": "empty"}])),
    Case("K8S-VOL-002", Outcome.FAIL, pod(volumes=[SHM, SHM]), path="spec.volumes[1].name", says="two"),
    Case("K8S-VOL-002", Outcome.FAIL, pod(volumes=[{"name": "my_data"}]), path="spec.volumes[0].name"),
    Case("K8S-VOL-002", Outcome.FAIL, pod(volumes=[MANY]), path="spec.volumes[0].configMap", says="emptyDir"),
    Case("K8S-VOL-002", Outcome.UNKNOWN, pod(volumes=[{"name": UNKNOWN}])),
    Case("K8S-VOL-002", Outcome.NOT_APPLICABLE, pod()),
    Case("K8S-VOL-003", Outcome.PASS, {**holding(data={"a": "1"}), **KEYED}),
    Case(
        "K8S-VOL-003",
        Outcome.PASS,
        {**holding(SECRET, stringData={"a": Hidden("x")}), **variable("secretKeyRef", name="settings", key="a")},
    ),
    Case(
        "K8S-VOL-003", Outcome.FAIL, {**holding(data={"b": "1"}), **KEYED}, path=f"{ENV}.configMapKeyRef.key", says="b"
    ),
    Case("K8S-VOL-003", Outcome.UNKNOWN, KEYED),
    Case("K8S-VOL-003", Outcome.UNKNOWN, {**holding(data=UNKNOWN), **KEYED}),
    Case("K8S-VOL-003", Outcome.NOT_APPLICABLE, pod()),
    Case(
        "K8S-VOL-003",
        Outcome.NOT_APPLICABLE,
        {**holding(data={"b": "1"}), **variable("configMapKeyRef", name="settings", key="a", optional=True)},
    ),
    Case("K8S-VOL-004", Outcome.PASS, {**holding(SERVICE_ACCOUNT), **USING}),
    Case(
        "K8S-VOL-004",
        Outcome.FAIL,
        {**holding(SERVICE_ACCOUNT, "team"), **USING},
        path="spec.serviceAccountName",
        says="team",
    ),
    Case(
        "K8S-VOL-004",
        Outcome.FAIL,
        {
            **holding(CLAIM, "team"),
            **pod(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "settings"}}]),
        },
        path="spec.volumes[0].persistentVolumeClaim.claimName",
    ),
    Case(
        "K8S-VOL-004",
        Outcome.FAIL,
        {**holding(CLAIM), **pod(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "setings"}}])},
        path="spec.volumes[0].persistentVolumeClaim.claimName",
        says="Did you mean settings?",
    ),
    Case("K8S-VOL-004", Outcome.UNKNOWN, USING),
    Case("K8S-VOL-004", Outcome.NOT_APPLICABLE, pod()),
    Case("K8S-VOL-005", Outcome.PASS, {"it": (CLAIM, {"spec": claim()})}),
    Case("K8S-VOL-005", Outcome.PASS, stateful(**claim(("ReadWriteMany",)))),
    Case(
        "K8S-VOL-005", Outcome.FAIL, {"it": (CLAIM, {"spec": claim(("RWO",))})}, path="spec.accessModes[0]", says="RWO"
    ),
    Case("K8S-VOL-005", Outcome.FAIL, {"it": (CLAIM, {"spec": claim(())})}, path="spec.accessModes"),
    Case(
        "K8S-VOL-005",
        Outcome.FAIL,
        {"it": (CLAIM, {"spec": claim(storage="100GB")})},
        path="spec.resources.requests.storage",
        says="100GB",
    ),
    Case(
        "K8S-VOL-005",
        Outcome.FAIL,
        stateful(accessModes=["ReadWriteOnce"]),
        path="spec.volumeClaimTemplates[0].spec.resources.requests.storage",
    ),
    Case("K8S-VOL-005", Outcome.UNKNOWN, {"it": (CLAIM, {"spec": claim(storage=UNKNOWN)})}),
    Case("K8S-VOL-005", Outcome.NOT_APPLICABLE, OTHER),
    Case("K8S-VOL-006", Outcome.PASS, {"it": (STORAGE_CLASS, {"provisioner": "ebs.csi.aws.com"})}),
    Case("K8S-VOL-006", Outcome.FAIL, {"it": (STORAGE_CLASS, {})}, path="provisioner"),
    Case(
        "K8S-VOL-006",
        Outcome.FAIL,
        {"it": (STORAGE_CLASS, {"provisioner": "ebs.csi.aws.com", "volumeBindingMode": "Late"})},
        path="volumeBindingMode",
        says="WaitForFirstConsumer",
    ),
    Case("K8S-VOL-006", Outcome.UNKNOWN, {"it": (STORAGE_CLASS, {"provisioner": UNKNOWN})}),
    Case("K8S-VOL-006", Outcome.NOT_APPLICABLE, OTHER),
    Case("K8S-VOL-007", Outcome.PASS, sharing(fsGroup=1000, fsGroupChangePolicy="OnRootMismatch")),
    Case("K8S-VOL-007", Outcome.PASS, sharing("ReadWriteOnce", fsGroup=1000)),
    Case(
        "K8S-VOL-007",
        Outcome.FAIL,
        sharing(fsGroup=1000),
        path="spec.securityContext.fsGroupChangePolicy",
        says="OnRootMismatch",
    ),
    Case("K8S-VOL-007", Outcome.UNKNOWN, sharing(fsGroup=1000, fsGroupChangePolicy=UNKNOWN)),
    Case(
        "K8S-VOL-007",
        Outcome.UNKNOWN,
        pod(volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "d"}}], securityContext={"fsGroup": 1}),
    ),
    Case("K8S-VOL-007", Outcome.NOT_APPLICABLE, sharing(runAsUser=1000)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_volumes_says_what_kubernetes_would(case: Case) -> None:
    check(case)
