"""Misspelt words: the known words that one is near to."""

from __future__ import annotations

from penstock.core.spelling import MISSPELT, near_matches, suggestion

ZONES = ("us-east-1", "us-east-2", "eu-west-1")


def test_the_nearest_word_comes_first() -> None:
    assert near_matches("eu-wset-1", ZONES) == ["eu-west-1"]
    assert near_matches("us-east-22", ZONES, most=3)[0] == "us-east-2"


def test_a_word_unlike_all_others_has_no_match() -> None:
    assert near_matches("moon", ZONES) == []


def test_a_report_needs_more_likeness_than_a_hint() -> None:
    assert near_matches("train", ["trial"]) == ["trial"]
    assert near_matches("train", ["trial"], likeness=MISSPELT) == []


def test_a_suggestion_names_every_word() -> None:
    assert suggestion(["a", "b"]) == "Did you mean a or b?"
    assert suggestion([]) == ""
