"""Reads what `pulumi stack export` writes: the stack as the engine left it, as a Graph to compare or go on from."""

from __future__ import annotations

import json
import os
import re
import select
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISFIFO
from typing import Any, Final, TextIO

from penstock.core.errors import UnusableState
from penstock.graph.graph import STACK_TYPE, Graph, Options, Resource, SourceLocation, Timeouts, in_order
from penstock.graph.source_block import take
from penstock.providers import plugin_of
from penstock.simulate.monitor.prior_state import name_of
from penstock.simulate.wire import from_state

_VERSIONS: Final = (3, 4)
"""Forms of the deployment that are read: the last ones that changed what is in it."""

_AUTO_NAMED: Final = "pulumi.com/autonamed"
"""The annotation by which the Kubernetes provider marks a name that it made up."""

_ADDED_ANNOTATIONS: Final = (_AUTO_NAMED, "kubectl.kubernetes.io/last-applied-configuration")
"""Those that the Kubernetes provider adds to objects itself."""

_TEXTS: Final = ("type", "id", "parent", "provider", "deletedWith", "importID", "sourcePosition")
_BLOCKS: Final = ("inputs", "outputs", "customTimeouts", "propertyDependencies")
_LISTS_OF_TEXTS: Final = ("dependencies", "ignoreChanges", "replaceOnChanges", "additionalSecretOutputs", "aliases")
_FLAGS: Final = ("custom", "delete", "external", "protect", "retainOnDelete")
"""Fields of a resource that are read, by what is in them where they are given."""

STDIN: Final = Path("-")
"""Stands for what another command writes: `pulumi stack export | penstock audit -`."""

_BEGIN: Final = 1 << 12
_MOST_CHARACTERS: Final = 512 << 20
"""The most that is read of an export: ten thousand resources are about 50 MiB."""

_PIPE_S: Final = 0.5
"""How long a pipe may take to have a writer."""

_FORM: Final = "has not the form that `pulumi stack export` writes"

_PLACE: Final = re.compile(r"project:///(?P<file>.+)#(?P<line>\d+)(?:,\d+)?")


def load_state(file: Path, *, project: str, stack: str) -> Graph:
    """The Graph of a state file.

    What the engine has still to delete of an earlier replacement is left out. Secrets that are encrypted there count
    as unchanged: only Pulumi can decrypt them.

    Raises:
        UnusableState: the file is none, is broken, is too new, or belongs to another project or stack.
    """
    return graph_of(read_export(file), file, project=project, stack=stack)


def graph_of(content: Mapping[str, Any], file: Path, *, project: str = "", stack: str = "") -> Graph:
    """The Graph of what `read` made of a file; without a project and a stack, that of whichever the file is of."""
    records = content["deployment"].get("resources") or []
    if not project and records:
        project, stack = _owner(file, records[0], 1)
    _belongs(file, records, project, stack)
    for record in records:
        _is_formed(file, record)
    existing: dict[str, Resource] = {}
    for record in records:
        if record.get("delete"):
            continue
        if record["urn"] in existing:
            raise UnusableState(f"{file} is broken: two resources are {record['urn']}; `pulumi state` fixes that")
        try:
            existing[record["urn"]] = _resource(record)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            raise UnusableState(f"{file}: {record['urn']} {_FORM}") from None
    resources = in_order(existing)
    if len(resources) < len(existing):
        circle = next(urn for urn in existing if urn not in resources)
        raise UnusableState(f"{file} is broken: what {circle} depends on leads in a circle")
    exports = next((each.outputs for each in resources.values() if each.type == STACK_TYPE), {})
    return Graph(project, stack, resources, exports)


def read_export(file: Path) -> Mapping[str, Any]:
    """Return the content of a state file, with the list of resources where it belongs; nothing else of it is judged.

    Raises:
        UnusableState: the file is none, is broken, or is too new.
    """
    try:
        content = json.loads(text_of(file, begins=("{", "[")))
    except OSError as error:
        raise UnusableState(f"{file} cannot be read: {(error.strerror or 'unknown error').lower()}") from None
    except (ValueError, RecursionError):
        raise UnusableState(
            f"{file} is not readable JSON; write it with `pulumi stack export --file {file.name}`"
        ) from None
    return checked(content, file)


def checked(content: Any, file: Path) -> Mapping[str, Any]:
    """Return the content of a state file if it has a list of resources.

    Raises:
        UnusableState: it does not have the form of a state, or is too new.
    """
    if not isinstance(content, Mapping) or type(content.get("version")) is not int:
        raise UnusableState(f"{file} is not a state; write it with `pulumi stack export --file {file.name}`")
    if content["version"] not in _VERSIONS:
        raise UnusableState(f"{file} has version {content['version']} of the state; versions 3 and 4 are read")
    deployment = content.get("deployment")
    if not isinstance(deployment, Mapping):
        raise UnusableState(f"{file} has no deployment; write it with `pulumi stack export --file {file.name}`")
    found = deployment.get("resources", [])
    if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
        raise UnusableState(f"{file}: deployment.resources is not a list of resources")
    return content


def text_of(file: Path, *, begins: tuple[str, ...] = ("",)) -> str:
    """Return the text of a file, or of standard input for `STDIN`, up to 512 MiB.

    Raises:
        OSError: the file cannot be read.
        ValueError: the text does not begin with one of `begins`, or is not UTF-8.
        UnusableState: the text is too large, or nobody writes to the pipe.
    """
    if file == STDIN:
        return _begun(sys.stdin, file, begins).removeprefix("\ufeff")
    with open(file, encoding="utf-8-sig", opener=_without_waiting) as stream:
        return _begun(stream, file, begins)


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe is waited for only if somebody writes to it."""
    opened = os.open(path, flags | os.O_NONBLOCK)
    if S_ISFIFO(os.fstat(opened).st_mode) and not select.select([opened], [], [], _PIPE_S)[0]:
        with suppress(BlockingIOError):  # there is a writer, who has still to begin
            os.read(opened, 1)
            os.close(opened)
            raise UnusableState(f"{path} is a pipe that nobody writes to")
    os.set_blocking(opened, True)
    return opened


def _begun(stream: TextIO, file: Path, begins: tuple[str, ...]) -> str:
    begin = stream.read(_BEGIN)
    if not begin.lstrip("\ufeff \t\r\n").startswith(begins):
        raise ValueError("another format")
    text = begin + stream.read(_MOST_CHARACTERS)
    if len(text) > _MOST_CHARACTERS:
        raise UnusableState(f"{file} is larger than {_MOST_CHARACTERS >> 20} MiB, which no state is")
    return text


def _belongs(file: Path, records: Iterable[Mapping[str, Any]], project: str, stack: str) -> None:
    for number, record in enumerate(records, start=1):
        its_project, its_stack = _owner(file, record, number)
        if (its_project, its_stack) != (project, stack):
            raise UnusableState(
                f"{file} is the state of stack {its_stack} of project {its_project}; that of {stack} of {project} is "
                "wanted"
            )


def _owner(file: Path, record: Mapping[str, Any], number: int) -> tuple[str, str]:
    """The project and the stack of a resource, by its URN; `number` is its place in the list, from 1."""
    parts = str(record.get("urn", "")).split("::", 3)
    head = parts[0].rpartition(":")
    if len(parts) != 4 or head[0] != "urn:pulumi":  # noqa: PLR2004 what a URN has
        known = ", ".join(f"{key} {record[key]}" for key in ("type", "id") if isinstance(record.get(key), str))
        raise UnusableState(f"{file}: resource {number}{f' ({known})' if known else ''} has no URN")
    return parts[1], head[2]


def _is_formed(file: Path, record: Mapping[str, Any]) -> None:
    if not isinstance(record.get("type"), str):
        raise UnusableState(f"{file}: {record['urn']} has no type")
    for fields, form in ((_TEXTS, str), (_BLOCKS, Mapping), (_LISTS_OF_TEXTS, list), (_FLAGS, bool)):
        for field in fields:
            value = record.get(field)
            texts = not isinstance(value, list) or all(isinstance(each, str) for each in value)
            if value is not None and not (isinstance(value, form) and texts):
                raise UnusableState(f"{file}: {field} of {record['urn']} {_FORM}")


def _resource(record: Mapping[str, Any]) -> Resource:
    urn = record["urn"]
    inputs = dict(from_state(record.get("inputs") or {}))
    source = take(inputs)
    return Resource(
        urn=urn,
        type=record["type"],
        name=name_of(urn),
        custom=bool(record.get("custom")),
        id=record.get("id") or "",
        inputs=_asked_for(record["type"], name_of(urn), record.get("id") or "", inputs),
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
        source_block=source,
    )


def _asked_for(type_: str, name: str, id_: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs without a name that the provider made up and would keep: no program asked for it.

    Most providers mark those among `__defaults`; Kubernetes' does so by an annotation, and Azure's not at all: there
    it ends the id, as no name does of what the resource is in.
    """
    asked = dict(inputs)
    package = type_.partition(":")[0]
    metadata = asked.get("metadata")
    if not plugin_of(type_).marks_generated_names:
        own = id_.rpartition("/")[2]
        made_up = re.fullmatch(rf"{re.escape(name)}-?[0-9a-f]{{7,8}}", own)
        return {key: value for key, value in asked.items() if not (made_up and value == own)}
    if package == "kubernetes" and isinstance(metadata, Mapping):
        asked["metadata"] = _given_metadata(metadata) or None
    return asked


def _given_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    given = dict(metadata)
    if _AUTO_NAMED in (given.get("annotations") or {}):
        given.pop("name", None)
    annotations = given.get("annotations")
    if isinstance(annotations, Mapping) and any(name in annotations for name in _ADDED_ANNOTATIONS):
        del given["annotations"]
        left = {name: value for name, value in annotations.items() if name not in _ADDED_ANNOTATIONS}
        given |= {"annotations": left} if left else {}
    return given


def _options(record: Mapping[str, Any]) -> Options:
    timeouts = record.get("customTimeouts") or {}
    return Options(
        protect=bool(record.get("protect")),
        retain_on_delete=bool(record.get("retainOnDelete")),
        ignore_changes=tuple(record.get("ignoreChanges") or ()),
        replace_on_changes=tuple(record.get("replaceOnChanges") or ()),
        additional_secret_outputs=tuple(record.get("additionalSecretOutputs") or ()),
        aliases=tuple(record.get("aliases") or ()),
        deleted_with=record.get("deletedWith") or "",
        import_id=record.get("importID") or "",
        timeouts=Timeouts(*(_duration(timeouts.get(key)) for key in ("create", "update", "delete"))),
    )


def _duration(seconds: float | None) -> str:
    return f"{seconds:g}s" if seconds else ""


def _place(record: Mapping[str, Any]) -> SourceLocation | None:
    """The innermost line of the project that led to the resource: not one of an SDK, nor outside the project."""
    if record["type"] == STACK_TYPE:
        return None
    for frame in record.get("stackTrace") or [record]:
        found = _PLACE.fullmatch(frame.get("sourcePosition") or "")
        if found and "site-packages/" not in found["file"] and not found["file"].startswith("../"):
            return SourceLocation(found["file"], int(found["line"]))
    return None
