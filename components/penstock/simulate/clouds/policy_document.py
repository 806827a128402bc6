"""Renders the IAM policies that programs write as arguments of `getPolicyDocument` and `getIAMPolicy`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from penstock.graph.values import UNKNOWN, Secret
from penstock.model.iam.documents import composed_document

_OF_GOOGLE = ("bindings", "auditConfigs")


def rendered(arguments: Mapping[str, Any]) -> Any:
    """AWS' document as JSON: secret when a part of it is, unknown when a part of it is."""
    return _written(arguments, composed_document)


def of_google(arguments: Mapping[str, Any]) -> Any:
    """Google's policy as JSON, likewise: its arguments have the names that the API has."""
    return _written(arguments, lambda given: {key: given[key] for key in _OF_GOOGLE if given.get(key)})


def _written(arguments: Mapping[str, Any], form: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Any:
    seen: set[type] = set()
    plain = _plain(arguments, seen)
    if type(UNKNOWN) in seen:
        return UNKNOWN
    text = json.dumps(form(plain), indent=2)
    return Secret(text) if Secret in seen else text


def _plain(value: Any, seen: set[type]) -> Any:
    """The value without marks; the types in it are added to those seen."""
    seen.add(type(value))
    if isinstance(value, Secret):
        return _plain(value.value, seen)
    if isinstance(value, Mapping):
        return {key: _plain(item, seen) for key, item in value.items()}
    return [_plain(item, seen) for item in value] if isinstance(value, list) else value
