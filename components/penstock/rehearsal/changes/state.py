"""Reads what `pulumi stack export` writes: the stack as the engine left it, as a Graph to compare or go on from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from penstock.errors import UnusableState
from penstock.rehearsal.changes.standing import name_of
from penstock.rehearsal.graph import STACK_TYPE, Graph, Options, Place, Resource, Timeouts, in_order
from penstock.rehearsal.values import from_state

_VERSIONS: Final = (3, 4)
"""Forms of the deployment that are read: the last ones that changed what stands in it."""

_AUTO_NAMED: Final = "pulumi.com/autonamed"
"""The annotation by which the Kubernetes provider tells that it made a name up."""

_PLACE: Final = re.compile(r"project:///(?P<file>.+)#(?P<line>\d+)(?:,\d+)?")


def load(file: Path, *, project: str, stack: str) -> Graph:
    """The Graph of a state file.

    What the engine has still to delete of an earlier replacement is left out. Secrets that are encrypted there count
    as unchanged: only Pulumi can tell.

    Raises:
        UnusableState: the file is none, is broken, is too new, or belongs to another project or stack.
    """
    deployment = _deployment(file)
    records = [record for record in deployment["resources"] if not record.get("delete")]
    _belongs(file, records, project, stack)
    try:
        resources = in_order({record["urn"]: _resource(record) for record in records})
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UnusableState(f"{file}: a resource in it is not of the form that `pulumi stack export` writes") from None
    exports = next((each.outputs for each in resources.values() if each.type == STACK_TYPE), {})
    return Graph(project, stack, resources, exports)


def _deployment(file: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnusableState(f"{file} cannot be read: {(error.strerror or 'unknown error').lower()}") from None
    except ValueError:
        raise UnusableState(f"{file} is no JSON; write it with `pulumi stack export --file {file.name}`") from None
    if not isinstance(content, Mapping) or not isinstance(content.get("version"), int):
        raise UnusableState(f"{file} is no state; write it with `pulumi stack export --file {file.name}`")
    if content["version"] not in _VERSIONS:
        raise UnusableState(f"{file} has version {content['version']} of the state; versions 3 and 4 are read")
    deployment = content.get("deployment")
    if not isinstance(deployment, Mapping):
        raise UnusableState(f"{file} has no deployment; write it with `pulumi stack export --file {file.name}`")
    found = deployment.get("resources", [])
    if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
        raise UnusableState(f"{file}: resources in it is no list of resources")
    return {**deployment, "resources": found}


def _belongs(file: Path, records: Iterable[Mapping[str, Any]], project: str, stack: str) -> None:
    for record in records:
        parts = str(record.get("urn", "")).split("::", 3)
        head = parts[0].rpartition(":")
        if len(parts) != 4 or head[0] != "urn:pulumi":  # noqa: PLR2004 what a URN has
            raise UnusableState(f"{file}: a resource in it has no URN")
        if (parts[1], head[2]) != (project, stack):
            raise UnusableState(
                f"{file} is the state of stack {head[2]} of project {parts[1]}; that of {stack} of {project} is wanted"
            )


def _resource(record: Mapping[str, Any]) -> Resource:
    urn = record["urn"]
    return Resource(
        urn=urn,
        type=record["type"],
        name=name_of(urn),
        custom=bool(record.get("custom")),
        id=record.get("id", ""),
        inputs=_asked_for(record["type"], name_of(urn), from_state(record.get("inputs") or {})),
        outputs=dict(from_state(record.get("outputs") or {})),
        parent=record.get("parent") or "",
        provider=record.get("provider") or "",
        dependencies=tuple(sorted(record.get("dependencies") or ())),
        property_dependencies={
            key: tuple(sorted(urns)) for key, urns in (record.get("propertyDependencies") or {}).items() if urns
        },
        options=_options(record),
        place=_place(record),
        external=bool(record.get("external")),
    )


def _asked_for(type_: str, name: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs without a name that the provider made up and would keep: no program asked for it.

    Most providers mark those among `__defaults`; Kubernetes' does so by an annotation, and Azure's not at all.
    """
    asked = dict(inputs)
    package = type_.partition(":")[0]
    metadata = asked.get("metadata")
    if package == "azure-native":
        made_up = re.compile(rf"{re.escape(name)}-?[0-9a-f]{{7,8}}")
        return {key: value for key, value in asked.items() if not (isinstance(value, str) and made_up.fullmatch(value))}
    if package == "kubernetes" and isinstance(metadata, Mapping) and _AUTO_NAMED in (metadata.get("annotations") or {}):
        annotations = {key: value for key, value in metadata["annotations"].items() if key != _AUTO_NAMED}
        asked["metadata"] = {
            **{key: value for key, value in metadata.items() if key not in ("name", "annotations")},
            **({"annotations": annotations} if annotations else {}),
        }
    return asked


def _options(record: Mapping[str, Any]) -> Options:
    timeouts = record.get("customTimeouts") or {}
    return Options(
        protect=bool(record.get("protect")),
        retain_on_delete=bool(record.get("retainOnDelete")),
        ignore_changes=tuple(record.get("ignoreChanges") or ()),
        replace_on_changes=tuple(record.get("replaceOnChanges") or ()),
        additional_secret_outputs=tuple(record.get("additionalSecretOutputs") or ()),
        aliases=tuple(record.get("aliases") or ()),
        deleted_with=record.get("deletedWith", ""),
        import_id=record.get("importID", ""),
        timeouts=Timeouts(*(_duration(timeouts.get(key)) for key in ("create", "update", "delete"))),
    )


def _duration(seconds: float | None) -> str:
    return f"{seconds:g}s" if seconds else ""


def _place(record: Mapping[str, Any]) -> Place | None:
    """The innermost line of the project that led to the resource: not one of an SDK, nor outside the project."""
    if record["type"] == STACK_TYPE:
        return None
    for frame in record.get("stackTrace") or [record]:
        found = _PLACE.fullmatch(frame.get("sourcePosition", ""))
        if found and "site-packages/" not in found["file"] and not found["file"].startswith("../"):
            return Place(found["file"], int(found["line"]))
    return None
