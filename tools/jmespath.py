"""Checks as JMESPath: an expression for where each passes, and one for where it fails; elsewhere it does not apply.

Kyverno evaluates them against an object that is to be created, in which nothing is unknown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from penstock.graph.property_path import Every, PropertyPath
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    Check,
    Custom,
    Either,
    Given,
    Has,
    Is,
    IsNot,
    Joined,
    Matches,
    NoneOf,
    OneOf,
    Unlike,
    Where,
)

_PLAIN: Final = re.compile(r"[A-Za-z_]\w*")

Place = Callable[[str], str]
"""Return the expression for the value at a path of the object, or of a part of it, that a check judges."""


class Untranslatable(Exception):
    """No expression says what a check says, for this reason."""


@dataclass(frozen=True, slots=True)
class Said:
    """The outcome of a check, as two expressions; where it is `whole`, one of them is always true."""

    passes: str
    fails: str
    whole: bool = False


def path_below(base: str) -> Place:
    """The place of paths below an expression."""
    return lambda path: ".".join([base, *(quoted_text(step) for step in path_steps(path))])


def path_steps(path: str) -> list[str]:
    """The keys of a path, with `[]` behind those of lists."""
    found = PropertyPath.parse(path).steps
    return [f"{key}[]" if after is Every.ITEM else key for key, after in pairwise((*found, "")) if isinstance(key, str)]


def quoted_text(step: str) -> str:
    """A key as JMESPath writes it."""
    key = step.removesuffix("[]")
    return (key if _PLAIN.fullmatch(key) else f'"{key}"') + step[len(key) :]


def expression_of(check: Check, place: Place) -> Said:
    """Return the outcome of a check of the object whose paths have these places.

    Raises:
        Untranslatable: no expression says it.
    """
    match check:
        case All(checks=checks):
            return _all([expression_of(each, place) for each in checks])
        case Either(checks=checks):
            return _either([expression_of(each, place) for each in checks])
        case Where(condition=condition, check=inner):
            where, then = expression_of(condition, place).passes, expression_of(inner, place)
            return Said(_both(where, then.passes), _both(where, then.fails))
        case Custom() | Joined():
            raise Untranslatable(
                "it reads other objects, and an admission sees one" if check.joins else "its check is a function"
            )
        case _:
            return _of_value(check, place)


def _of_value(check: Check, place: Place) -> Said:
    path = getattr(check, "path", None)
    if not isinstance(path, str):
        raise Untranslatable("its check has no words in JMESPath")
    value = place(path)
    if path.endswith("[]"):
        return _of_items(check, value)
    if "[]" in path:
        if not isinstance(check, Absent):
            raise Untranslatable("JMESPath leaves out what is missing in a list")
        return _turned(f"!({value})")
    return _turned(_holds(check, value))


def _of_items(check: Check, items: str) -> Said:
    match check:
        case OneOf(values=values):
            wrong = f"length(({items} || `[]`)[?!contains({_literal(values)}, @)]) > `0`"
        case NoneOf(values=values):
            wrong = f"length(({items} || `[]`)[?contains({_literal(values)}, @)]) > `0`"
        case _:
            raise Untranslatable("its check of a list has no words in JMESPath")
    return Said(f"({items} && !({wrong}))", f"({wrong})")


def _is_least(check: Any, value: str) -> str:
    return f"({value} != `null` && {value} >= {_literal(check.least)})"


def _has(check: Any, value: str) -> str:
    return " && ".join(f"contains({value} || `[]`, {_literal(item)})" for item in check.items)


def _matches(check: Any, value: str) -> str:
    return f"regex_match('^(?:{_escaped(check.pattern)})$', {value} || '')"


_WORDS: Final[Mapping[type[Check], Callable[[Any, str], str]]] = {
    Is: lambda check, value: f"{value} == {_literal(check.value)}",
    IsNot: lambda check, value: f"{value} != {_literal(check.value)}",
    OneOf: lambda check, value: f"contains({_literal(check.values)}, {value})",
    NoneOf: lambda check, value: f"!contains({_literal(check.values)}, {value})",
    AtLeast: _is_least,
    Given: lambda _, value: f"!!({value})",
    Absent: lambda _, value: f"!({value})",
    Has: _has,
    Matches: _matches,
    Unlike: lambda check, value: f"!{_matches(check, value)}",
}
"""What the simple checks say of a value."""


def _holds(check: Check, value: str) -> str:
    if type(check) not in _WORDS:
        raise Untranslatable("its check has no words in JMESPath")
    return _WORDS[type(check)](check, value)


def _turned(holds: str) -> Said:
    return Said(f"({holds})", f"!({holds})", whole=True)


def _all(parts: list[Said]) -> Said:
    if all(part.whole for part in parts):
        return _turned(" && ".join(part.passes for part in parts))
    fails = " || ".join(part.fails for part in parts)
    return Said(f"(!({fails}) && ({' || '.join(part.passes for part in parts)}))", f"({fails})")


def _either(parts: list[Said]) -> Said:
    passes = " || ".join(part.passes for part in parts)
    if all(part.whole for part in parts):
        return _turned(passes)
    return Said(f"({passes})", f"(!({passes}) && ({' || '.join(part.fails for part in parts)}))")


def _both(one: str, other: str) -> str:
    return f"({one} && {other})"


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return f"'{_escaped(value)}'"
    plain = value if not isinstance(value, Mapping) else dict(value)
    return f"`{json.dumps(plain)}`"


def _escaped(text: str) -> str:
    return text.replace("'", "\\'")
