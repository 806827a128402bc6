"""Names that the services of clouds accept, by resource type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class NameForm:
    """The form of the names of a kind of resource.

    Attributes:
        property: where the name is.
        form: what it is made of; the lengths are kept apart from it.
        everywhere: whether no two resources of the whole cloud may share it.
    """

    type: str
    property: str
    form: re.Pattern[str]
    shortest: int
    longest: int
    example: str
    unverified: tuple[str, ...]
    source: str
    as_of: str
    everywhere: bool = False

    def allow(self, name: str) -> bool:
        """Return whether the name is one of this form."""
        return self.shortest <= len(name) <= self.longest and self.form.fullmatch(name) is not None


def name_forms(cloud: str) -> Mapping[str, NameForm]:
    """The forms of a cloud's names, by resource type."""
    return keyed(NameForm, f"{cloud}/name_forms")
