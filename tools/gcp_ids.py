"""How Google's provider builds ids: the data file of the simulated cloud, made out of what the SDK says of imports."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache

import pulumi_gcp  # noqa: F401 - it registers what resources there are
from pulumi.runtime import rpc

from penstock.catalog.tables import path_of
from penstock.simulate import sdk_types
from tools.generated import DataSet, main, table

_WORD = re.compile(r"\{+([\w-]+)\}+")
_BULLET = re.compile(r"^\s*\* `*([^`\s]*\{\{[^`]*?)`*$", re.MULTILINE)
_COMMAND = re.compile(r"^\s*\$ pulumi import gcp:\S+ \S+ (\S*\{\{.*)$", re.MULTILINE)
_GRANT = re.compile(r'"?(\S*\{\{\S*\}\}\S*) roles/')
GRANTS = re.compile("I[Aa][Mm](Member|Binding|Policy)$")
"""The types that give rights to a resource of another type."""
_ROLES = {"Member": "/{role}/{member}", "Binding": "/{role}", "Policy": ""}


def data_set() -> DataSet:
    """The data file: each type whose import is documented, and the form of its id."""
    forms = ((type_.partition(":")[2], form) for type_ in sorted(types()) for form in _form(type_))
    file = path_of("gcp/ids")
    return DataSet({file: table(("type", "id"), forms)}, {file})


@cache
def types() -> frozenset[str]:
    """The resource types of the SDK."""
    registered = (module for modules in rpc._RESOURCE_MODULES.values() for module in modules)  # noqa: SLF001
    infos = [getattr(module, "mod_info", {}) for module in registered]
    return frozenset(type_ for info in infos if info.get("pkg") == "gcp" for type_ in info["classes"])


def _form(type_: str) -> Iterator[str]:
    name = type_.rpartition(":")[2]
    imports = _source(type_).partition("## Import")[2]
    kind = GRANTS.search(name)
    pattern = (_GRANT,) if kind else (_BULLET, _COMMAND)
    found = next((match for each in pattern if (match := each.search(imports.partition(":param ")[0]))), None)
    if found is not None:
        suffix = _ROLES[kind[1]] if kind else ""
        yield _WORD.sub(lambda word: f"{{{_camel(word[1])}}}", found[1].split()[-1].strip('"')) + suffix


def _source(type_: str) -> str:
    """The SDK's module of a type: what it says of imports is in overloads, out of the reach of `help`."""
    resource = sdk_types.resource_class(type_)
    return "" if resource is None else inspect.getsource(sys.modules[resource.__module__])


def _camel(word: str) -> str:
    first, *rest = re.split("[_-]", word)
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


if __name__ == "__main__":
    main(data_set)
