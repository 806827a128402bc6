"""Resources as rules read them: typed, with paths, and with their references to other resources followed.

Reading a value that is not known, or that is secret, raises `NotKnown`; one of another type raises `TypeMismatch`. So a
rule says what it means, and ends as unknown or not applicable by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import Any, Final, NamedTuple, TypeVar

from penstock.resources.graph import Graph, Resource
from penstock.resources.values import Secret, Unknown
from penstock.resources.verdict import NotKnown, TypeMismatch

Kind = TypeVar("Kind")
Made = TypeVar("Made")

_NAMES = ("arn", "name", "bucket", "selfLink", "email")
"""Properties by which other resources name one, beside its id."""

_API_ADDRESS = re.compile(r"^https?://[^/]+/(?:[a-z]+/)?(?:v\d\w*|beta|alpha)/(?=projects/)")


_STEP = re.compile(r'"([^"]+)"|([^.\[\]"]+)|(\[\])')
"""One step of a path: a key in quotes where it has dots itself, a plain key, or every item of a list."""


_HIDDEN: Final = (Unknown, Secret)
_LIST: Final = (list, tuple)
"""Kinds of values; a union written where it is asked for would be made anew each time."""


class Location(NamedTuple):
    """A place among the inputs of a resource, by its whole path, and what stands there: None where nothing does."""

    path: str
    value: Any


class Site:
    """All that a program builds, with indexes: what rules that span resources look things up in.

    `quotas` are the account's, as its user declared them: service quota codes with their values.
    """

    def __init__(self, graph: Graph, quotas: Mapping[str, float] | None = None) -> None:
        self.graph = graph
        self.quotas = quotas or {}
        self._named: dict[str, dict[str, str]] = {}
        self._referrers: dict[tuple[str, str, str], dict[str, list[View]] | None] = {}
        self._made: dict[Callable[[Site], Any], Any] = {}

    def of_type(self, *types: str) -> list[View]:
        """The resources of these type tokens, without those that are only looked up."""
        return [View(resource, self) for resource in self.graph.of_type(*types) if not resource.external]

    def named(self, type_: str, name: str) -> View | None:
        """The resource of a type that has this id, ARN, path or name; None where two have it, as in two regions."""
        if type_ not in self._named:
            self._named[type_] = self._index(type_)
        urn = self._named[type_].get(_path(name))
        return View(self.graph[urn], self) if urn else None

    def once(self, make: Callable[[Site], Made]) -> Made:
        """What a function makes of the site, such as an index; it is asked only once."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Made = self._made[make]
        return made

    def referrers(self, target: View, type_: str, path: str) -> list[View]:
        """The resources of a type whose property at `path` points at the target.

        Raises:
            NotKnown: where one of the type points cannot be told, so that the list might lack it.
        """
        key = type_, path, target.type
        if key not in self._referrers:
            self._referrers[key] = self._pointing(*key)
        index = self._referrers[key]
        if index is None:
            raise NotKnown
        return index.get(target.urn, [])

    def _index(self, type_: str) -> dict[str, str]:
        index: dict[str, str] = {}
        for resource in self.graph.of_type(type_):
            for called in _callings(resource):
                index[called] = resource.urn if index.get(called, resource.urn) == resource.urn else ""
        return index

    def _pointing(self, type_: str, path: str, to: str) -> dict[str, list[View]] | None:
        index: dict[str, list[View]] = {}
        for view in self.of_type(type_):
            try:
                for target in view.found(path, to):
                    index.setdefault(target.urn, []).append(view)
            except NotKnown:
                return None
            except TypeMismatch:
                continue
        return index


class Block:
    """An object among the inputs of a resource."""

    def __init__(self, values: Mapping[str, Any], path: str, resource: View | None) -> None:
        self._values, self._path, self._resource = values, path, resource

    def __contains__(self, key: str) -> bool:
        """Whether a property is given, be it unknown."""
        return self._values.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def at(self, key: str) -> str:
        """The whole path of a property, for a finding: `networkInterfaces[1].deviceIndex`."""
        return f"{self._path}.{key}" if self._path else key

    def given(self, key: str) -> Any:
        """A property as it is, be it unknown or secret; None where it is not given."""
        return self._values.get(key)

    def value(self, key: str) -> Any:
        """A property as it is; None where it is not given. Lists and objects may hold what is not known."""
        return _known(self._values.get(key))

    def text(self, key: str) -> str | None:
        """A property that is text; numbers count, as they do for providers."""
        value = self._values.get(key)
        if type(value) is str:  # as nearly all are
            return value
        value = _known(value)
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else _typed(value, str)

    def number(self, key: str) -> float | None:
        """A property that is a number; texts that hold one count, as they do for providers."""
        value = self.value(key)
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                raise TypeMismatch from None
        found = _typed(value, int, float)
        if found is not None and not isfinite(found):
            raise TypeMismatch
        return found

    def integer(self, key: str) -> int | None:
        """A property that is a whole number."""
        given = self._values.get(key)
        if type(given) is int:  # as nearly all are
            return given
        value = self.number(key)
        if value is not None and value != int(value):
            raise TypeMismatch
        return None if value is None else int(value)

    def flag(self, key: str) -> bool | None:
        """A property that is true or false; texts that say so count, as they do for providers."""
        value = self.value(key)
        if value in ("true", "false"):
            return bool(value == "true")
        return _typed(value, bool)

    def block(self, key: str) -> Block | None:
        """A property that is an object."""
        value = _typed(self.value(key), dict)
        return None if value is None else Block(value, self.at(key), self._owner)

    def blocks(self, key: str) -> list[Block]:
        """A property that is a list of objects; empty where it is not given."""
        return [
            Block(_item(_known(item), dict), f"{self.at(key)}[{index}]", self._owner)
            for index, item in enumerate(self._list(key))
        ]

    def texts(self, key: str) -> list[str]:
        """A property that is a list of texts; empty where it is not given."""
        return [_item(_known(item), str) for item in self._list(key)]

    def count(self, key: str) -> int:
        """How many items a list has, known or not; 0 where it is not given."""
        return len(self._list(key))

    def locations(self, path: str) -> Iterator[Location]:
        """What stands at a path such as `rules[].filter.prefix`, in every item of each list on the way.

        An object or a list on the way that is not known stands for all below it; one that is not given ends in None.
        """
        found: list[Location] = []
        _gather(self._values, _steps(path), 0, self._path, found)
        return iter(found)

    def within(self, place: Location) -> Block:
        """The object at a place.

        Raises:
            NotKnown: nobody can tell yet what stands there.
            TypeMismatch: something else stands there.
        """
        return Block(_item(_known(place.value), dict), place.path, self._owner)

    @property
    def owner(self) -> View:
        """The resource that it belongs to."""
        return self._owner

    def one(self, key: str, *types: str) -> View | None:
        """The resource that a property points at; None where the property is not given.

        Raises:
            NotKnown: it points outside the program, or nobody can tell where.
        """
        found = self.many(key, *types)
        if len(found) > 1:
            raise NotKnown
        return found[0] if found else None

    def many(self, key: str, *types: str) -> list[View]:
        """The resources that a property points at, all of them.

        Raises:
            NotKnown: one of them lies outside the program, or nobody can tell which they are.
        """
        found = self.found(key, *types)
        value = self._values.get(key)
        wanted = len(value) if isinstance(value, list | tuple) else int(value is not None)
        if len(found) < wanted:
            raise NotKnown
        return found

    def found(self, path: str, *types: str) -> list[View]:
        """The resources of the program that a property points at; what it points at outside the program is left out.

        `path` may lead into objects and lists (`launchTemplate.id`).

        Raises:
            NotKnown: a value is not known, and the program does not tell which resource it comes from.
        """
        values = list(_below(self._values, path.split(".")))
        owner = self._owner
        unknown = any(isinstance(value, Unknown | Secret) for value in values)
        if not unknown:
            named = (owner.site.named(type_, str(value)) for value in values for type_ in types)
            return list({view.urn: view for view in named if view is not None}.values())
        top = self.at(path).split(".", 1)[0].split("[", 1)[0]
        sources = owner.sources(top, *types)
        if len(sources) != len(values):
            raise NotKnown
        return sources

    @property
    def _owner(self) -> View:
        assert self._resource is not None  # noqa: S101 - a view owns itself
        return self._resource

    def _list(self, key: str) -> Sequence[Any]:
        value = self.value(key)
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            raise TypeMismatch
        return value


class View(Block):
    """A resource, by its inputs; what the cloud answered stands in `outputs`."""

    def __init__(self, resource: Resource, site: Site) -> None:
        super().__init__(resource.inputs, "", None)
        self.resource, self.site = resource, site

    @property
    def urn(self) -> str:
        """The resource's URN."""
        return self.resource.urn

    @property
    def type(self) -> str:
        """The type token."""
        return self.resource.type

    @property
    def name(self) -> str:
        """The resource's name in the program."""
        return self.resource.name

    @property
    def id(self) -> str:
        """The id.

        Raises:
            NotKnown: the cloud has not given it yet.
        """
        if not self.resource.id:
            raise NotKnown
        return self.resource.id

    @property
    def outputs(self) -> Block:
        """What the cloud answered, beside what was given."""
        return Block(self.resource.outputs, "", self)

    def sources(self, key: str, *types: str) -> list[View]:
        """The resources of these types that the value of a property is made from."""
        urns = self.resource.property_dependencies.get(key, ())
        graph = self.site.graph.resources
        return [View(graph[urn], self.site) for urn in urns if urn in graph and graph[urn].type in types]

    def referrers(self, type_: str, path: str) -> list[View]:
        """The resources of a type whose property points at this one; as `Site.referrers`."""
        return self.site.referrers(self, type_, path)

    @property
    def provider(self) -> Block:
        """The configuration of the provider, be it the default one; empty where the Graph has none for it."""
        found = self.site.graph.resources.get(self.resource.provider_urn)
        return Block(found.inputs if found is not None else {}, "", self)

    @property
    def has_own_provider(self) -> bool:
        """Whether an explicit provider makes it, and not the default one."""
        found = self.site.graph.resources.get(self.resource.provider_urn)
        return found is not None and not found.is_default_provider

    @property
    def _owner(self) -> View:
        return self


def _callings(resource: Resource) -> set[str]:
    given = (source.get(key) for source in (resource.inputs, resource.outputs) for key in _NAMES)
    return {_path(name) for name in (resource.id, *given) if isinstance(name, str) and name}


def _path(name: str) -> str:
    """A name without the address of Google's API: compute/v1/projects/P/… and projects/P/… are the same resource."""
    return _API_ADDRESS.sub("", name)


@lru_cache(maxsize=4096)
def _steps(path: str) -> tuple[str, ...]:
    return tuple(quoted or plain or "[]" for quoted, plain, _ in _STEP.findall(path))


def _gather(value: Any, steps: tuple[str, ...], done: int, path: str, found: list[Location]) -> None:
    """Adds the places below a value: rules ask for thousands of them, so that this makes no generators."""
    if done == len(steps) or isinstance(value, _HIDDEN):
        found.append(Location(path, value))
    elif steps[done] == "[]":
        items = value if isinstance(value, _LIST) else () if value is None else (value,)
        for index, item in enumerate(items):
            _gather(item, steps, done + 1, f"{path}[{index}]", found)
    elif isinstance(value, _LIST):
        for index, item in enumerate(value):
            _gather(item, steps, done, f"{path}[{index}]", found)
    else:
        below = value.get(steps[done]) if isinstance(value, Mapping) else None
        _gather(below, steps, done + 1, f"{path}.{steps[done]}" if path else steps[done], found)


def _below(value: Any, path: Sequence[str]) -> Iterator[Any]:
    """The values at a path, through every item of a list on the way."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _below(item, path)
    elif not path or isinstance(value, Unknown | Secret):
        if value is not None:
            yield value
    elif isinstance(value, Mapping):
        yield from _below(value.get(path[0]), path[1:])


def _known(value: Any) -> Any:
    if isinstance(value, _HIDDEN):
        raise NotKnown
    return value


def _typed(value: Any, *types: type[Kind]) -> Kind | None:
    return None if value is None else _item(value, *types)


def _item(value: Any, *types: type[Kind]) -> Kind:
    """An item of a list, or whatever else must be there."""
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise TypeMismatch
    return value
