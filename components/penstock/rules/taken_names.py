"""Names that a cloud takes once: which resource of a program comes first with each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View

Called = tuple[str, ...]
"""A name with its scope of uniqueness, such as kind and place."""


def first_of_each(resources: Iterable[View], called: Callable[[View], Called]) -> dict[Called, str]:
    """The URN of the first resource of each name; what a resource is called may not be known."""
    return first_with_any(resources, lambda resource: (called(resource),))


def first_with_any(resources: Iterable[View], names: Callable[[View], Iterable[Called]]) -> dict[Called, str]:
    """As `first_of_each`, where a resource takes several names."""
    found: dict[Called, str] = {}
    for resource in resources:
        with suppress(NotKnown, TypeMismatch):
            for name in names(resource):
                found.setdefault(name, resource.urn)
    return found


def whose(view: View, key: str) -> str:
    """A property as what identifies its value: its text or, where that is not known, the resource that it comes from.

    Raises:
        NotKnown: neither is known, or the property is not given.
    """
    try:
        return required(view, key)
    except NotKnown:
        sources = view.resource.property_dependencies.get(key, ())
        if len(sources) != 1:
            raise
        return sources[0]


def required(view: View, key: str) -> str:
    """A property that is text.

    Raises:
        NotKnown: it is not known, or not given.
    """
    text = view.text(key)
    if text is None:
        raise NotKnown
    return text
