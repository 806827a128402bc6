"""Waivers: who lets which rule be broken where, why, and until when."""

from __future__ import annotations

from datetime import date
from fnmatch import fnmatchcase
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Waiver(BaseModel):
    """A rule that need not hold for some resources until a day."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rule: Words = Field(description="The id of a rule, such as aws-eks-private-endpoint.")
    urn: Words = Field(description='A pattern of URNs; * stands for anything: "*::platform-prod-scratch".')
    reason: Words = Field(description="Why it may be broken there.")
    owner: Words = Field(description="Who answers for that.")
    expires: date = Field(description="The last day on which it holds, such as 2027-03-31.")

    def covers(self, rule: str, urn: str) -> bool:
        """Whether it speaks of a rule and a resource."""
        return self.rule == rule and fnmatchcase(urn, self.urn)

    def holds_on(self, day: date) -> bool:
        """Whether it has not expired."""
        return day <= self.expires
