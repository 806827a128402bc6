"""A finding as plain data, as all reports for machines have it."""

from __future__ import annotations

from typing import Any

from penstock.core.findings import Finding


def document(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "source": finding.source.value,
        "urn": finding.urn,
        "path": finding.path,
        "message": finding.message,
        "hint": finding.hint,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "places": list(finding.places),
    }
