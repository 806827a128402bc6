"""What an SDK does for each resource, done in less time.

Each function does what it stands for as far as a rehearsal needs it. As `in_program`, which exchanges them while a
program runs, it needs the standard library and `pulumi` only: a program may run in an interpreter of its own.
"""

from __future__ import annotations

import asyncio
import sys
import typing
from collections import abc
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pulumi
from google.protobuf.struct_pb2 import ListValue, Struct, Value
from pulumi import output
from pulumi.output import Unknown
from pulumi.runtime.rpc import UNKNOWN, _special_sig_key

_CONSTRUCTORS = 3
"""The innermost `__init__` in a stack of the SDK that are of a resource; their caller is the program."""

_PLAIN = frozenset((str, int, float, bool, type(None)))

_HOLDING = frozenset((dict, list))
_MAPPINGS, _SEQUENCES = (dict, abc.Mapping), (list, abc.Sequence)
_DEEPEST = 50
_NAMED = 5
"""The arguments of `serialize_property` up to the type of the property, before which is what translates names."""

_DEPENDENCIES = "_direct_computed_dependencies"
_NONE: frozenset[Any] = frozenset()

_OF_OTHERS = (Path(asyncio.__file__).parents[1], Path(pulumi.__file__).parents[1])
"""The folders of the standard library and of the packages beside the SDK."""

_REGISTER = ("do_register", "do_read")
_NAMES = ("name", "parent", "stack", "project")
_registration: Any = pulumi.runtime.resource


def shortcuts(off: Collection[str] = ()) -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
    """The functions of the SDK that are exchanged: owner, name and what changes it. Those named in `off` are not.

    Functions that the SDK's version does not have are left out.
    """
    return (each for each in _shortcuts() if each[1] not in off)


def _shortcuts() -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
    yield pulumi.log, "debug", _unheard
    yield _registration, "_get_stack_trace", _bare_stack_trace
    yield _registration, "create_urn", _no_urn_of_mocks
    if hasattr(pulumi.Output, "_from_data"):
        yield pulumi.runtime.rpc, "transfer_properties", _one_future_each
    yield pulumi.runtime.rpc, "contains_unknowns", _none_inside
    yield pulumi.runtime.rpc, "serialize_property", _plain_as_it_is
    yield pulumi.runtime.rpc, "deserialize_property", _known_as_it_is
    yield pulumi.ResourceOptions, "_copy", _fields_alone
    if hooks := getattr(pulumi, "ResourceHookBinding", None):
        yield hooks, "merge", _none_of_none
    if utils := getattr(pulumi, "_utils", None):
        yield utils, "is_empty_function", _long_first
    if hasattr(pulumi.runtime.rpc, "declare_dependency"):
        yield pulumi.runtime.rpc, "declare_dependency", _each_once
    if types := getattr(pulumi, "_types", None):
        yield types, "unwrap_type", _remembered
        yield types, "unwrap_optional_type", _remembered
        if all(hasattr(types, name) for name in ("_py_properties", "_globals_for_cls")):
            yield types, "input_type_types", _read_when_needed
            yield types, "output_type_types", _read_when_needed
            yield types, "resource_types", _read_when_needed
    if hasattr(_registration, "prepare_aliases"):
        yield pulumi.resource, "collapse_alias_to_urn", _alias_as_given
        yield _registration, "prepare_aliases", _former_types_at_once


def _alias_as_given(_: Callable[..., Any]) -> Callable[..., Any]:
    """Leave aliases to the monitor. Their URNs are for engines that know none, and SDKs have thirty for a resource."""
    return lambda alias, *_: alias


def _former_types_at_once(prepare: Callable[..., Any]) -> Callable[..., Any]:
    """Write the former types of an SDK's resources, dozens for each, once for each kind and without outputs."""
    known: dict[tuple[str, ...], list[Any]] = {}

    async def prepare_aliases(resource: Any, options: Any, supports_specs: bool) -> list[Any]:  # noqa: FBT001
        aliases = options.aliases if options is not None else None
        if not aliases or not supports_specs or not all(map(_is_former_type, aliases)):
            found: list[Any] = await prepare(resource, options, supports_specs)
            return found
        types = tuple(alias.type_ for alias in aliases)
        if types not in known:
            message = _registration.alias_pb2.Alias
            known[types] = [message(spec=message.Spec(type=type_, parentUrn="")) for type_ in types]
        return known[types]

    return prepare_aliases


def _is_former_type(alias: Any) -> bool:
    """Return whether an alias says nothing but another type."""
    if type(alias) is not pulumi.Alias:
        return False
    said = vars(alias)
    return type(said["type_"]) is str and all(said[name] is ... for name in _NAMES)


def _unheard(_: Callable[..., None]) -> Callable[..., None]:
    """Send no messages for debugging, of which the SDK has several for each resource: no engine shows them here."""
    return lambda *_, **__: None


def _bare_stack_trace(_: Callable[[], Any]) -> Callable[[], Any]:
    """Find the lines that led to a resource without reading their files, and each place once: stacks share most.

    Lines of packages and of the standard library are left out: none of them is where a program declares something.
    """
    frames: dict[tuple[int, int], tuple[Any, Any]] = {}

    def stack_trace() -> Any:
        frame: Any = sys._getframe(1)  # noqa: SLF001
        constructors = 0  # of a resource: of any, of a custom one or a component, and its own
        while frame is not None and constructors < _CONSTRUCTORS:
            constructors += frame.f_code.co_name == "__init__"
            frame = frame.f_back
        found = []
        while frame is not None:
            code = frame.f_code
            key = id(code), frame.f_lasti  # the number of a line takes longer to find
            hit = frames.get(key)
            if hit is None:
                hit = frames[key] = code, _stack_frame(code.co_filename, frame.f_lineno)
            if hit[1] is not None:
                found.append(hit[1])
            frame = frame.f_back
        return _registration.source_pb2.StackTrace(frames=found)

    return stack_trace


def _stack_frame(file: str, line: int) -> Any:
    messages, uri = _registration.source_pb2, _uri(file)
    return uri and messages.StackFrame(pc=messages.SourcePosition(uri=uri, line=line))


@cache
def _uri(file: str) -> str | None:
    """The address of a file of the program; None for one of others."""
    place = Path(file)
    return place.as_uri() if place.is_absolute() and not any(map(place.is_relative_to, _OF_OTHERS)) else None


def _no_urn_of_mocks(create: Callable[..., Any]) -> Callable[..., Any]:
    """Spare registrations the URN that they would have without a monitor, which takes five outputs for each."""

    def create_urn(*args: Any, **kwargs: Any) -> Any:
        of_registration = sys._getframe(1).f_code.co_name in _REGISTER  # noqa: SLF001
        return _NoUrn if of_registration else create(*args, **kwargs)

    return create_urn


class _NoUrn:
    """Stands for an output that nobody reads."""

    @staticmethod
    async def future() -> str:
        return ""


def _one_future_each(_: Callable[..., Any]) -> Callable[..., Any]:
    """Make each property of a resource an output with one future, where the SDK takes four and a task."""

    def transfer_properties(res: Any, props: Mapping[str, Any], custom: bool) -> dict[str, Any]:  # noqa: FBT001
        loop, resolvers = asyncio.get_event_loop(), {}
        for name in props:
            if name == "urn" or (name == "id" and custom):
                continue
            data = loop.create_future()
            resolvers[name] = _resolver(res, data)
            vars(res)[name] = found = object.__new__(pulumi.Output)
            found._data = data  # the SDK need not wait for it: it waits for the registration
        return resolvers

    return transfer_properties


def _none_inside(_: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Look for what is unknown without a generator for each object and list, inside of each other."""

    def contains_unknowns(value: Any) -> bool:
        waiting, seen = [value], set()
        while waiting:
            found = waiting.pop()
            if isinstance(found, Unknown):
                return True
            if not isinstance(found, (dict, list)) or id(found) in seen:
                continue
            seen.add(id(found))
            # The keys of an SDK's objects are asked for by other names than those that they are kept by.
            inside = dict.values(found) if isinstance(found, dict) else found
            waiting += [each for each in inside if type(each) not in _PLAIN]
        return False

    return contains_unknowns


def _plain_as_it_is(serialize: Callable[..., Any]) -> Callable[..., Any]:
    """Send what most properties are without asking of each, and of all inside of it, what else it could be."""

    async def serialize_property(value: Any, *args: Any, **kwargs: Any) -> Any:
        if "return_protobuf_value" not in kwargs:
            if type(value) in _PLAIN:
                return value
            if type(value) in _HOLDING and len(args) >= _NAMED:
                translate, type_ = args[_NAMED - 2 : _NAMED]
                if _keeps_names(translate) and _is_plain_throughout(value, type_, _DEEPEST):
                    return value
        return await serialize(value, *args, **kwargs)

    return serialize_property


def _keeps_names(translate: Any) -> bool:
    """Return whether keys are sent as they are, as nearly all resources have it."""
    return translate is None or getattr(translate, "__func__", None) is pulumi.Resource.translate_input_property


def _is_plain_throughout(value: Any, type_: Any, deepest: int) -> bool:
    """Return whether an object or a list holds nothing that the SDK sends otherwise, or complains of."""
    if deepest == 0:
        return False  # it may hold itself
    if type_ is not None:
        type_ = pulumi._types.unwrap_type(type_)  # noqa: SLF001
    inner = None
    if type_ is not None and type_ is not Any:
        kinds, *rest = (_MAPPINGS, str) if type(value) is dict else (_SEQUENCES,)
        *keys, inner = typing.get_args(type_) or (None, None, None)
        if typing.get_origin(type_) not in kinds or keys != rest:
            return False
    for item in value.values() if type(value) is dict else value:
        kind = type(item)
        if kind not in _PLAIN and (kind not in _HOLDING or not _is_plain_throughout(item, inner, deepest - 1)):
            return False
    return True


def _known_as_it_is(deserialize: Callable[..., Any]) -> Callable[..., Any]:
    """Receive in the same way what is plain and known."""

    def deserialize_property(value: Any, *args: Any, **kwargs: Any) -> Any:
        if type(value) in _PLAIN and value != UNKNOWN:
            return value
        if isinstance(value, Struct | ListValue) and all(keep is not False for keep in (*args[1:], *kwargs.values())):
            with suppress(_IsSpecial):
                return _received(value)
        return deserialize(value, *args, **kwargs)

    return deserialize_property


class _IsSpecial(Exception):
    """Something inside of a value is no plain data: a secret, a file, a resource, or what is unknown."""


def _received(value: Struct | ListValue) -> Any:
    """The plain data of an object or a list; what is null is left out of objects, as the SDK does it."""
    if isinstance(value, ListValue):
        return [_received_item(item) for item in value.values]
    if _special_sig_key in value.fields:
        raise _IsSpecial
    items = ((key, _received_item(item)) for key, item in value.fields.items())
    return {key: item for key, item in items if item is not None}


def _received_item(value: Value) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        if value.string_value == UNKNOWN:
            raise _IsSpecial
        return value.string_value
    if kind == "struct_value":
        return _received(value.struct_value)
    if kind == "list_value":
        return _received(value.list_value)
    return None if kind is None or kind == "null_value" else getattr(value, kind)


def _long_first(is_empty: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Answer at once for what most getters of an SDK are."""
    longest = len((lambda: None).__code__.co_code)
    return lambda function: len(function.__code__.co_code) <= longest and is_empty(function)


def _fields_alone(copy: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Copy options, four times for each resource, without asking how they would be pickled."""

    def copied(options: Any) -> Any:
        if type(options) is not pulumi.ResourceOptions:
            return copy(options)  # a class of the program may have a way of its own
        found = object.__new__(pulumi.ResourceOptions)
        vars(found).update(vars(options))
        return found

    return copied


def _none_of_none(merge: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """Merge the hooks of two options without copies where neither has any, as most."""

    def merged(one: Any, other: Any) -> Any:
        hooks = pulumi.ResourceHookBinding
        return hooks() if one is None and other is None else merge(hooks, one, other)

    return merged


def _each_once(_: Callable[..., bool]) -> Callable[..., bool]:
    """Look for a resource among those that another depends on without a generator for each, inside of each other.

    The SDK asks this before it notes that the one depends on the other, and of most that nothing depends on yet.
    """
    needed: set[Any] = set()

    def declare_dependency(from_resource: Any, to_resource: Any) -> bool:
        if to_resource is from_resource or (from_resource in needed and from_resource in _needed_by(to_resource)):
            return False
        needed.add(to_resource)
        vars(from_resource).setdefault(_DEPENDENCIES, set()).add(to_resource)
        return True

    return declare_dependency


def _needed_by(resource: Any) -> set[Any]:
    """All that a resource depends on."""
    found: set[Any] = set()
    waiting = [resource]
    while waiting:
        new = vars(waiting.pop()).get(_DEPENDENCIES, _NONE) - found
        found |= new
        waiting += new
    return found


def _read_when_needed(read_all: Callable[[type], Any]) -> Callable[[type], Any]:
    """Evaluate the annotations of those properties that there are, and not of all that there may be."""

    def types(owner: type) -> Any:
        generated = owner.__module__.startswith("pulumi_") and not getattr(owner, "__annotations__", None)
        return types_of_properties(owner) if generated else read_all(owner)  # a class of the program may have mistakes

    return types


class TypesOfProperties(Mapping[str, Any]):
    """The types of the properties of a class by their names in Pulumi, each evaluated when it is asked for."""

    def __init__(self, owner: type) -> None:
        self._globals = pulumi._types._globals_for_cls(owner)  # noqa: SLF001
        self._getters = {name: getter.fget for _, name, getter in pulumi._types._py_properties(owner)}  # noqa: SLF001
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            # As the SDK does it; T is the variable of its own types, and is none of what properties have.
            own = {"Output": pulumi.Output, "T": type(None)}
            hint = typing.get_type_hints(self._getters[name], globalns=self._globals, localns=own).get("return")
            found = pulumi._types.unwrap_type(hint) if hint is not None else None  # noqa: SLF001
            self._known[name] = None if found is pulumi.Output else found
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._getters

    def __iter__(self) -> Iterator[str]:
        return iter(self._getters)

    def __len__(self) -> int:
        return len(self._getters)


types_of_properties = cache(TypesOfProperties)


def _remembered(find: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Look each type up once, by its id: a union takes long to hash, and some types have no hash."""
    known: dict[int, tuple[Any, Any]] = {}

    def found(type_: Any) -> Any:
        hit = known.get(id(type_))
        if hit is None:
            hit = known[id(type_)] = type_, find(type_)
        return hit[1]

    return found


def _resolver(res: Any, data: asyncio.Future[Any]) -> Callable[..., None]:
    def resolve(value: Any, known: bool, secret: bool, deps: set[Any] | None, failed: Exception | None) -> None:  # noqa: FBT001
        if failed is not None:
            data.set_exception(failed)
        else:
            data.set_result(output._OutputData({*(deps or ()), res}, value, known, secret))  # noqa: SLF001

    return resolve
