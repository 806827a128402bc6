"""Where each kind of object keeps pods: whole specs, specs that are laid over others, and single containers.

Objects of operators, such as Ray's clusters and JobSets, hold pods as a Deployment does. Others hold parts only, which
are laid over those of a runtime or of an object that somebody else made: what such a part does not say, something else
may say.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from penstock.catalog.tables import rows

Homes = Mapping[str, tuple[str, ...]]
"""Paths by type token."""


@cache
def whole_specs() -> Homes:
    """The paths of pod specs by type."""
    return _paths("pod_templates")


@cache
def partial_specs() -> Homes:
    """The paths of pod specs that are not whole ones, by type."""
    return _paths("partial_pods")


@cache
def partial_containers() -> Homes:
    """The paths of containers that are not whole ones, by type."""
    return _paths("partial_containers")


@cache
def only_keeps_specs(type_: str) -> bool:
    """Say whether objects of a type keep pod specs for other objects, and run no pods themselves."""
    return any(row["kept"] for row in rows("kubernetes/pod_templates") if row["type"] == type_)


@cache
def controller_labels(type_: str) -> tuple[str, ...]:
    """The labels that a controller gives the pods of its objects, with the name of the object as their value."""
    return tuple(row["label"] for row in rows("kubernetes/controller_labels") if row["type"] == type_)


def _paths(name: str) -> Homes:
    paths: dict[str, tuple[str, ...]] = {}
    for row in rows(f"kubernetes/{name}"):
        paths[row["type"]] = (*paths.get(row["type"], ()), row["path"])
    return paths
