"""Takes secrets out of what a program says itself: its errors, and what it logs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from penstock.resources.graph import Resource
from penstock.resources.values import ENCRYPTED, REDACTED, Secret
from penstock.spec.secrets import hidden

_SHORTEST: Final = 3
"""Shorter secrets are in many words by chance; the Pulumi CLI leaves those, too."""


class Redaction:
    """Knows the secrets of one run: those of its configuration, and what its resources are given as secret."""

    def __init__(self, config: Mapping[str, str], secret_keys: Sequence[str]) -> None:
        self._texts = {text for key in secret_keys for text in _configured(config.get(key, ""))} - {ENCRYPTED}
        self._unread: list[Resource] = []

    def learn(self, resource: Resource) -> None:
        """Takes note of a resource; it is read when something is said."""
        self._unread.append(resource)

    def of(self, text: str, secrets: Iterable[Any] = ()) -> str:
        """The text without the secrets, those values among them, and without what has the form of a well-known one."""
        for resource in self._unread:
            self._texts.update(_marked(resource.inputs), _marked(resource.outputs))
        self._unread.clear()
        found = {*self._texts, *(each for value in secrets for each in _texts(value))}
        for secret in sorted(found, key=len, reverse=True):
            text = text.replace(secret, REDACTED) if len(secret) >= _SHORTEST else text
        return hidden(text)


def _configured(text: str) -> Iterator[str]:
    yield text
    if text.startswith(("{", "[")):
        try:
            yield from _texts(json.loads(text))
        except ValueError:
            return


def _marked(value: Any) -> Iterator[str]:
    if isinstance(value, Secret):
        yield from _texts(value.value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _marked(item)
    elif isinstance(value, list):
        for item in value:
            yield from _marked(item)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Secret):
        yield from _texts(value.value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
