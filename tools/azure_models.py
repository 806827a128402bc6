"""What requests to Azure hold, by Microsoft's own models: `python -m tools.azure_models FOLDER`.

The folder is what `pip install --target FOLDER` makes of the packages in `azure_models.csv`, each of them called
azure-mgmt-PACKAGE (`resource.resources` is in azure-mgmt-resource). The list says as which model a resource is sent,
and by which operation, whose parameters are the address.

Fields are called as the provider calls them, after the names that Microsoft gives to clients, which differ here and
there from those of the request. They have a type: str, bool, int, float, any, the words of an enumeration with a bar
before each, another model, and of all these a [list] or a {map}.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from importlib.metadata import version
from inspect import signature
from pathlib import Path
from types import NoneType
from typing import Any, ForwardRef, Union, get_args, get_origin

from tools.generated import table

ROOT = Path(__file__).parents[1]
LISTED = Path(__file__).with_suffix(".csv")
REQUESTS = ROOT / "tests/azure/data/requests.csv"
MODELS = ROOT / "tests/azure/data/models.csv"

_PLAIN = {"str": "str", "bool": "bool", "int": "int", "float": "float"}
_ENVELOPE = "properties"
_WRITTEN_OUT = ("keyvault.KeyCreateParameters", "keyvault.VaultCreateOrUpdateParameters")
"""Models whose envelope the provider has as a property."""


@dataclass(frozen=True)
class _Field:
    """A field of a model: its type in our words, and whether it is required or for reading alone."""

    type_: str
    access: str
    models: tuple[Any, ...]


def written() -> tuple[str, str]:
    """The texts of both tables: the requests, and the models that they hold."""
    requests: list[tuple[str, ...]] = []
    models: dict[str, dict[str, _Field]] = {}
    with LISTED.open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    for row in listed:
        model = getattr(import_module(f"azure.mgmt.{row['package']}.models"), row["model"])
        package = f"azure-mgmt-{row['package'].partition('.')[0]}"
        address = " ".join(sorted(_address(model, row["operations"], row["method"])))
        requests.append((f"azure-native:{row['type']}", _name(model), address, package, version(package)))
        models |= _reached(model)
    rows = ((name, field, each.type_, each.access) for name, fields in models.items() for field, each in fields.items())
    return (
        table(("type", "model", "address", "package", "version"), requests),
        table(("model", "field", "type", "access"), sorted(rows)),
    )


def _address(model: Any, operations: str, method: str) -> Iterator[str]:
    """The parameters of an operation beside its body, as the provider's properties are called."""
    versioned = model.__module__.partition(".models")[0]
    taken = signature(getattr(getattr(import_module(f"{versioned}.operations"), operations), method)).parameters
    return (_camel(name) for name, each in taken.items() if each.annotation in (str, "str"))


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _reached(model: Any) -> dict[str, dict[str, _Field]]:
    """A model and all that a request of it may hold."""
    found: dict[str, dict[str, _Field]] = {}
    waiting = [model]
    while waiting:
        each = waiting.pop()
        if _name(each) not in found:
            found[_name(each)] = _fields(each)
            waiting += [inner for field in found[_name(each)].values() for inner in field.models]
    return found


@cache
def _fields(model: Any) -> dict[str, _Field]:
    """The fields of a model, those of its envelope among them, unless they are for reading alone outside of it."""
    models = import_module(model.__module__.partition(".models")[0] + ".models")
    read = _older(model, models) if hasattr(model, "_attribute_map") else _newer(model, models)
    if _ENVELOPE not in read or _name(model) in _WRITTEN_OUT:
        return read
    around = {name: field for name, field in read.items() if name != _ENVELOPE}
    (inside,) = read[_ENVELOPE].models
    inner = _fields(inside)
    return {name: field for name, field in around.items() if name not in inner or field.access != "read"} | inner


def _older(model: Any, models: Any) -> dict[str, _Field]:
    said: Mapping[str, Mapping[str, bool]] = model._validation  # noqa: SLF001
    fields = {}
    for name, each in model._attribute_map.items():  # noqa: SLF001
        how = said.get(name, {})
        access = "read" if how.get("readonly") else "required" if how.get("required") else ""
        type_, inner = _of_text(each["type"], models)
        fields[_property(name, each["key"].rpartition(".")[2])] = _Field(
            type_, access, () if access == "read" else inner
        )
    return fields


def _of_text(text: str, models: Any) -> tuple[str, tuple[Any, ...]]:
    """A type of the older form, and the models in it: [T], {T}, a plain one or a model."""
    inner = text.strip("[]{}")
    model = getattr(models, inner, None) if inner not in _PLAIN else None
    if model is None:
        return text.replace(inner, _PLAIN.get(inner, "any")), ()
    return text.replace(inner, _name(model)), (model,)


def _newer(model: Any, models: Any) -> dict[str, _Field]:
    model.__new__(model)  # reads the fields
    annotated = {
        name: type_ for each in reversed(model.__mro__) for name, type_ in vars(each).get("__annotations__", {}).items()
    }
    fields = {}
    for name, each in model._attr_to_rest_field.items():  # noqa: SLF001
        optional = NoneType in get_args(annotated[name])
        access = "read" if each._visibility == ["read"] else "" if optional else "required"  # noqa: SLF001
        type_, inner = _of_annotation(annotated[name], models)
        fields[_property(name, each._rest_name)] = _Field(  # noqa: SLF001
            type_, access, () if access == "read" else inner
        )
    return fields


def _property(attribute: str, name: str) -> str:
    """What the provider calls a field: as clients do, unless they keep apart what Azure calls alike."""
    return name if name == _ENVELOPE or "_properties_" in attribute else _camel(attribute)


def _of_annotation(type_: Any, models: Any) -> tuple[str, tuple[Any, ...]]:
    """A type of the newer form, and the models in it."""
    if isinstance(type_, ForwardRef):
        type_ = type_.__forward_arg__
    if isinstance(type_, str):
        type_ = getattr(models, type_.rpartition(".")[2])
    if get_origin(type_) is Union:
        parts = [each for each in get_args(type_) if each is not NoneType]
        return _of_annotation(parts[-1], models)  # an enumeration comes behind str
    if get_origin(type_) is list:
        inner, found = _of_annotation(get_args(type_)[0], models)
        return f"[{inner}]", found
    if get_origin(type_) is dict:
        inner, found = _of_annotation(get_args(type_)[1], models)
        return f"{{{inner}}}", found
    if isinstance(type_, type) and issubclass(type_, Enum):
        return "".join(f"|{each.value}" for each in type_), ()
    if getattr(type_, "__module__", "").startswith("azure."):
        return _name(type_), (type_,)
    return _PLAIN.get(getattr(type_, "__name__", ""), "any"), ()


def _name(model: Any) -> str:
    """A model with the package that it is of, such as network.Subnet."""
    return f"{model.__module__.removeprefix('azure.mgmt.').partition('.')[0]}.{model.__name__}"


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004 - the command and its folder
        sys.exit("usage: python -m tools.azure_models FOLDER; tools/README.md says what it holds")
    sys.path.insert(0, sys.argv[1])
    REQUESTS.parent.mkdir(exist_ok=True)
    for file, text in zip((REQUESTS, MODELS), written(), strict=True):
        file.write_text(text, encoding="utf-8")
