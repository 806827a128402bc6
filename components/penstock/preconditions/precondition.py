"""The record of a precondition."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.preconditions.need import Need


@dataclass(frozen=True, slots=True)
class Precondition:
    """Something that must exist before the first `pulumi up`.

    Attributes:
        what: The thing: a quota with its value, a reservation, a group.
        why: What happens without it.
        how: How to get it: a command where there is one.
        resource: The URN of a resource that needs it; empty where none does.
        need: The same for programs; None where a cloud cannot be asked.
        kind: The id of its kind, once it was found by one.
    """

    what: str
    why: str
    how: str
    resource: str
    need: Need | None = None
    kind: str = ""
