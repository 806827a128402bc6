"""What Azure's APIs allow of single fields: data files of `penstock.catalog.api_limits`, out of the provider's SDK.

The SDK has the enumerations of Microsoft's specifications, at the version of each API that it sends requests to. Azure
compares them without regard to case. What grows with every month, such as sizes, regions and versions, is left out.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from types import NoneType
from typing import Any, get_args, get_origin

from pulumi._types import input_type_types, is_input_type
from pulumi.runtime import rpc

from penstock.catalog.tables import CATALOGUE
from penstock.rehearsal import sdk_types
from tools.aws_api_limits import csv_text
from tools.generated import DataSet, main

Row = tuple[str, ...]

_DEPTH = 5
_WORDS_AT_MOST = 60
"""An enumeration with more words grows with every month, and so would be out of date."""

_GROWING = re.compile(
    r"(version|size|location|region|family|tier|series|vmSize|runtime|language|currency)s?$", re.IGNORECASE
)


def data_set() -> DataSet:
    """One data file for each module of the SDK (`network`)."""
    folder = CATALOGUE / "azure" / "data" / "api_limits"
    by_module: dict[str, list[Row]] = {}
    for type_ in sorted(types()):
        if found := sorted(set(rows(type_))):
            by_module.setdefault(type_.split(":")[1].split("/")[0], []).extend(found)
    wanted = {folder / f"{module}.csv": csv_text(found) for module, found in by_module.items()}
    return DataSet(wanted, set(folder.glob("*.csv")))


def types() -> frozenset[str]:
    """The resource types of the SDK that name no version of their API."""
    package = importlib.import_module("pulumi_azure_native")
    for each in pkgutil.iter_modules(package.__path__):
        if each.ispkg:
            importlib.import_module(f"{package.__name__}.{each.name}")
    registered = (module for modules in rpc._RESOURCE_MODULES.values() for module in modules)  # noqa: SLF001
    infos = [getattr(module, "mod_info", {}) for module in registered]
    return frozenset(
        type_ for info in infos if info.get("pkg") == "azure-native" for type_ in info["classes"] if "/" not in type_
    )


def rows(type_: str) -> Iterator[Row]:
    """What is allowed of the fields of one resource type."""
    for path, words in _of(sdk_types.input_types(type_) or {}, ""):
        if len(words) <= _WORDS_AT_MOST and not _GROWING.search(path.removesuffix("[]")):
            yield type_, path, "any-case word", "|".join(words), "", "", ""


def _of(declared: Mapping[str, Any], path: str) -> Iterator[tuple[str, list[str]]]:
    for name, hint in declared.items():
        yield from _field(hint, f"{path}.{name}" if path else name)


def _field(hint: Any, path: str) -> Iterator[tuple[str, list[str]]]:
    if path.count(".") > _DEPTH:
        return
    for kind in _kinds(hint):
        if isinstance(origin := get_origin(kind), type) and issubclass(origin, Sequence):
            yield from _field(get_args(kind)[0], f"{path}[]")
        elif isinstance(kind, type) and issubclass(kind, Enum):
            if all(isinstance(word.value, str) for word in kind):
                yield path, [word.value for word in kind]
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
