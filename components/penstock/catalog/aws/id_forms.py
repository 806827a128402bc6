"""The forms of the ids and ARNs by which properties of AWS resources name other resources."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from penstock.catalog.tables import rows


@dataclass(frozen=True, slots=True)
class IdForm:
    """What an id looks like, and one as an example."""

    form: re.Pattern[str]
    example: str


@cache
def by_property() -> dict[str, IdForm]:
    """The forms by the name of the property, wherever it stands; only those that mean one kind everywhere."""
    return {row["property"]: IdForm(re.compile(row["form"]), row["example"]) for row in rows("aws/id_forms")}
