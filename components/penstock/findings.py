"""A finding: one complaint, from wherever it comes, in one form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding weighs; an error blocks (exit code 1, or 2 for the description itself)."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Source(StrEnum):
    """Who complains."""

    SPEC = "spec"
    CLOUD = "cloud"
    POLICY = "policy"
    BUDGET = "budget"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One complaint: what is wrong, where, and what would be right.

    `path` is a path into the description (`node_pools[0].accelerator`) or into a resource's inputs; `line` and `column`
    count from 1. `places` are the paths of all places where one misconfiguration occurs more than once; `path` is the
    first of them.
    """

    code: str
    severity: Severity
    source: Source
    message: str
    hint: str = ""
    urn: str | None = None
    path: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    places: tuple[str, ...] = ()

    @property
    def blocks(self) -> bool:
        """True if the command that found it must not succeed."""
        return self.severity is Severity.ERROR

    @property
    def head(self) -> str:
        """Where it is, and its code: `file:line:column  path  [code]`."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return "  ".join(part for part in (place, self.path or self.urn, f"[{self.code}]") if part)

    def __str__(self) -> str:
        """Its head, then the message and the hint, indented."""
        return "\n".join([self.head, f"  {self.message}", *([f"  {self.hint}"] if self.hint else [])])


@dataclass(frozen=True, slots=True)
class UsageProblem:
    """What is wrong with declared usage, before its place is known: `path` are the keys below `penstock:usage`."""

    code: str
    severity: Severity
    path: tuple[str, ...]
    message: str
    hint: str = ""
