"""Waivers: who lets which rule be broken where, why, and until when."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date, timedelta
from fnmatch import fnmatchcase
from typing import Annotated, NamedTuple, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, StringConstraints

LONGEST = timedelta(days=366)
"""Longer than this, a waiver outlives its reason."""

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

_FILLERS = frozenset(("todo", "tbd", "tba", "none", "nobody", "null", "unknown", "test", "xxx", "foo", "abc"))
_REASON_LETTERS, _OWNER_LETTERS = 5, 2
_NOTHING_LIKE = "\N{REPLACEMENT CHARACTER}"
"""No name and no type has it, so that only a wildcard matches it."""


def _says_why(text: str) -> str:
    """A reason in words: neither one letter several times nor a filler such as TODO."""
    if len(_letters(text)) < _REASON_LETTERS or text.casefold().strip(".") in _FILLERS:
        raise ValueError(f"{text!r} is not a reason: write why the rule may be broken there")
    return text


def _says_who(text: str) -> str:
    """An owner: a name, a team or an address, and no filler such as TODO."""
    if len(_letters(text)) < _OWNER_LETTERS or text.casefold().strip(".") in _FILLERS:
        raise ValueError(f"{text!r} is not an owner: name a person or a team")
    return text


def _letters(text: str) -> set[str]:
    return {letter for letter in text.casefold() if letter.isalnum()}


class Origin(NamedTuple):
    """Where a waiver is written: the path in the configuration, and the place in the stack file where that is known."""

    path: str
    file: str | None = None
    line: int | None = None
    column: int | None = None


class Waiver(BaseModel):
    """A rule that need not hold for some resources until a day."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rule: Words = Field(
        description="The id of a rule: aws-eks-private-endpoint; state-secret-in-properties of an audit."
    )
    urn: Words = Field(description='A pattern of URNs; * matches anything: "*::platform-prod-scratch".')
    reason: Annotated[Words, AfterValidator(_says_why)] = Field(description="Why it may be broken there, in words.")
    owner: Annotated[Words, AfterValidator(_says_who)] = Field(description="Who answers for that: a person or a team.")
    expires: date = Field(description="The last day on which it holds, such as 2027-03-31.")
    _origin: Origin | None = PrivateAttr(default=None)

    @property
    def origin(self) -> Origin | None:
        """Where it is written, where it comes from a configuration."""
        return self._origin

    def written_at(self, origin: Origin) -> Self:
        """The same waiver, which knows where it is written."""
        placed = self.model_copy()
        placed._origin = origin  # noqa: SLF001 - its own
        return placed

    def covers(self, rule: str, urn: str) -> bool:
        """Return whether the waiver covers a rule and a resource."""
        return self.rule == rule and fnmatchcase(urn, self.urn)

    def holds_on(self, day: date) -> bool:
        """Return whether the waiver has not expired."""
        return day <= self.expires

    def excesses(
        self, today: date, types: Collection[str] = (), stack: str = "stack", project: str = "project"
    ) -> Iterator[str]:
        """Yield why a waiver excuses more than a person can answer for.

        `types` has the types that its rule judges, in a program of that stack and project.
        """
        start = f"urn:pulumi:{stack}::{project}::"
        if self._covers_package(start, types):
            yield "covers every resource"
        elif types and all(self._covers_any(f"{start}{type_}") for type_ in types):
            yield "covers every resource that the rule judges"
        if self.expires > today + LONGEST:
            yield "is for more than a year"

    def _covers_package(self, start: str, types: Collection[str]) -> bool:
        """Return whether any resource of a package is covered, whatever its type and its name are."""
        packages = {_NOTHING_LIKE, *(type_.partition(":")[0] for type_ in types)}
        unknown_type = f"{_NOTHING_LIKE}/{_NOTHING_LIKE}:{_NOTHING_LIKE}"
        return any(self._covers_any(f"{start}{package}:{unknown_type}") for package in packages)

    def _covers_any(self, start: str) -> bool:
        return fnmatchcase(f"{start}::{_NOTHING_LIKE}", self.urn)
