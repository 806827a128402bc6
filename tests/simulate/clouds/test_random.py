"""Simulated random values: of the right form, secret where they must be, and the same each time."""

from __future__ import annotations

import re
from typing import Any, cast

import pulumi
import pulumi_random as random
import pytest

from penstock.graph.graph import Resource
from penstock.graph.values import Secret
from penstock.simulate.run import rehearse


def made(program: Any) -> Resource:
    *_, last = rehearse(program).graph
    return last


@pytest.mark.parametrize(
    ("program", "output", "form"),
    [
        (lambda: random.RandomString("r", length=70), "result", r"\w{70}"),
        (
            lambda: random.RandomUuid("r"),
            "result",
            r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        ),
        (lambda: random.RandomInteger("r", min=5, max=7), "result", r"[567]"),
        (lambda: random.RandomId("r", byte_length=4, prefix="p-"), "hex", r"p-[0-9a-f]{8}"),
        (lambda: random.RandomId("r", byte_length=4), "dec", r"\d+"),
    ],
)
def test_a_value_has_its_form(program: Any, output: str, form: str) -> None:
    assert re.fullmatch(form, str(made(program).outputs[output]))


def test_a_pet_has_as_many_words_as_asked_for() -> None:
    assert made(lambda: random.RandomPet("r", length=3, prefix="my")).id.count("-") == 3


@pytest.mark.parametrize(
    ("program", "output"),
    [
        (lambda: random.RandomPassword("r", length=20), "result"),
        (lambda: random.RandomBytes("r", length=20), "hex"),
    ],
)
def test_passwords_and_bytes_are_secret(program: Any, output: str) -> None:
    assert isinstance(made(program).outputs[output], Secret)


def test_values_differ_by_resource_and_stay_the_same_from_run_to_run() -> None:
    first, again = (made(lambda: random.RandomString("a", length=8)).id for _ in range(2))

    assert first == again
    assert first != made(lambda: random.RandomString("b", length=8)).id


@pytest.mark.parametrize("count", [None, 2, 7])
def test_shuffled_values_are_those_that_were_given(count: int | None) -> None:
    results = made(lambda: random.RandomShuffle("r", inputs=["a", "b", "c"], result_count=count)).outputs["results"]

    assert len(results) == (count or 3)
    assert set(results) <= {"a", "b", "c"}
    assert len(set(results)) == min(len(results), 3)


def test_a_secret_length_is_kept_to() -> None:
    assert len(made(lambda: random.RandomString("r", length=pulumi.Output.secret(5))).outputs["result"]) == 5


@pytest.mark.parametrize(
    "program",
    [
        lambda: random.RandomString("r", length=cast("int", pulumi.UNKNOWN)),
        lambda: random.RandomInteger("r", min=1, max=0),
        lambda: random.RandomShuffle("r", inputs=[]),
        lambda: random.RandomString("r", length=10**12),
        lambda: random.RandomId("r", byte_length=50_000),
    ],
)
def test_what_cannot_be_made_does_not_end_the_rehearsal(program: Any) -> None:
    assert made(program).id
