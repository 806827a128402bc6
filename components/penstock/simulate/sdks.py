"""The provider SDKs that are installed beside Penstock, and what of them declares a resource or a function."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from pulumi.runtime.rpc import get_resource_module


@dataclass(frozen=True, slots=True)
class Sdk:
    """A provider's SDK: the package in its type tokens (`azure-native`), its version, and its Python module."""

    package: str
    version: str
    module: str


def found_in(folders: Iterable[str]) -> Mapping[str, Sdk]:
    """The SDKs in these folders, by package: each is described by its `pulumi-plugin.json`. The first one counts."""
    found: dict[str, Sdk] = {}
    for folder in folders:
        for file in sorted(Path(folder).glob("*/pulumi-plugin.json")):
            described = json.loads(file.read_text(encoding="utf-8"))
            module = file.parent.name
            package = described.get("name") or module.removeprefix("pulumi_").replace("_", "-")
            if described.get("resource"):
                found.setdefault(package, Sdk(package, described.get("version") or "", module))
    return found


@cache
def installed() -> Mapping[str, Sdk]:
    """The SDKs that this process can import."""
    return found_in(sys.path)


@cache
def import_sdk(token: str) -> None:
    """Imports the module that declares the resource or function of a token, if an SDK does.

    In a rehearsal in process the program has imported it; a plugin is another process.
    """
    sdk = installed().get(token.partition(":")[0])
    if sdk is not None:
        import_declaring(token, sdk)


def import_declaring(token: str, sdk: Sdk) -> None:
    """Imports the module of an SDK that declares the resource or function of a token, if one does."""
    package, _, rest = token.partition(":")
    module = import_module(sdk.module)
    service, _, name = rest.rpartition(":")
    registered: Any = get_resource_module(package, service, "")
    if registered is not None and token in registered.mod_info["classes"]:
        import_module(registered.mod_info["fqn"])
        return
    for part in (*(part for part in service.split("/") if part not in ("index", name)), name):
        inner = _inside(module, part)
        if inner is None:
            return
        module = import_inside(inner)


def import_inside(name: str) -> ModuleType:
    """Imports a module of an SDK, and its package before it.

    SDKs load packages lazily, when somebody asks for a name of one. A package that loads while a module of it is being
    imported, which asks for the others, lacks that module's names for good.
    """
    package = name.rpartition(".")[0]
    if package:
        getattr(import_module(package), "__all__", None)
    return import_module(name)


def _inside(package: ModuleType, part: str) -> str | None:
    """The module of a package that a part of a token names: `getVpc` names `get_vpc`."""
    for module in iter_modules(getattr(package, "__path__", ())):
        if module.name.replace("_", "").lower() == part.replace("_", "").lower():
            return f"{package.__name__}.{module.name}"
    return None
