"""The outputs of a component, as the engine returns them to programs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from ipaddress import IPv4Network
from typing import Any

import pulumi

from penstock.component_provider.annotations import handle_fields, is_handle
from penstock.component_provider.catalogue import Packaged
from penstock.component_provider.names import camel_case


def outputs_of(component: Packaged, made: pulumi.ComponentResource) -> dict[str, Any]:
    """Return the attributes that the record names, without those that have no value."""
    record = component.component
    of_platform: Mapping[str, Any] = getattr(made, "outputs", {}) if component.is_platform else {}
    values = {name: of_platform.get(name, getattr(made, name, None)) for name in record.outputs}
    return {camel_case(name): _plain(value) for name, value in values.items() if value is not None}


def unknown_outputs(component: Packaged) -> dict[str, Any]:
    """Return outputs without a value, of a component whose resources are not known yet."""
    return {camel_case(name): pulumi.Output.from_input(pulumi.UNKNOWN) for name in component.component.outputs}


def _plain(value: Any) -> Any:
    """A handle as an object. Whoever uses it also waits for the resources that make it ready."""
    if not is_handle(value):
        return str(value) if isinstance(value, IPv4Network) else value
    handle: Any = type(value)
    plain = {camel_case(name): _plain(getattr(value, name)) for name in handle_fields(handle)}
    given = pulumi.Output.from_input({name: part for name, part in plain.items() if part is not None})
    awaited = [each.urn for field in dataclasses.fields(value) for each in _resources(getattr(value, field.name))]
    return pulumi.Output.all(given, *awaited).apply(lambda parts: parts[0]) if awaited else given


def _resources(value: Any) -> list[pulumi.Resource]:
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    return [part for part in parts if isinstance(part, pulumi.Resource)]
