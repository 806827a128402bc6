"""The inputs of a component: held to its models, all problems at once, and made what its constructor takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from ipaddress import IPv4Network
from typing import Any, NamedTuple

import pulumi
from pydantic import BaseModel, ValidationError

from penstock import description
from penstock.component_provider.annotations import (
    Meaning,
    handle_fields,
    is_handle,
    item_types,
    meaning_of,
    value_type,
)
from penstock.component_provider.catalogue import Packaged
from penstock.component_provider.models import inputs_model
from penstock.component_provider.names import FieldNames, camel_case
from penstock.component_provider.settled import paths_of, settled, without_secrets
from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding
from penstock.description import type_mismatches
from penstock.description.codes import Code
from penstock.description.positions import Path, written
from penstock.description.problems import Problem, finding
from penstock.graph.values import Secret, Unknown


class NotYetKnown(Exception):
    """Inputs that decide which resources there are depend on resources that do not exist yet."""

    def __init__(self, paths: list[str]) -> None:
        super().__init__(", ".join(paths))
        self.paths = paths


class ConstructorArguments(NamedTuple):
    """Arguments of a component's constructor."""

    spec: BaseModel
    arguments: Mapping[str, Any]


@cache
def field_names(component: Packaged) -> FieldNames:
    """The names of a component's inputs."""
    return FieldNames(inputs_model(component))


def read(component: Packaged, name: str, inputs: Mapping[str, Any]) -> ConstructorArguments:
    """Return what the constructor takes of the inputs of a resource.

    Raises:
        InvalidDescription: inputs are wrong; carries every finding, with paths and names as Python has them.
        NotYetKnown: inputs that have to be known are not. Everything else about them is right.
    """
    record = component.component
    marked = field_names(component).as_python(settled(dict(inputs)))
    described = {key: value for key, value in marked.items() if key not in record.arguments}
    unknown = list(paths_of(marked, Unknown))
    refused = list(paths_of(described, Secret))
    problems = [
        finding(
            Code.SECRET,
            Problem(path, f"{type_mismatches.HIDDEN} is a secret.", "Name where the secret is, or use a plain value."),
        )
        for path in refused
    ]
    data = without_secrets(marked)
    secret = list(paths_of(marked, Secret))
    problems += [
        replace(each, message=f"{type_mismatches.HIDDEN} does not have the right form.")
        if is_about(each, secret)
        else each
        for each in _mismatches(component, data)
        if not is_about(each, [*unknown, *refused])
    ]
    undecided = [path for path in unknown if path[0] not in record.arguments]
    if not problems and not undecided:
        spec, problems = _spec(component, name, without_secrets(described))
    if problems:
        raise InvalidDescription(problems)
    arguments: dict[str, Any] = {}
    builder = _Builder()
    for key, annotation in record.arguments.items():
        if data.get(key) is not None:
            arguments[key] = builder.built(meaning_of(annotation), inputs[camel_case(key)], (key,))
    if undecided or builder.undecided:
        raise NotYetKnown(
            [field_names(component).as_program(written(path)) for path in [*undecided, *builder.undecided]]
        )
    return ConstructorArguments(spec, arguments)


def secret_paths(component: Packaged, inputs: Mapping[str, Any]) -> list[Path]:
    """The paths of inputs that are secret."""
    return list(paths_of(field_names(component).as_python(settled(dict(inputs))), Secret))


def is_about(found: Finding, paths: Iterable[Path]) -> bool:
    """Return whether a finding is about a value at one of the paths, or about one that holds or is part of it."""
    own = found.path or ""
    return any(_is_inside(own, each) or _is_inside(each, own) for each in map(written, paths))


def _is_inside(path: str, outer: str) -> bool:
    return path == outer or path.startswith((f"{outer}.", f"{outer}["))


def _mismatches(component: Packaged, data: Mapping[str, Any]) -> Iterator[Finding]:
    """Mismatches between a component's inputs and its model. A whole description is judged by `description.parse`."""
    if component.is_platform:
        return
    model = inputs_model(component)
    try:
        model.model_validate(data)
    except ValidationError as error:
        for code, problem in type_mismatches.problems(error, data, model):
            yield finding(code, problem)


def _spec(component: Packaged, name: str, data: Mapping[str, Any]) -> tuple[BaseModel, list[Finding]]:
    """The part of the inputs that is a block of the description; its name is that of the resource."""
    model: type[BaseModel] = component.component.spec
    named = {**data, "name": data.get("name") or name} if "name" in model.model_fields else data
    try:
        if component.is_platform:
            return description.parse(named), []
        return model.model_validate(named), []
    except InvalidDescription as invalid:
        return model.model_construct(), list(invalid.findings)
    except ValidationError as error:
        return model.model_construct(), [finding(*each) for each in type_mismatches.problems(error, named, model)]


class _Builder:
    """Makes handles and other arguments of inputs that fit their model."""

    def __init__(self) -> None:
        self.undecided: list[Path] = []

    def built(self, meaning: Meaning, given: Any, path: Path) -> Any:
        """The argument that an input gives; None, and a path in `undecided`, if it is not known yet."""
        if meaning.is_input:
            return pulumi.Output.from_input(given)
        value = without_secrets(settled(given))
        if is_handle(meaning.type) and (not isinstance(value, Unknown) or _holds_references_only(meaning.type)):
            return self._handle(meaning.type, given, value, path)
        if isinstance(value, Unknown):
            self.undecided.append(path)
            return None
        if (items := item_types(meaning.type)) is not None:
            kinds = items if len(items) > 1 else items * len(value)
            return tuple(
                self.built(meaning_of(kind), _inside(given, index), (*path, index)) for index, kind in enumerate(kinds)
            )
        if (values := value_type(meaning.type)) is not None:
            inner = meaning_of(values)
            return {key: self.built(inner, _inside(given, key), (*path, key)) for key in value}
        if isinstance(meaning.type, type) and issubclass(meaning.type, BaseModel):
            return meaning.type.model_validate(FieldNames(meaning.type).as_python(value))
        return IPv4Network(value) if meaning.type is IPv4Network else value

    def _handle(self, handle: type, given: Any, value: Mapping[str, Any] | Unknown, path: Path) -> Any:
        """A handle; of one that is not known at all, every reference is not."""

        def has(name: str, meaning: Meaning) -> bool:
            return meaning.required if isinstance(value, Unknown) else value.get(camel_case(name)) is not None

        fields = {
            name: self.built(meaning, _inside(given, camel_case(name)), (*path, name))
            for name, meaning in handle_fields(handle).items()
            if has(name, meaning)
        }
        return handle(**fields)


def _holds_references_only(handle: type) -> bool:
    """Return whether no field that a handle must have decides which resources there are."""
    return all(meaning.is_input or not meaning.required for meaning in handle_fields(handle).values())


def _inside(given: Any, key: str | int) -> Any:
    """A part of an input, which depends on what the whole depends on."""
    if isinstance(given, pulumi.Output):
        return given.apply(lambda whole: whole[key])
    return given if isinstance(given, pulumi.output.Unknown) else given[key]
