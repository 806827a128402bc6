"""Containers of tasks and jobs on AWS, which a program writes as JSON in a text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from penstock.graph.values import Secret, Unknown, read_document
from penstock.graph.verdict import PASS, NotKnown, TypeMismatch, Verdict, each, fail
from penstock.graph.view import Block
from penstock.rules.checks import AtPath

if TYPE_CHECKING:
    from penstock.rules.settings import Settings


@dataclass(frozen=True, slots=True)
class NoContainer(AtPath):
    """A text has no container of which there is a complaint, such as "the image nginx"."""

    complaint: Callable[[dict[str, Any]], str | None]

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        text = it.given(self.path)
        if isinstance(text, Unknown | Secret):
            raise NotKnown
        try:
            written = read_document(text, json.loads) if isinstance(text, str) else text
        except ValueError:
            raise TypeMismatch from None
        return each(_among(written), self._of_one)

    def _of_one(self, container: dict[str, Any]) -> Verdict:
        found = self.complaint(container)
        return PASS if found is None else fail(f"{self.path} has {found}", path=self.path)


def _among(written: Any) -> Iterator[dict[str, Any]]:
    """The containers in a JSON text, which are nested deeper where a job has several nodes or tasks."""
    if isinstance(written, dict):
        if isinstance(written.get("image"), str | Unknown):
            yield written
        for value in written.values():
            yield from _among(value)
    elif isinstance(written, list):
        for item in written:
            yield from _among(item)


def name_of(container: dict[str, Any]) -> str:
    """The name or image of a container for the end of a message; empty where neither is known."""
    named = container.get("name", container["image"])
    return "" if isinstance(named, Unknown) else f": {named}"
