"""Programs that are data, written as Python."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from importlib import import_module
from types import UnionType
from typing import Any, Union, get_args, get_origin, is_typeddict

from pulumi import Output
from pulumi._types import input_type_types, is_input_type
from tests.programs import IT, Program, Ref
from tests.rules.cases import RuleCase

from penstock.graph.graph import STACK_TYPE, Options
from penstock.graph.values import Secret
from penstock.providers import provider_of
from penstock.simulate import sdk_types
from penstock.simulate.sdk_paths import is_known

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def written(case: RuleCase) -> str:
    """Return the resources of a case as Python, each after those that it refers to; the stack is left out."""
    program = {name: each for name, each in case.program.items() if each[0] != STACK_TYPE}
    for type_, _ in program.values():
        _load_sdk(type_)
    names = {name: _variable(name, program) for name in program}
    ordered = sorted(program, key=lambda name: (_depth(name, program), name == IT))
    exports = [f'pulumi.export("{name}", {_value(value, None, names)})' for name, value in case.exports.items()]
    return "\n".join([*(_resource(name, program, names, case.options) for name in ordered), *exports])


def _load_sdk(type_: str) -> None:
    """Import the SDK of a type, whose classes give resources and properties their names in Python."""
    provider = provider_of(type_)
    if provider is not None:
        import_module(provider.sdk)


def _resource(name: str, program: Program, names: Mapping[str, str], options: Mapping[str, Options]) -> str:
    type_, inputs = program[name]
    cls = sdk_types.resource_class(type_) if is_known(type_) else None
    hints = sdk_types.input_types(type_) or {}
    arguments = sdk_types.arguments_class(type_)
    variable = names[name]
    given = [f"{_python_name(key, arguments)}={_value(value, hints.get(key), names)}" for key, value in inputs.items()]
    if name in options:
        given.append(f"opts={_options(options[name])}")
    called = f'"{variable.replace("_", "-")}"'
    return f"{variable} = {_class(type_, cls)}({', '.join([called, *given])})"


def _options(options: Options) -> str:
    """The options that are set."""
    usual = Options()
    given = [f.name for f in fields(options) if getattr(options, f.name) != getattr(usual, f.name)]
    return f"pulumi.ResourceOptions({', '.join(f'{name}={getattr(options, name)!r}' for name in given)})"


def _class(type_: str, cls: type | None) -> str:
    """`aws:ebs/volume:Volume` is `aws.ebs.Volume`."""
    if cls is None:
        return type_.rpartition(":")[2]
    root, *modules = cls.__module__.split(".")
    homes = [each for each in modules if not each.startswith("_")][: -1 if len(modules) > 1 else None]
    return ".".join([root.removeprefix("pulumi_"), *homes, cls.__name__])


def _variable(name: str, program: Program) -> str:
    if name != IT:
        return name.replace("-", "_")
    return _snake(program[name][0].rpartition(":")[2])


def _depth(name: str, program: Program) -> int:
    """The number of resources that must be written before this one, each before the next."""
    return max((1 + _depth(other, program) for other in set(_references(program[name][1])) - {name}), default=0)


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, Ref):
        yield value.name
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _references(item)
    elif isinstance(value, list):
        for item in value:
            yield from _references(item)


def _value(value: Any, hint: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, Secret):
        return 'config.require_secret("value")'
    if isinstance(value, Ref):
        return f"{names.get(value.name, value.name)}.{_snake(value.output)}"
    if isinstance(value, Mapping):
        cls = _object_of(hint)
        hints = input_type_types(cls) if cls else {}
        items = [
            f'"{_python_name(str(key), cls)}": {_value(item, hints.get(key, _values_of(hint)), names)}'
            for key, item in value.items()
        ]
        return "{" + ", ".join(items) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_value(item, _items_of(hint), names) for item in value) + "]"
    if isinstance(value, str) and value.startswith('{"'):
        return f"json.dumps({_value(json.loads(value), None, names)})"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def _python_name(wire: str, arguments: type | None) -> str:
    """The SDK's name of a property; keys of a map stay as they are."""
    if arguments is None:
        return wire
    for name, attribute in vars(arguments).items():
        if getattr(getattr(attribute, "fget", None), "_pulumi_name", None) == wire:
            return name
    return wire


def _snake(camel: str) -> str:
    return _HUMP.sub("_", camel).lower()


def _choices(hint: Any) -> Iterator[Any]:
    if get_origin(hint) in (Union, UnionType):
        for each in get_args(hint):
            yield from _choices(each)
    elif hint is not None and get_origin(hint) is not Output and not is_typeddict(hint):
        yield hint


def _object_of(hint: Any) -> type | None:
    return next((each for each in _choices(hint) if isinstance(each, type) and is_input_type(each)), None)


def _items_of(hint: Any) -> Any:
    return next((get_args(each)[0] for each in _choices(hint) if _is_of(each, Sequence)), None)


def _values_of(hint: Any) -> Any:
    return next((get_args(each)[1] for each in _choices(hint) if _is_of(each, Mapping)), None)


def _is_of(hint: Any, kind: type) -> bool:
    origin = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, kind)
