"""What names promise: they fit, they stay apart, and those that fit by themselves stay as they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from penstock.description.shortened_names import letters_with_room, with_room

SUFFIX = "-1a2b3c4"
NAMES = st.from_regex(r"[a-z](-?[a-z0-9]){0,90}", fullmatch=True)


@given(NAMES)
def test_a_name_leaves_room_for_what_pulumi_appends(name: str) -> None:
    assert len(with_room(name, 40) + SUFFIX) <= 40


@given(NAMES)
def test_a_shortened_name_is_one_that_google_accepts(name: str) -> None:
    assert "--" not in with_room(name, 40)
    assert with_room(name, 40)[0].isalpha()


def test_a_name_that_fits_stays_as_it_is() -> None:
    assert with_room("platform-prod-train", 40) == "platform-prod-train"


def test_names_that_differ_at_their_ends_stay_different() -> None:
    long = "platform-for-everything-staging-pool-for-"

    assert with_room(f"{long}training", 40) != with_room(f"{long}serving", 40)


@given(NAMES)
def test_letters_and_digits_of_a_name_leave_room_too(name: str) -> None:
    short = letters_with_room(name, 24)

    assert short.isalnum()
    assert len(short) + len("1a2b3c4d") <= 24


def test_names_that_differ_in_hyphens_alone_stay_apart() -> None:
    assert len({letters_with_room(name, 24) for name in ("a-bc", "ab-c", "abc")}) == 3
