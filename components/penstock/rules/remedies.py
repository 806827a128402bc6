"""Remedies: changes of inputs that keep a rule and break nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from penstock.resources.values import Secret, Unknown

if TYPE_CHECKING:
    from penstock.rules.settings import Settings

    Remedy = Callable[[Mapping[str, Any], Settings], dict[str, Any]]
    """Makes of the inputs of a resource those that are to be set in their place."""


def set_to(path: str, value: Any, *, keep: Sequence[Any] = ()) -> Remedy:
    """A remedy that sets the property at a path such as `settings.minVersion`, unless it has a value to keep.

    What is not known yet stays as it is.
    """
    steps = tuple(path.split("."))

    def remedy(inputs: Mapping[str, Any], settings: Settings) -> dict[str, Any]:  # noqa: ARG001 some remedies read them
        changed = _with(inputs, steps, value, (*keep, value))
        return {} if changed is None else {steps[0]: changed[steps[0]]}

    return remedy


def in_turn(*remedies: Remedy) -> Remedy:
    """A remedy of several, each of which finds what those before it left."""

    def remedy(inputs: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
        changes: dict[str, Any] = {}
        for each in remedies:
            changes |= each({**inputs, **changes}, settings)
        return changes

    return remedy


def _with(held: Any, steps: Sequence[str], value: Any, keep: Sequence[Any]) -> dict[str, Any] | None:
    """A copy of an object that has the value at the end of the steps; None where nothing is to be changed."""
    if not isinstance(held, Mapping):
        return None
    present = held.get(steps[0])
    if len(steps) > 1:
        below = _with({} if present is None else present, steps[1:], value, keep)
        return None if below is None else {**held, steps[0]: below}
    if present in keep or isinstance(present, Unknown | Secret):
        return None
    return {**held, steps[0]: value}


def tag_environment(path: str) -> Remedy:
    """A remedy that adds the tag `environment` to those at a path, where it is required and missing.

    Its value is known from the settings; that of other tags, such as `owner`, only people know. Labels of Google are
    in small letters.
    """
    steps = tuple(path.split("."))

    def remedy(inputs: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
        required = settings.parameters.required_tags
        key = next((each for each in required if each.lower() == "environment"), None)
        if settings.environment is None or key is None or _is_tagged(inputs, steps, key):
            return {}
        written = key if path == "tags" else key.lower()
        changed = _with(inputs, (*steps, written), settings.environment, ())
        return {} if changed is None else {steps[0]: changed[steps[0]]}

    return remedy


def _is_tagged(held: Any, steps: Sequence[str], wanted: str) -> bool:
    """Whether the tags at the end of the steps have a key with a value; letter case is no matter."""
    for step in steps:
        held = held.get(step) if isinstance(held, Mapping) else None
    return isinstance(held, Mapping) and any(
        key.lower() == wanted.lower() and value not in (None, "") for key, value in held.items()
    )
