"""The codes of problems that a description has before any rule can be evaluated. Each rule carries its own code."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Code(StrEnum):
    """A stable code and the title of what is broken: 00x are about the file, 01x about the form of the description."""

    meaning: str

    def __new__(cls, code: str, meaning: str) -> Self:  # noqa: D102 - enum
        member = str.__new__(cls, code)
        member._value_, member.meaning = code, meaning
        return member

    UNREADABLE = "SPEC-001", "The stack file exists, is a file and may be read."
    TOO_LARGE = "SPEC-002", "The stack file is a description written by people: 1 MiB at most."
    NOT_TEXT = "SPEC-003", "The stack file is text in UTF-8."
    NOT_YAML = "SPEC-004", "The stack file is one YAML document."
    TOO_COMPLEX = "SPEC-005", "Aliases and nesting stay within what a person could read."
    DUPLICATE_KEY = "SPEC-006", "A key appears once in its block."
    NO_DESCRIPTION = (
        "SPEC-007",
        "The stack file holds its configuration under `config:`, and a description below `penstock:platform:`.",
    )

    UNKNOWN_FIELD = "SPEC-010", "Every field is one that the description knows."
    MISSING_FIELD = "SPEC-011", "Fields that cannot be derived are given."
    WRONG_KIND = "SPEC-012", "A value is of the kind its field takes: text, number, list, block."
    UNKNOWN_WORD = "SPEC-013", "Where a field takes one of several words, the value is one of them."
    OUT_OF_BOUNDS = "SPEC-014", "Numbers and lengths stay within the field's bounds."
    WRONG_FORM = "SPEC-015", "Names, versions, ranges and addresses have the form their field takes."
    SECRET = (
        "SPEC-016",
        "The description has no secret; the rest of the configuration has none in clear.",
    )
    BINDING = "SPEC-017", "Settings do not lower what an enabled pack binds."
