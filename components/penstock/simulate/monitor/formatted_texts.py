"""Texts of objects in what a program sends: an Output in an f-string is a sentence about Outputs, not its value."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final

from google.protobuf.struct_pb2 import Struct, Value
from pulumi.runtime import rpc

from penstock.core.findings import Finding, Severity, Source
from penstock.graph.formatted import HINTS, FormattedObject, formatted_object, without_number
from penstock.graph.graph import SourceLocation
from penstock.graph.property_path import PropertyPath
from penstock.simulate.monitor.requests import Register, Urns
from penstock.simulate.monitor.requests import place as place_of

FORMATTED_TEXT: Final = "TEXT-001"
_PRINTED: Final = "PROGRAM-010"

_HINTS: Final = tuple(each.encode() for each in HINTS)
_SIGNATURE: Final = rpc._special_sig_key  # noqa: SLF001 a mark of the wire format
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")


class FormattedTexts:
    """The texts that one run made of Outputs and resources, and where they arrived."""

    def __init__(self, findings: list[Finding]) -> None:
        self._findings = findings
        self._places: list[SourceLocation | None] = []
        self._printed: list[SourceLocation] = []
        self._reported: set[tuple[object, ...]] = set()

    def note(self, place: SourceLocation | None, *, is_output: bool) -> int:
        """Keep the line that makes a text of an object, and return the number of the text."""
        self._places.append(place)
        if is_output and place is not None and place not in self._printed:
            self._printed.append(place)
        return len(self._places)

    def name(self, request: Register, urns: Urns, root: str) -> str:
        """Report the name of a resource that holds such a text, and return the name; `root` as for its place."""
        found = formatted_object(request.name) if self._places or HINTS[1] in request.name else None
        if found is None:
            return request.name
        name = without_number(request.name)
        urn = urns.of(request.type, name, request.parent)
        message = f"the name of this resource holds the text of {found} instead of a value"
        hint = "Name resources by plain texts: names are fixed before values exist."
        self._report(found, message, place_of(request, root), hint=hint, urn=urn)
        return name

    def properties(self, properties: Struct, of: str, urn: str | None, place: SourceLocation | None) -> None:
        """Report the properties that hold such a text, and make them unknown: no rule judges the sentence."""
        if not self._places and not any(hint in properties.SerializeToString() for hint in _HINTS):
            return
        for path, value, text in _texts(properties, ()):
            found = formatted_object(text) or self._encoded(text)
            if found is not None:
                written = str(PropertyPath(path))
                message = f"{of}{written} holds the text of {found} instead of its value"
                self._report(found, message, place, hint=found.fix, urn=urn, path=written)
                if value is not None:
                    value.string_value = rpc.UNKNOWN

    def printed(self) -> Iterator[Finding]:
        """Return a note for each line that made a text of an Output which arrived nowhere, such as by `print`."""
        for place in self._printed:
            yield Finding(
                code=_PRINTED,
                severity=Severity.INFO,
                source=Source.PROGRAM,
                message="this formats an Output itself: the text is a sentence about Outputs, not the value",
                hint="Print the value inside apply().",
                file=place.file,
                line=place.line,
            )

    def _encoded(self, text: str) -> FormattedObject | None:
        if not self._places or _BASE64.fullmatch(text) is None:
            return None
        try:
            return formatted_object(base64.b64decode(text, validate=True).decode())
        except (binascii.Error, UnicodeDecodeError):
            return None

    def _report(
        self,
        found: FormattedObject,
        message: str,
        place: SourceLocation | None,
        *,
        hint: str,
        urn: str | None,
        path: str | None = None,
    ) -> None:
        """Add a finding at the line that made the text; of a line in a loop, the first resource and property only."""
        made = self._places[found.number - 1] if found.number and found.number <= len(self._places) else None
        where = made or place
        if made is not None and made in self._printed:
            self._printed.remove(made)
        key = (where, path and re.sub(r"\d+", "", path), None if where else urn)
        if key in self._reported:
            return
        self._reported.add(key)
        self._findings.append(
            Finding(
                code=FORMATTED_TEXT,
                severity=Severity.ERROR,
                source=Source.PROGRAM,
                message=message,
                hint=hint,
                urn=urn,
                path=path,
                file=where.file if where else None,
                line=where.line if where else None,
            )
        )


def _texts(struct: Struct, above: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Value | None, str]]:
    """The texts of a request with their paths; those that are keys have no value."""
    is_marked = _SIGNATURE in struct.fields  # of a secret or an output, whose value is one step below
    for key in sorted(struct.fields):
        if not is_marked:
            yield (*above, key), None, key
        yield from _texts_in(struct.fields[key], above if is_marked and key == "value" else (*above, key))


def _texts_in(value: Value, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Value | None, str]]:
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        yield path, value, value.string_value
    elif kind == "struct_value":
        yield from _texts(value.struct_value, path)
    elif kind == "list_value":
        for index, item in enumerate(value.list_value.values):
            yield from _texts_in(item, (*path, index))
