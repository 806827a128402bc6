"""The `kubernetes` provider: objects get a namespace, a unique id and a version, as an API server would give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.rehearsal.clouds import Asked, Made, any_provider
from penstock.rehearsal.clouds.identity import hexadecimal, uuid
from penstock.rehearsal.values import UNKNOWN

_RELEASE = "kubernetes:helm.sh/v3:Release"


def create(asked: Asked) -> Made:
    """Makes an object. A Helm release is kept as it was asked for: its chart is not rendered here."""
    if asked.type == _RELEASE:
        return _release(asked)
    metadata = asked.inputs.get("metadata")
    metadata = dict(metadata) if isinstance(metadata, Mapping) else {}
    name = metadata.setdefault("name", f"{asked.name}-{hexadecimal(asked.urn, 8)}")
    metadata |= {"uid": uuid(asked.urn), "resourceVersion": "1", "generation": 1}
    namespace = metadata.get("namespace", asked.provider.get("namespace", "default"))
    if UNKNOWN in (name, namespace):
        return Made("", {"metadata": metadata})
    return Made(f"{namespace}/{name}", {**any_provider.outputs(asked), "metadata": metadata})


def _release(asked: Asked) -> Made:
    name = asked.inputs.get("name") or f"{asked.name}-{hexadecimal(asked.urn, 8)}"
    namespace = asked.inputs.get("namespace") or "default"
    status = {
        "name": name,
        "namespace": namespace,
        "chart": asked.inputs.get("chart"),
        "version": asked.inputs.get("version"),
        "revision": 1,
        "status": "deployed",
    }
    return Made(f"{namespace}/{name}", {"name": name, "namespace": namespace, "status": status, "resourceNames": {}})


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> Mapping[str, Any]:
    """Functions of this provider read manifests and charts from files and networks, which a rehearsal does not."""
    return any_provider.invoke(token, arguments, provider)
