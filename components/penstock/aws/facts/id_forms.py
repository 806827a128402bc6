"""The forms of the ids and ARNs by which properties of AWS resources name other resources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True)
class IdForm:
    """The form of an id, and one as an example."""

    form: re.Pattern[str]
    example: str


def by_property() -> Mapping[str, IdForm]:
    """The forms by the name of the property, wherever it is; only those that mean one kind everywhere."""
    return keyed(IdForm, "aws/id_forms")
