"""Version numbers: parsing and comparing."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_MINOR: Final = re.compile(r"([0-9]+)\.([0-9]+)(?:\.[0-9]+(?:[-+].*)?)?")
_EXACT: Final = re.compile(r"v?[0-9]+\.[0-9]+\.[0-9]+")


class Minor(NamedTuple):
    """A minor version such as 1.35. Compares by number: 1.9 is older than 1.35."""

    major: int
    minor: int

    def __str__(self) -> str:
        """Return the text of the version: `1.35`."""
        return f"{self.major}.{self.minor}"

    def later(self, releases: int) -> Minor:
        """Return the minor version a number of releases later; earlier if the number is negative."""
        return Minor(self.major, self.minor + releases)


def find_minor(text: str | None) -> Minor | None:
    """Return the minor version of 1.35, 1.35.2 or 1.35.2-gke.100; None for any other text."""
    found = _MINOR.fullmatch(text or "")
    return Minor(int(found[1]), int(found[2])) if found else None


def minor(text: str) -> Minor:
    """Return the minor version of a text known to be a version, with or without a leading `v`.

    Raises:
        ValueError: the text is not a version.
    """
    found = find_minor(text.removeprefix("v"))
    if found is None:
        raise ValueError(f"{text!r} is not a version")
    return found


def exact(text: str | None) -> tuple[int, ...] | None:
    """Return the three numbers of 0.17.1 or v0.17.1; None for a range or any other text."""
    return numbers(text) if text is not None and _EXACT.fullmatch(text) else None


def numbers(text: str) -> tuple[int, ...]:
    """Return every number in a version: (1, 35, 1, 100) for `1.35.1-gke.100`, (16,) for `POSTGRES_16`."""
    return tuple(map(int, re.findall(r"[0-9]+", text)))
