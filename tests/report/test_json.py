"""A report in JSON is read by every reader, whatever a program or a state holds."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given
from tests.report.assessments import TEXTS

from penstock.report.json import text_of


def read(text: str) -> Any:
    return json.loads(text_of({text: [text]}))


@given(TEXTS)
@example("\\ud800 \\\ud800 \\\\\udfff")
@example("\U0001f600\ud83d\udc00\ud83d")
def test_only_halves_of_characters_are_replaced(text: str) -> None:
    whole = text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")

    assert read(text) == {whole: [whole]}


@given(TEXTS)
def test_nothing_in_it_steers_a_terminal(text: str) -> None:
    assert text_of({text: text}).replace("\n", "").isprintable()
