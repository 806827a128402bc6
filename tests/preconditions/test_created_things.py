"""Nothing that a program creates is a precondition of it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.environments import PROJECT, rehearsed
from tests.graphs import graph_of, resource

from penstock.graph.graph import Graph, Lookup, Resource
from penstock.preconditions import preconditions_of
from penstock.preconditions.named import NamedThing, named_things

CREATED = [row for provider in ("aws", "azure", "gcp") for row in named_things(provider) if row.created_by]

_LONGEST = 99


@st.composite
def namings(draw: st.DrawFn) -> tuple[NamedThing, str, str]:
    """A row of a table, a text of its form, and one of the types that create such a thing."""
    row = draw(st.sampled_from(CREATED))
    text = draw(st.from_regex(re.compile(row.form.pattern, re.ASCII), fullmatch=True))
    assume(len(text) < _LONGEST and row.form.fullmatch(text))
    return row, text, draw(st.sampled_from(row.created_by))


def naming(row: NamedThing, text: str) -> tuple[list[Resource], list[Lookup]]:
    """A resource or a look-up that names a thing as a row says."""
    keys = ("anything" if row.property == "*" else row.property).split(".")
    inputs: dict[str, object] = {keys[-1]: text}
    for key in reversed(keys[:-1]):
        inputs = {key: inputs}
    package = row.kind.partition("-")[0].replace("az", "azure-native")
    within = row.within[-1] if row.within else f"{package}:some/thing:Thing"
    token = within.replace("*", "thing:Thing")
    if ":get" in token or "/get" in token:
        return [resource("aws:some/other:Other", "other"), resource("gcp:logging/other:Other", "g")], [
            Lookup(token, inputs, "")
        ]
    return [resource(token, "naming", inputs=inputs)], []


def program(row: NamedThing, text: str, *more: Resource) -> Graph:
    """A program that names a thing, and more of it."""
    resources, lookups = naming(row, text)
    plain = graph_of(*more, *resources)
    return Graph(plain.project, plain.stack, plain.resources, {}, tuple(lookups))


def of_kind(graph: Graph, row: NamedThing) -> list[str]:
    """What is needed by the words of a row."""
    words = re.escape(row.what.partition("{")[0])
    return [each.what for each in preconditions_of(graph) if re.match(words, each.what)]


@given(namings())
def test_what_a_program_names_is_needed_unless_it_is_created(naming: tuple[NamedThing, str, str]) -> None:
    row, text, type_ = naming
    answering = replace(resource(type_, "owner"), outputs={"arn": text})

    assert of_kind(program(row, text), row)
    assert not of_kind(program(row, text, answering), row)


@given(namings().filter(lambda drawn: "name" in drawn[0].form.groupindex))
def test_what_a_program_creates_under_the_name_is_not_needed(naming: tuple[NamedThing, str, str]) -> None:
    row, text, type_ = naming
    found = row.form.fullmatch(text)
    assert found is not None

    assert not of_kind(program(row, text, resource(type_, "owner", inputs={"anyName": found["name"]})), row)


@pytest.mark.slow
@pytest.mark.parametrize("environment", PROJECT.stacks())
def test_an_environment_needs_nothing_that_it_creates(environment: str) -> None:
    rehearsal = rehearsed(environment)
    ids = {each.id for each in rehearsal.graph if each.custom and not each.external and len(each.id) > 12}

    assert [each.what for each in rehearsal.preconditions if any(id_ in each.what.split() for id_ in ids)] == []
