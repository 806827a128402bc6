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
    Case("k8s-volume-mounts-exist", Outcome.PASS, mounting(at("/dev/shm"))),
    Case("k8s-volume-mounts-exist", Outcome.PASS, stateful(**claim())),
    Case("k8s-volume-mounts-exist", Outcome.FAIL, mounting(at("/dev/shm", "shn")), path=f"{MOUNT}[0].name", says="shm"),
    Case("k8s-volume-mounts-exist", Outcome.FAIL, mounting(at("/a"), at("/a")), path=f"{MOUNT}[1].mountPath"),
    Case("k8s-volume-mounts-exist", Outcome.FAIL, mounting({"name": "shm"}), path=f"{MOUNT}[0].mountPath"),
    Case("k8s-volume-mounts-exist", Outcome.UNKNOWN, mounting(at("/a"), volumes=UNKNOWN)),
    Case("k8s-volume-mounts-exist", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-volume-names-unique", Outcome.PASS, pod(volumes=[SHM, {"name": "empty"}])),
    Case("k8s-volume-names-unique", Outcome.FAIL, pod(volumes=[SHM, SHM]), path="spec.volumes[1].name", says="two"),
    Case("k8s-volume-names-unique", Outcome.FAIL, pod(volumes=[{"name": "my_data"}]), path="spec.volumes[0].name"),
    Case(
        "k8s-volume-names-unique", Outcome.FAIL, pod(volumes=[MANY]), path="spec.volumes[0].configMap", says="emptyDir"
    ),
    Case("k8s-volume-names-unique", Outcome.UNKNOWN, pod(volumes=[{"name": UNKNOWN}])),
    Case("k8s-volume-names-unique", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-env-key-exists", Outcome.PASS, {**holding(data={"a": "1"}), **KEYED}),
    Case(
        "k8s-env-key-exists",
        Outcome.PASS,
        {**holding(SECRET, stringData={"a": Hidden("x")}), **variable("secretKeyRef", name="settings", key="a")},
    ),
    Case(
        "k8s-env-key-exists",
        Outcome.FAIL,
        {**holding(data={"b": "1"}), **KEYED},
        path=f"{ENV}.configMapKeyRef.key",
        says="b",
    ),
    Case("k8s-env-key-exists", Outcome.UNKNOWN, KEYED),
    Case("k8s-env-key-exists", Outcome.UNKNOWN, {**holding(data=UNKNOWN), **KEYED}),
    Case("k8s-env-key-exists", Outcome.NOT_APPLICABLE, pod()),
    Case(
        "k8s-env-key-exists",
        Outcome.NOT_APPLICABLE,
        {**holding(data={"b": "1"}), **variable("configMapKeyRef", name="settings", key="a", optional=True)},
    ),
    Case("k8s-pod-references-exist", Outcome.PASS, {**holding(SERVICE_ACCOUNT), **USING}),
    Case(
        "k8s-pod-references-exist",
        Outcome.FAIL,
        {**holding(SERVICE_ACCOUNT, "team"), **USING},
        path="spec.serviceAccountName",
        says="team",
    ),
    Case(
        "k8s-pod-references-exist",
        Outcome.FAIL,
        {
            **holding(CLAIM, "team"),
            **pod(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "settings"}}]),
        },
        path="spec.volumes[0].persistentVolumeClaim.claimName",
    ),
    Case(
        "k8s-pod-references-exist",
        Outcome.FAIL,
        {**holding(CLAIM), **pod(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "setings"}}])},
        path="spec.volumes[0].persistentVolumeClaim.claimName",
        says="Did you mean settings?",
    ),
    Case("k8s-pod-references-exist", Outcome.UNKNOWN, USING),
    Case("k8s-pod-references-exist", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-claim-spec-complete", Outcome.PASS, {"it": (CLAIM, {"spec": claim()})}),
    Case("k8s-claim-spec-complete", Outcome.PASS, stateful(**claim(("ReadWriteMany",)))),
    Case(
        "k8s-claim-spec-complete",
        Outcome.FAIL,
        {"it": (CLAIM, {"spec": claim(("RWO",))})},
        path="spec.accessModes[0]",
        says="RWO",
    ),
    Case("k8s-claim-spec-complete", Outcome.FAIL, {"it": (CLAIM, {"spec": claim(())})}, path="spec.accessModes"),
    Case(
        "k8s-claim-spec-complete",
        Outcome.FAIL,
        {"it": (CLAIM, {"spec": claim(storage="100GB")})},
        path="spec.resources.requests.storage",
        says="100GB",
    ),
    Case(
        "k8s-claim-spec-complete",
        Outcome.FAIL,
        stateful(accessModes=["ReadWriteOnce"]),
        path="spec.volumeClaimTemplates[0].spec.resources.requests.storage",
    ),
    Case("k8s-claim-spec-complete", Outcome.UNKNOWN, {"it": (CLAIM, {"spec": claim(storage=UNKNOWN)})}),
    Case("k8s-claim-spec-complete", Outcome.NOT_APPLICABLE, OTHER),
    Case("k8s-storage-class-valid", Outcome.PASS, {"it": (STORAGE_CLASS, {"provisioner": "ebs.csi.aws.com"})}),
    Case("k8s-storage-class-valid", Outcome.FAIL, {"it": (STORAGE_CLASS, {})}, path="provisioner"),
    Case(
        "k8s-storage-class-valid",
        Outcome.FAIL,
        {"it": (STORAGE_CLASS, {"provisioner": "ebs.csi.aws.com", "volumeBindingMode": "Late"})},
        path="volumeBindingMode",
        says="WaitForFirstConsumer",
    ),
    Case("k8s-storage-class-valid", Outcome.UNKNOWN, {"it": (STORAGE_CLASS, {"provisioner": UNKNOWN})}),
    Case("k8s-storage-class-valid", Outcome.NOT_APPLICABLE, OTHER),
    Case("k8s-fsgroup-change-policy", Outcome.PASS, sharing(fsGroup=1000, fsGroupChangePolicy="OnRootMismatch")),
    Case("k8s-fsgroup-change-policy", Outcome.PASS, sharing("ReadWriteOnce", fsGroup=1000)),
    Case(
        "k8s-fsgroup-change-policy",
        Outcome.FAIL,
        sharing(fsGroup=1000),
        path="spec.securityContext.fsGroupChangePolicy",
        says="OnRootMismatch",
    ),
    Case("k8s-fsgroup-change-policy", Outcome.UNKNOWN, sharing(fsGroup=1000, fsGroupChangePolicy=UNKNOWN)),
    Case(
        "k8s-fsgroup-change-policy",
        Outcome.UNKNOWN,
        pod(volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "d"}}], securityContext={"fsGroup": 1}),
    ),
    Case("k8s-fsgroup-change-policy", Outcome.NOT_APPLICABLE, sharing(runAsUser=1000)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_volumes_says_what_kubernetes_would(case: Case) -> None:
    check(case)
