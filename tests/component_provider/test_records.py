"""The records of packaged components say what the constructors take and what programs read."""

from __future__ import annotations

import inspect
from typing import Any, get_type_hints

import pulumi
import pytest

from penstock.component_provider.annotations import Meaning, meaning_of
from penstock.component_provider.catalogue import Packaged, packaged

PIECES = [each for each in packaged().values() if not each.is_platform]
NAMES = {"Network", "NodePool", "Lustre", "Bucket"}
UNSERVED: dict[str, set[str]] = {}
"""Keyword arguments that other languages cannot give, by the token of the component."""


def hints(of: Any) -> dict[str, Meaning]:
    """The annotations of a function or class."""
    names = {"Output": pulumi.Output, "T": Any}
    return {name: meaning_of(hint) for name, hint in get_type_hints(of, localns=names).items()}


def comparable(meaning: Meaning) -> tuple[str, bool]:
    """What must agree; any sequence is a list."""
    words = str(meaning.type).replace("typing.", "").replace("collections.abc.", "")
    for sequence in ("Sequence[str]", "Collection[str]"):
        words = words.replace(sequence, "tuple[str, ...]")
    return words, meaning.is_input


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.token)
def test_a_record_has_the_arguments_of_the_constructor(piece: Packaged) -> None:
    constructor: Any = piece.constructor()
    annotations = hints(constructor.__init__)
    parameters = {
        name: parameter
        for name, parameter in inspect.signature(constructor.__init__).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and name != "opts"
    }

    recorded = {name: meaning_of(each) for name, each in piece.component.arguments.items()}

    assert recorded.keys() == parameters.keys() - UNSERVED.get(piece.token, set())
    assert {name: comparable(each) for name, each in recorded.items()} == {
        name: comparable(annotations[name]) for name in recorded
    }
    may_be_left_out = {name for name, each in recorded.items() if not each.required}
    optional = {
        name for name, each in parameters.items() if each.default is not each.empty or not annotations[name].required
    }
    assert may_be_left_out == optional & recorded.keys()
    assert annotations["spec"].type is piece.component.spec


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.token)
def test_a_record_has_attributes_that_the_component_has(piece: Packaged) -> None:
    constructor: Any = piece.constructor()
    # Without the attributes of Pulumi's own classes, whose annotations name what is imported for type checkers only.
    own = {"__module__": constructor.__module__, "__annotations__": constructor.__annotations__}
    attributes = hints(type("Own", (), own))

    for name, annotation in piece.component.outputs.items():
        assert meaning_of(annotation).type is attributes[name].type, name


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.token)
def test_what_is_left_out_is_a_field(piece: Packaged) -> None:
    assert {*piece.component.left_out} <= piece.component.spec.model_fields.keys()


def test_each_cloud_serves_the_pieces_that_people_add_to_what_they_have() -> None:
    pieces = {(each.module, each.component.name) for each in PIECES}

    assert pieces >= {(cloud, name) for cloud in ("aws", "gcp", "azure") for name in NAMES}
