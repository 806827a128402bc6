"""Renders the policies that programs write as arguments of functions, such as `getPolicyDocument`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from penstock.graph.values import UNKNOWN, Secret


def rendered(arguments: Mapping[str, Any], form: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Any:
    """Return the policy that `form` makes of arguments as JSON: secret or unknown when a part of them is."""
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
