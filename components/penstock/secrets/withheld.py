"""The properties of resources as a report may show them: without what is secret, marked so by the program or not.

A value is withheld where the program marks it, where its property or name is for credentials, and where it has the
form of a well-known secret. Its path stays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from math import isfinite
from typing import Any

from penstock.graph.graph import Resource
from penstock.graph.property_path import PropertyPath
from penstock.graph.values import REDACTED, Secret, Unknown
from penstock.secrets import detection, properties


def properties_of(resource: Resource, properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs or outputs of a resource as a report may show them."""
    return {
        detection.shown(key): REDACTED if _is_marked(resource, key) else _shown(value, resource.type, key, key)
        for key, value in properties.items()
    }


def value_at(resource: Resource | None, path: str, value: Any) -> Any:
    """Return a value at a path of a resource as a report may show it."""
    steps = PropertyPath.parse(path).steps
    if resource is not None and steps and _is_marked(resource, steps[0]):
        return value if value is None else REDACTED
    keys = [step for step in steps if isinstance(step, str)]
    name = keys[-1] if keys else ""
    around = PropertyPath(steps[:-1]).get(resource.inputs) if resource is not None and steps else None
    if isinstance(around, Mapping | list):
        name = next((called for step, _, called in detection.named_items(around, name) if step == steps[-1]), name)
    return _shown(value, resource.type if resource is not None else "", path, name)


def _is_marked(resource: Resource, key: object) -> bool:
    """Return whether the program keeps an output secret: an input that comes back as this output is, too."""
    return key in resource.options.additional_secret_outputs


def _shown(value: Any, type_: str, path: str, name: str) -> Any:
    if isinstance(value, Secret | Unknown):
        return repr(value)
    if isinstance(value, Mapping):
        return {
            detection.shown(str(key)): _shown(item, type_, f"{path}.{key}", called)
            for key, item, called in detection.named_items(value, name)
        }
    if isinstance(value, list | tuple):
        return [_shown(item, type_, path, called) for _, item, called in detection.named_items(value, name)]
    if isinstance(value, str):
        if properties.is_harmless_token(type_, path):
            return value
        return REDACTED if value and properties.holds_secrets(type_, path) else _shown_text(name, value)
    if isinstance(value, float) and not isfinite(value):
        return str(value)  # JSON has no word for it
    if isinstance(value, int | float) and not isinstance(value, bool) and detection.looks_secret(name, str(value)):
        return REDACTED
    return value


@lru_cache(maxsize=1 << 14)
def _shown_text(name: str, text: str) -> str:
    if detection.looks_secret(name, text) or detection.is_credential(name, text):
        return REDACTED
    if (written := _object_in(text)) is not None:
        shown = _shown(written, "", "", name)
        return text if shown == written else json.dumps(shown)
    return detection.without_secrets(text)


def _object_in(text: str) -> Any:
    """Return the object or list that a text is as JSON; None for any other."""
    if not text.startswith(("{", "[", '"')):
        return None
    try:
        written = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return written if isinstance(written, dict | list | str) else None
