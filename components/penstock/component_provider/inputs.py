"""The inputs of a component: held to its models, all problems at once, and made what its constructor takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    """What the constructor of a component takes."""

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
    problems = [
        finding(Code.SECRET, Problem(path, "The value is a secret.", "Name where the secret is, or use a plain value."))
        for path in paths_of(described, Secret)
    ]
    data = without_secrets(marked)
    problems += [each for each in _mismatches(component, data) if not _follows(each, unknown)]
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


def _mismatches(component: Packaged, data: Mapping[str, Any]) -> Iterator[Finding]:
    """What does not fit the model of a component's inputs. A whole description is judged by `description.parse`."""
    if component.is_platform:
        return
    model = inputs_model(component)
    try:
        model.model_validate(data)
    except ValidationError as error:
        from penstock.description import type_mismatches  # only a mistake needs it

        for code, problem in type_mismatches.problems(error, data, model):
            yield finding(code, problem)


def _follows(found: Finding, unknown: list[Path]) -> bool:
    """Return whether a finding is about a value that is not known yet."""
    return any((found.path or "").startswith(written(path)) for path in unknown)


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
        from penstock.description import type_mismatches

        return model.model_construct(), [finding(*each) for each in type_mismatches.problems(error, named, model)]


class _Builder:
    """Makes handles and other arguments of inputs that fit their model."""

    def __init__(self) -> None:
        self.undecided: list[Path] = []

    def built(self, meaning: Meaning, given: Any, path: Path) -> Any:
        """The argument that an input stands for; None, and a path in `undecided`, if it is not known yet."""
        if meaning.is_input:
            return pulumi.Output.from_input(given)
        value = without_secrets(settled(given))
        if isinstance(value, Unknown):
            self.undecided.append(path)
            return None
        if is_handle(meaning.type):
            return self._handle(meaning.type, given, value, path)
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

    def _handle(self, handle: type, given: Any, value: Mapping[str, Any], path: Path) -> Any:
        fields = {
            name: self.built(meaning, _inside(given, camel_case(name)), (*path, name))
            for name, meaning in handle_fields(handle).items()
            if value.get(camel_case(name)) is not None
        }
        return handle(**fields)


def _inside(given: Any, key: str | int) -> Any:
    """A part of an input, which depends on what the whole depends on."""
    if isinstance(given, pulumi.Output):
        return given.apply(lambda whole: whole[key])
    return given[key]
