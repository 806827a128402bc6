"""Resources as rules read them: typed, with paths, and with their references to other resources followed.

Reading a value that is not known, or that is secret, raises `NotKnown`; one of another type raises `TypeMismatch`. So a
rule says what it means, and ends as unknown or not applicable by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any, NamedTuple, TypeVar

from penstock.core.clock import utc_today
from penstock.graph import property_path
from penstock.graph.graph import Graph, Resource
from penstock.graph.property_path import Location, PropertyPath
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, TypeMismatch

Kind = TypeVar("Kind")
Built = TypeVar("Built")

NAMES = ("arn", "name", "bucket", "selfLink", "email")
"""Properties by which other resources name one, beside its id."""

_API_ADDRESS = re.compile(r"^https?://[^/]+/(?:[a-z]+/)?(?:v\d\w*|beta|alpha)/(?=projects/)")


class Site:
    """All that a program builds, with indexes: what rules that span resources look things up in.

    `quotas` are the account's, as its user declared them: service quota codes with their values. `today` is the day
    that dates of a provider, such as the end of a version's support, are compared with. `before` is what exists
    already; None where that is not known, as for a first run.
    """

    def __init__(
        self,
        graph: Graph,
        quotas: Mapping[str, float] | None = None,
        today: date | None = None,
        before: Graph | None = None,
    ) -> None:
        self.graph = graph
        self.before = before
        self.quotas = quotas or {}
        self.today = today or utc_today()
        self._named: dict[str, dict[str, str]] = {}
        self._referrers: dict[tuple[str, str, str], _Pointing | None] = {}
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

    def existing(self, view: View) -> View | None:
        """The resource as it exists already, among what exists with it; None where this run creates it."""
        old = self.before.resources.get(view.urn) if self.before is not None else None
        return None if old is None or self.before is None else View(old, Site(self.before))

    def once(self, make: Callable[[Site], Built]) -> Built:
        """Return what a function makes of the site, such as an index; it is called only once."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Built = self._made[make]
        return made

    def referrers(self, target: View, type_: str, path: str) -> list[View]:
        """The resources of a type whose property at `path` points at the target.

        Raises:
            NotKnown: where one of the type points cannot be determined, so that the list might lack it.
        """
        key = type_, path, target.type
        if key not in self._referrers:
            self._referrers[key] = self._pointing(*key)
        pointing = self._referrers[key]
        if pointing is None or (pointing.outside and target.has_hidden_name):
            raise NotKnown
        return pointing.by_target.get(target.urn, [])

    def _index(self, type_: str) -> dict[str, str]:
        index: dict[str, str] = {}
        for resource in self.graph.of_type(type_):
            for called in _callings(resource):
                index[called] = resource.urn if index.get(called, resource.urn) == resource.urn else ""
        return index

    def _pointing(self, type_: str, path: str, to: str) -> _Pointing | None:
        index: dict[str, list[View]] = {}
        outside = False
        for view in self.of_type(type_):
            try:
                found = view.found(path, to)
            except NotKnown:
                return None
            except TypeMismatch:
                continue
            for target in found:
                index.setdefault(target.urn, []).append(view)
            outside = outside or (not found and any(place.value is not None for place in view.locations(path)))
        return _Pointing(index, outside)


class _Pointing(NamedTuple):
    """The resources that point at each one, by its URN; with `outside`, one points at what no known name is of."""

    by_target: dict[str, list[View]]
    outside: bool


class Block:
    """An object among the inputs of a resource."""

    def __init__(self, values: Mapping[str, Any], path: str, owner: View) -> None:
        self._values, self._path, self._owner = values, path, owner

    def __contains__(self, key: str) -> bool:
        """Return whether a property is given, be it unknown."""
        return self._values.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def at(self, key: str) -> str:
        """The whole path of a property, for a finding: `networkInterfaces[1].deviceIndex`."""
        return f"{self._path}.{key}" if self._path else key

    def given(self, key: str) -> Any:
        """A property as it is, be it unknown or secret; None where it is not given."""
        return self._values.get(key)

    def has(self, key: str) -> bool:
        """Return whether a property is given and not empty; a value from another resource is, be it known or not.

        Raises:
            NotKnown: the value is not known, and comes from no resource of the program.
        """
        value = self._values.get(key)
        if isinstance(value, Unknown):
            top = PropertyPath.parse(self.at(key)).top
            if not self._owner.resource.property_dependencies.get(top):
                raise NotKnown(self.at(key))
            return True
        return (value.value if isinstance(value, Secret) else value) not in (None, "", [], {}, ())

    def value(self, key: str) -> Any:
        """A property as it is; None where it is not given. Lists and objects may hold what is not known.

        `scalingConfig.maxSize` is the property of an object, for each method that reads one property.

        Raises:
            ValueError: the path leads into a list, which `blocks_at` and `locations` read.
        """
        value = self._values.get(key)
        if isinstance(value, property_path.HIDDEN):
            raise NotKnown(self.at(key))
        if value is None and "." in key:  # keys of tags and annotations have dots, too
            return self._nested(key)
        return value

    def _nested(self, path: str) -> Any:
        head, _, rest = path.partition(".")
        if head.endswith("]") and isinstance(self._values.get(head.partition("[")[0]), list | tuple):
            raise ValueError(f"{path!r} leads into a list: read it by blocks_at({head!r}) or locations({path!r})")
        inner = self._values.get(head)
        if isinstance(inner, property_path.HIDDEN):
            raise NotKnown(self.at(head))
        return Block(inner, self.at(head), self._owner).value(rest) if isinstance(inner, Mapping) else None

    def text(self, key: str) -> str | None:
        """A property that is text; numbers count, as they do for providers."""
        value = self._values.get(key)
        if type(value) is str:  # as nearly all are
            return value
        value = self.value(key)
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

    def locations(self, path: str) -> list[Location]:
        """Each value at a path such as `rules[].filter.prefix` (`property_path`); None where none is given."""
        return property_path.locations(self._values, path, self._path)

    def blocks_at(self, path: str) -> list[Block]:
        """The objects at a path; those that are not given are left out.

        Raises:
            NotKnown: one of them is not known yet.
            TypeMismatch: something else is there.
        """
        return [self.within(place) for place in self.locations(path) if place.value is not None]

    def within(self, place: Location) -> Block:
        """The object at a place.

        Raises:
            NotKnown: the value there is not known yet.
            TypeMismatch: something else is there.
        """
        return Block(_item(_known(place.value), dict), place.path, self._owner)

    @property
    def owner(self) -> View:
        """The resource that it belongs to."""
        return self._owner

    def one(self, key: str, *types: str) -> View | None:
        """The resource that a property points at; None where the property is not given.

        Raises:
            NotKnown: it points outside the program, or it is not known where.
        """
        found = self.many(key, *types)
        if len(found) > 1:
            raise NotKnown
        return found[0] if found else None

    def many(self, key: str, *types: str) -> list[View]:
        """The resources that a property points at, all of them.

        Raises:
            NotKnown: one of them lies outside the program, or it is not known which they are.
        """
        found = self.found(key, *types)
        value = self._values.get(key)
        wanted = len(value) if isinstance(value, list | tuple) else int(value is not None)
        if len(found) < wanted:
            raise NotKnown
        return found

    def found(self, path: str, *types: str) -> list[View]:
        """The resources of the program that a property points at; what it points at outside the program is left out.

        `path` may lead into objects and, with `[]`, lists (`networkInterfaces[].subnetId`); at its end is one that
        is pointed at, or a list of them.

        Raises:
            NotKnown: a value is not known, and the program does not say which resource it comes from.
        """
        given = [place.value for place in self.locations(path)]
        lists = (value if isinstance(value, list | tuple) else (value,) for value in given)
        values = [value for values in lists for value in values if value is not None]
        owner = self._owner
        known = [value for value in values if not isinstance(value, Unknown | Secret)]
        named = (owner.site.named(type_, str(value)) for value in known for type_ in types)
        found = {view.urn: view for view in named if view is not None}
        hidden, missing = len(values) - len(known), len(values) - len(found)
        if missing:  # of a value that is known already the program says, too, which resource it comes from
            of_program = owner.sources(PropertyPath.parse(self.at(path)).top, *types)
            sources = {view.urn: view for view in of_program if view.urn not in found}
            if len(sources) in (hidden, missing):
                found |= sources
            elif hidden:
                raise NotKnown
        return list(found.values())

    def _list(self, key: str) -> Sequence[Any]:
        value = self.value(key)
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            raise TypeMismatch
        return value


class View(Block):
    """A resource, by its inputs; what the cloud answered is in `outputs`."""

    def __init__(self, resource: Resource, site: Site) -> None:
        super().__init__(resource.inputs, "", self)
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
    def has_hidden_name(self) -> bool:
        """True if it is given a name that is not known, so that nobody knows which names are its own."""
        return any(isinstance(self.given(key), property_path.HIDDEN) for key in NAMES)

    @property
    def outputs(self) -> Block:
        """The outputs of the cloud, beside what was given."""
        return Block(self.resource.outputs, "", self)

    def sources(self, key: str, *types: str) -> list[View]:
        """The resources of these types that the value of a property is made from."""
        urns = self.resource.property_dependencies.get(key, ())
        graph = self.site.graph.resources
        return [View(graph[urn], self.site) for urn in urns if urn in graph and graph[urn].type in types]

    def referrers(self, type_: str, path: str) -> list[View]:
        """The resources of a type whose property points at this one; as `Site.referrers`."""
        return self.site.referrers(self, type_, path)

    def users(self, type_: str, path: str) -> list[View]:
        """The resources of a type whose property comes from an output of this one, or that point at it.

        Raises:
            NotKnown: none is known, and another may be one.
        """
        key = property_path.PropertyPath.parse(path).top
        taken = [
            view for view in self.site.of_type(type_) if view.resource.property_dependencies.get(key) == (self.urn,)
        ]
        return taken or self.referrers(type_, path)

    @property
    def provider(self) -> Block:
        """The configuration of the provider, be it the default one; empty where the Graph has none for it."""
        found = self.site.graph.resources.get(self.resource.provider_urn)
        return Block(found.inputs if found is not None else {}, "", self)

    @property
    def has_own_provider(self) -> bool:
        """True if an explicit provider makes it, and not the default one."""
        found = self.site.graph.resources.get(self.resource.provider_urn)
        return found is not None and not found.is_default_provider


def _callings(resource: Resource) -> set[str]:
    given = (source.get(key) for source in (resource.inputs, resource.outputs) for key in NAMES)
    return {_path(name) for name in (resource.id, *given) if isinstance(name, str) and name}


def _path(name: str) -> str:
    """A name without the address of Google's API: compute/v1/projects/P/… and projects/P/… are the same resource."""
    return _API_ADDRESS.sub("", name)


def _known(value: Any) -> Any:
    if isinstance(value, property_path.HIDDEN):
        raise NotKnown
    return value


def _typed(value: Any, *types: type[Kind]) -> Kind | None:
    return None if value is None else _item(value, *types)


def _item(value: Any, *types: type[Kind]) -> Kind:
    """An item of a list, or whatever else must be there."""
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise TypeMismatch
    return value
