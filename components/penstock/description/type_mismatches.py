"""Puts into words what does not fit the models.

Pydantic decides; its own texts are never shown, because they speak of Python. What is allowed comes from the JSON
Schema of the models, so that it cannot differ from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from penstock.catalog.tables import rows
from penstock.core.spelling import near_matches, suggestion
from penstock.core.wording import listed, one_of, quoted
from penstock.description.codes import Code
from penstock.description.platform import Spec
from penstock.description.positions import Path, no_value, written
from penstock.description.problems import Coded, Problem

Schema = dict[str, Any]

_KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "nodes_type": "a number or {min, max}",
    "amount_type": "a number or {low, expected, high}",
    "tuple_type": "a list",
    "dict_type": "a block of keys and values",
    "model_type": "a block of fields",
    "model_attributes_type": "a block of fields",
}
_OF_KEY = "[key]"
"""How pydantic ends the location of a key that is none of those that a block may have."""
HIDDEN = "The value"
"""Stands in messages for a value that may be a secret."""
_OF_SECRETS = "_from"
"""The end of fields that say where a secret is."""

_BOUNDS = {
    "greater_than_equal": ("ge", "at least {:g}"),
    "greater_than": ("gt", "more than {:g}"),
    "less_than_equal": ("le", "at most {:g}"),
    "less_than": ("lt", "less than {:g}"),
    "string_too_long": ("max_length", "at most {} characters"),
}
_TOGETHER = {
    "amount_order": ("The bounds are not in order.", "low ≤ expected ≤ high."),
    "shares_sum": ("The shares do not add up to 1.", "reserved, spot and on_demand together are all nodes: 1."),
}
"""Fields that do not fit one another."""
_LENGTHS = {"too_long": ("max_length", "the most"), "too_short": ("min_length", "the least")}


def problems(error: ValidationError, data: Any, model: type[BaseModel] = Spec) -> list[Coded]:
    """Everything that pydantic found in data that should fit a model, in the words and paths of the data."""
    schema = model.model_json_schema()
    details = _own(error.errors(include_url=False))
    misspelt = {near for detail in details if detail["type"] == "extra_forbidden" for near in _near(detail, schema)}
    found: dict[tuple[str, Path], Coded] = {}
    for detail in details:
        if detail["type"] == "missing" and detail["loc"] in misspelt:
            continue
        code, problem = _problem(detail, _path(detail["loc"], data), schema)
        found.setdefault((code, problem.path), (code, problem))
    return list(found.values())


def _missing_addon(path: Path) -> tuple[str, str] | None:
    """Message and hint for a field of `addons` that asks for a known service without an add-on; None for others."""
    name = str(path[-1]).lower().replace("_", "-")
    service = next((row["service"] for row in rows("missing_addons") if row["name"] == name), None)
    if service is None or path[:-1] != ("addons",):
        return None
    hint = "Install its chart beside the platform, from the same program (guides/own-charts)."
    return f"There is no add-on for {service} yet.", hint


def _near(detail: ErrorDetails, schema: Schema) -> list[Path]:
    """The location of the field that an unknown one probably means, if there is one."""
    *above, last = detail["loc"]
    fields = _field(schema, tuple(above)).get("properties", ())
    return [(*above, near) for near in near_matches(str(last), fields)]


def described(details: Sequence[ErrorDetails], model: type[BaseModel]) -> str:
    """Return pydantic's errors in the arguments of a model, a line each, for a program that builds the model itself."""
    schema = model.model_json_schema()
    found = [_problem(detail, tuple(detail["loc"]), schema)[1] for detail in _own(details)]
    lines = (f"  {written(each.path)}: {each.message} {each.hint}".rstrip() for each in found)
    return "\n".join([f"{model.__name__} cannot be built", *lines])


def _own(details: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """The errors without those that follow from others: a list counts as too short where its members are wrong."""
    return [
        detail
        for detail in details
        if detail["type"] != "too_short" or len(detail["input"]) < detail["ctx"]["min_length"]
    ]


def _problem(detail: ErrorDetails, path: Path, schema: Schema) -> Coded:
    if detail["type"] in _TOGETHER:
        return Code.OUT_OF_BOUNDS, Problem(path, *_TOGETHER[detail["type"]])
    return _problem_of_field(detail, path, schema)


def _problem_of_field(detail: ErrorDetails, path: Path, schema: Schema) -> Coded:
    field = _field(schema, detail["loc"])
    kind, value = detail["type"], detail["input"]
    hint = field.get("description", "")
    shown = _shown(path, value)
    code, message = Code.WRONG_FORM, f"{shown} does not have the right form."
    if kind in ("extra_forbidden", "invalid_key"):
        fields = list(_field(schema, detail["loc"][:-1]).get("properties", ()))
        code = Code.UNKNOWN_FIELD
        message, hint = _missing_addon(path) or (
            f"There is no field {quoted(path[-1])} here.",
            one_of(path[-1], fields, "Fields"),
        )
    elif kind in ("missing", "union_tag_not_found"):
        path = path if kind == "missing" else (*path, "kind")
        words = _words(field)
        code, message = Code.MISSING_FIELD, f"{path[-1]} is missing."
        hint = f"Allowed: {listed(words)}." if words else hint
    elif value is None and path:
        code, message = Code.WRONG_KIND, no_value(path)
    elif kind == "union_tag_invalid" and value["kind"] is None:
        path = (*path, "kind")
        code, message = Code.WRONG_KIND, no_value(path)
    elif kind in ("literal_error", "enum", "union_tag_invalid"):
        word = value["kind"] if kind == "union_tag_invalid" else value
        path = (*path, "kind") if kind == "union_tag_invalid" else path
        code, message, hint = Code.UNKNOWN_WORD, f"{quoted(word)} is not allowed here.", one_of(word, _words(field))
    elif kind in _BOUNDS:
        limit, bound = _BOUNDS[kind]
        code, message = Code.OUT_OF_BOUNDS, f"{shown} is out of bounds: {bound.format(detail['ctx'][limit])}."
    elif kind in _LENGTHS:
        limit, bound = _LENGTHS[kind]
        code, message = Code.OUT_OF_BOUNDS, f"{len(value)} items are here; {bound} is {detail['ctx'][limit]}."
    elif kind == "ip_v4_network":
        message, hint = f"{shown} is not an IPv4 CIDR range.", _range_hint(value)
    elif kind in _KINDS:
        # A number that should have been text is not shown: zeros of it are lost already.
        instead = "a number" if kind == "string_type" and _is_number(value) else shown
        code, message = Code.WRONG_KIND, f"{_KINDS[kind].capitalize()} belongs here, not {instead}."
        hint = (_kind_hint(kind, value) if shown != HIDDEN else "") or hint
    return code, Problem(path, message, hint)


def _shown(path: Path, value: object) -> str:
    """The value as a message repeats it: never what may be a secret that was written in place of where it is."""
    refers = any(isinstance(part, str) and part.endswith(_OF_SECRETS) for part in path)
    return HIDDEN if refers or (isinstance(value, str) and "=" in value) else quoted(value)


def _kind_hint(kind: str, value: object) -> str:
    if kind == "string_type" and _is_number(value):
        return "Write it in quotes: as a number it loses zeros in front or at its end."
    if kind == "string_type" and isinstance(value, bool):
        return f'Write it in quotes: "{quoted(value)}".'
    if kind == "tuple_type" and isinstance(value, str):
        return f"Write it as a list: [{quoted(value)}]."
    return ""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _range_hint(value: object) -> str:
    try:
        meant = IPv4Network(str(value), strict=False)
    except ValueError:
        meant = None
    # A range of a single address is what is left of one without a length, and nobody meant it.
    if meant is None or meant.num_addresses == 1:
        return "A range is an address and a length, such as 10.40.0.0/16."
    return suggestion([str(meant)])


def _path(location: Path, data: Any) -> Path:
    """The path in the file: without the kind that pydantic puts after a storage item, no deeper than the data is."""
    if len(location) > 1 and location[0] == "storage" and isinstance(location[1], int):
        location = location[:2] + location[3:]
    for depth, part in enumerate(location):
        if isinstance(part, int) and isinstance(data, list):
            if part >= len(data):  # pydantic points at an item of an alternative that the list is too short for
                return location[:depth]
            data = data[part]
        elif isinstance(data, dict):
            data = data.get(str(part))
        else:
            return location[:depth]
    return location


def _field(schema: Schema, location: Path) -> Schema:
    """The JSON Schema of the value at a location of pydantic's, with the description nearest to it."""
    field = _resolved(schema, schema)
    if location[-1:] == (_OF_KEY,):
        return _resolved(_field(schema, location[:-2]).get("propertyNames", {}), schema)
    for part in location:
        if isinstance(part, int):
            below = field.get("items", {})
        elif part in field.get("discriminator", {}).get("mapping", {}):
            below = {"$ref": field["discriminator"]["mapping"][part]}
        else:
            below = field.get("properties", {}).get(part, field.get("additionalProperties") or {})
        field = _resolved(below, schema)
    return field


def _resolved(field: Schema, schema: Schema) -> Schema:
    """The schema itself instead of a reference to it, and without the alternatives of nothing and of a plain number."""
    if "$ref" in field:
        target = schema["$defs"][field["$ref"].removeprefix("#/$defs/")]
    elif "anyOf" in field:
        target = next((option for option in field["anyOf"] if option.get("type") not in ("null", "integer")), {})
    else:
        return field
    described = {"description": field["description"]} if "description" in field else {}
    return {**_resolved(target, schema), **described}


def _words(field: Schema) -> list[str]:
    return list(field.get("enum") or field.get("discriminator", {}).get("mapping", ()) or ())
