"""The properties of resources as a report may show them: without what is secret, marked so by the program or not.

A value is withheld where the program marks it, where its property or name is for credentials, and where it has the
form of a well-known secret. Its path stays.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from functools import lru_cache
from math import isfinite
from typing import Any, Final

from penstock.catalog import secret_forms
from penstock.model import secret_texts
from penstock.policies import known_properties
from penstock.resources.graph import Resource
from penstock.resources.property_path import PropertyPath
from penstock.resources.values import REDACTED, Secret, Unknown

_WORDS: Final = re.compile(r"[a-z][a-z]*(?:[-_./][a-z]+)*", re.IGNORECASE)
"""The name of a secret, or of the kind of a token: a credential that one has is no such word."""

_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")


def properties_of(resource: Resource, properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs or outputs of a resource as a report may show them."""
    return {secret_texts.shown(key): _shown(value, resource.type, key, key) for key, value in properties.items()}


def value_at(resource: Resource | None, path: str, value: Any) -> Any:
    """Return a value at a path of a resource as a report may show it."""
    steps = PropertyPath.parse(path).steps
    keys = [step for step in steps if isinstance(step, str)]
    name = keys[-1] if keys else ""
    around = PropertyPath(steps[:-1]).get(resource.inputs) if resource is not None and steps else None
    if isinstance(around, Mapping | list):
        name = next((called for step, _, called in secret_texts.named_items(around, name) if step == steps[-1]), name)
    return _shown(value, resource.type if resource is not None else "", path, name)


def _shown(value: Any, type_: str, path: str, name: str) -> Any:
    if isinstance(value, Secret | Unknown):
        return repr(value)
    if isinstance(value, Mapping):
        return {
            secret_texts.shown(str(key)): _shown(item, type_, f"{path}.{key}", called)
            for key, item, called in secret_texts.named_items(value, name)
        }
    if isinstance(value, list | tuple):
        return [_shown(item, type_, path, called) for _, item, called in secret_texts.named_items(value, name)]
    if isinstance(value, str):
        if known_properties.is_harmless_token(type_, path):
            return value
        return REDACTED if value and known_properties.holds_secrets(type_, path) else _shown_text(name, value)
    if isinstance(value, float) and not isfinite(value):
        return str(value)  # JSON has no word for it
    if isinstance(value, int | float) and not isinstance(value, bool) and secret_texts.looks_secret(name, str(value)):
        return REDACTED
    return value


@lru_cache(maxsize=1 << 14)
def _shown_text(name: str, text: str) -> str:
    if secret_texts.looks_secret(name, text) or _is_credential(name, text):
        return REDACTED
    if _BASE64.fullmatch(text) and _holds_secrets(text):
        return REDACTED
    return secret_texts.without_secrets(text)


def _is_credential(name: str, text: str) -> bool:
    """Return whether a text under the name of a credential is more than the name of one."""
    return secret_forms.names_a_secret(name) and secret_texts.is_literal(text) and not _WORDS.fullmatch(text)


def _holds_secrets(text: str) -> bool:
    try:
        plain = base64.b64decode(text, validate=True).decode()
    except ValueError:
        return False
    return secret_texts.without_secrets(plain) != plain
