"""What the AWS APIs allow of single fields: the data files of `penstock.catalog.api_limits`, made out of botocore.

A field of a Pulumi resource is matched to a member of the API's request where both have the same name and the same
kind. What the provider does not send as it was written is left out by name, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, get_args, get_origin

import pulumi_aws  # noqa: F401 - it registers what resources there are
from botocore.exceptions import UnknownServiceError
from botocore.loaders import Loader
from pulumi._types import input_type_types, is_input_type
from pulumi.runtime import rpc

from penstock.catalog.tables import CATALOGUE
from penstock.simulate import sdk_types
from tools import aws_api_limits_matching as matching
from tools.declared import documented_properties, plain
from tools.generated import DataSet, main, table

COLUMNS = ("type", "path", "kind", "words", "minimum", "maximum", "pattern")
Shape = Mapping[str, Any]
Row = tuple[str, ...]

_WORDS_AT_MOST = 150
"""An enumeration with more words grows with every week, and so would be out of date."""

_LIST_OF_VALUES = re.compile(
    r"(?:valid|possible|allowed|supported|accepted) (?:values?|options?)\b(.*)", re.IGNORECASE | re.DOTALL
)

_NO_LIMIT = 2**31 - 1


def data_set() -> DataSet:
    """One data file for each module of the SDK (`eks`)."""
    folder = CATALOGUE / "aws" / "data" / "api_limits"
    by_module: dict[str, list[Row]] = {}
    for type_ in sorted(_types()):
        found = [row for row in rows(type_) if not matching.left_out(row[0], row[1], row[2])]
        found = list(_uncontradicted(type_, found))
        if found:
            by_module.setdefault(type_.split(":")[1].split("/")[0], []).extend(found)
    wanted = {folder / f"{module}.csv": csv_text(found) for module, found in by_module.items()}
    return DataSet(wanted, set(folder.glob("*.csv")))


def rows(type_: str) -> list[Row]:
    """The limits of one resource type."""
    import_module(_types()[type_])
    declared = sdk_types.input_types(type_) or {}
    found: dict[tuple[str, str], Row] = {}
    for service, shape in _requests(type_):
        for path, kind, *limits in _limits(declared, shape, _model(service)["shapes"], "", type_):
            any_case = kind == "word" and path in matching.ANY_CASE.get(type_, ())
            found.setdefault((path, kind), (type_, path, "any-case word" if any_case else kind, *limits))
    return [found[key] for key in sorted(found)]


def _uncontradicted(type_: str, found: Iterable[Row]) -> Iterator[Row]:
    """The rows, without those of words where the provider's documentation offers other words only."""
    found = list(found)
    documented = documented_properties(type_) if any(row[3] for row in found) else {}
    for row in found:
        offered = {_plainly(word) for word in _offered(documented.get(row[1], ""))}
        if not offered or not row[3] or offered & {_plainly(word) for word in row[3].split("|")}:
            yield row


def _offered(text: str) -> Iterator[str]:
    """The words that a documentation lists as the values of a property."""
    for sentence in re.split(r"\.\s|\n\s*\n", text):
        listed = re.search(
            r"(?i)(valid|possible|allowed|supported|accepted) (values?|options?)\b(.*)", sentence, re.DOTALL
        )
        if listed is not None:
            yield from re.findall(r"[`\"]([A-Za-z][\w.:-]*)[`\"]", listed[3])


def csv_text(found: Iterable[Row]) -> str:
    """The text of a data file with these rows."""
    return table(COLUMNS, ((row[0].partition(":")[2], *row[1:]) for row in found))


@cache
def _types() -> dict[str, str]:
    """The resource types of the SDK, with the module of each."""
    registered = (module for modules in rpc._RESOURCE_MODULES.values() for module in modules)  # noqa: SLF001
    infos = [getattr(module, "mod_info", {}) for module in registered]
    return {type_: info["fqn"] for info in infos if info.get("pkg") == "aws" for type_ in info["classes"]}


@cache
def _model(service: str) -> Shape:
    model: Shape = Loader().load_service_model(service, "service-2")
    return model


@cache
def _services() -> dict[str, str]:
    return {name.replace("-", ""): name for name in Loader().list_available_services("service-2")}


def _requests(type_: str) -> Iterator[tuple[str, Shape]]:
    """The requests by which the provider makes a resource, or sets a part of it."""
    module, name = type_.split(":")[1].split("/", maxsplit=1)[0], type_.rpartition(":")[2].lower()
    for service, shape in matching.REQUESTS.get(type_, ()):
        yield service, _model(service)["shapes"][shape]
    names = (name, *(name.removeprefix(prefix) for prefix in matching.PREFIXES.get(module, ())))
    for service in matching.SERVICES.get(module, (_services().get(module, ""),)):
        try:
            model = _model(service)
        except UnknownServiceError:
            continue
        operations = {operation.lower(): operation for operation in model["operations"]}
        for asked in dict.fromkeys(f"{verb}{name}" for name in names for verb in matching.VERBS):
            operation = model["operations"].get(operations.get(asked), {})
            if "input" in operation:
                yield service, model["shapes"][operation["input"]["shape"]]


def _limits(
    declared: Mapping[str, Any], structure: Shape, shapes: Mapping[str, Shape], path: str, type_: str = ""
) -> Iterator[Row]:
    members: dict[str, list[str]] = {}
    for member in structure.get("members", {}):
        members.setdefault(_plainly(member), []).append(member)
    for name, hint in declared.items():
        if name in matching.NEVER:
            continue
        spellings = _spellings(name)
        if type_ and name in ("name", "type"):
            spellings += (_plainly(f"{type_.rpartition(':')[2]}{name}"),)
        if (type_, name) in matching.RENAMED:
            spellings = (_plainly(matching.RENAMED[type_, name]),)
        found = next((members[spelt] for spelt in spellings if spelt in members), [])
        if len(found) == 1:
            shape = structure["members"][found[0]]["shape"]
            yield from _field(hint, shape, shapes, f"{path}.{name}" if path else name)


def _field(hint: Any, shape_name: str, shapes: Mapping[str, Shape], path: str) -> Iterator[Row]:
    shape = shapes[shape_name]
    kind = plain(hint)
    if path.count(".") > matching.DEPTH or kind is None:
        return
    if isinstance(kind, type) and is_input_type(kind):
        if shape["type"] == "list":  # of which Terraform takes only one
            shape = shapes[shape["member"]["shape"]]
        if shape["type"] == "structure":
            yield from _limits(input_type_types(kind), shape, shapes, path)
    elif get_origin(kind) is not None and issubclass(get_origin(kind), Sequence):
        yield from _list(get_args(kind)[0], shape, shapes, path)
    elif kind is str and shape["type"] == "string":
        yield from _text(shape, shape_name, path)
    elif kind in (int, float) and shape["type"] in ("integer", "long", "float", "double"):
        yield from _number(shape, path)


def _list(item: Any, shape: Shape, shapes: Mapping[str, Shape], path: str) -> Iterator[Row]:
    if shape["type"] == "list":
        if shape.get("max", _NO_LIMIT) < _NO_LIMIT:
            yield path, "list", "", "", str(shape["max"]), ""
        yield from _field(item, shape["member"]["shape"], shapes, f"{path}[]")


def _number(shape: Shape, path: str) -> Iterator[Row]:
    limits = [shape.get("min"), shape.get("max")]
    least, most = (None if limit is None or abs(limit) >= _NO_LIMIT else limit for limit in limits)
    if least is not None or most is not None:
        yield path, "number", "", _cell(least), _cell(most), ""


def _text(shape: Shape, shape_name: str, path: str) -> Iterator[Row]:
    if "enum" in shape:
        if len(shape["enum"]) <= _WORDS_AT_MOST and not matching.GROWING.search(shape_name):
            yield path, "word", "|".join(shape["enum"]), "", "", ""
        return
    least, most = shape.get("min", 0), shape.get("max", _NO_LIMIT)
    if least > 1 or most < _NO_LIMIT:
        yield path, "text", "", _cell(least if least > 1 else None), _cell(most if most < _NO_LIMIT else None), ""
    pattern = shape.get("pattern")
    if pattern and compiles(pattern) and pattern not in matching.PATTERNS_LEFT_OUT:
        yield path, "pattern", "", "", "", pattern


def compiles(pattern: str) -> bool:
    """Whether Python reads a pattern as the services' Java does; Unicode classes it has none of."""
    if re.search(r"(?<=[^\[(|])\^", pattern):
        return False  # the start of the text, in its middle: nothing can match
    if re.search(r"\\[pP]\{|&&\[|[^\\]\[[^\]]*(?<!\\)\[", pattern):
        return False
    try:
        compiled = re.compile(pattern, re.DOTALL)
    except re.error:
        return False
    return not all(compiled.fullmatch(text) for text in ("a b\n", "-", "é€", "\t\\\"'<>", "0" * 300))


def _spellings(name: str) -> tuple[str, ...]:
    """How the API may spell a property; Pulumi makes lists plural, and what is single singular."""
    plainly = _plainly(name)
    return plainly, f"{plainly}s", plainly.removesuffix("s"), re.sub("ies$", "y", plainly)


def _plainly(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _cell(number: float | None) -> str:
    return "" if number is None else f"{number:.15g}"


if __name__ == "__main__":
    main(data_set)
