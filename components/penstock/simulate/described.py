"""Leads from the resources of a platform back to its description: the field that a person can change, and its line.

data/described_fields.csv has the fields that decide a property, by the component that builds the resource. A field that
begins with a dot is in the component's own block; of several the first that the description gives is meant, of one with
a value (`.versioning=false`) only where it has that value. One with a word (`owner?owner`) is meant wherever the
message says that there is no such thing, and nowhere else; one with `*`, wherever anything is said to be missing. A row
without a property is for all others of the type: a field decides that the resource exists. data/described_rules.csv has
the fields of rules whose findings have no property that tells, or one that another field decides; `*` is the item of
the list that the message names first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path as FilePath
from typing import Any, Final

from penstock.catalog.tables import rows
from penstock.core.findings import Finding, Source
from penstock.description.document import Document
from penstock.description.positions import Path, written
from penstock.graph.graph import STACK_TYPE, Graph, Resource, SourceLocation
from penstock.graph.property_path import PropertyPath
from penstock.rules.judge import INTERNAL

PLATFORM: Final = "penstock:index:Platform"

_DATA: Final = FilePath(__file__).parent / "data"
_LISTS: Final = {
    "NodePool": "node_pools",
    "TpuPool": "node_pools",
    "Bucket": "storage",
    "Lustre": "storage",
    "SharedFiles": "storage",
    "Database": "storage",
    "Volume": "storage",
}
_BLOCKS: Final[Mapping[str, Path]] = {
    "Budget": ("budget",),
    "Cluster": ("cluster",),
    "Network": ("network",),
    "Registry": ("addons", "registry"),
    "Runner": ("cluster",),
    "SecretStore": ("addons", "secrets"),
}
"""Components of a platform, by the blocks that they are built from; the others follow from the whole."""

_POOLS: Final = frozenset(kind for kind, block in _LISTS.items() if block == "node_pools")
_ANY: Final = "*"
_TAGS: Final[Path] = ("tags",)
_SPEAKS_OF_DESCRIPTIONS: Final = ("DIFF-", "FAULT-", "BUDGET-")
"""Codes of findings whose hints are about descriptions where there is one, or about neither."""


@dataclass(frozen=True, slots=True)
class _Row:
    """The fields that decide a property of the resources of a type in a component."""

    property: PropertyPath
    fields: tuple[str, ...]


def component_of(resource: Resource, resources: Mapping[str, Resource]) -> Resource | None:
    """The part of a platform that a resource is or belongs to; None where it belongs to no platform."""
    below, above = resource, resources.get(resource.parent)
    while above is not None and above.type != PLATFORM:
        below, above = above, resources.get(above.parent)
    return below if above is not None else None


def list_of(part: Resource) -> str | None:
    """The list of a description that has an item for a part of a platform; None where none has."""
    return _LISTS.get(_kind(part))


def deciding(part: Resource, type_: str, path: str) -> str | None:
    """The field that decides a property in any description, without its block; None where none is known to."""
    row = _row(part, type_, path)
    if row is None:
        return None
    field = next(each for each in row.fields if "?" not in each).partition("=")[0]
    block = _BLOCKS.get(_kind(part))
    return ".".join(map(str, _path_below(block, field))) if block else field.removeprefix(".")


def _path_below(block: Path, field: str) -> Path:
    return (*block, field.removeprefix(".")) if field.startswith(".") else (field,)


def placed(graph: Graph, document: Document, file: str) -> Graph:
    """A Graph whose resources are placed in the description, a file relative to the project, not in the program."""
    found = {}
    for urn, resource in graph.resources.items():
        path = _block(resource, graph.resources, document.description)
        place = document.place(path) if path is not None else None
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
        return _of_whole(finding, resource, document)
    if finding.code == INTERNAL:
        return finding  # the rule is wrong, not the description
    if finding.urn is None and finding.file is None and (top := document.place(())) is not None:
        return replace(finding, file=document.file, line=top.line, column=top.column)
    block = _block(resource, resources, document.description) if resource is not None else None
    if resource is None or block is None:
        return finding
    part = component_of(resource, resources) or resource
    if finding.code.startswith("DIFF-") and _is_given(tuple((finding.path or "").split(".")), document.description):
        place = document.place(tuple((finding.path or "").split(".")))
        return replace(finding, file=document.file, line=place.line, column=place.column) if place else finding
    if not block and _kind(part) in _POOLS:
        return _of_own_pool(finding, part, document)
    field = _field(finding, part, resource.type, block, document.description)
    place = document.place(field if field is not None else block)
    if place is None:
        return finding
    hint = _hint(finding, part, field)
    return replace(finding, file=document.file, line=place.line, column=place.column, hint=hint)


def _of_whole(finding: Finding, stack: Resource, document: Document) -> Finding:
    """A finding about all resources together, at the field that decides, else where the description begins."""
    field = _meant(_of_rule(finding, stack), (), finding, document.description)
    place = document.place(field or ())
    if place is None or (field is None and finding.file is not None):
        return finding
    hint = _hint(finding, stack, field)
    return replace(finding, file=document.file, line=place.line, column=place.column, hint=hint)


def _of_own_pool(finding: Finding, part: Resource, document: Document) -> Finding:
    """A finding about a pool that no item of `node_pools` describes: one item with its name is the way to decide."""
    place = document.place(("node_pools",))
    if place is None:
        return finding
    name, hint = part.name.rpartition("-")[2], finding.hint
    if not finding.code.startswith(_SPEAKS_OF_DESCRIPTIONS):
        hint = f"Penstock adds the pool {name}. To decide on it, describe a pool named {name} under `node_pools`."
        hint += f" For the resource: {finding.hint}" if finding.hint else ""
    return replace(finding, file=document.file, line=place.line, column=place.column, hint=hint)


def _block(resource: Resource, resources: Mapping[str, Resource], description: Mapping[str, Any]) -> Path | None:
    """The block that a resource is built from, empty where it follows from the whole; None outside of a platform."""
    part = resource if resource.type == PLATFORM else component_of(resource, resources)
    return _path(part, description) if part is not None else None


def _path(part: Resource, description: Mapping[str, Any]) -> Path:
    kind = _kind(part)
    if kind in _BLOCKS:
        return _BLOCKS[kind]
    items = description.get(_LISTS.get(kind, ""), ())
    named = [(str(item["name"]), index) for index, item in enumerate(items) if isinstance(item, Mapping)]
    fitting = [(name, index) for name, index in named if part.name.endswith(f"-{name}")]
    return (_LISTS[kind], max(fitting, key=lambda each: len(each[0]))[1]) if fitting else ()


def _field(finding: Finding, part: Resource, type_: str, block: Path, description: Mapping[str, Any]) -> Path | None:
    """The field that a finding is about: that of its rule, else the one that decides its property."""
    if fields := _of_rule(finding, part):
        return _meant(fields, block, finding, description)
    row = _row(part, type_, finding.path or "")
    return _meant(row.fields, block, finding, description) if row is not None else None


def _row(part: Resource, type_: str, path: str) -> _Row | None:
    asked = PropertyPath.parse(path)
    of_type = (*_table().get((_kind(part), type_), ()), *_table()[_ANY, _ANY])
    above = [row for row in of_type if row.property.covers(asked)]
    below = [row for row in of_type if asked.steps and asked.covers(row.property)]
    if not above and not below:
        return None
    return max(above, key=lambda row: len(row.property.steps)) if above else below[0]


def _of_rule(finding: Finding, part: Resource) -> tuple[str, ...]:
    table = _rules()
    return table.get((finding.code, _kind(part)), table.get((finding.code, _ANY), ()))


def _meant(fields: Iterable[str], block: Path, finding: Finding, description: Mapping[str, Any]) -> Path | None:
    """The first of the fields that is given, with its value where the table has one, else the first of all."""
    paths = []
    for field in fields:
        name, _, missing = field.partition("?")
        name, _, value = name.partition("=")
        path = _whole(name, block, finding, description)
        if path is None or (name.startswith(".") and not block):
            continue
        if missing:
            word = r"[^\s]+" if missing == _ANY else rf"{re.escape(missing)}(?![\w.-])"
            if re.search(rf"\bno {word}", finding.message):
                return path
            continue
        if _is_given(path, description) and (not value or _value(path, description) is (value == "true")):
            return path
        if not value:
            paths.append(path)
    return paths[0] if paths else None


def _whole(field: str, block: Path, finding: Finding, description: Mapping[str, Any]) -> Path | None:
    steps: Path = tuple(field.removeprefix(".").split("."))
    if _ANY in steps:
        at = steps.index(_ANY)
        item = _named_first(finding.message, _value(steps[:at], description))
        return (*steps[:at], item, *steps[at + 1 :]) if item is not None else steps[:at]
    return (*block, *steps) if field.startswith(".") else steps


def _named_first(message: str, items: Any) -> int | None:
    """The index of the item that a message names before all others, by the name of what is built from it."""
    found = []
    for index, item in enumerate(items if isinstance(items, list) else ()):
        name = re.escape(str(item.get("name", ""))) if isinstance(item, Mapping) else ""
        if name and (match := re.search(rf"-{name}(?![\w-])", message)):
            found.append((match.end(), match.start(), index))
    return min(found)[-1] if found else None


def _value(path: Path, description: Any) -> Any:
    if not _is_given(path, description):
        return None
    for step in path:
        description = description[step]
    return description


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
        missing = _missing_tags(finding) if field == _TAGS else ""
        return f"`{written(field)}` in the description decides this.{missing}{of_resource}"
    if not finding.path:
        return finding.hint
    return (
        f"As far as is known no field of the description decides {finding.path}: the component {_kind(part)} does. If "
        f"this has to be fixed, it is a defect of Penstock: report it; a waiver excuses it until then.{of_resource}"
    )


def _missing_tags(finding: Finding) -> str:
    """How to write the tags that a message misses; their values only people know."""
    keys = re.search(r"\bhas no (\S+(?: and no \S+)*)", finding.message)
    if keys is None:
        return ""
    return f" Add `tags: {{{', '.join(f'{key}: ...' for key in keys[1].split(' and no '))}}}`."


def _kind(part: Resource) -> str:
    return part.type.rpartition(":")[2]


@cache
def _table() -> Mapping[tuple[str, str], tuple[_Row, ...]]:
    found: dict[tuple[str, str], tuple[_Row, ...]] = defaultdict(tuple)
    for row in rows("described_fields", _DATA):
        key = row["component"], row["type"]
        found[key] += (_Row(PropertyPath.parse(row["property"]), tuple(row["fields"].split())),)
    return found


@cache
def _rules() -> Mapping[tuple[str, str], tuple[str, ...]]:
    return {(row["rule"], row["component"]): tuple(row["fields"].split()) for row in rows("described_rules", _DATA)}
