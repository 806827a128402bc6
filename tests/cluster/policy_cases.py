"""The cases of rules that are policies of Kyverno too, as objects that a server takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.cluster.api import Object
from tests.cluster.objects import NotWritten, manifests
from tests.programs import IT
from tests.rules.cases import RuleCase, cases_by_rule

from penstock.addons.security.policies import cluster_policies
from penstock.graph.verdict import Outcome

_IMAGE: Final = "registry.example.com/it@sha256:" + "0" * 64
_LABELS: Final = {"case": "it"}
_WANTED: Final[Mapping[str, Mapping[str, Any]]] = {
    "Ingress": {"defaultBackend": {"service": {"name": "it", "port": {"number": 80}}}},
    "PersistentVolume": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"]},
    "Service": {"ports": [{"port": 80}]},
}
"""What a server wants of other kinds, by kind."""
_SELECTED: Final = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")


def policy_cases() -> Iterator[tuple[str, RuleCase, Object]]:
    """The objects that pass or fail a rule that is a policy, by name, but for those of values that are not known."""
    for rule in cluster_policies():
        seen: Counter[str] = Counter()
        for case in cases_by_rule()[rule]:
            if case.outcome not in (Outcome.PASS, Outcome.FAIL) or IT not in case.program:
                continue
            seen[case.outcome] += 1
            for manifest in _it(case):
                yield f"{rule}-{case.outcome}-{seen[case.outcome]}", case, _completed(manifest)


def _it(case: RuleCase) -> list[Object]:
    try:
        return [manifest for urn, manifest in manifests(case.graph) if urn == case.urn]
    except NotWritten:
        return []


def _completed(manifest: Object) -> Object:
    """An object with what it lacks: images, a policy of restarts, labels that a workload selects its pods by."""
    kind, said = manifest["kind"], manifest.get("spec")
    if kind in _WANTED:
        return {**manifest, "spec": {**_WANTED[kind], **(said or {})}}
    if not isinstance(said, Mapping):
        return manifest
    if kind == "Pod":
        return {**manifest, "spec": _pod(said)}
    if kind == "CronJob":
        job = said.get("jobTemplate", {})
        template = {**job, "spec": _workload("Job", job.get("spec", {}))}
        return {**manifest, "spec": {"schedule": "@daily", **said, "jobTemplate": template}}
    if kind in ("Job", *_SELECTED):
        return {**manifest, "spec": _workload(kind, said)}
    return manifest


def _workload(kind: str, said: Mapping[str, Any]) -> dict[str, Any]:
    template = dict(said.get("template") or {})
    template["spec"] = _pod(template.get("spec") or {})
    if kind == "Job":
        return {**said, "template": {**template, "spec": {"restartPolicy": "Never", **template["spec"]}}}
    if "selector" in said:
        return {**said, "template": template}
    metadata = dict(template.get("metadata") or {})
    template["metadata"] = {**metadata, "labels": {**(metadata.get("labels") or {}), **_LABELS}}
    return {**said, "selector": {"matchLabels": _LABELS}, "template": template}


def _pod(said: Mapping[str, Any]) -> dict[str, Any]:
    lists = {key: said[key] for key in ("containers", "initContainers") if isinstance(said.get(key), list)}
    lists = {key: [_container(each, number) for number, each in enumerate(found)] for key, found in lists.items()}
    return {**said, **lists, "containers": lists.get("containers") or [_container({}, 0)]}


def _container(said: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {"name": f"c{number}", "image": _IMAGE, **said}
