"""Answers for any provider from what its SDK declares: each output gets a value of its declared type."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache, partial
from typing import Any, get_args, get_origin

from pulumi import Resource
from pulumi._types import is_output_type, output_type_types

from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate import sdk_types
from penstock.simulate.clouds import CreateRequest, CreateResponse, InvokeResponse, forms
from penstock.simulate.clouds.identity import auto_name
from penstock.simulate.sdk_shortcuts import types_of_properties

Text = Callable[[str], Any]
"""The text for a property at a path, words apart by dots."""

_DEPTH = 4  # an output type may contain itself; no program asks deeper than identities[0].oidcs[0].issuer
_READ_ONLY_DEPTH = 2
_SEVERAL = 3  # programs index into lists: three zones, two keys
_PORT = 443
_OF_PLUGIN = ("version", "pluginDownloadURL")  # inputs of every provider that say nothing about its cloud


def create(request: CreateRequest) -> CreateResponse:
    """An id, a name where the SDK declares one that was not given, and a value for whatever else was not."""
    answered = {
        **outputs(request),
        **defaults(request),
        **_objects(request),
        **_completed(request),
        **documents(request),
    }
    return CreateResponse(request.id or forms.identity(request), answered, documented(request))


def documented(request: CreateRequest) -> frozenset[str]:
    """Return the outputs that are not invented: names that Pulumi makes up, what the provider's configuration says."""
    certain = {"name", *(key for key in sdk_types.output_types(request.type) if configured(request.provider, key))}
    certain |= documents(request).keys()
    package = request.type.partition(":")[0]
    return frozenset(certain | {"id"} if request.id or forms.has_path(package) else certain)


def component(request: CreateRequest) -> CreateResponse:
    """The outputs of a component that another program creates. Its resources and the lengths of lists are unknown."""
    declared = sdk_types.output_types(request.type)
    unset = {key: type_ for key, type_ in declared.items() if request.inputs.get(key) is None and key != "urn"}
    lists = dict.fromkeys((key for key, type_ in declared.items() if _is_list(type_)), UNKNOWN)
    return CreateResponse("", {**simulated_values(unset, texts_of(request.urn)), **lists})


def call(token: str) -> dict[str, Any]:
    """The results of a method; a single value is named after the method."""
    types, method = sdk_types.method_types(token), token.rpartition("/")[2]
    named = {key: method if key == "result" else key for key in types}
    text = texts_of(token)
    return {key: _value(type_, named[key], text, _DEPTH) for key, type_ in types.items()}


def texts_of(owner: str) -> Text:
    """The texts of one owner, by the names of properties alone: the same each time."""
    return partial(forms.simulated_text, owner=owner)


def simulated_values(types: Mapping[str, Any], text: Text) -> dict[str, Any]:
    """A value of each type."""
    return {key: _value(type_, key, text, _DEPTH) for key, type_ in types.items()}


def outputs(request: CreateRequest, text: Text | None = None) -> dict[str, Any]:
    """A value of the declared type for each output that the program could not have set.

    Of one that is looked up, the program has set nothing: the cloud answers all that its SDK declares. A cloud that
    knows the forms of texts gives its own.
    """
    settable = request.inputs if request.looked_up else sdk_types.input_types(request.type) or {}
    declared = sdk_types.output_types(request.type).items()
    return simulated_values(
        {key: type_ for key, type_ in declared if key not in settable and key != "urn"}, text or texts_of(request.urn)
    )


def defaults(request: CreateRequest, text: Text | None = None) -> dict[str, Any]:
    """The values that the cloud, or the provider's configuration, chooses where the program could have set one.

    A list gets no member, and no object is created: what is switched on by a block stays off without one.
    """
    inputs = sdk_types.input_types(request.type) or {}
    text = text or texts_of(request.urn)
    chosen: dict[str, Any] = {
        key: configured(request.provider, key) or ([] if _is_list(type_) else _value(type_, key, text, _DEPTH))
        for key, type_ in sdk_types.sure_output_types(request.type).items()
        # A name may be made from a prefix that was given; the cloud never makes up the prefix.
        if key in inputs and request.inputs.get(key) is None and not _is_object(type_) and not key.endswith("Prefix")
    }
    if "name" in inputs and "name" not in request.inputs and inputs["name"] is str:
        chosen["name"] = auto_name(request.urn, request.name)
    return chosen


def documents(request: CreateRequest) -> dict[str, Any]:
    """The JSON text of what a program gives as an object and its cloud keeps as text, such as a policy."""
    declared = sdk_types.output_types(request.type)
    given = {
        key: value for key, value in request.inputs.items() if isinstance(value, dict) and declared.get(key) is str
    }
    return {key: _as_text(value) for key, value in given.items()}


def configured(provider: Mapping[str, Any], key: str) -> str | None:
    """The value in a provider's configuration of a property that a resource leaves to it: a region, a project."""
    value = None if key in _OF_PLUGIN else provider.get(key)
    return value if isinstance(value, str) else None


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> InvokeResponse:
    """The arguments, and a value of its declared type for every other result; the same question, the same answer."""
    del provider
    return InvokeResponse(results(token, sdk_types.result_types(token), arguments), frozenset(arguments))


def results(
    token: str, declared: Mapping[str, Any], arguments: Mapping[str, Any], text: Text | None = None
) -> dict[str, Any]:
    """A value for every declared result, and the arguments as their provider reads them."""
    given = as_provider_reads(token, arguments)
    return {**simulated_values(declared, text or texts_of(f"{token}:{sorted(given.items())}")), **given}


def as_provider_reads(token: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that were given, as a provider reads them: true, where a program says "true"."""
    types = sdk_types.result_types(token)
    return {key: _plainly(value, types.get(key)) for key, value in arguments.items() if value is not None}


def _as_text(document: Mapping[str, Any]) -> Any:
    secrets = []

    def opened(value: Any) -> Any:
        if isinstance(value, Secret):
            secrets.append(value)
            return value.value
        raise LookupError  # it is not known yet

    try:
        text = json.dumps(document, default=opened)
    except LookupError:
        return UNKNOWN
    return Secret(text) if secrets else text


def _plainly(given: Any, type_: Any) -> Any:
    if type_ is bool and given in ("true", "false"):
        return given == "true"
    return type_(given) if type_ in (int, float) and isinstance(given, str) and given.isdecimal() else given


def _objects(request: CreateRequest) -> dict[str, Any]:
    """The objects that are always there, where the program gave none."""
    declared = sdk_types.sure_output_types(request.type).items()
    return simulated_values(
        {key: type_ for key, type_ in declared if key not in request.inputs and _is_object(type_)},
        texts_of(request.urn),
    )


def _completed(request: CreateRequest) -> dict[str, Any]:
    """The objects that were given, with what the cloud adds: texts of a known form, and objects that always exist.

    What no program can give, such as the identity of an add-on, the cloud adds to the object that turns it on.
    """
    declared, text = sdk_types.output_types(request.type), texts_of(request.urn)
    return {
        key: completed
        for key, given in request.inputs.items()
        if key in declared and (completed := _complete(given, declared[key], key, text)) != given
    }


def _complete(given: Any, type_: Any, path: str, text: Text) -> Any:
    if isinstance(given, Secret):
        return Secret(_complete(given.value, type_, path, text))
    origin = get_origin(type_) or type_
    if isinstance(given, Mapping) and _is_object(type_):
        added = {
            key: _value(item, f"{path}.{key}", text, 0)
            for key, item in output_type_types(type_).items()
            if item is str and key not in given and forms.is_known(key)
        }
        types = output_type_types(type_)
        added |= {
            key: _value(item, f"{path}.{key}", text, 1)
            for key, item in sdk_types.sure_types_of(type_).items()
            if _is_object(item) and key not in given
        }
        added |= {
            key: _value(item, f"{path}.{key}", text, _READ_ONLY_DEPTH)
            for key, item in _read_only_types(type_).items()
            if (item is str or _is_object(item) or key.startswith("effective")) and key not in given
        }
        return added | {
            key: _complete(item, types[key], f"{path}.{key}", text) if key in types else item
            for key, item in given.items()
        }
    if isinstance(given, Mapping) and isinstance(origin, type) and issubclass(origin, Mapping) and get_args(type_):
        return {key: _complete(item, get_args(type_)[-1], f"{path}.{key}", text) for key, item in given.items()}
    if isinstance(given, list) and isinstance(origin, type):
        item_type = get_args(type_)[-1] if get_args(type_) else None
        if issubclass(origin, Mapping):  # some clouds answer a list of names with what they know of each
            return {str(item): _value(item_type, path, text, 0) for item in given}
        return [_complete(item, item_type, f"{path}.{index}", text) for index, item in enumerate(given)]
    return given


@cache
def _read_only_types(type_: type) -> Mapping[str, Any]:
    """The properties of an object that its cloud adds: the SDK's class for what a program gives does not have them.

    SDKs made from Terraform's providers call both classes the same, and have all properties in both.
    """
    if not type_.__name__.endswith("Response"):
        return {}
    module = type_.__module__.rpartition(".")[0]
    inputs = getattr(sys.modules.get(f"{module}._inputs"), f"{type_.__name__.removesuffix('Response')}Args", None)
    if not isinstance(inputs, type):
        return {}
    settable = types_of_properties(inputs)
    return {key: item for key, item in output_type_types(type_).items() if key not in settable}


def _is_object(type_: Any) -> bool:
    return isinstance(type_, type) and is_output_type(type_)


def _is_list(type_: Any) -> bool:
    origin = get_origin(type_)
    return isinstance(origin, type) and issubclass(origin, Sequence)


def _value(type_: Any, path: str, text: Text, depth: int) -> Any:
    origin = get_origin(type_) or type_
    if type_ is Any:
        return UNKNOWN  # a document of a form that only its cloud knows
    if not isinstance(origin, type) or path.endswith("Error"):
        return None  # all has gone well
    if _is_object(type_) or (issubclass(origin, Mapping | Sequence) and not issubclass(origin, str)):
        return _container(type_, path, text, depth)
    if issubclass(origin, Resource):
        return UNKNOWN
    if issubclass(origin, Enum):
        return next(iter(origin)).value
    if issubclass(origin, str):
        return text(path)
    if origin is int and path.lower().endswith("port"):
        return _PORT
    return origin() if origin in (bool, int, float) else None


@cache
def _is_flat(type_: Any) -> bool:
    """Return whether values of a type hold no objects and lists: three of a network interface would be a hundred."""
    return not _is_object(type_) or not any(
        _is_object(each) or _is_list(each) for each in output_type_types(type_).values()
    )


def _container(type_: Any, path: str, text: Text, depth: int) -> Any:
    if _is_object(type_):
        types = output_type_types(type_).items() if depth else ()
        return {key: _value(item, f"{path}.{key}", text, depth - 1) for key, item in types}
    if issubclass(get_origin(type_) or type_, Mapping):
        return {}
    items = get_args(type_)
    count = (_SEVERAL if depth == _DEPTH and _is_flat(items[0]) else 1) if items and depth else 0
    made = [_value(items[0], f"{path}.{index}", text, depth - 1) for index in range(count)]
    return UNKNOWN if UNKNOWN in made else made
