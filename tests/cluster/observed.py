"""What a cluster does with the objects of a small program: refuses them, leaves pods without machines, runs them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from tests.cluster.api import Api, Object, Refused
from tests.cluster.contents import clear_nodes

_PATIENCE_S: Final = 30
_STEP_S: Final = 0.4
_QUIET_STEPS: Final = 3
"""So many looks that all show the same mean that a cluster has decided."""

_NO_PODS: Final = frozenset({"FailedCreate"})
_NO_TARGET: Final = frozenset({"FailedGetScale"})

_KUEUE: Final = "kueue.x-k8s.io/v1beta2"
_QUEUED: Final = {"ClusterQueue": "Active", "LocalQueue": "Active", "Workload": "QuotaReserved"}
"""The condition by which Kueue shows that something is in order, by kind."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What a cluster said about objects, by what in it said so.

    Attributes:
        refused: the server's words, by URN.
        unplaced: the scheduler's words about pods that no node takes.
        without_pods: the controllers' words about pods that they may not create.
        without_target: the controllers' words about pods or workloads that they do not find.
        without_endpoints: the services that lead to no pod.
        unqueued: Kueue's words about queues that are not active, and workloads that no queue takes.
    """

    refused: Mapping[str, str] = field(default_factory=dict)
    unplaced: tuple[str, ...] = ()
    without_pods: tuple[str, ...] = ()
    without_target: tuple[str, ...] = ()
    without_endpoints: tuple[str, ...] = ()
    unqueued: tuple[str, ...] = ()


def admitted(api: Api, objects: list[tuple[str, Object]], urn: str) -> str:
    """The words with which a server refuses one object; empty where it takes it. Nothing is created but namespaces."""
    for each, manifest in objects:
        if each == urn:
            api.ensure_namespace(manifest)
            try:
                api.create(manifest, dry_run=True)
            except Refused as refused:
                return str(refused)
    return ""


def run(api: Api, objects: list[tuple[str, Object]], nodes: list[Object]) -> Observed:
    """What becomes of objects in an empty cluster that has some nodes."""
    with _stage(api, objects) as moved:
        for node in nodes:
            api.create(node)
        refused = {}
        for urn, manifest in moved:
            try:
                api.create(manifest)
                _wait_for_effect(api, manifest)
            except Refused as words:
                refused[urn] = str(words)
        return _settled(api, refused, {manifest["metadata"].get("namespace", "") for _, manifest in moved})


@contextmanager
def _stage(api: Api, objects: list[tuple[str, Object]]) -> Iterator[list[tuple[str, Object]]]:
    """The objects in namespaces of their own, so that nobody waits for those of others to go."""
    number = time.monotonic_ns() // 1_000_000
    moved = [(urn, _moved(api, manifest, str(number))) for urn, manifest in objects]
    given = {manifest["metadata"]["name"] for _, manifest in moved if manifest["kind"] == "Namespace"}
    wanted = {manifest["metadata"].get("namespace", "") for _, manifest in moved} - given - {""}
    for name in wanted:
        api.create(_namespace(name))
        _await_account(api, name)
    try:
        yield moved
    finally:
        for name in wanted | given:
            api.delete(_namespace(name))
        for pod in api.objects("v1", "Pod"):
            if pod["metadata"]["namespace"] in wanted | given:
                api.delete({"apiVersion": "v1", "kind": "Pod", **pod}, grace_s=0)
        for _, manifest in moved:
            if not manifest["metadata"].get("namespace") and manifest["kind"] != "Namespace":
                api.delete(manifest)
        for _, manifest in moved:
            if not manifest["metadata"].get("namespace") and manifest["kind"] != "Namespace" and api.serves(manifest):
                _until(lambda gone=manifest: api.find(gone) is None)  # the next case may have one of that name
        clear_nodes(api)


def _moved(api: Api, manifest: Object, suffix: str) -> Object:
    """An object in a namespace of its own, as are all objects of the same namespace."""
    metadata = dict(manifest["metadata"])
    if manifest["kind"] == "Namespace":
        metadata["name"] = f"{metadata['name']}-{suffix}"
    elif api.has_namespace(manifest):
        metadata["namespace"] = f"{metadata.get('namespace') or 'default'}-{suffix}"
    return {**manifest, "metadata": metadata}


def _namespace(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def _wait_for_effect(api: Api, manifest: Object) -> None:
    """Wait for what a controller must do before an object counts: accounts of a namespace, the sums of a quota."""
    name, inside = manifest["metadata"]["name"], manifest["metadata"].get("namespace", "")
    if manifest["kind"] == "Namespace":
        _await_account(api, name)
    elif manifest["kind"] == "ResourceQuota":
        _until(lambda: "hard" in ((api.get("v1", "ResourceQuota", name, inside) or {}).get("status") or {}))


def _await_account(api: Api, namespace: str) -> None:
    _until(lambda: api.get("v1", "ServiceAccount", "default", namespace) is not None)


def _until(done: Any) -> None:
    for _ in range(int(_PATIENCE_S / _STEP_S)):
        if done():
            return
        time.sleep(_STEP_S / 2)


def _settled(api: Api, refused: Mapping[str, str], namespaces: set[str]) -> Observed:
    """What is seen once several looks show the same, and no pod is still waiting for the scheduler's answer."""
    last, quiet = None, 0
    found = Observed(refused)
    for _ in range(int(_PATIENCE_S / _STEP_S)):
        time.sleep(_STEP_S)
        found, undecided = _look(api, refused, namespaces)
        quiet = quiet + 1 if found == last and not undecided else 0
        if quiet >= _QUIET_STEPS:
            break
        last = found
    return found


def _look(api: Api, refused: Mapping[str, str], namespaces: set[str]) -> tuple[Observed, bool]:
    def inside(version: str, kind: str) -> list[Object]:
        return [each for each in api.objects(version, kind) if each["metadata"]["namespace"] in namespaces]

    pods = inside("v1", "Pod")
    events = inside("v1", "Event")
    slices = inside("discovery.k8s.io/v1", "EndpointSlice")
    placed = [_placed(pod) for pod in pods]
    observed = Observed(
        refused,
        unplaced=tuple(sorted(words for words in placed if words)),
        without_pods=_words(events, _NO_PODS),
        without_target=(
            *_words(events, _NO_TARGET),
            *(
                f"{each['metadata']['name']} guards no pods"
                for each in inside("policy/v1", "PodDisruptionBudget")
                if not each.get("status", {}).get("expectedPods")
            ),
        ),
        without_endpoints=tuple(
            sorted(
                each["metadata"]["name"]
                for each in inside("v1", "Service")
                if each["spec"].get("selector") and not any(_leads(each, part) for part in slices)
            )
        ),
        unqueued=_unqueued(api),
    )
    # Controllers find pods some time after these have started.
    late = bool(observed.without_endpoints or observed.without_target or observed.unqueued)
    return observed, late or None in placed or any(_is_starting(pod) for pod in pods)


def _leads(service: Object, part: Object) -> bool:
    """Whether a slice of endpoints leads from a service to pods, by a port of theirs where the service has ports."""
    mine = part["metadata"]["labels"].get("kubernetes.io/service-name") == service["metadata"]["name"]
    same = part["metadata"]["namespace"] == service["metadata"]["namespace"]
    return mine and same and bool(part.get("endpoints")) and bool(part.get("ports") or not service["spec"].get("ports"))


def _is_starting(pod: Object) -> bool:
    return bool(pod["spec"].get("nodeName")) and pod.get("status", {}).get("phase") == "Pending"


def _placed(pod: Object) -> str | None:
    """The scheduler's words about a pod that no node takes, empty for one with a node; None before it has decided."""
    if pod["spec"].get("nodeName"):
        return ""
    for condition in pod.get("status", {}).get("conditions", []):
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            return str(condition.get("message") or condition.get("reason"))
    return None


def _unqueued(api: Api) -> tuple[str, ...]:
    return tuple(
        sorted(
            str(condition.get("message"))
            for kind, wanted in _QUEUED.items()
            if api.serves({"apiVersion": _KUEUE, "kind": kind})
            for each in api.objects(_KUEUE, kind)
            for condition in each.get("status", {}).get("conditions", [])
            if condition["type"] == wanted and condition["status"] == "False"
        )
    )


def _words(events: list[Object], reasons: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted({str(event.get("message")) for event in events if event.get("reason") in reasons}))
