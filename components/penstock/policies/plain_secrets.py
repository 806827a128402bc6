"""Checks that no secret is in clear text where a program writes text: scripts, variables, parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from penstock.graph.property_path import Location
from penstock.graph.values import UNKNOWN as UNKNOWN_VALUE
from penstock.graph.values import Secret, Unknown, read_document
from penstock.graph.verdict import (
    NOT_APPLICABLE,
    PASS,
    UNKNOWN,
    NotKnown,
    Outcome,
    TypeMismatch,
    Verdict,
    each,
    fail,
    together,
)
from penstock.graph.view import Block
from penstock.rules.checks import AtPath
from penstock.secrets import detection, forms

if TYPE_CHECKING:
    from penstock.rules.settings import Settings

_NAMES = ("name", "key")


@dataclass(frozen=True, slots=True)
class NoSecretIn(AtPath):
    """A text holds no secret: a script or a file, as it is or encoded (`secrets.decoding`)."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        return each(it.locations(self.path), judge_text)


@dataclass(frozen=True, slots=True)
class NoSecretAmong(AtPath):
    """Variables hold no secrets, be they an object of names and values, or a list of objects with name and value.

    A value that is marked as secret stays so in the state of the stack only: whoever may read the resource reads it.
    """

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        return each(it.locations(self.path), self._of_location)

    def _of_location(self, place: Location) -> Verdict:
        if place.value is None:
            return NOT_APPLICABLE
        if isinstance(place.value, Unknown):
            return UNKNOWN
        said = each(_variables(_unmarked(place.value), place.path), lambda variable: judge_variable(*variable))
        return UNKNOWN if isinstance(place.value, Secret) and said.outcome is Outcome.PASS else said


@dataclass(frozen=True, slots=True)
class NoSecretInTags(NoSecretAmong):
    """Tags, labels or annotations hold no secrets; it applies where one has a suggestive name, or a secret."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        said = NoSecretAmong.judge(self, it, settings)
        tags = [place.value for place in it.locations(self.path)]
        suggestive = any(forms.names_a_secret(key) for each_ in tags if isinstance(each_, Mapping) for key in each_)
        return said if said.outcome is not Outcome.PASS or suggestive else NOT_APPLICABLE


@dataclass(frozen=True, slots=True)
class NoSecretInContainers(AtPath):
    """Containers that are written as JSON hold no secrets, neither in variables nor in what they run."""

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(place: Location) -> Verdict:
            text = _unmarked(place.value)
            said = each(_in_containers(text, place.path), lambda variable: judge_variable(*variable))
            return said if said.failures else together((said, judge_text(place)))

        return each(it.locations(self.path), one)


def _in_containers(text: Any, path: str) -> Iterator[tuple[str, Any, str]]:
    try:
        written = read_document(text, json.loads) if isinstance(text, str) else text
    except ValueError:
        raise TypeMismatch from None
    if isinstance(written, Unknown):
        raise NotKnown
    for variables in _environments(written):
        yield from ((name, value, path) for name, value, _ in _variables(variables, path))


def _environments(written: Any) -> Iterator[Any]:
    """The variables of containers, which are nested deeper where a job has several nodes or tasks."""
    if isinstance(written, Mapping):
        for key, value in written.items():
            yield from [value] if key == "environment" else _environments(value)
    elif isinstance(written, list):
        for item in written:
            yield from _environments(item)


def judge_text(place: Location) -> Verdict:
    """Return whether a text is free of secrets: a script or a file, as it is or encoded (`secrets.decoding`)."""
    if place.value is None:
        return NOT_APPLICABLE
    text = _unmarked(place.value)
    if not isinstance(text, str):
        return UNKNOWN if isinstance(text, Unknown) else NOT_APPLICABLE
    found = _found(text)
    if found:
        return fail(f"{place.path} has {' and '.join(found)} in clear", path=place.path)
    return UNKNOWN if isinstance(place.value, Secret) else PASS


def judge_variable(name: str, value: Any, path: str) -> Verdict:
    """Return whether a variable holds no secret, also where only Pulumi keeps it secret."""
    text = _unmarked(value)
    if isinstance(text, Unknown):
        return UNKNOWN
    if isinstance(text, str):
        found = (
            [detection.kind_of_secret_in(text) or f"a value of {name}"]
            if detection.looks_secret(name, text)
            else _found(text)
        )
        if found:
            return fail(f"{path} has {' and '.join(found)} in clear", path=path)
    return UNKNOWN if isinstance(value, Secret) else PASS


def _variables(value: Any, path: str) -> Iterator[tuple[str, Any, str]]:
    if isinstance(value, Mapping):
        for name, each_value in value.items():
            yield name, each_value, f'{path}."{name}"' if "." in name else f"{path}.{name}"
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            if isinstance(item, Unknown):
                yield "", item, f"{path}[{index}]"
            elif isinstance(item, Mapping) and item.get("type", "PLAINTEXT") == "PLAINTEXT" and item.get("value"):
                yield detection.variable_name(item), item["value"], f"{path}[{index}].value"
                if any(isinstance(item.get(key), Unknown | Secret) for key in _NAMES):
                    yield "", UNKNOWN_VALUE, f"{path}[{index}].value"  # under a speaking name it would be a secret


def _found(text: str) -> list[str]:
    return sorted(set(detection.found_in(text)))


def _unmarked(value: Any) -> Any:
    return value.value if isinstance(value, Secret) else value
