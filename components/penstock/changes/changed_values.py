"""The values that change when a resource is replaced: its id, and whatever else the cloud chose for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from penstock.catalog.replacements import Replacements
from penstock.graph.graph import Resource
from penstock.graph.property_path import PropertyPath, leaves
from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.lifecycle import Difference, forces

_SHORTEST: Final = 6
"""Shorter texts (`true`, a zone, a port) appear by chance; an id or an endpoint is longer."""


_ID: Final = PropertyPath(("id",))


@dataclass(frozen=True, slots=True)
class Stale:
    """Of one replaced resource: texts that will be others, and texts that stay because the program chose them."""

    changing: tuple[str, ...]
    staying: tuple[str, ...]

    def within(self, value: Any, key: str) -> Iterator[tuple[PropertyPath, Any]]:
        """Where a property, that comes from this resource, will be another; the whole where it cannot be determined."""
        found = list(leaves(value, (key,)))
        reached = [(path, leaf) for path, leaf in found if _open(leaf) is UNKNOWN or self._has(leaf, self.changing)]
        if reached:
            yield from reached
        elif not any(self._has(leaf, self.staying) for _, leaf in found):
            yield PropertyPath((key,)), value

    def renewed(self, value: Any) -> Any:
        """A value with other texts in the place of those that will be others: enough to find what they reach."""
        return translated(value, {text: f"{text} made anew" for text in self.changing})

    @staticmethod
    def _has(leaf: Any, texts: Sequence[str]) -> bool:
        text = _open(leaf)
        return isinstance(text, str) and any(
            each == text or (len(each) >= _SHORTEST and each in text) for each in texts
        )


def values_that_change(now: Resource) -> Stale:
    """The values of a resource that is replaced; it was rehearsed anew, so that its made-up id is the same."""
    given = set(_texts(now.inputs))
    named = now.id in given
    made = {now.id, *_texts(now.outputs)} - given - {""}
    return Stale(tuple(text for text in made if not (named and _is_made_of(text, now.id))), tuple(given))


def kept(was: Resource, now: Resource) -> Mapping[str, str]:
    """For each text that the cloud chose anew for a resource that in truth stays, the one that it keeps."""
    before = dict(leaves(was.outputs)) | {_ID: was.id}
    after = dict(leaves(now.outputs)) | {_ID: now.id}
    pairs = ((_open(leaf), _open(before.get(path))) for path, leaf in after.items())
    return {new: old for new, old in pairs if isinstance(new, str) and isinstance(old, str) and new and new != old}


def counted(value: Any, key: str, versions: Iterable[tuple[Any, int]]) -> Iterator[tuple[PropertyPath, Any, int | str]]:
    """Where a property has the former version of another resource, by the pairs of both: the path, and both values."""
    for before, after in versions:
        for path, leaf in leaves(value, (key,)):
            plain = _open(leaf)
            if isinstance(plain, str) and plain == str(before):
                yield path, leaf, str(after)
            elif isinstance(plain, int | float) and not isinstance(plain, bool) and plain == before:
                yield path, leaf, after


def translated(value: Any, texts: Mapping[str, str]) -> Any:
    """A value with texts in it replaced by others."""
    if isinstance(value, Mapping):
        return {key: translated(item, texts) for key, item in value.items()}
    if isinstance(value, list):
        return [translated(item, texts) for item in value]
    if isinstance(value, Secret):
        return Secret(translated(value.value, texts))
    if not isinstance(value, str):
        return value
    for new, old in texts.items():
        value = value.replace(new, old) if len(new) >= _SHORTEST else old if value == new else value
    return value


def unknown_at(
    path: PropertyPath, value: Any, facts: Replacements, forcing: Sequence[PropertyPath], *, because: str
) -> Difference:
    """The difference of an input that only the cloud knows, once it has made another resource."""
    after = Secret(UNKNOWN) if isinstance(value, Secret) else UNKNOWN
    forced = forces(facts, path, value, after) or any(pattern.covers(path) for pattern in forcing)
    return Difference(str(path), value, after, replaces=forced, because=because)


def _is_made_of(text: str, name: str) -> bool:
    """An ARN or an address that ends or begins with a name stays as it is for another resource of that name."""
    return text.endswith((f":{name}", f"/{name}")) or text.startswith(f"{name}.")


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for _, leaf in leaves(value) if isinstance(text := _open(leaf), str) and text)


def _open(value: Any) -> Any:
    return value.value if isinstance(value, Secret) else value
