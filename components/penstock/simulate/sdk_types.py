"""Checks inputs against the types that a provider's own Python SDK declares.

Each generated SDK registers its resource classes with Pulumi by type token, and each class has an `…Args` beside it
whose annotations name every property. That covers whatever provider is installed, without a schema of our own.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, update_wrapper
from importlib import import_module
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Final, Generic, TypeVar, Union, get_args, get_origin, is_typeddict

from pulumi import Output
from pulumi._types import (
    _raw_return_hints,
    is_input_type,
    is_output_type,
    output_type_types,
    resource_types,
    unwrap_type,
)
from pulumi.runtime.rpc import _RESOURCE_MODULES, get_resource_module

from penstock.core.spelling import near_matches, suggestion
from penstock.graph.values import UNKNOWN, Asset, Secret
from penstock.providers import plugin_of
from penstock.simulate.sdk_shortcuts import types_of_properties

MISSING_PROPERTY: Final = "TYPE-002"
"""The code of a property that the SDK requires and that is not given."""

UNKNOWN_PROPERTY: Final = "TYPE-001"
"""The code of a property that the SDK does not declare."""

Check = Callable[[Any, str], Iterator["Mismatch"]]
Found = TypeVar("Found")

_AMOUNT = re.compile(
    r"\.(requests|limits|hard|overhead|podFixed|capacity|(limits\[\d+\]\.(min|max|default|defaultRequest)))\."
    r"|\.(sizeLimit|divisor|averageValue|targetAverageValue|targetValue|target\.value)$"
)
"""The properties of which Kubernetes reads an amount (Kubernetes API, Quantity): it takes numbers for texts."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An input that is not allowed, and where. The message never repeats a value, which may be a secret.

    One that is `convertible` stops no provider: it reads 5 as "5", or "true" as true, or it leaves the input out. One
    `in_map` is among values under names that the program chooses, such as tags.
    """

    code: str
    path: str | None
    message: str
    hint: str = ""
    convertible: bool = False
    in_map: bool = False


class _OnceFound(Generic[Found]):
    """A look-up that keeps what it found, and looks again for what it did not: a program may import it meanwhile."""

    def __init__(self, look_up: Callable[[str], Found | None]) -> None:
        self._look_up, self._found = look_up, dict[str, Found]()
        update_wrapper(self, look_up)

    def __call__(self, key: str) -> Found | None:
        if (known := self._found.get(key)) is not None:
            return known
        found = self._look_up(key)
        if found is not None:
            self._found[key] = found
        return found

    def cache_clear(self) -> None:
        self._found.clear()


def forget() -> None:
    """Forgets which types no SDK has declared so far: another program may bring one that does."""
    for each in (
        *(resource_class, arguments_class),
        *(result_types, sure_result_types, method_types),
    ):
        each.cache_clear()


@_OnceFound
def resource_class(type_: str) -> type | None:
    """The SDK's class for a type token, or None when no SDK in use declares it."""
    if type_.startswith("pulumi:providers:"):
        return getattr(sys.modules.get(f"pulumi_{type_.rpartition(':')[2]}"), "Provider", None)
    package, _, rest = type_.partition(":")
    registered = get_resource_module(package, rest.rpartition(":")[0], "")
    description: Mapping[str, Any] = getattr(registered, "mod_info", {})
    name = description.get("classes", {}).get(type_)
    found = getattr(import_module(description["fqn"]), name, None) if name else None
    return found if isinstance(found, type) else None


def input_types(type_: str) -> Mapping[str, Any] | None:
    """The declared inputs of a resource, by the provider's own names; None when the SDK does not say."""
    arguments = arguments_class(type_)
    return None if arguments is None else types_of_properties(arguments)


def required_inputs(type_: str) -> frozenset[str]:
    """The inputs that a resource cannot be without, by the provider's own names."""
    arguments = arguments_class(type_)
    return frozenset() if arguments is None else _required_of(arguments)


def output_types(type_: str) -> Mapping[str, Any]:
    """The declared outputs of a resource, by the provider's own names."""
    found = resource_class(type_)
    return {} if found is None else _output_types_of(found)


def sure_output_types(type_: str) -> Mapping[str, Any]:
    """The declared outputs that are always there: those that the SDK does not call optional."""
    found = resource_class(type_)
    return {} if found is None else sure_types_of(found)


@cache
def _required_of(cls: type) -> frozenset[str]:
    return frozenset(_required(cls))


@cache
def _output_types_of(cls: type) -> Mapping[str, Any]:
    return resource_types(cls)


@cache
def sure_types_of(cls: type) -> Mapping[str, Any]:
    """The properties of a class of outputs that the SDK does not call optional, with their types."""
    return _sure_types(cls)


@cache
def result_types(token: str) -> Mapping[str, Any]:
    """The results of a provider's function, by the provider's own names; nothing when no SDK in use declares it."""
    found = _result_class(token)
    return {} if found is None else output_type_types(found)


@cache
def sure_result_types(token: str) -> Mapping[str, Any]:
    """The results that a provider's function always has: what the SDK does not call optional."""
    found = _result_class(token)
    return {} if found is None else _sure_types(found)


def _result_class(token: str) -> type | None:
    """`aws:ec2/getVpc:getVpc` is declared by `GetVpcResult` in `pulumi_aws.ec2.get_vpc`."""
    package, _, rest = token.partition(":")
    service, _, function = rest.rpartition(":")
    path = [part for part in service.split("/") if part not in ("index", function)]
    home = _plainly(".".join([f"pulumi_{package}", *path, function]))
    for name, module in sys.modules.copy().items():
        if name.startswith("pulumi_") and _plainly(name) == home:
            found = getattr(module, f"{function[:1].upper()}{function[1:]}Result", None)
            return found if isinstance(found, type) and is_output_type(found) else None  # SDKs before 3 have no types
    return None


@cache
def method_types(token: str) -> Mapping[str, Any]:
    """The results of a method of a component or provider, such as `eks:index:Cluster/getKubeconfig`."""
    type_, _, method = token.rpartition("/")
    result = getattr(resource_class(type_), f"{method[:1].upper()}{method[1:]}Result", None)
    return {} if result is None else output_type_types(result)


def _plainly(name: str) -> str:
    """A name without what tokens and modules spell differently: `getVpc` and `get_vpc`, `lambda` and `lambda_`."""
    return name.replace("_", "").replace("-", "").lower()


def _sure_types(cls: type) -> Mapping[str, Any]:
    unwrapped = {name: (hint, unwrap_type(hint)) for name, hint in _raw_return_hints(cls).items()}
    return {name: type_ for name, (hint, type_) in unwrapped.items() if not _optional(hint) and type_ is not Output}


def _optional(hint: Any) -> bool:
    return NoneType in get_args(get_args(hint)[0] if get_origin(hint) is Output else hint)


@_OnceFound
def arguments_class(type_: str) -> type | None:
    """The SDK's class for the inputs of a resource; None when no SDK in use declares it."""
    found = resource_class(type_)
    if found is None:
        return None
    # Where an object of the same module has the first choice of name, the resource's own arguments are called Init.
    for name in (f"{found.__name__}InitArgs", f"{found.__name__}Args"):
        arguments = getattr(sys.modules[found.__module__], name, None)
        if isinstance(arguments, type) and is_input_type(arguments):
            return arguments
    return None


def mismatches(type_: str, inputs: Mapping[str, Any]) -> Iterator[Mismatch]:
    """Return the mismatches with the types of the SDK: unknown, missing and mistyped properties, at any depth.

    Each provider has a way of its own to read what does not fit.
    """
    check = _resource_check(type_)
    if check is None:
        return
    read = _reader(type_)
    for wrong in check(inputs, ""):
        yield from read(wrong)


def _as_is(wrong: Mismatch) -> Iterator[Mismatch]:
    """Providers made from Terraform's convert what they can (pulumi-terraform-bridge, pkg/tfbridge/schema.go)."""
    yield wrong


def _strictly(wrong: Mismatch) -> Iterator[Mismatch]:
    yield replace(wrong, convertible=False)


def _by_api_server(wrong: Mismatch) -> Iterator[Mismatch]:
    """An API server drops fields that it does not know, and says so (Kubernetes API concepts, field validation)."""
    if wrong.code == UNKNOWN_PROPERTY:
        yield replace(wrong, message=f"{wrong.message}: the API server drops it", convertible=True)
    elif not (wrong.convertible and _AMOUNT.search(wrong.path or "")):
        yield replace(wrong, convertible=False)


def _by_declared_properties(wrong: Mismatch) -> Iterator[Mismatch]:
    """A provider may validate declared properties only, and no values of maps (pulumi-azure-native, validateType)."""
    if wrong.code == UNKNOWN_PROPERTY:
        yield replace(wrong, message=f"{wrong.message}: the provider leaves it out", convertible=True)
    elif not wrong.in_map:
        yield replace(wrong, convertible=False)


def _reader(type_: str) -> Callable[[Mismatch], Iterator[Mismatch]]:
    """How the provider of a type reads what does not fit."""
    if type_.startswith("kubernetes:"):
        return _by_api_server
    if plugin_of(type_).ignores_undeclared:
        return _by_declared_properties
    return _as_is if _is_bridged(type_) else _strictly


def _is_bridged(type_: str) -> bool:
    """Return whether a provider is made from Terraform's. Its tokens name a type twice: `aws:ec2/vpc:Vpc`."""
    module, _, name = type_.partition(":")[2].rpartition(":")
    return module.rpartition("/")[2] == f"{name[:1].lower()}{name[1:]}"


def declares_nothing(package: str) -> bool:
    """Return whether the SDK of a package is in use and registers no types: those before version 4 do not."""
    return f"pulumi_{package.replace('-', '_')}" in sys.modules and not any(
        key.startswith(f"{package}:") for key in _RESOURCE_MODULES
    )


def _resource_check(type_: str) -> Check | None:
    arguments = arguments_class(type_)
    return None if arguments is None else _object_check(arguments)


@cache
def _object_check(cls: type) -> Check:
    return _ObjectCheck(cls)


class _ObjectCheck:
    """The check of one class of arguments; those of its properties are made when they are first given."""

    def __init__(self, cls: type) -> None:
        self._cls, self._declared, self._required = cls, types_of_properties(cls), _required(cls)
        self._checks: dict[str, Check | None] = {}

    def __call__(self, value: Any, path: str) -> Iterator[Mismatch]:
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping):
            yield _wrong(path, "an object", value, convertible=True)
            value = value[0]
        if not isinstance(value, Mapping):
            yield _wrong(path, "an object", value)
            return
        for key, item in value.items():
            yield from self._of_property(self._declared_name(key), item, f"{path}.{key}" if path else key)
        for key in self._required:
            if value.get(key) is None:
                yield Mismatch(MISSING_PROPERTY, f"{path}.{key}" if path else key, f"{key} is required", f"Set {key}.")

    def _declared_name(self, given: str) -> str:
        """The SDK's name of a property: manifests have dashes in `x-kubernetes-…`, and the provider reads both.

        See `dashToUnderscoreMap` in provider/pkg/provider/provider.go of pulumi-kubernetes.
        """
        name = given.replace("-", "_") if given.startswith("x-kubernetes-") else given
        return name if name in self._declared else given

    def _of_property(self, key: str, value: Any, path: str) -> Iterator[Mismatch]:
        if key not in self._declared:
            if not key.startswith("__"):
                hint = suggestion(near_matches(key, self._declared))
                yield Mismatch(UNKNOWN_PROPERTY, path, f"there is no property {key!r}", hint)
            return
        if key not in self._checks:
            self._checks[key] = _check_for(self._declared[key])
        check = self._checks[key]
        if check is None or value is None:
            return
        for wrong in _unwrapped(check, value, path):
            is_document = wrong.path == path and _may_be_document(value) and _takes_json(self._cls, key)
            yield replace(wrong, convertible=True) if is_document else wrong


def _may_be_document(value: Any) -> bool:
    opened = value.value if isinstance(value, Secret) else value
    return isinstance(opened, Mapping | list) and not isinstance(opened, Asset)


def _takes_json(cls: type, key: str) -> bool:
    """Return whether a property is a JSON document, of which providers made from Terraform's take the object, too."""
    if key.lower().endswith(("policy", "policydocument")):
        return True
    names = (name for name, each in vars(cls).items() if getattr(_getter(each), "_pulumi_name", None) == key)
    described = re.search(
        rf"\b{next(names, key)}: (.*?)(?=:param|\Z)", inspect.getdoc(vars(cls)["__init__"]) or "", re.DOTALL
    )
    return described is not None and "JSON" in described[1]


def _getter(attribute: Any) -> Any:
    return getattr(attribute, "fget", None)


def _required(cls: type) -> tuple[str, ...]:
    constructor: Any = vars(cls)["__init__"]  # all its arguments have names; a signature would say so ten times slower
    code = constructor.__code__
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    optional = constructor.__kwdefaults__ or {}
    properties = vars(cls)
    return tuple(
        pulumi_name
        for name in given
        if name not in optional and (pulumi_name := getattr(_getter(properties.get(name)), "_pulumi_name", None))
    )


def _unwrapped(check: Check, value: Any, path: str) -> Iterator[Mismatch]:
    if isinstance(value, Secret):
        value = value.value
    if value is not UNKNOWN:
        yield from check(value, path)


def _check_for(declared: Any) -> Check | None:
    members = _members(declared)
    if len(members) != 1:
        return None  # a union of plain types, Any, or a type variable: nothing certain can be said
    member = members[0]
    origin = get_origin(member)
    if isinstance(member, type) and is_input_type(member):
        return _object_check(member)
    if isinstance(member, type) and issubclass(member, Enum):
        return _enum_check(member)
    if member in _SCALARS:
        return _SCALARS[member]
    if origin is not None and isinstance(origin, type):
        if issubclass(origin, Mapping):
            return _map_check(_check_for(get_args(member)[1]))
        if issubclass(origin, Sequence):
            return _list_check(_check_for(get_args(member)[0]))
    return None


def _members(declared: Any) -> tuple[Any, ...]:
    """The plain types in a declaration: no Output, Awaitable or None, and no dictionary twins of argument classes."""
    if get_origin(declared) not in (Union, UnionType):
        return (declared,)
    members = [
        member
        for member in get_args(declared)
        if member is not NoneType
        and get_origin(member) is not Output
        and not _awaitable(member)
        and not is_typeddict(member)
    ]
    if any(isinstance(member, type) and is_input_type(member) for member in members):
        return tuple(member for member in members if get_origin(member) is not Mapping)
    return tuple(members)


def _awaitable(member: Any) -> bool:
    origin = get_origin(member)
    return isinstance(origin, type) and hasattr(origin, "__await__")


def _map_check(item: Check | None) -> Check:
    def check(value: Any, path: str) -> Iterator[Mismatch]:
        if not isinstance(value, Mapping):
            yield _wrong(path, "a map", value)
        elif item is not None:
            for key, member in value.items():
                if member is not None:
                    for wrong in _unwrapped(item, member, f"{path}.{key}"):
                        yield replace(wrong, in_map=True)

    return check


def _list_check(item: Check | None) -> Check:
    def check(value: Any, path: str) -> Iterator[Mismatch]:
        if not isinstance(value, list):
            # A provider made from Terraform's takes what is no list for its only item.
            fits = item is not None and all(wrong.convertible for wrong in item(value, path))
            yield _wrong(path, "a list", value, convertible=fits)
        elif item is not None:
            for index, member in enumerate(value):
                yield from _unwrapped(item, member, f"{path}[{index}]")

    return check


def _enum_check(enum: type[Enum]) -> Check:
    allowed = sorted(str(member.value) for member in enum)

    def check(value: Any, path: str) -> Iterator[Mismatch]:
        if isinstance(value, str | int | float) and str(value) not in allowed:
            yield Mismatch("TYPE-003", path, "this value is not allowed", f"Allowed: {', '.join(allowed)}.")

    return check


def _scalar(what: str, *types: type) -> Check:
    def check(value: Any, path: str) -> Iterator[Mismatch]:
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            yield _wrong(path, what, value, convertible=_reads_as(value, types))

    return check


def _reads_as(value: Any, types: tuple[type, ...]) -> bool:
    """True if a provider made from Terraform's would take the value: numbers and flags as text, and text as those.

    Of a number that is not whole, it takes the whole part.
    """
    if str in types:
        return isinstance(value, bool | int | float)
    if int in types and isinstance(value, float):
        return isfinite(value)
    if not isinstance(value, str):
        return False
    if bool in types:
        return value in ("true", "false")
    try:
        return all(isfinite(type_(value)) for type_ in types)
    except ValueError:
        return False


_SCALARS: dict[Any, Check] = {
    str: _scalar("a string", str),
    bool: _scalar("true or false", bool),
    int: _scalar("a whole number", int),
    float: _scalar("a number", int, float),
}

_KINDS = {
    NoneType: "nothing",
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
}


def _wrong(path: str, wanted: str, value: Any, *, convertible: bool = False) -> Mismatch:
    what = _KINDS.get(type(value), "an object")
    return Mismatch("TYPE-003", path, f"this is {what}; {wanted} is wanted", f"Write {wanted}.", convertible)
