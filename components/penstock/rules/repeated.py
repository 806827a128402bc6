"""Values that many resources repeat: a wrong one is reported once, at the first resource that has it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from penstock.graph.view import Site

Holder = tuple[str, str]
"""The URN of a resource, and the property that holds a value."""


def first_holders(
    package: str,
    keys: Sequence[str],
    normalised: Callable[[str], str | None],
    site: Site,
    *,
    without: Collection[str] = (),
) -> Mapping[str, Holder]:
    """Return the first resource or provider of a package that has each value in one of the properties.

    Resources of the types in `without` do not count.
    """
    first: dict[str, Holder] = {}
    for resource in site.graph:
        is_provider = resource.type == f"pulumi:providers:{package}"
        if (
            resource.external
            or resource.type in without
            or not (is_provider or resource.type.startswith(f"{package}:"))
        ):
            continue
        for key in keys:
            value = resource.inputs.get(key)
            if isinstance(value, str) and (name := normalised(value)) is not None:
                first.setdefault(name, (resource.urn, key))
    return first
