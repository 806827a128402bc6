"""Remedies: changes of inputs that keep a rule and break nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from penstock.graph.property_path import PropertyPath
from penstock.graph.values import Secret, Unknown

if TYPE_CHECKING:
    from penstock.rules.settings import Settings

    Remedy = Callable[[Mapping[str, Any], Settings], dict[str, Any]]
    """Makes of the inputs of a resource those that are to be set in their place."""


def set_to(path: str, value: Any, *, keep: Sequence[Any] = ()) -> Remedy:
    """A remedy that sets the property at a path such as `settings.minVersion`, unless it has a value to keep.

    What is not known yet stays as it is.
    """
    place = PropertyPath.parse(path)

    def remedy(inputs: Mapping[str, Any], settings: Settings) -> dict[str, Any]:  # noqa: ARG001 some remedies read them
        present = place.get(inputs)
        if present in (*keep, value) or isinstance(present, Unknown | Secret):
            return {}
        return _changed(inputs, place, value)

    return remedy


def in_turn(*remedies: Remedy) -> Remedy:
    """A remedy of several, each of which finds what those before it left."""

    def remedy(inputs: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
        changes: dict[str, Any] = {}
        for each in remedies:
            changes |= each({**inputs, **changes}, settings)
        return changes

    return remedy


def tag_environment(path: str) -> Remedy:
    """A remedy that adds the tag `environment` to those at a path, where it is required and missing.

    Its value is known from the settings; that of other tags, such as `owner`, only people know. Labels of Google are
    in small letters.
    """
    place = PropertyPath.parse(path)

    def remedy(inputs: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
        required = settings.parameters.required_tags
        key = next((each for each in required if each.lower() == "environment"), None)
        if settings.environment is None or key is None or _is_tagged(place.get(inputs), key):
            return {}
        written = key if path == "tags" else key.lower()
        return _changed(inputs, PropertyPath((*place.steps, written)), settings.environment)

    return remedy


def _changed(inputs: Mapping[str, Any], path: PropertyPath, value: Any) -> dict[str, Any]:
    """Return the inputs that give an object a value at a path; nothing where something else is on the way."""
    changed = path.put(inputs, value)
    return {} if changed is inputs else {path.top: changed[path.top]}


def _is_tagged(tags: Any, wanted: str) -> bool:
    """Return whether tags have a key with a value; in any letter case."""
    return isinstance(tags, Mapping) and any(
        key.lower() == wanted.lower() and value not in (None, "") for key, value in tags.items()
    )
