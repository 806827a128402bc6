"""Leads from the resources of a platform back to its description: the line that a person can change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from penstock.findings import Finding
from penstock.resources.graph import Resource
from penstock.spec.document import Document
from penstock.spec.positions import Path

PLATFORM: Final = "penstock:index:Platform"

_LISTS: Final = {
    "NodePool": "node_pools",
    "TpuPool": "node_pools",
    "Bucket": "storage",
    "Lustre": "storage",
    "SharedFiles": "storage",
    "Database": "storage",
}
_BLOCKS: Final[Mapping[str, Path]] = {
    "Budget": ("budget",),
    "Cluster": ("cluster",),
    "Network": ("network",),
    "Registry": ("addons", "registry"),
    "SecretStore": ("addons", "secrets"),
}
"""Components of a platform, by the blocks that they are built from; the others follow from the whole."""


def component_of(resource: Resource, resources: Mapping[str, Resource]) -> Resource | None:
    """The part of a platform that a resource is or belongs to; None where it belongs to no platform."""
    below, above = resource, resources.get(resource.parent)
    while above is not None and above.type != PLATFORM:
        below, above = above, resources.get(above.parent)
    return below if above is not None else None


def located(
    findings: Iterable[Finding], resources: Mapping[str, Resource], document: Document | None
) -> tuple[Finding, ...]:
    """The findings; those about resources of the description point to its block, not to the program that reads it."""
    if document is None:
        return tuple(findings)
    return tuple(_located(finding, resources, document) for finding in findings)


def _located(finding: Finding, resources: Mapping[str, Resource], document: Document) -> Finding:
    resource = resources.get(finding.urn or "")
    if resource is None:
        return finding
    part = resource if resource.type == PLATFORM else component_of(resource, resources)
    place = document.place(_path(part, document.description)) if part is not None else None
    return replace(finding, file=document.file, line=place.line, column=place.column) if place else finding


def _path(part: Resource, description: Mapping[str, Any]) -> Path:
    """The path of the block that a part of the platform is built from; empty where it follows from the whole."""
    kind = part.type.rpartition(":")[2]
    if kind in _BLOCKS:
        return _BLOCKS[kind]
    items = description.get(_LISTS.get(kind, ""), ())
    named = [(str(item["name"]), index) for index, item in enumerate(items) if isinstance(item, Mapping)]
    fitting = [(name, index) for name, index in named if part.name.endswith(f"-{name}")]
    return (_LISTS[kind], max(fitting, key=lambda each: len(each[0]))[1]) if fitting else ()
