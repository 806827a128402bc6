"""Microsoft's models as judge: whether the request behind a resource has these fields, words and types."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from penstock.graph.values import Secret, Unknown

_DATA = Path(__file__).parent / "azure/data"

_TYPES: Mapping[str, tuple[type, ...]] = {"bool": (bool,), "int": (int,), "float": (int, float), "str": (str,)}

_KEYED = ".userAssignedIdentities"
"""A list of ids, which the provider sends as the keys of a map."""

_FIXED = "blobServicesName managementPolicyName"
"""Parts of addresses that are always the same, so that clients write them themselves."""


class _Field(NamedTuple):
    name: str
    type_: str
    access: str


class _Request(NamedTuple):
    model: str
    address: frozenset[str]


def is_covered(type_: str) -> bool:
    """Return whether a model tells what the request behind a type takes."""
    return type_ in _requests()


def complaints(type_: str, inputs: Mapping[str, Any]) -> list[str]:
    """What the API would not take of a resource's inputs: one sentence each, with the path of the property.

    What is not known yet is not judged, and neither is the case of letters in names, which the types of the SDK judge.
    """
    model, address = _requests()[type_]
    return list(_object({name: each for name, each in inputs.items() if name.lower() not in address}, model, ""))


@cache
def _requests() -> Mapping[str, _Request]:
    with (_DATA / "requests.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["type"]: _Request(row["model"], frozenset(f"{row['address']} {_FIXED}".lower().split()))
            for row in csv.DictReader(file)
        }


@cache
def _models() -> Mapping[str, Mapping[str, _Field]]:
    """The fields of each model, by their names in small letters."""
    found: dict[str, dict[str, _Field]] = defaultdict(dict)
    with (_DATA / "models.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row["model"]][row["field"].lower()] = _Field(row["field"], row["type"], row["access"])
    return found


def _object(value: Mapping[str, Any], model: str, path: str) -> Iterator[str]:
    fields = _models()[model]
    for name, inner in value.items():
        field, here = fields.get(name.lower()), f"{path}.{name}".lstrip(".")
        if field is None:
            yield f"{here}: {model} has no such field"
        elif field.access == "read":
            yield f"{here}: {model} has it for reading alone"
        else:
            yield from _value(inner, field.type_, here)
    given = {name.lower() for name in value}
    for name, field in fields.items():
        if field.access == "required" and name not in given:
            yield f"{path}.{field.name}: {model} needs it".lstrip(".")


def _value(value: Any, type_: str, path: str) -> Iterator[str]:
    value = _sent(value, path)
    if value is None or isinstance(value, Unknown) or type_ == "any":
        return
    if type_[0] == "[" and isinstance(value, list | tuple):
        for item in value:
            yield from _value(item, type_[1:-1], f"{path}[]")
    elif type_[0] == "{" and isinstance(value, Mapping):
        for key, item in value.items():
            yield from _value(item, type_[1:-1], f"{path}.{key}")
    elif type_ in _models() and isinstance(value, Mapping):
        yield from _object(value, type_, path)
    elif type_[0] == "|":
        if value not in (words := type_[1:].split("|")):
            yield f"{path}: knows no {value!r}, but {', '.join(words)}"
    elif not isinstance(value, _TYPES.get(type_, ())) or isinstance(value, bool) != (type_ == "bool"):
        yield f"{path}: wants {type_}, not {type(value).__name__}"


def _sent(value: Any, path: str) -> Any:
    """The value as the provider sends it."""
    value = value.value if isinstance(value, Secret) else value
    if path.endswith(_KEYED) and isinstance(value, list | tuple):
        return {key: {} for key in value}
    return value
