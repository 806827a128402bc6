"""A message repeats a value so that a person knows it again, and never a secret."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.rules.comparing import in_one, shown

TOKEN = "hf_" + "aB3" * 12
KEY = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (3.0, "3"),
        ("", "empty"),
        ("TLSv1.0", "TLSv1.0"),
        (KEY, "arn:aws:kms:us-east-1:123456…-12ab-34cd-56ef-1234567890ab"),
        ("#!/bin/sh\n" + "echo\n" * 20, "a long text"),
        ("QUJD" * 30, "a long text"),
        (["a", "b"], "a, b"),
        ([], "empty"),
        ([{}], "a list of 1"),
        (["10.0.0.0/8"] * 20, "a list of 20"),
    ],
)
def test_a_value_is_reported_as_far_as_it_helps(value: Any, text: str) -> None:
    assert shown(value) == text


@pytest.mark.parametrize("value", [TOKEN, [TOKEN], f"https://example.com/{'x' * 60}?key={TOKEN}", f"API_TOKEN={TOKEN}"])
def test_no_secret_is_reported(value: Any) -> None:
    assert TOKEN[:12] not in shown(value)
    assert TOKEN[-12:] not in shown(value)
    assert "a Hugging Face token" in shown(value)


@pytest.mark.parametrize(
    ("complaints", "sentence"),
    [
        (["a is not set"], "a is not set"),
        (["a is not set", "b is false"], "a is not set, and b is false"),
        (["a is not set", "b is not set"], "neither a nor b is set"),
        (["x is 0", "a is not set", "b is not set", "c is not set"], "none of a, b and c is set, and x is 0"),
        ([f"{key} is not set" for key in "abcdefg"], "none of a, b, c and 4 more is set"),
        (["a is not set, so it is 0", "b is not set"], "a is not set, so it is 0, and b is not set"),
    ],
)
def test_complaints_make_one_sentence(complaints: list[str], sentence: str) -> None:
    assert in_one(complaints) == sentence
