"""What cloud parts use to read the resources of a stack export into a draft."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from penstock.conversion.draft import Draft
from penstock.conversion.note import NoteCode, note
from penstock.core.findings import kind_of
from penstock.description.positions import Path
from penstock.graph.graph import Resource
from penstock.graph.view import View


@dataclass(slots=True)
class ExportDraft:
    """The draft of a stack export, with the lines of its resources.

    Attributes:
        draft: The draft.
        lines: The line of each resource in the export, by URN.
        read: The URNs of resources that the description has.
    """

    draft: Draft
    lines: Mapping[str, int]
    read: set[str] = field(default_factory=set)

    def put(self, view: View, path: Path, value: Any) -> None:
        """Set a field of the description, and record that the resource was read."""
        self.read.add(view.urn)
        self.draft.put(path, value)

    def add_storage(self, view: View, **fields: Any) -> Path:
        """Add an item of storage with the name of its resource."""
        self.read.add(view.urn)
        return self.draft.add("storage", view.name, (), **fields)

    def keep(self, view: View, message: str, hint: str) -> None:
        """Note how to keep a resource that the description would create anew."""
        self.read.add(view.urn)
        self.note(view.resource, message, hint, code=NoteCode.ASSUMED)

    def note(
        self, resource: Resource, message: str, hint: str = "", *, code: NoteCode = NoteCode.NOT_TRANSLATED
    ) -> None:
        """Add a note on a resource, at its line of the export."""
        line = self.lines.get(resource.urn)
        path = f"{resource.name} ({kind_of(resource.type)})"
        self.draft.source.notes.append(note(code, message, hint, path=path, file=self.draft.source.file, line=line))


Reader = Callable[[View, ExportDraft], None]
"""Reads one resource into a draft. It may raise `NotKnown` and `TypeMismatch`."""
