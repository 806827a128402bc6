"""Facts about IAM's actions, from data/: which take no resource, and which make their bearer an administrator."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from penstock.aws.model.iam_statements import covers
from penstock.catalog.records import records
from penstock.catalog.tables import rows

_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Escalation:
    """An action by which whoever may do it everywhere gets rights that nobody gave him, and how."""

    action: str
    how: str
    source: str
    as_of: str


def escalations() -> tuple[Escalation, ...]:
    """Every such action that needs no other."""
    return records(Escalation, "escalations", folder=_DATA)


@cache
def can_be_limited(action: str) -> bool:
    """Return whether an action, or some of those that a wildcard means, can be allowed for some resources only.

    Those that only list or describe count as ones that cannot, but for the contents of buckets.
    """
    return not any(covers(pattern, action) for pattern in _without_resource())


@cache
def _without_resource() -> tuple[str, ...]:
    return tuple(
        f"{row['service']}:{action}".lower()
        for row in rows("actions_without_resource", _DATA)
        for action in row["actions"].split()
    )
