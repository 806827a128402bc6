"""Maps findings on resources to the field of the description that decides them, and its line in the stack file.

Components carry the block that they are built from and the fields that decide their resources (`SourceBlock`). The
innermost component that knows a property counts, the platform itself last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from penstock.core.findings import Finding, Source, kind_of
from penstock.description.document import Document
from penstock.description.positions import written
from penstock.graph.graph import STACK_TYPE, Graph, Resource, SourceLocation
from penstock.graph.property_path import PropertyPath
from penstock.graph.source_block import Path, SourceBlock
from penstock.rules.judge import INTERNAL

PLATFORM: Final = "penstock:index:Platform"

_ANY: Final = "*"
_OWN_POOL: Final[Path] = ("node_pools", _ANY)
"""The block of a pool that Penstock adds."""

_OWNER: Final[Path] = ("owner",)
_TAGS: Final[Path] = ("tags",)
_SPEAKS_OF_DESCRIPTIONS: Final = ("DIFF-", "FAULT-", "BUDGET-")
"""Codes of findings whose hints are about descriptions where there is one, or about neither."""


@dataclass(frozen=True, slots=True)
class _Origin:
    """The part of the platform that a resource belongs to, and the source blocks above it, innermost first.

    `kinds` are the kinds of the resource and of the components between it and each block.
    """

    part: Resource
    blocks: tuple[SourceBlock, ...]
    kinds: tuple[tuple[str, ...], ...]

    @property
    def path(self) -> Path:
        """The path of the innermost block; empty where the resource follows from the whole description."""
        return self.blocks[0].path

    def fields(self, rule: str, property_: str) -> tuple[str, ...]:
        """The fields that decide the verdict of a rule, else a property, else that there is such a resource."""
        for each in self.blocks:
            if rule in each.decided_by:
                return tuple(each.decided_by[rule].split())
        asked = PropertyPath.parse(property_)
        for found in (self._of_property(asked), self._of_kind(), self._below(asked)):
            for fields in found:
                return tuple(fields.split())
        return ()

    def _of_property(self, asked: PropertyPath) -> Iterator[str]:
        for block in self.blocks:
            known = [key for key in block.decided_by if PropertyPath.parse(key).covers(asked)]
            if known:
                yield block.decided_by[max(known, key=lambda key: len(PropertyPath.parse(key).steps))]

    def _of_kind(self) -> Iterator[str]:
        for block, kinds in zip(self.blocks, self.kinds, strict=True):
            yield from (block.decided_by[kind] for kind in kinds if kind in block.decided_by)

    def _below(self, asked: PropertyPath) -> Iterator[str]:
        for block in self.blocks if asked.steps else ():
            yield from (fields for key, fields in block.decided_by.items() if asked.covers(PropertyPath.parse(key)))


def component_of(resource: Resource, resources: Mapping[str, Resource]) -> Resource | None:
    """The part of a platform that a resource is or belongs to; None where it belongs to no platform."""
    below, above = resource, resources.get(resource.parent)
    while above is not None and above.type != PLATFORM:
        below, above = above, resources.get(above.parent)
    return below if above is not None else None


def _origin(resource: Resource, resources: Mapping[str, Resource]) -> _Origin | None:
    """The origin of a resource in a description; None if none is known."""
    blocks: list[SourceBlock] = []
    kinds: list[tuple[str, ...]] = []
    below: list[str] = []
    part, above = resource, resources.get(resource.urn)
    while above is not None:
        if above.source_block is not None:
            blocks.append(above.source_block)
            kinds.append(tuple(below))
        if above.type == PLATFORM:
            return _Origin(part, tuple(blocks), tuple(kinds)) if blocks else None
        below.append(kind_of(above.type))
        part, above = above, resources.get(above.parent)
    return None


def list_of(resource: Resource, resources: Mapping[str, Resource]) -> str | None:
    """The list of a description that has an item for the part of a platform that a resource belongs to."""
    origin = _origin(resource, resources)
    return str(origin.path[0]) if origin is not None and _is_item(origin.path) else None


def deciding(resource: Resource, resources: Mapping[str, Resource], path: str) -> str | None:
    """The field that decides a property in any description, without its item of a list; None where none is known."""
    origin = _origin(resource, resources)
    fields = origin.fields("", path) if origin is not None else ()
    if origin is None or not fields:
        return None
    block = () if _is_item(origin.path) else origin.path
    return written(_whole(fields[0], block))


def _is_item(path: Path) -> bool:
    return len(path) > 1 and (isinstance(path[1], int) or path[1] == _ANY)


def outdated(resource: Resource) -> Resource:
    """A resource of an earlier revision, without its index: the lists of the description may have changed since."""
    source = resource.source_block
    if source is None or not _is_item(source.path):
        return resource
    return replace(resource, source_block=replace(source, path=(source.path[0], _ANY)))


def placed(graph: Graph, document: Document, file: str) -> Graph:
    """A Graph whose resources are placed in the description, a file relative to the project, not in the program."""
    found = {}
    for urn, resource in graph.resources.items():
        origin = _origin(resource, graph.resources)
        place = document.place(origin.path) if origin is not None else None
        found[urn] = replace(resource, place=SourceLocation(file, place.line)) if place else resource
    return replace(graph, resources=found)


def located(
    findings: Iterable[Finding], resources: Mapping[str, Resource], document: Document | None
) -> tuple[Finding, ...]:
    """The findings; those about resources of the description point to the field that decides, and name it."""
    if document is None:
        return tuple(findings)
    return tuple(_located(finding, resources, document) for finding in findings)


def _located(finding: Finding, resources: Mapping[str, Resource], document: Document) -> Finding:
    resource = resources.get(finding.urn or "")
    if resource is not None and resource.type == STACK_TYPE:
        return _of_whole(finding, resource, resources, document)
    if finding.code == INTERNAL:
        return finding  # the rule is wrong, not the description
    if finding.urn is None and finding.file is None:
        return _at((), finding, document)
    origin = _origin(resource, resources) if resource is not None else None
    if origin is None:
        return finding
    named = tuple((finding.path or "").split("."))
    if finding.code.startswith("DIFF-") and _is_given(named, document.description):
        return _at(named, finding, document)
    if origin.path == _OWN_POOL:
        return replace(_at(origin.path, finding, document), hint=_hint_on_own_pool(finding, origin.part))
    fields = origin.fields(finding.code, finding.path or "")
    field = _meant(fields, origin.path, finding, resources, document.description)
    found = _at(origin.path if field is None else field, finding, document)
    return replace(found, hint=_hint(finding, origin.part, field))


def _of_whole(finding: Finding, stack: Resource, resources: Mapping[str, Resource], document: Document) -> Finding:
    """A finding about all resources together, at the field that decides, else where the description begins."""
    platform = next((each for each in resources.values() if each.type == PLATFORM), None)
    origin = _origin(platform, resources) if platform is not None else None
    fields = origin.fields(finding.code, "") if origin is not None else ()
    field = _meant(fields, (), finding, resources, document.description)
    if field is None and finding.file is not None:
        return finding
    return replace(_at(field or (), finding, document), hint=_hint(finding, stack, field))


def _at(path: Path, finding: Finding, document: Document) -> Finding:
    place = document.place(path)
    return replace(finding, file=document.file, line=place.line, column=place.column) if place else finding


def _hint_on_own_pool(finding: Finding, part: Resource) -> str:
    """What to do about a pool that no item of `node_pools` describes: one item with its name is the way to decide."""
    if finding.code.startswith(_SPEAKS_OF_DESCRIPTIONS):
        return finding.hint
    name = part.name.rpartition("-")[2]
    hint = f"Penstock adds the pool {name}. To decide on it, describe a pool named {name} under `node_pools`."
    return hint + (f" For the resource: {finding.hint}" if finding.hint else "")


def _meant(
    fields: Iterable[str],
    block: Path,
    finding: Finding,
    resources: Mapping[str, Resource],
    description: Mapping[str, Any],
) -> Path | None:
    """The first of the fields that is given, else the first of all; of tags, those that the message misses."""
    own = bool(block) and _ANY not in block
    paths = [_with_item(_whole(each, block), finding, resources) for each in fields if own or not each.startswith(".")]
    missing = _missing_tags(finding)
    if missing and _TAGS in paths:
        return _OWNER if _OWNER[0] in missing else _TAGS
    return next((path for path in paths if _is_given(path, description)), paths[0] if paths else None)


def _whole(field: str, block: Path) -> Path:
    steps = tuple(field.removeprefix(".").split("."))
    return (*block, *steps) if field.startswith(".") else steps


def _with_item(path: Path, finding: Finding, resources: Mapping[str, Resource]) -> Path:
    """A path into a list with the item whose component the message of a finding names first; else the list alone."""
    if _ANY not in path:
        return path
    at = path.index(_ANY)
    found = []
    for resource in resources.values():
        source = resource.source_block.path if resource.source_block is not None else ()
        if source[:at] == path[:at] and len(source) > at and isinstance(source[at], int):
            match = re.search(rf"(?<![\w-]){re.escape(resource.name)}(?![\w-])", finding.message)
            found += [(match.start(), source[at])] if match else []
    return (*path[:at], min(found)[1], *path[at + 1 :]) if found else path[:at]


def _is_given(field: Path, description: Any) -> bool:
    here = description
    for step in field:
        inside = isinstance(here, Mapping) if isinstance(step, str) else isinstance(here, list)
        if not inside or (isinstance(step, str) and step not in here):
            return False
        here = here[step]
    return True


def _hint(finding: Finding, part: Resource, field: Path | None) -> str:
    """What to do, in the words of the description first: a hint of a rule names properties, which nobody wrote here."""
    if finding.code.startswith(_SPEAKS_OF_DESCRIPTIONS) or finding.source not in (Source.CLOUD, Source.POLICY):
        return finding.hint
    of_resource = f" For the resource: {finding.hint}" if finding.hint else ""
    if field is not None:
        missing = _missing_tags(finding) if field == _TAGS else ()
        # Only people know their values.
        add = f" Add `tags: {{{', '.join(f'{key}: ...' for key in missing)}}}`." if missing else ""
        return f"`{written(field)}` in the description decides this.{add}{of_resource}"
    if not finding.path:
        return finding.hint
    return (
        f"As far as is known no field of the description decides {finding.path}: the component {kind_of(part.type)} "
        "does. If this has to be fixed, it is a defect of Penstock: report it; a waiver excuses it until then."
        f"{of_resource}"
    )


def _missing_tags(finding: Finding) -> tuple[str, ...]:
    """The keys of the tags that a message misses."""
    keys = re.search(r"\bhas no (\S+(?: and no \S+)*)", finding.message)
    return tuple(keys[1].split(" and no ")) if keys is not None else ()
