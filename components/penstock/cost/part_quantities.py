"""The small language of CLOUD/billed_parts: conditions, quantities and words that read a resource's properties."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any, Final

from penstock.catalog.billed_parts import BilledPart
from penstock.graph import property_path
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View

_PLACE: Final = re.compile(r"\{([^}]+)\}")
_FACTOR: Final = re.compile(
    r"(?P<count>#?)(?P<path>[A-Za-z][\w.\[\]\"/-]*)(?:\?(?P<default>[\w.-]+))?(?:\+(?P<plus>[\d.]+))?"
)
_CLAUSE: Final = re.compile(
    r"(?P<absent>!?)(?P<path>[^=!<>?]+)(?:\?(?P<default>[^=!<>]*))?(?P<test>=|!=|>|<)?(?P<values>.*)"
)


def applies(when: str, view: View) -> bool:
    """Return whether all clauses of a condition hold.

    Raises:
        NotKnown: a property that decides is not known.
    """
    return all(_holds(clause.strip(), view) for clause in when.split(";") if clause.strip())


def quantity_of(quantity: str, view: View) -> float | None:
    """Return the product of the factors; None where a property is not given and has no default.

    Raises:
        NotKnown: a property is not known.
    """
    product = 1.0
    for factor in quantity.split("*") if quantity else ():
        number = _number(factor.strip(), view)
        if number is None:
            return None
        product *= number
    return product


def worded(template: str, view: View) -> str | None:
    """Return a template with its properties filled in; None where one is not given.

    Raises:
        NotKnown: a property is not known.
    """
    missing = False

    def fill(match: re.Match[str]) -> str:
        nonlocal missing
        path, _, default = match[1].partition("?")
        value = _text(_value(view, path))
        missing = missing or not (value or default)
        return value or default

    filled = _PLACE.sub(fill, template)
    return None if missing else filled


def properties_of(part: BilledPart) -> set[str]:
    """Return the paths of all properties that a row reads."""
    clauses = (_CLAUSE.fullmatch(clause.strip()) for clause in part.when.split(";") if clause.strip())
    factors = (_FACTOR.fullmatch(each.strip()) for each in part.quantity.split("*"))
    places = (match.partition("?")[0] for text in (part.what, part.item) for match in _PLACE.findall(text))
    return {*(read["path"].strip() for read in (*clauses, *factors) if read is not None), *places}


def _holds(clause: str, view: View) -> bool:
    read = _CLAUSE.fullmatch(clause)
    if read is None:
        raise ValueError(clause)
    value = _value(view, read["path"].strip())
    if read["test"] is None:
        return (value is None or value is False or value == []) == bool(read["absent"])
    text = _text(value) or (read["default"] or "").strip()
    if read["test"] in "<>":
        if not text:
            return False
        number, limit = _as_number(text), float(read["values"])
        return number > limit if read["test"] == ">" else number < limit
    wanted = [each.strip().casefold() for each in read["values"].split("|")]
    return (text.casefold() in wanted) == (read["test"] == "=")


def _number(factor: str, view: View) -> float | None:
    if factor[0].isdigit():
        return float(factor)
    read = _FACTOR.fullmatch(factor)
    if read is None:
        raise ValueError(factor)
    values = [place.value for place in view.locations(read["path"])]
    if any(isinstance(value, property_path.HIDDEN) for value in values):
        raise NotKnown(read["path"])
    given = [value for value in values if value is not None]
    if read["count"] and (given or not read["default"]):
        number = float(sum(len(value) if isinstance(value, list | tuple) else 1 for value in given))
    elif given:
        number = sum(_as_number(value) for value in given)
    elif read["default"]:
        number = float(read["default"])
    else:
        return None
    return number + float(read["plus"] or 0)


def _as_number(value: Any) -> float:
    """A value as a number, as providers read it; a mistake that the types of the SDK report otherwise."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeMismatch from None
    if not isfinite(number):
        raise TypeMismatch
    return number


def _value(view: View, path: str) -> Any:
    """The value at a path; the first where there are several."""
    for place in view.locations(path):
        if isinstance(place.value, property_path.HIDDEN):
            raise NotKnown(path)
        if place.value is not None:
            return place.value
    return None


def _text(value: Any) -> str:
    if value is None or isinstance(value, dict | list):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
