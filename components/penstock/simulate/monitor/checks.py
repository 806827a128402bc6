"""Checks on a resource when it is registered: whether it fits its types, and what of it is not rehearsed."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from penstock.core.findings import Finding, Severity, Source
from penstock.graph.graph import SourceLocation
from penstock.graph.property_path import PropertyPath
from penstock.simulate import sdk_types
from penstock.simulate.monitor import manifests
from penstock.simulate.monitor.answers import package
from penstock.simulate.monitor.requests import DYNAMIC, Register
from penstock.simulate.sdk_types import Mismatch

_TWICE: Final = Mismatch("URN-001", None, "two resources have this type, name and parent", "Rename one of them.")

_PACKAGED: Final = Mismatch(
    "PROGRAM-001",
    None,
    "another program makes what this component holds: that is not rehearsed, and its outputs only have the right types",
    "`pulumi preview` shows what it holds.",
)

_DYNAMIC: Final = Mismatch(
    "PROGRAM-002",
    None,
    "a provider in the program itself makes this resource: it is not called, and what it would answer is unknown",
    "`pulumi preview` calls it.",
)

_UNDECLARED: Final = Mismatch(
    "TYPE-004",
    None,
    "no SDK in use declares this type: its properties are not checked, nor those of others of the type",
    "Compare the type token with the provider's documentation.",
)

_WITHOUT_TYPES: Final = Mismatch(
    "TYPE-004",
    None,
    "the SDK of this provider declares no types, as those before version 4: its resources are not checked",
    "Use a newer version of the SDK to have them checked.",
)

_NOT_RENDERED: Final = Mismatch(
    "PROGRAM-004",
    None,
    "another program renders the objects of this component: it is not run here, and they are not rehearsed",
    "`pulumi preview` shows them.",
)

_NO_VALUE: Final = "the output that the program gives has no value in a rehearsal, so that this is undetermined"

RENDERED: Final = ("kubernetes:helm:template", "kubernetes:kustomize:directory")
"""The functions that run another program: what they answer is unknown."""

_RENDERING: Final = ("kubernetes:helm.sh/v3:Chart", "kubernetes:helm.sh/v2:Chart", "kubernetes:kustomize:Directory")
"""The components that call them."""


def registration_findings(
    request: Register,
    urn: str,
    inputs: Mapping[str, Any],
    place: SourceLocation | None,
    *,
    twice: bool,
    types: Container[str],
) -> Iterator[Finding]:
    """The findings on one resource; `twice` where another one has its URN, `types` and packages had others before."""
    if twice:
        yield _finding(_TWICE, urn, place)
    if request.remote and not manifests.are_read(request.type, inputs):
        yield _finding(_PACKAGED, urn, place, Severity.INFO)
    elif request.type in _RENDERING:
        yield _finding(_NOT_RENDERED, urn, place, Severity.INFO)
    elif request.type.startswith(DYNAMIC):
        yield _finding(_DYNAMIC, urn, place, Severity.INFO)
    elif request.custom and not request.type.startswith("pulumi:"):
        if request.type not in types and _is_undeclared(request.type):
            yield from _of_undeclared(request.type, urn, place, types)
        yield from _of_types(request, urn, inputs, place)


def _of_types(
    request: Register, urn: str, inputs: Mapping[str, Any], place: SourceLocation | None
) -> Iterator[Finding]:
    for wrong in sdk_types.mismatches(request.type, inputs):
        if _is_without_value(wrong, request, inputs):
            yield _finding(replace(wrong, message=f"{wrong.message}: {_NO_VALUE}"), urn, place, Severity.INFO)
        elif not wrong.convertible:
            yield _finding(wrong, urn, place)
        elif not _is_computed(wrong, request):
            yield _finding(wrong, urn, place, Severity.WARNING)


def _of_undeclared(type_: str, urn: str, place: SourceLocation | None, types: Container[str]) -> Iterator[Finding]:
    if not sdk_types.declares_nothing(package(type_)):
        yield _finding(_UNDECLARED, urn, place, Severity.WARNING)
    elif package(type_) not in types:
        yield _finding(_WITHOUT_TYPES, urn, place, Severity.INFO)


def _is_undeclared(type_: str) -> bool:
    """True if an SDK ought to declare a type and none does; clusters have types of their own, which no SDK knows."""
    return not type_.startswith("kubernetes:") and sdk_types.resource_class(type_) is None


def _is_without_value(wrong: Mismatch, request: Register, inputs: Mapping[str, Any]) -> bool:
    """True if the program gives an output for what is missing: its SDK would raise for what is left out.

    Below the first level no SDK raises; there an output without a value is a null.
    """
    if wrong.code != sdk_types.MISSING_PROPERTY:
        return False
    *above, key = PropertyPath.parse(wrong.path or "").steps
    owner = PropertyPath(tuple(above)).get(inputs) if above else None
    return not above or (isinstance(owner, Mapping) and key in owner and _has_output(str(above[0]), request))


def _is_computed(wrong: Mismatch, request: Register) -> bool:
    """True if another resource's value is there: how the SDKs type what one puts out, no program can help."""
    if wrong.code == sdk_types.UNKNOWN_PROPERTY:
        return False
    return _has_output(re.split(r"[.\[]", wrong.path or "", maxsplit=1)[0], request)


def _has_output(key: str, request: Register) -> bool:
    """True if a property holds what another resource puts out."""
    return bool(request.propertyDependencies[key].urns) if key in request.propertyDependencies else False


def _finding(wrong: Mismatch, urn: str, place: SourceLocation | None, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(
        code=wrong.code,
        severity=severity,
        source=Source.CLOUD,
        message=wrong.message,
        hint=wrong.hint,
        urn=urn,
        path=wrong.path,
        file=place.file if place else None,
        line=place.line if place else None,
    )
