"""The resources in the simulated cloud: a file that plugins and runs share, and that outlives an engine that is killed.

Each line is one thing that happened. No property of a resource is written, so that no secret can be.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple


class Happening(StrEnum):
    """An event that can happen to a resource in the cloud, or between it and the engine."""

    FOUND = "found"
    CREATED = "created"
    ASKED_AGAIN = "asked again"
    UPDATED = "updated"
    DELETED = "deleted"
    IN_STATE = "in state"
    KILLED = "engine killed"


class Event(NamedTuple):
    """One line of the file."""

    happening: Happening
    urn: str
    id: str


class World:
    """The cloud of one scratch project.

    What is created is written down before the engine hears of it: when the engine is killed, the cloud knows what the
    engine cannot know.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._in_state: dict[str, dict[str, bool]] = {}  # what exists, by URN and id
        self._held_last: dict[str, str] = {}
        self._found: set[tuple[str, str]] = set()
        self._deleted: set[tuple[str, str]] = set()
        self._created_again: set[str] = set()
        self._killed = False
        for event in self.events():
            self._apply(event)

    def record(self, happening: Happening, urn: str, id_: str) -> None:
        """Writes down what happened, before anybody gets an answer."""
        event = Event(happening, urn, id_)
        with self._file.open("ab", buffering=0) as stream:
            stream.write(f"\n{json.dumps(event)}".encode())  # one write, which those of other processes do not split
        self._apply(event)

    def events(self) -> Iterator[Event]:
        """All that happened, in order; a line that was not finished did not happen."""
        if not self._file.exists():
            return
        for line in self._file.read_text(encoding="utf-8").splitlines():
            try:
                happening, urn, id_ = json.loads(line)
            except ValueError:
                continue
            yield Event(Happening(happening), urn, id_)

    def settle(self, resources: Iterable[tuple[str, str]]) -> None:
        """Writes down, between two runs, which resources the engine's state holds, by URN and id.

        Whoever then asks for one of their URNs asks for another, as for a replacement.
        """
        for urn, id_ in resources:
            if self._in_state.get(urn, {}).get(id_) is False:
                self.record(Happening.IN_STATE, urn, id_)

    def existing(self) -> frozenset[tuple[str, str]]:
        """The URN and id of each resource that was created and not deleted."""
        return frozenset((urn, id_) for urn, ids in self._in_state.items() for id_ in ids)

    def existing_twice(self) -> tuple[str, ...]:
        """The URNs of which more than one resource exists, or one that was created while it existed."""
        several = {urn for urn, ids in self._in_state.items() if len(ids) > 1}
        return tuple(sorted(several | self._created_again))

    def has(self, urn: str, id_: str) -> bool:
        """Return whether this resource is there, whoever knows of it."""
        return id_ in self._in_state.get(urn, {})

    def in_state(self, urn: str) -> str:
        """The id of the resource of this URN that the engine's state holds, or held last; empty where it never did."""
        held = (id_ for id_, known in self._in_state.get(urn, {}).items() if known)
        return next(held, self._held_last.get(urn, ""))

    def was_found(self, urn: str, id_: str) -> bool:
        """Return whether this resource was there before, and was only looked up or imported."""
        return (urn, id_) in self._found

    def is_gone(self, urn: str, id_: str) -> bool:
        """Return whether this resource was deleted."""
        return (urn, id_) in self._deleted

    def was_killed(self) -> bool:
        """Return whether the engine was killed while it worked on this cloud."""
        return self._killed

    def _apply(self, event: Event) -> None:
        ids = self._in_state.setdefault(event.urn, {})
        if event.happening is Happening.CREATED:
            if event.id in ids:
                self._created_again.add(event.urn)
            ids[event.id] = False
            self._deleted.discard((event.urn, event.id))
        elif event.happening is Happening.FOUND:
            self._found.add((event.urn, event.id))
        elif event.happening is Happening.IN_STATE and event.id in ids:
            ids[event.id] = True
        elif event.happening is Happening.DELETED:
            if ids.pop(event.id, None):
                self._held_last[event.urn] = event.id
            self._deleted.add((event.urn, event.id))
        elif event.happening is Happening.KILLED:
            self._killed = True
