"""Bounds of a cloud's API on single fields, as the rules on all the types of a provider apply them to each value."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from penstock.catalog import api_limits
from penstock.catalog.api_limits import FieldLimit, LimitKind
from penstock.core.spelling import near_matches, suggestion
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import PASS, NotKnown, TypeMismatch, Verdict, allow, each, fail
from penstock.graph.view import View

_WORDS_SHOWN = 12
_PRIVATE = re.compile("password|passphrase|secret|token|private_?key|credential", re.IGNORECASE)
"""Names of properties whose values no message repeats."""
_NEAR_SHOWN = 4
_TEXT_SHOWN = 60
_LONGEST_MATCHED = 1024
"""Matching a pattern may take time that grows fast with the text."""
_NO_CHOICE = re.compile("(^|_)UNSPECIFIED$")
"""Words by which Google's APIs mean that nothing was said: they are taken, but never to be advised."""

Check = Callable[[FieldLimit, Any, str], Verdict]


def judged(resource: View, check: Check, *kinds: LimitKind) -> Verdict:
    """One verdict over all fields of a resource whose API limits them in one of these ways."""
    inputs = resource.resource.inputs

    def judge(found: tuple[FieldLimit, Any, str]) -> Verdict:
        limit, value, path = found
        if isinstance(value, Unknown | Secret):
            raise NotKnown
        return check(limit, value, path)

    return each(
        (
            (limit, value, path)
            for limit in api_limits.limits_of(resource.type, *kinds)
            if limit.path.top in inputs
            for path, value in limit.path.locations(inputs)
            if value not in (None, "", [])  # what is empty counts as not given, as it does for the provider
        ),
        judge,
    )


def is_a_word(limit: FieldLimit, value: Any, path: str) -> Verdict:
    """Return the verdict on a text that must be one of some words."""
    word = _text(value)
    if word in limit.words:
        return PASS
    if limit.kind is not LimitKind.WORD and word.lower() in {known.lower() for known in limit.words}:
        return PASS
    if limit.kind is LimitKind.OPEN_WORD:
        message = f"{_shown(word)} is not among the values that the API's specification lists here"
    else:
        message = f"{_shown(word)} is not a value that the API knows here"
    return fail(message, hint=_advice(word, limit.words), path=path)


def is_in_range(limit: FieldLimit, value: Any, path: str) -> Verdict:
    """Return the verdict on a number within bounds."""
    number = _number(value)
    if number == 0:
        return PASS  # to the provider it is not given
    return _bounded(limit, number, f"{number:.15g} is", path, "")


def has_a_length(limit: FieldLimit, value: Any, path: str) -> Verdict:
    """Return the verdict on the length of a text or a list."""
    if limit.kind is LimitKind.TEXT:
        length = len(_text(value))
        return _bounded(limit, length, f"a text of {length} characters is", path, " characters")
    if not isinstance(value, list | tuple):
        raise TypeMismatch
    return _bounded(limit, len(value), f"a list of {len(value)} is", path, " items")


def is_formed(limit: FieldLimit, value: Any, path: str) -> Verdict:
    """Return the verdict on a text that must match a pattern."""
    text = _text(value)
    if limit.pattern is None or len(text) > _LONGEST_MATCHED:
        raise TypeMismatch
    return allow(
        limit.pattern.fullmatch(text),
        f"{'the text' if _PRIVATE.search(path) else _shown(text)} does not have the form that the API takes here",
        hint=f"It must match {limit.pattern.pattern}",
        path=path,
    )


def _bounded(limit: FieldLimit, amount: float, what: str, path: str, unit: str) -> Verdict:
    if limit.minimum is not None and amount < limit.minimum:
        message = f"{what} too {'short' if unit else 'little'} here"
        return fail(message, hint=f"At least {limit.minimum:.15g}{unit}.", path=path)
    if limit.maximum is not None and amount > limit.maximum:
        message = f"{what} too {'long' if unit else 'much'} here"
        return fail(message, hint=f"At most {limit.maximum:.15g}{unit}.", path=path)
    return PASS


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeMismatch
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeMismatch
    try:
        return float(value)
    except ValueError:
        raise TypeMismatch from None


def _shown(text: str) -> str:
    return repr(text if len(text) <= _TEXT_SHOWN else f"{text[:_TEXT_SHOWN]}…")


def _advice(word: str, words: Sequence[str]) -> str:
    words = [known for known in words if not _NO_CHOICE.search(known)]
    by_case = {known.lower(): known for known in words}
    all_shown = len(words) <= _WORDS_SHOWN
    near = [by_case[found] for found in near_matches(word.lower(), by_case, most=1 if all_shown else _NEAR_SHOWN)]
    allowed = (
        f"Allowed: {', '.join(words)}." if all_shown else "" if near else f"Such as {', '.join(words[:_NEAR_SHOWN])}."
    )
    return " ".join(part for part in (suggestion(near), allowed) if part)
