"""Made-up ids and texts of the form that programs expect, from the table in `forms.toml`."""

from __future__ import annotations

import re
import tomllib
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from penstock.graph.values import UNKNOWN
from penstock.simulate.clouds import CreateRequest
from penstock.simulate.clouds.identity import auto_name, decimal, hexadecimal, uuid

_INDEX: Final = re.compile(r"\.\d+")
_NEXT_WORD: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def simulated_text(path: str, owner: str) -> Any:
    """The text for a property at `path`, words apart by dots, of one owner: the same each time; UNKNOWN for some."""
    label = f"{_INDEX.sub('', path).rpartition('.')[2]}-{hexadecimal(owner, 8, path)}"
    form = _form(path)
    if form is None:
        return label
    if form.get("unknown"):
        return UNKNOWN
    filled: str = form["text"].format(label=label.lower(), uuid=uuid(owner, path))
    return b64encode(filled.encode()).decode() if form.get("base64") else filled


def identity(request: CreateRequest) -> str:
    """The id of a resource: a path where its cloud has one, and its name otherwise."""
    name = request.inputs.get("name")
    package, _, rest = request.type.partition(":")
    words = {
        "name": name if isinstance(name, str) else auto_name(request.urn, request.name),
        "account": uuid(package),
        "service": rest.partition(":")[0].partition("/")[0],
        "kind": rest.rpartition(":")[2],
        "group": request.inputs.get("resourceGroupName"),
        "uuid": uuid(request.urn),
        "hex32": hexadecimal(request.urn, 32),
        "digits8": decimal(request.urn, 8),
        "digits9": decimal(request.urn, 9),
    }
    of_kind = _table()["id_of_kind"].get(f"{package}:{words['kind']}")
    paths: list[str] = [of_kind] if of_kind else _table()["id"].get(package, ["{name}"])
    return next(path for path in paths if "{group}" not in path or words["group"]).format(**words)


def has_path(package: str) -> bool:
    """Return whether the ids of a provider's resources are paths, of a form that its cloud documents."""
    return package in _table()["id"]


def is_known(path: str) -> bool:
    """Return whether the table has a form for the property, by which its text is recognized."""
    form = _form(path)
    return form is not None and not form.get("unknown")


@cache
def _form(path: str) -> Mapping[str, Any] | None:
    said = f" {spoken(_INDEX.sub('', path))}"
    return next((form for form in _table()["form"] if any(said.endswith(f" {end}") for end in form["ends"])), None)


def spoken(path: str) -> str:
    """A path as words: `vpcConfig.subnetIds` is `vpc config subnet ids`."""
    return _NEXT_WORD.sub(" ", path).lower().replace(".", " ")


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("forms.toml").read_text(encoding="utf-8"))
