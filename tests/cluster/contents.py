"""All that a cluster holds."""

from __future__ import annotations

import time
from typing import Final

from tests.cluster.api import Api, Refused

Held = tuple[str, str, str]
"""The kind of an object, its namespace and its name."""

_COMES_AND_GOES: Final = frozenset({"Event", "Lease", "Node"})
_PATIENCE_S: Final = 60

_OF_EVERY_NAMESPACE: Final = "kube-root-ca.crt"
"""A ConfigMap that the control plane makes in each namespace, some time after it."""


def held(api: Api) -> frozenset[Held]:
    """What is in a cluster, but for machines and what the control plane notes down by itself."""
    return frozenset(
        (kind, each["metadata"].get("namespace", ""), each["metadata"]["name"])
        for version, kind in api.kinds()
        if kind not in _COMES_AND_GOES
        for each in _listed(api, version, kind)
        if each["metadata"]["name"] != _OF_EVERY_NAMESPACE
    )


def left(api: Api, before: frozenset[Held]) -> list[Held]:
    """What a cluster holds more than before, once its controllers have cleaned up."""
    for _ in range(_PATIENCE_S):
        found = held(api) - before
        if not found:
            break
        time.sleep(1)
    return sorted(found)


def clear_nodes(api: Api) -> None:
    """Take every machine away, and the pods with it."""
    for node in api.objects("v1", "Node"):
        api.delete({"apiVersion": "v1", "kind": "Node", **node})


def _listed(api: Api, version: str, kind: str) -> list[dict[str, dict[str, str]]]:
    try:
        return [dict(each) for each in api.objects(version, kind)]
    except Refused:
        return []  # a kind whose definition is being deleted
