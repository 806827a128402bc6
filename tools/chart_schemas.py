"""What the schema of a Helm chart takes: Helm refuses a release with values that it does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.kubernetes.facts.chart_values import ValueKey


def _resolved(schema: Mapping[str, Any], place: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part of a schema, with what it refers to."""
    reference = place.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return place
    found: Any = schema
    for part in reference[2:].split("/"):
        found = found.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(found, Mapping) else {}
    return {**_resolved(schema, found), **{key: value for key, value in place.items() if key != "$ref"}}


def key_of(schema: Mapping[str, Any], place: Mapping[str, Any], depth: int = 0) -> ValueKey:
    """What a schema says of a place: the keys that it names, whether it takes or refuses others, and types."""
    found = _resolved(schema, place)
    properties = found.get("properties")
    types = found.get("type", ())
    below = {
        name: key_of(schema, inner, depth + 1)
        for name, inner in (properties or {}).items()
        if isinstance(inner, Mapping) and depth < _DEEPEST
    }
    more = found.get("additionalProperties")
    takes_any = bool(found.get("patternProperties")) or (isinstance(more, Mapping) and bool(more))
    closed = more is False and not takes_any
    return ValueKey(below, takes_any, is_closed=closed, types=tuple([types] if isinstance(types, str) else types))


_DEEPEST = 12
"""Schemas of Kubernetes' own objects refer to themselves."""
