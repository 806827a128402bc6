"""Names that Google's services accept, by resource type."""

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

    def allow(self, name: str) -> bool:
        """Return whether the name is one of this form."""
        return self.shortest <= len(name) <= self.longest and self.form.fullmatch(name) is not None


def by_type() -> Mapping[str, NameForm]:
    """The forms, by resource type."""
    return keyed(NameForm, "gcp/name_forms")
