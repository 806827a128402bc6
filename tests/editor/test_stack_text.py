"""The place of a cursor in a text is the place in the description that the text means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.descriptions import GCP_TRAINING, TRAINING
from tests.editor.stackfiles import BLOCKS, TRAIN

from penstock.description import document
from penstock.editor.stack_text import cursor_place, span_of_key, span_of_value, text_in

ROOT = 2
"""The length of the path of the description itself."""


def values(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in items:
        if isinstance(item, dict | list):
            yield from values(item, (*path, key))
        else:
            yield (*path, key), item


@pytest.mark.parametrize("flow", [None, False, True])
@pytest.mark.parametrize("description", [TRAINING, GCP_TRAINING], ids=["aws", "gcp"])
def test_a_cursor_behind_a_value_is_at_its_path(description: dict[str, Any], flow: bool | None) -> None:
    whole = {"config": {document.KEY: dict(description)}}
    text = yaml.safe_dump(whole, default_flow_style=flow, width=10_000, sort_keys=False)
    places = document.read_text(text, "Pulumi.dev.yaml")

    assert places is not None
    for path, _ in values(dict(description)):
        place = places.places[("config", document.KEY, *path)]
        span = span_of_value(text, place.line, place.column)
        assert span is not None, path
        quoted = text_in(text, span).startswith(("'", '"'))
        found = cursor_place(text, span.line, span.end - 1 if quoted else span.end)
        assert found is not None, path
        assert (found.path, found.is_key) == (path, False)


@given(
    line=st.integers(0, BLOCKS.count("\n")),
    character=st.integers(0, 60),
    typed=st.text(st.sampled_from("ab: -{}[],\"'#&*\n\t"), max_size=6),
)
def test_no_text_and_no_cursor_is_a_failure(line: int, character: int, typed: str) -> None:
    lines = BLOCKS.split("\n")
    lines[line] = lines[line][:character] + typed + lines[line][character:]

    cursor_place("\n".join(lines), line, min(character, len(lines[line])))


@pytest.mark.parametrize(
    ("key", "value"),
    [("account", '"123456789012"'), ("capacity_tib", "19.2"), ("nodes", "{min: 2, max: 6}"), ("cidr", "10.40.0.0/16")],
)
def test_a_value_ends_where_the_next_key_begins(key: str, value: str) -> None:
    line = next(number for number, text in enumerate(TRAIN.split("\n"), start=1) if f"{key}:" in text)
    column = TRAIN.split("\n")[line - 1].index(f"{key}:") + 1
    span = span_of_value(TRAIN, line, column)

    assert span is not None
    assert text_in(TRAIN, span) == value
    assert text_in(TRAIN, span_of_key(TRAIN, line, column)) == key
