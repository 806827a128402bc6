"""A finding on a change, at the line of the program that creates the resource."""

from __future__ import annotations

from penstock.core.findings import Finding, Severity, Source
from penstock.graph.graph import Resource


def finding(
    code: str, severity: Severity, resource: Resource, message: str, *, hint: str, path: str | None = None
) -> Finding:
    """Return the finding of a code about a resource that a change touches."""
    place = resource.place
    return Finding(
        code=code,
        severity=severity,
        source=Source.CLOUD,
        message=message,
        hint=hint,
        urn=resource.urn,
        path=path,
        file=place.file if place else None,
        line=place.line if place else None,
    )
