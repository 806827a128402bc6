"""Versions of GKE, and from which of them on a feature works.

A version is a minor one (1.35), which says nothing of its patch, or a full one (1.34.1-gke.1829001). Google brings some
features to several minor versions at once, each from a patch of its own.
"""

from __future__ import annotations

import re
from functools import cache

from penstock.catalog.tables import rows, unknown
from penstock.core import versions
from penstock.core.errors import UnknownFact

_FORM = re.compile(r"\d+\.\d+(?:\.\d+(?:-gke\.\d+)?)?")

Parts = tuple[int, ...]
"""Two numbers for a minor version, up to four for one with its patch and build."""


def version_parts(version: str) -> Parts:
    """The numbers of a version: 1.34.1-gke.1829001 is (1, 34, 1, 1829001), 1.35 is (1, 35).

    Raises:
        UnknownFact: it is not a version of GKE.
    """
    if not _FORM.fullmatch(version):
        raise UnknownFact(f"{version!r} is not a version of GKE. Versions read 1.35 or 1.34.1-gke.1829001.")
    return versions.numbers(version)


def at_least(version: str, feature: str) -> bool | None:
    """True if a feature works in a version; None where that depends on the patch, which the version does not name.

    Raises:
        UnknownFact: the catalogue does not know the feature, or the text is not a version.
    """
    asked = version_parts(version)
    by_minor = {version_parts(text)[:2]: version_parts(text) for text in floors(feature)}
    minor = asked[:2]
    if minor not in by_minor:
        return minor > max(by_minor)
    needed = by_minor[minor]
    if len(asked) < len(needed) and asked == needed[: len(asked)]:
        return None
    return asked >= needed


def floors(feature: str) -> tuple[str, ...]:
    """The first version of each minor one in which a feature works, ascending; newer minor versions have it, too.

    Raises:
        UnknownFact: the catalogue does not know the feature.
    """
    if feature not in _floors():
        raise unknown("feature of GKE", feature, _floors())
    return tuple(sorted(_floors()[feature], key=version_parts))


def features() -> tuple[str, ...]:
    """The features whose first versions the catalogue knows, in the order of the table."""
    return tuple(_floors())


@cache
def _floors() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows("gcp/gke_floors"):
        found.setdefault(row["feature"], []).append(row["version"])
    return found
