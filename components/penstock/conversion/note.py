"""What a person must know of a conversion: fields without a counterpart, assumed values, values to fill in."""

from __future__ import annotations

from enum import StrEnum

from penstock.core.findings import Finding, Severity, Source


class NoteCode(StrEnum):
    """The code of a note; `penstock explain` has the meaning of each."""

    NOT_TRANSLATED = "IMPORT-001"
    ASSUMED = "IMPORT-002"
    FILL_IN = "IMPORT-003"
    SECRET = "IMPORT-004"  # noqa: S105 - the code of a note


def note(
    code: NoteCode,
    message: str,
    hint: str = "",
    *,
    path: str | None = None,
    file: str | None = None,
    line: int | None = None,
) -> Finding:
    """Return a note as a finding, at a field of the source or of the description."""
    severity = Severity.INFO if code is NoteCode.ASSUMED else Severity.WARNING
    return Finding(
        code=code.value,
        severity=severity,
        source=Source.SPEC,
        message=message,
        hint=hint,
        path=path,
        file=file,
        line=line,
    )
