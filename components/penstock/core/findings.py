"""A finding: one complaint, from wherever it comes, in one form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_LINE_ENDS: Final = {
    ord(sign): sign.encode("unicode_escape").decode() for sign in "\t\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"
}


def in_one_line(text: str) -> str:
    """A text with its line ends and tabs escaped: no value adds a line to a report that Penstock did not write."""
    return text.translate(_LINE_ENDS)


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

    def __repr__(self) -> str:
        return f"<{self.severity} {self.head}: {in_one_line(self.message)}>"

    @property
    def blocks(self) -> bool:
        """True if the command that found it must not succeed."""
        return self.severity is Severity.ERROR

    @property
    def head(self) -> str:
        """Its location and code: `file:line:column  path  [code]`, with the resource in place of no path."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return "  ".join(part for part in (place, self.path or _resource(self.urn), f"[{self.code}]") if part)

    def __str__(self) -> str:
        """Its head, then the message and the hint, indented."""
        texts = (self.head, f"  {self.message}", *([f"  {self.hint}"] if self.hint else []))
        return "\n".join(map(in_one_line, texts))


def resource_of(urn: str) -> tuple[str, str]:
    """The name and the type of a resource; a name may have colons of its own."""
    *above, name = urn.split("::", 3)
    return name, above[-1].rpartition("$")[2] if above else ""


def kind_of(type_: str) -> str:
    """The last part of a type token, which is what people call it."""
    return type_.rpartition(":")[2]


def _resource(urn: str | None) -> str:
    if not urn:
        return ""
    name, type_ = resource_of(urn)
    return f"{name} ({kind_of(type_)})" if type_ else name


@dataclass(frozen=True, slots=True)
class UsageProblem:
    """What is wrong with declared usage, before its place is known: `path` are the keys below `penstock:usage`."""

    code: str
    severity: Severity
    path: tuple[str, ...]
    message: str
    hint: str = ""
