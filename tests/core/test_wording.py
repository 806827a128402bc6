"""Words of messages: counts, lists, cut texts."""

from __future__ import annotations

import pytest

from penstock.core.wording import inflect, listed, plural, shortened


@pytest.mark.parametrize(("count", "text"), [(0, "0 nodes"), (1, "1 node"), (2, "2 nodes"), (1.5, "1.5 nodes")])
def test_a_count_has_its_noun(count: float, text: str) -> None:
    assert plural(count, "node") == text


def test_a_noun_may_have_its_own_plural() -> None:
    assert plural(2, "policy", "policies") == "2 policies"


def test_a_verb_follows_its_count() -> None:
    assert inflect(1, "is", "are") == "is"
    assert inflect(0, "is", "are") == "are"


def test_a_list_counts_what_it_leaves_out() -> None:
    assert listed(["a", "b", "c"]) == "a, b, c"
    assert listed(["a", "b", "c"], 3) == "a, b, c"
    assert listed(["a", "b", "c"], 1) == "a and 2 more"
    assert listed([], 1) == ""


def test_a_long_text_is_cut() -> None:
    assert shortened("abcdef", 6) == "abcdef"
    assert shortened("abcdefg", 6) == "abcde…"
