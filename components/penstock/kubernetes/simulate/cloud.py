"""The `kubernetes` provider: objects get a namespace, a unique id and a version, as an API server would give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from penstock.core.errors import ProgramFailed
from penstock.core.yaml_text import JsonLoader
from penstock.graph.values import UNKNOWN
from penstock.kubernetes.facts import apis as kubernetes_apis
from penstock.kubernetes.simulate import defaults
from penstock.simulate.clouds import CreateRequest, CreateResponse, InvokeResponse, any_provider
from penstock.simulate.clouds.identity import hexadecimal, uuid

_RELEASE = "kubernetes:helm.sh/v3:Release"
_DECODE = "kubernetes:yaml:decode"


def create(request: CreateRequest) -> CreateResponse:
    """Makes an object. A Helm release is kept as it was asked for: its chart is not rendered here."""
    if request.type == _RELEASE:
        return _release(request)
    metadata = request.inputs.get("metadata")
    metadata = dict(metadata) if isinstance(metadata, Mapping) else {}
    there, _, called = request.id.rpartition("/")
    if there:
        metadata.setdefault("namespace", there)
    name = metadata.setdefault("name", called or f"{request.name}-{hexadecimal(request.urn, 8)}")
    metadata |= {"uid": uuid(request.urn), "resourceVersion": "1", "generation": 1}
    namespace = metadata.get("namespace", request.provider.get("namespace", "default"))
    if UNKNOWN in (name, namespace):
        return CreateResponse("", {"metadata": metadata})
    id_ = name if _spans_namespaces(request.type) else f"{namespace}/{name}"
    # Of an object that is looked up the program gave no block that defaults could complete.
    completed = {} if request.looked_up else defaults.added(request)
    outputs = {**any_provider.outputs(request), **completed, "metadata": metadata}
    return CreateResponse(id_, outputs, frozenset({"id", "metadata", "data", "type"}))


def _spans_namespaces(type_: str) -> bool:
    module, _, kind = type_.partition(":")[2].rpartition(":")
    return kubernetes_apis.spans_namespaces(module.partition("/")[0], kind)


def _release(request: CreateRequest) -> CreateResponse:
    there, _, called = request.id.rpartition("/")
    name = request.inputs.get("name") or called or f"{request.name}-{hexadecimal(request.urn, 8)}"
    namespace = request.inputs.get("namespace") or there or "default"
    status = {
        "name": name,
        "namespace": namespace,
        "chart": request.inputs.get("chart"),
        "version": request.inputs.get("version"),
        "revision": 1,
        "status": "deployed",
    }
    return CreateResponse(
        f"{namespace}/{name}",
        {"name": name, "namespace": namespace, "status": status, "resourceNames": {}},
        frozenset({"id", "name", "namespace"}),
    )


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> InvokeResponse:
    """Decodes manifests. Charts and folders come from networks and other programs, and hold nothing here."""
    text = arguments.get("text")
    if token == _DECODE and isinstance(text, str):
        try:
            found = [each for each in yaml.load_all(text, JsonLoader) if each is not None]
        except yaml.YAMLError:
            raise ProgramFailed("a manifest that the program reads is not YAML") from None
        return InvokeResponse({"result": found}, frozenset({"result"}))
    return any_provider.invoke(token, arguments, provider)
