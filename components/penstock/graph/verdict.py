"""The verdict of a rule on a resource: pass, fail, unknown, or not applicable."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

Item = TypeVar("Item")


class Outcome(StrEnum):
    """The four verdicts; `unknown` is one of its own and never a silent pass."""

    PASS = "pass"  # noqa: S105 - no password
    FAIL = "fail"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "n/a"


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that the cloud would refuse: what is wrong, what would be right, and the path of the input at fault.

    Without a hint, reports show the fix of the rule.

    `urn` names another resource than the judged one where the fix belongs there.
    """

    message: str
    hint: str = ""
    path: str = ""
    urn: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of a rule; only a verdict that fails carries failures."""

    outcome: Outcome
    failures: tuple[Failure, ...] = ()


class NotKnown(Exception):
    """A rule has read what only the cloud knows, what is secret, or what lies outside the program.

    `path` is the property whose value it is, such as `bootDisk.initializeParams.size`; empty where it is no property.
    """

    def __init__(self, path: str = "") -> None:
        super().__init__(path)
        self.path = path


class TypeMismatch(Exception):
    """A rule has read a value of another type than it takes; the SDK's types complain of that."""


PASS = Verdict(Outcome.PASS)
UNKNOWN = Verdict(Outcome.UNKNOWN)
NOT_APPLICABLE = Verdict(Outcome.NOT_APPLICABLE)


def fail(message: str, *, hint: str = "", path: str = "", urn: str = "") -> Verdict:
    """The verdict that one thing is wrong."""
    return Verdict(Outcome.FAIL, (Failure(message, hint, path, urn),))


def allow(holds: object, message: str, *, hint: str = "", path: str = "") -> Verdict:
    """Passes where something holds, and otherwise fails."""
    return PASS if holds else fail(message, hint=hint, path=path)


def each(items: Iterable[Item], check: Callable[[Item], Verdict]) -> Verdict:
    """One verdict over many items: every failure is reported, and an undetermined one does not hide another."""
    return together([asked(check, item) for item in items])


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """One verdict out of several: it fails with every failure, and passes only where nothing is unknown."""
    said = list(verdicts)
    if len(said) == 1:  # as most have
        return said[0]
    failures = tuple(failure for verdict in said for failure in verdict.failures)
    if failures:
        return Verdict(Outcome.FAIL, failures)
    outcomes = [verdict.outcome for verdict in said]
    if Outcome.UNKNOWN in outcomes:
        return UNKNOWN
    return PASS if Outcome.PASS in outcomes else NOT_APPLICABLE


def asked(check: Callable[[Item], Verdict], item: Item) -> Verdict:
    """Return the verdict of a check on an item; reading what is not known ends the check as unknown."""
    try:
        return check(item)
    except NotKnown:
        return UNKNOWN
    except TypeMismatch:
        return NOT_APPLICABLE
