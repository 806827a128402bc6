"""Rehearses Kubernetes manifests as files have them, as a program that applied them would be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import yaml

from penstock.core.errors import UnusableState
from penstock.core.wording import listed
from penstock.core.yaml_text import JsonLoader
from penstock.graph.graph import Graph, Resource, SourceLocation
from penstock.rules.settings import Settings
from penstock.simulate.monitor.manifests import TYPES
from penstock.simulate.run import Rehearsal, rehearse

_STACK: Final = "manifests"
"""The name of the stack and of the component that holds the objects."""

Key = tuple[str, str, str]
"""An object by its kind, namespace and name; the namespace is empty where the manifest gives none."""


def rehearse_manifests(text: str, file: Path, settings: Settings) -> Rehearsal:
    """Rehearse the objects of a text in YAML or JSON; findings are at the lines of the file.

    Raises:
        UnusableState: the text holds something else than Kubernetes objects.
    """
    lines = _lines(text, file)

    def apply() -> None:
        from pulumi import ComponentResource

        ComponentResource(TYPES[1], _STACK, {"yaml": text}, remote=True)

    def placed(graph: Graph) -> Graph:
        return replace(graph, resources={urn: _placed(each, lines) for urn, each in graph.resources.items()})

    return rehearse(apply, project=_STACK, stack=_STACK, settings=settings, placed=placed)


def _placed(resource: Resource, lines: dict[Key, SourceLocation]) -> Resource:
    metadata = resource.inputs.get("metadata")
    if not isinstance(metadata, dict):
        return replace(resource, place=None)
    kind, name = str(resource.inputs.get("kind")), str(metadata.get("name"))
    place = lines.get((kind, str(metadata.get("namespace", "")), name)) or lines.get((kind, "", name))
    return replace(resource, place=place)


def _lines(text: str, file: Path) -> dict[Key, SourceLocation]:
    """Return where each object begins."""
    try:
        found = [each for node in yaml.compose_all(text, JsonLoader) for each in _objects(node)]
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark is not None else ""
        raise UnusableState(f"{file}{line} is not YAML: {error.problem}") from None
    except yaml.YAMLError:
        raise UnusableState(f"{file} is not YAML") from None
    wrong = [f"{file}:{line}: this is not a Kubernetes object: {lacks}" for line, lacks in map(_lack, found) if lacks]
    if wrong or not found:
        raise UnusableState("\n".join(wrong) or f"{file} has no Kubernetes objects")
    return {_key(node): SourceLocation(str(file), node.start_mark.line + 1) for node in found}


def _objects(node: yaml.Node | None) -> Iterator[yaml.Node]:
    """Yield the objects of a document, and those in lists such as `kind: List`."""
    if node is None or (isinstance(node, yaml.ScalarNode) and not node.value):
        return
    items = _field(node, "items")
    if _text(node, "kind").endswith("List") and isinstance(items, yaml.SequenceNode):
        for item in items.value:
            yield from _objects(item)
    else:
        yield node


def _lack(node: yaml.Node) -> tuple[int, str]:
    """Return the line of an object and what every object has and this one lacks."""
    named = {"apiVersion": _text(node, "apiVersion"), "kind": _text(node, "kind"), "metadata.name": _key(node)[2]}
    missing = [name for name, value in named.items() if not value]
    return node.start_mark.line + 1, f"it has no {listed(missing)}" if missing else ""


def _key(node: yaml.Node) -> Key:
    metadata = _field(node, "metadata")
    return _text(node, "kind"), _text(metadata, "namespace"), _text(metadata, "name")


def _text(node: yaml.Node | None, field: str) -> str:
    value = _field(node, field)
    return str(value.value) if isinstance(value, yaml.ScalarNode) else ""


def _field(node: yaml.Node | None, field: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    found = (value for key, value in node.value if isinstance(key, yaml.ScalarNode) and key.value == field)
    return next(found, None)
