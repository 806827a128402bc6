"""Kubernetes manifests: the objects that the components of `pulumi_kubernetes.yaml.v2` register from text and files.

The real provider registers them in its own process. Reading them is all that it does, so that they can be had here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from glob import glob
from pathlib import Path
from typing import Any, Final

import yaml

from penstock.core.errors import ProgramFailed
from penstock.core.yaml_text import JsonLoader
from penstock.graph.values import UNKNOWN, Secret
from penstock.kubernetes.facts import apis as kubernetes_apis
from penstock.simulate.monitor.requests import Register, Urns
from penstock.simulate.wire import to_wire

TYPES: Final = ("kubernetes:yaml/v2:ConfigFile", "kubernetes:yaml/v2:ConfigGroup")
"""The components that this module replaces."""

_CRD: Final = "apiextensions.k8s.io"
_HIDDEN: Final = ("data", "stringData")


def are_read(type_: str, inputs: Mapping[str, Any]) -> bool:
    """True if all objects of a component are known: nothing is unknown, and nothing lies on another machine."""
    return (
        type_ in TYPES
        and UNKNOWN not in map(_open, inputs.values())
        and not any("://" in file for file in _files(inputs))
    )


def children(request: Register, inputs: Mapping[str, Any], urns: Urns, namespace: str) -> list[Register]:
    """The requests for the objects of a component, namespaces and definitions before what needs them.

    `namespace` is for objects that name none. Files are looked for in the current folder.

    Raises:
        ProgramFailed: a file cannot be read, is not YAML, or holds what is not an object.
    """
    parent = urns.of(request.type, request.name, request.parent)
    hidden = isinstance(inputs.get("yaml"), Secret)
    prefix = _open(inputs.get("resourcePrefix")) or request.name
    objects = [_placed(found, namespace, request.name) for found in _expanded(_given(inputs), request.name)]
    requests = [_request(found, request, parent, prefix, hidden=hidden) for found in objects]
    providers = {
        key: urns.of(child.type, child.name, parent)
        for found, child in zip(objects, requests, strict=True)
        if (key := _provides(found)) is not None
    }
    for found, child in zip(objects, requests, strict=True):
        child.dependencies.extend(providers[need] for need in _needs(found) if need in providers)
    return sorted(requests, key=lambda child: len(child.dependencies))


def _given(inputs: Mapping[str, Any]) -> Iterator[Any]:
    for pattern in _files(inputs):
        for file in sorted(glob(pattern)) or [pattern]:  # noqa: PTH207 Path.glob takes no absolute patterns
            try:
                text = Path(file).read_text(encoding="utf-8")
            except OSError as error:
                raise ProgramFailed(f"{file} cannot be read: {(error.strerror or 'unknown error').lower()}") from None
            yield from _parsed(text, file)
    text = _open(inputs.get("yaml"))
    if isinstance(text, str):
        yield from _parsed(text, "yaml")
    yield from _open(inputs.get("objs")) or ()


def _files(inputs: Mapping[str, Any]) -> list[str]:
    files = _open(inputs.get("files", inputs.get("file"))) or []
    return [files] if isinstance(files, str) else [file for file in files if isinstance(file, str)]


def _parsed(text: str, source: str) -> list[Any]:
    try:
        return [found for found in yaml.load_all(text, JsonLoader) if found]
    except yaml.YAMLError:
        raise ProgramFailed(f"{source} holds manifests that are not YAML") from None


def _expanded(objects: Iterable[Any], component: str) -> Iterator[Mapping[str, Any]]:
    """The objects, and those in lists such as `kind: List`."""
    for found in objects:
        opened = _open(found)
        if not isinstance(opened, Mapping):
            raise ProgramFailed(f"{component} is given a manifest that is not an object")
        if str(opened.get("kind", "")).endswith("List") and isinstance(opened.get("items"), list):
            yield from _expanded(opened["items"], component)
        else:
            yield opened


def _placed(found: Mapping[str, Any], namespace: str, component: str) -> dict[str, Any]:
    """The object with a namespace, where it needs one and names none."""
    metadata = found.get("metadata")
    if not found.get("kind") or not found.get("apiVersion"):
        raise ProgramFailed(f"{component} is given an object without kind or apiVersion")
    if not isinstance(metadata, Mapping) or not metadata.get("name"):
        raise ProgramFailed(f"{component} is given an object of kind {found['kind']} without a name in its metadata")
    group = str(found["apiVersion"]).rpartition("/")[0]
    known = "." not in group or group.endswith(".k8s.io")
    if metadata.get("namespace") or not known or kubernetes_apis.spans_namespaces(group or "core", found["kind"]):
        return dict(found)
    return {**found, "metadata": {**metadata, "namespace": namespace}}


def _request(found: Mapping[str, Any], component: Register, parent: str, prefix: str, *, hidden: bool) -> Register:
    api, kind, metadata = str(found["apiVersion"]), found["kind"], found["metadata"]
    place = f"{metadata['namespace']}/" if metadata.get("namespace") else ""
    secret = {key: Secret(value) for key, value in found.items() if _hides(key, kind, hidden=hidden)}
    return Register(
        type=f"kubernetes:{api if '/' in api else f'core/{api}'}:{kind}",
        name=f"{prefix}:{place}{metadata['name']}",
        parent=parent,
        custom=True,
        object=to_wire({**found, **secret}),
        provider=component.providers.get("kubernetes", component.provider),
        version=component.version,
        stackTrace=component.stackTrace,
    )


def _hides(key: str, kind: str, *, hidden: bool) -> bool:
    return (kind == "Secret" and key in _HIDDEN) or (hidden and key not in ("apiVersion", "kind", "metadata"))


def _provides(found: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The names by which other objects refer to this one: a namespace, or the definition of their kind."""
    if found["kind"] == "Namespace":
        return ("Namespace", found["metadata"]["name"])
    if found["kind"] == "CustomResourceDefinition" and str(found["apiVersion"]).startswith(_CRD):
        spec = found.get("spec") or {}
        return (spec.get("group", ""), (spec.get("names") or {}).get("kind", ""))
    return None


def _needs(found: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    return (
        ("Namespace", found["metadata"].get("namespace", "")),
        (str(found["apiVersion"]).rpartition("/")[0], found["kind"]),
    )


def _open(value: Any) -> Any:
    return value.value if isinstance(value, Secret) else value
