"""Provenance of values: what a user wrote, what the program derived, and what the simulation invented.

A simulated cloud answers with ids, names and ARNs of the documented form (`Resource.documented`), and invents the rest.
An invented value is followed through a program by what it looks like: its digits, which nothing else has, wherever they
are in a text; and where it has none, by the dependencies of the property that holds it. So it is found again behind
`apply`, `concat`, JSON and nested objects. Numbers that a program computes from others are taken for invented where no
known value of what they depend on is the same.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from operator import is_not
from typing import Any, Final

from penstock.graph.graph import Graph, Resource
from penstock.graph.property_path import PropertyPath, leaves
from penstock.graph.values import MAPPING, PLAIN, UNKNOWN, PartlyHidden, Secret

_LEAST_DIGITS: Final = 7
_DIGITS: Final = re.compile(rf"[0-9a-f]{{{_LEAST_DIGITS},}}")
"""Digits that no other text has by chance: the least that Pulumi and the simulated clouds draw are seven."""

_BASE64: Final = re.compile(r"(?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")

_WORD: Final = re.compile(r"""[^\s"'`<>,;(){}\[\]]+""")
_SHORT: Final = 6
"""Shorter texts are compared as a whole, as they may be parts of any word; those with digits from four on are not."""
_LEAST: Final = 4


class ValueOrigin(StrEnum):
    """The origin of a value of a Graph."""

    WRITTEN = "written"
    DERIVED = "derived"
    INVENTED = "invented"


@dataclass(frozen=True, slots=True)
class Invention:
    """A value that the simulation invented: at a path of the outputs of a resource, or of a function's results.

    `owner` is a URN or the token of a function.
    """

    owner: str
    path: PropertyPath

    def __str__(self) -> str:
        owner = self.owner.rpartition("::")[2] if self.owner.startswith("urn:") else self.owner
        return f"{self.path if self.path.steps else 'an output'} of {owner}"


class ValueProvenance:
    """The origins of the values of one Graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._hidden: dict[str, dict[PropertyPath, Invention]] = {}
        self._values_of = cache(self._values)
        self.mark_in = cache(self._mark_in)  # resources of a platform repeat most of their texts, and clouds echo them

    def origin(self, urn: str, path: str) -> ValueOrigin:
        """Return the origin of an input of a resource."""
        if self.invention(urn, path) is not None:
            return ValueOrigin.INVENTED
        derived = self._graph[urn].property_dependencies.get(PropertyPath.parse(path).top)
        return ValueOrigin.DERIVED if derived else ValueOrigin.WRITTEN

    def invention(self, urn: str, path: str) -> Invention | None:
        """Return the invented value that an input is or holds, at or below a path; None where it has none."""
        self.known  # noqa: B018 finds them all
        pattern = PropertyPath.parse(path)
        return next((each for at, each in self._hidden.get(urn, {}).items() if pattern.covers(at)), None)

    def inventions(self, urn: str) -> tuple[Invention, ...]:
        """Return the invented values that the inputs of a resource hold."""
        self.known  # noqa: B018 finds them all
        return tuple(dict.fromkeys(self._hidden.get(urn, {}).values()))

    @cached_property
    def known(self) -> Graph:
        """The Graph as far as it is known: what is invented is unknown there; the part of a document is hidden."""
        if not self._graph.lookups and all(resource.documented is None for resource in self._graph):
            return self._graph
        resources = {resource.urn: self._known(resource) for resource in self._graph}
        return replace(self._graph, resources=resources, exports=self._documents_blanked(self._graph.exports))

    # ------------------------------------------------------------------ what is invented

    def _values(self, urn: str) -> _Values:
        """The values of a resource that other resources may be made from."""
        known: dict[Any, None] = {}
        invented: dict[Any, PropertyPath] = {}
        resource = self._graph.resources.get(urn)
        if resource is None:
            return _Values(None, {})
        for _, value in leaves(resource.inputs):
            known[_plain(value)] = None
        for path, value in leaves({"id": resource.id or None, **resource.outputs}):
            plain = _plain(value)
            if resource.documented is None or path.top in resource.documented or path.get(resource.inputs) == value:
                known[plain] = None
            else:
                invented.setdefault(plain, path)
        return _Values(tuple(known), {value: path for value, path in invented.items() if value not in known})

    @cached_property
    def _marks(self) -> Mapping[str, Invention]:
        """The digits of what is invented, by which texts are known that hold it."""
        marks: dict[str, Invention] = {}
        documented: set[str] = set()
        for resource in self._graph:
            if resource.documented is not None:
                answer = {"id": resource.id or None, **resource.outputs}
                found = _Answered(resource.urn, resource.inputs, answer, resource.documented)
                found.add_to(marks, documented)
        for lookup in self._graph.lookups:
            _Answered(lookup.token, lookup.arguments, lookup.answer, lookup.documented).add_to(marks, documented)
        return {digits: found for digits, found in marks.items() if digits not in documented}

    @cached_property
    def _looked_up(self) -> Mapping[str, Invention]:
        """The invented results of functions that have no digits: no property says that it depends on them."""
        return {
            value: Invention(lookup.token, path)
            for lookup in self._graph.lookups
            for path, value in leaves(lookup.answer)
            if isinstance(value, str) and len(value) >= _SHORT and path.top not in lookup.documented
        }

    # ------------------------------------------------------------------ the Graph without it

    def _known(self, resource: Resource) -> Resource:
        if not resource.custom:
            blanked = self._documents_blanked
            return replace(resource, inputs=blanked(resource.inputs), outputs=blanked(resource.outputs))
        inputs = {
            key: self._below(value, (key,), _Reader(self, resource.urn, tuple(self._sources(resource, key))))
            for key, value in resource.inputs.items()
        }
        outputs = {key: self._known_output(resource, key, value) for key, value in resource.outputs.items()}
        is_known = resource.documented is None or "id" in resource.documented
        return replace(resource, inputs=inputs, outputs=outputs, id=resource.id if is_known else "")

    def _known_output(self, resource: Resource, key: str, value: Any) -> Any:
        if resource.documented is None or key in resource.documented or value == resource.inputs.get(key):
            return self._below(value, (key,), _Reader(self, "", ()))
        return _as_given(value, resource.inputs.get(key))

    def _below(self, value: Any, steps: tuple[Any, ...], reader: _Reader) -> Any:
        if value is None or isinstance(value, Secret):
            return value
        if not isinstance(value, PLAIN):
            return self._inside(value, steps, reader)
        found = reader.invention(value, is_whole=len(steps) == 1)
        if found is None:
            return value
        if reader.urn:
            self._hidden.setdefault(reader.urn, {})[PropertyPath(steps)] = found
        if isinstance(value, str) and _is_document(value) and not reader.is_invention(value):
            return self._blanked(value)
        return UNKNOWN

    def _inside(self, value: Any, steps: tuple[Any, ...], reader: _Reader) -> Any:
        if isinstance(value, MAPPING):
            kept = {key: self._below(item, (*steps, key), reader) for key, item in value.items()}
            return kept if any(kept[key] is not item for key, item in value.items()) else value
        if isinstance(value, list | tuple):
            items = [self._below(item, (*steps, index), reader) for index, item in enumerate(value)]
            return items if any(map(is_not, items, value)) else value
        return value

    def _documents_blanked(self, value: Any) -> Any:
        """What a stack or a component shows: rules ask if it is in clear, and an invented text is as a real one."""
        if isinstance(value, str):
            return self._blanked(value) if _is_document(value) and self.mark_in(value) else value
        if isinstance(value, MAPPING):
            return {key: self._documents_blanked(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._documents_blanked(item) for item in value]
        return value

    def _blanked(self, text: str) -> str:
        """A document with the words hidden that hold what is invented."""
        return PartlyHidden(_WORD.sub(lambda word: PartlyHidden.WORD if self._hides(word[0]) else word[0], text))

    def _hides(self, word: str) -> bool:
        return self.mark_in(word) is not None or self.looked_up(word) is not None

    def _mark_in(self, text: str) -> Invention | None:
        """Return the invention whose digits are in a text."""
        return next((found for digits in _digits(text) if (found := self._marks.get(digits))), None)

    def looked_up(self, text: str) -> Invention | None:
        """Return the invented result of a function that a text is."""
        return self._looked_up.get(text)

    def _sources(self, resource: Resource, key: str) -> Iterator[tuple[str, _Values]]:
        """The resources that a property is made from, and their values."""
        for source in resource.property_dependencies.get(key, ()):
            yield source, self._values_of(source)


@dataclass(frozen=True, slots=True)
class _Answered:
    """What a simulated cloud has answered to what it was given, and the properties that it documents."""

    owner: str
    given: Mapping[str, Any]
    answer: Mapping[str, Any]
    documented: Container[str]

    def add_to(self, marks: dict[str, Invention], documented: set[str]) -> None:
        """Add the digits of what is invented, and those of what is documented but for those of a name that is given."""
        given: set[str] | None = None
        for path, value, found in _with_digits(self.answer):
            if path.top not in self.documented:
                if path.get(self.given) != value:
                    for digits in found:
                        marks.setdefault(digits, Invention(self.owner, path))
                continue
            if given is None:
                given = {digits for *_, found_given in _with_digits(self.given) for digits in found_given}
            documented.update(set(found) - given)  # a name that is given may be made of another's id


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of a resource: None where it is not in the Graph; the invented ones with their paths."""

    known: tuple[Any, ...] | None
    invented: Mapping[Any, PropertyPath]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the values of one property of a resource, with what it is made from; without a URN, those of none."""

    provenance: ValueProvenance
    urn: str
    sources: tuple[tuple[str, _Values], ...]

    def invention(self, value: Any, *, is_whole: bool) -> Invention | None:
        """Return the invention that a value is or holds; `is_whole` where it is the property itself."""
        if isinstance(value, str) and (found := self.provenance.mark_in(value) or self.provenance.looked_up(value)):
            return found
        sources = self.sources
        for source, values in sources:
            for invented, path in values.invented.items():
                if _holds(value, invented, is_whole=is_whole):
                    return Invention(source, path)
        if not is_whole or not sources or any(values.known is None for _, values in sources):
            return None
        if any(_is_made_from(value, known) for _, values in sources for known in values.known or ()):
            return None
        return next((Invention(source, PropertyPath(())) for source, values in sources if values.invented), None)

    def is_invention(self, value: str) -> bool:
        """Return whether a text as a whole is an invention, not only a part of it."""
        invented = any(value in values.invented for _, values in self.sources)
        return invented or self.provenance.looked_up(value) is not None


def _holds(value: Any, invented: Any, *, is_whole: bool) -> bool:
    """Return whether a value is an invented one, or a text that holds it."""
    if isinstance(value, str):
        if not isinstance(invented, str) or not invented:
            return False
        is_word = invented.isalpha() or len(invented) < _LEAST
        return value == invented or (invented in value and (len(invented) > _SHORT or not is_word))
    if isinstance(invented, str) or isinstance(value, bool) is not isinstance(invented, bool):
        return False
    return bool(value == invented and (is_whole or value not in (0, 1)))


def _is_made_from(value: Any, known: Any) -> bool:
    """Return whether a value may be made from a known one: it is the same, a part of it, or holds it."""
    if isinstance(value, str) and isinstance(known, str):
        return bool(known) and (known in value or value in known)
    return type(value) is type(known) and bool(value == known)


def _with_digits(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[PropertyPath, Any, tuple[str, ...]]]:
    """The texts of a value that have telling digits, as few do, with their paths."""
    if isinstance(value, str | Secret):
        if found := _digits(value):
            yield PropertyPath(steps), value, found
    elif isinstance(value, PLAIN):
        return
    elif isinstance(value, MAPPING):
        for key, item in value.items():
            yield from _with_digits(item, (*steps, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _with_digits(item, (*steps, index))


def _digits(value: Any) -> tuple[str, ...]:
    plain = _plain(value)
    return _digits_in(plain) if isinstance(plain, str) and len(plain) >= _LEAST_DIGITS else ()


@lru_cache(4096)  # clouds answer most of what they were given
def _digits_in(text: str) -> tuple[str, ...]:
    found = _DIGITS.findall(text.lower())
    if _BASE64.fullmatch(text):
        with suppress(ValueError):
            found += _DIGITS.findall(b64decode(text).decode().lower())
    return tuple(found)


def _plain(value: Any) -> Any:
    plain = value.value if isinstance(value, Secret) else value
    return plain if isinstance(plain, str | int | float | bool) else None


def _is_document(text: str) -> bool:
    """Return whether a text holds values of its own: JSON, YAML, a script."""
    return text.lstrip()[:1] in ("{", "[") or "\n" in text


def _as_given(output: Any, given: Any) -> Any:
    """What is known of an invented output: the parts of it that were given."""
    if output == given:
        return given
    if isinstance(output, MAPPING) and isinstance(given, MAPPING):
        return {key: _as_given(value, given.get(key)) for key, value in output.items()}
    if isinstance(output, list) and isinstance(given, list) and len(output) == len(given):
        return [_as_given(*pair) for pair in zip(output, given, strict=True)]
    return UNKNOWN
