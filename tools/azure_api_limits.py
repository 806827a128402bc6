"""What Azure's APIs allow of single fields: data files of `penstock.catalog.api_limits`, out of the provider's SDK.

The SDK has the enumerations of Microsoft's specifications, at the version of each API that it sends requests to. Azure
compares them without regard to case. What grows with every month, such as sizes, regions and versions, is left out, and
so are enumerations of known values, beside which the API accepts others (`KnownDataFlowStreams`). Where the SDK also
takes any text, the specification says `modelAsString`: the enumeration is open, and its rows are of that kind. Left out
is what a preview shares with another version: the SDK keeps one enumeration of each name in a module, and of those that
two specifications define it has been the other's (`monitor:ConditionOperator`, `containerservice:UpgradeChannel`).
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from inspect import getsource
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin

from pulumi._types import input_type_types, is_input_type
from pulumi.runtime import rpc

from penstock.catalog.tables import CATALOGUE
from penstock.simulate import sdk_types
from tools.aws_api_limits import csv_text
from tools.generated import DataSet, main

Row = tuple[str, ...]

_DEPTH = 5
_WORDS_AT_MOST = 60
"""An enumeration with more words grows with every month, and so would be out of date."""

_GROWING = re.compile(
    r"(version|size|location|region|family|tier|series|vmSize|runtime|language|currency|osSKU)s?$", re.IGNORECASE
)
_OPEN = "Known"
"""The start of the names of enumerations that list some of the values an API accepts."""
_API = re.compile(r"Uses Azure REST API version ([\w-]+)")


class Field(NamedTuple):
    """A property of a resource type that takes words, at one version of its API."""

    resource_type: str
    path: str
    api: str
    words: type[Enum]
    is_open: bool

    @property
    def row(self) -> Row:
        """What is allowed of it."""
        kind = "open word" if self.is_open else "any-case word"
        return self.resource_type, self.path, kind, "|".join(word.value for word in self.words), "", "", ""


def data_set() -> DataSet:
    """One data file for each module of the SDK (`network`)."""
    folder = CATALOGUE / "azure" / "data" / "api_limits"
    by_module: dict[str, set[Row]] = defaultdict(set)
    for field in settled([field for type_, class_ in types().items() for field in fields(type_, class_)]):
        by_module[field.resource_type.split(":")[1]].add(field.row)
    wanted = {folder / f"{module}.csv": csv_text(sorted(found)) for module, found in by_module.items()}
    return DataSet(wanted, set(folder.glob("*.csv")))


def types() -> dict[str, type]:
    """The resource types of the SDK that name no version of their API, and their classes."""
    package = importlib.import_module("pulumi_azure_native")
    for each in pkgutil.iter_modules(package.__path__):
        if each.ispkg:
            importlib.import_module(f"{package.__name__}.{each.name}")
    registered = (module for modules in rpc._RESOURCE_MODULES.values() for module in modules)  # noqa: SLF001
    infos = [getattr(module, "mod_info", {}) for module in registered]
    return {
        type_: getattr(importlib.import_module(info["fqn"]), name)
        for info in infos
        if info.get("pkg") == "azure-native"
        for type_, name in info["classes"].items()
        if "/" not in type_
    }


def fields(type_: str, class_: type) -> Iterator[Field]:
    """The properties of one resource type that take words which last."""
    api = _API.search(getsource(sys.modules[class_.__module__]))
    for path, words, is_open in _of(sdk_types.input_types(type_) or {}, ""):
        grows = words.__name__.startswith(_OPEN) or _GROWING.search(path.removesuffix("[]"))
        if len(words) <= _WORDS_AT_MOST and not grows:
            yield Field(type_, path, api[1] if api else "", words, is_open)


def settled(found: Iterable[Field]) -> list[Field]:
    """Those whose words are of the API of their own type."""
    found = list(found)
    apis: dict[type[Enum], set[str]] = defaultdict(set)
    for field in found:
        apis[field.words].add(field.api)
    return [field for field in found if len(apis[field.words]) == 1 or not field.api.endswith("-preview")]


def _of(declared: Mapping[str, Any], path: str) -> Iterator[tuple[str, type[Enum], bool]]:
    for name, hint in declared.items():
        yield from _field(hint, f"{path}.{name}" if path else name)


def _field(hint: Any, path: str) -> Iterator[tuple[str, type[Enum], bool]]:
    if path.count(".") > _DEPTH:
        return
    kinds = _kinds(hint)
    for kind in kinds:
        if isinstance(origin := get_origin(kind), type) and issubclass(origin, Sequence):
            yield from _field(get_args(kind)[0], f"{path}[]")
        elif isinstance(kind, type) and issubclass(kind, Enum):
            if all(isinstance(word.value, str) for word in kind):
                yield path, kind, str in kinds
        elif isinstance(kind, type) and is_input_type(kind):
            yield from _of(input_type_types(kind), path)


def _kinds(hint: Any) -> list[Any]:
    """What a declaration allows; nothing where it allows several shapes."""
    members = list(get_args(hint)) if get_origin(hint) is not None and _is_union(hint) else [hint]
    found = [each for each in members if each is not NoneType and not hasattr(get_origin(each), "__await__")]
    shapes = [each for each in found if isinstance(each, type) and is_input_type(each)]
    return found if len(shapes) <= 1 else []


def _is_union(hint: Any) -> bool:
    return not isinstance(get_origin(hint), type) or get_origin(hint).__name__ in ("UnionType", "Union")


if __name__ == "__main__":
    main(data_set)
