"""The faults of a cloud's operations: the error, and what a second run does about it."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultFacts:
    """One kind of fault as one cloud reports it. `unverified` names the fields that no primary source confirms.

    Attributes:
        kind: throttling, no_capacity, quota, denied, timeout or crash.
        code: the cloud's own error code; empty for a crash, which no cloud reports.
        message: the error's text, with places for {machine}, {zone} and {timeout}.
        machines: whether only what starts machines meets it.
        tries: how often the provider is refused before it is let through; None where it does not ask again.
        seconds: how long until the error is reported, or until the provider is let through; None for its time-out.
        leaves: whether something is in the cloud after the failure, and the state knows of it.
        second_run: what a second run does, in a sentence.
        operations: those that meet it, of create, update and delete.
    """

    kind: str
    type: str
    code: str
    message: str
    machines: bool
    tries: int | None
    seconds: float | None
    leaves: bool
    second_run: str
    operations: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def fault_kinds() -> tuple[str, ...]:
    """Every kind of fault."""
    return tuple(dict.fromkeys(facts.kind for facts in _table()))


def find_fault(kind: str, type_: str) -> FaultFacts | None:
    """How a kind of fault shows on a type of resource; None where it cannot happen to it."""
    return next((facts for facts in _table() if facts.kind == kind and fnmatchcase(type_, facts.type)), None)


def _table() -> tuple[FaultFacts, ...]:
    return records(FaultFacts, "faults")
