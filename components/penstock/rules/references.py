"""References between resources: properties whose names give the kind of their target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from penstock.graph.property_path import PropertyPath, leaves
from penstock.graph.values import Secret, Unknown

Named = TypeVar("Named")


def named_references(
    inputs: Mapping[str, Any], by_property: Mapping[str, Named]
) -> Iterator[tuple[Named, Any, PropertyPath]]:
    """Every text under a property of one of these names, with the kind and its path.

    What is empty counts as not given, as it does for the provider.
    """
    for path, value in leaves(inputs):
        key = next((step for step in reversed(path.steps) if isinstance(step, str)), "")
        if key in by_property and (isinstance(value, Unknown | Secret) or (isinstance(value, str) and value)):
            yield by_property[key], value, path
