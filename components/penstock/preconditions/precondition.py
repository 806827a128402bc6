"""The record of a precondition."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Precondition:
    """Something that must exist before the first `pulumi up`.

    Attributes:
        what: The thing: a quota with its value, a reservation, a group.
        why: What happens without it.
        how: How to get it: a command where there is one.
        resource: The URN of a resource that needs it; empty where none does.
    """

    what: str
    why: str
    how: str
    resource: str
