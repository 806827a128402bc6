"""Waivers: who lets which rule be broken where, why, and until when."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from fnmatch import fnmatchcase
from typing import Annotated, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, StringConstraints

LONGEST = timedelta(days=366)
"""Longer than this, a waiver outlives its reason."""

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


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
    reason: Words = Field(description="Why it may be broken there.")
    owner: Words = Field(description="Who answers for that.")
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

    def excesses(self, today: date) -> Iterator[str]:
        """Yield why a waiver excuses more than a person can answer for."""
        if not self.urn.strip("*?"):
            yield "covers every resource"
        if self.expires > today + LONGEST:
            yield "is for more than a year"
