"""Version numbers: parsing and comparing."""

from __future__ import annotations

import pytest

from penstock.core.versions import Minor, exact, find_minor, minor, numbers


@pytest.mark.parametrize(("older", "newer"), [("1.9", "1.35"), ("v1.32", "1.33"), ("1.35.2", "1.36")])
def test_minor_versions_compare_by_number(older: str, newer: str) -> None:
    assert minor(older) < minor(newer)


@pytest.mark.parametrize("text", ["1.35", "v1.35.2", "1.35.2-gke.100", "1.35.0+k3s1"])
def test_a_minor_version_ignores_patch_and_build(text: str) -> None:
    assert minor(text) == Minor(1, 35)
    assert str(minor(text)) == "1.35"


@pytest.mark.parametrize("text", [None, "", "latest", "1", "1.35-gke.1", "1.x", "^1.35", "v1.35", "1.35.2.1"])
def test_other_texts_have_no_minor_version(text: str | None) -> None:
    assert find_minor(text) is None


def test_an_unexpected_text_raises() -> None:
    with pytest.raises(ValueError, match="'latest' is not a version"):
        minor("latest")


def test_later_counts_releases() -> None:
    assert minor("1.35").later(2) == minor("1.37")
    assert minor("1.35").later(-1) == minor("1.34")


def test_only_three_numbers_are_exact() -> None:
    assert exact("v0.17.1") == (0, 17, 1)
    assert exact("~0.17.1") is None
    assert exact("0.17") is None
    assert exact(None) is None


@pytest.mark.parametrize(
    ("text", "expected"), [("1.35.1-gke.100", (1, 35, 1, 100)), ("POSTGRES_16", (16,)), ("OpenSearch_2.13", (2, 13))]
)
def test_numbers_are_read_from_any_version(text: str, expected: tuple[int, ...]) -> None:
    assert numbers(text) == expected
