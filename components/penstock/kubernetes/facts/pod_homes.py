"""The places where each kind of object keeps pods: whole specs, specs that are laid over others, and single containers.

Objects of operators, such as Ray's clusters and JobSets, hold pods as a Deployment does. Others hold parts only, which
are laid over those of a runtime, of an operator or of another object: what such a part does not set may be set there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from penstock.catalog.tables import rows
from penstock.kubernetes.facts.custom_kinds import group_of, is_custom

UNLISTED: Final = "kubernetes:*.*/*:*"
"""In place of a type token: custom kinds outside the table, and its kinds in other versions or as patches."""

_PATCH: Final = "Patch"
_POD: Final = "pod"
_PART: Final = "part"
_CONTAINER: Final = "container"


@dataclass(frozen=True, slots=True)
class Homes:
    """The property paths of what an object holds of pods.

    Attributes:
        whole: Pod specs.
        parts: Pod specs that are laid over others.
        containers: Containers that are laid over others.
        kept: Whether the object keeps its whole specs for other objects, and runs no pods itself.
    """

    whole: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()
    kept: bool = False

    def below(self, place: str) -> Homes:
        """The same paths inside an object at a place of another one."""

        def moved(paths: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(f"{place}.{path}" for path in paths)

        return Homes(moved(self.whole), moved(self.parts), moved(self.containers))

    def __add__(self, other: Homes) -> Homes:
        """The places of both."""
        return Homes(self.whole + other.whole, self.parts + other.parts, self.containers + other.containers)


def whole_specs() -> Mapping[str, tuple[str, ...]]:
    """The paths of pod specs by type."""
    return _paths(_POD)


def partial_specs() -> Mapping[str, tuple[str, ...]]:
    """The paths of pod specs that are laid over others, by type."""
    return _paths(_PART)


def partial_containers() -> Mapping[str, tuple[str, ...]]:
    """The paths of containers that are laid over others, by type."""
    return _paths(_CONTAINER)


@cache
def homes(type_: str) -> Homes | None:
    """The places of pods in objects of a type; None for a type that neither the table nor a kind of it covers.

    Another version of a listed kind keeps its pods where that does. A patch of one is laid over what exists.
    """
    if type_ in whole_specs() or type_ in partial_specs() or type_ in partial_containers():
        return Homes(
            whole_specs().get(type_, ()),
            partial_specs().get(type_, ()),
            partial_containers().get(type_, ()),
            only_keeps_specs(type_),
        )
    if not is_custom(type_):
        return None
    other = _by_kind().get(_kind(type_))
    if other is not None:
        return homes(other)
    patched = homes(type_.removesuffix(_PATCH)) if type_.endswith(_PATCH) else None
    return Homes((), patched.whole + patched.parts, patched.containers) if patched is not None else None


def stand_in(type_: str) -> str:
    """The token whose rules judge objects of a type that no rule names; empty where there is none."""
    if not is_custom(type_) or type_ in whole_specs() or type_ in partial_specs() or type_ in partial_containers():
        return ""
    return UNLISTED


@cache
def only_keeps_specs(type_: str) -> bool:
    """Return whether objects of a type keep pod specs for other objects, and run no pods themselves."""
    return any(row["kept"] for row in rows("kubernetes/pod_templates") if row["type"] == type_)


@cache
def controller_labels(type_: str) -> tuple[str, ...]:
    """The labels that a controller gives the pods of its objects, with the name of the object as their value."""
    return tuple(row["label"] for row in rows("kubernetes/controller_labels") if row["type"] == type_)


@cache
def _paths(holds: str) -> Mapping[str, tuple[str, ...]]:
    paths: dict[str, tuple[str, ...]] = {}
    for row in rows("kubernetes/pod_templates"):
        if row["holds"] == holds:
            paths[row["type"]] = (*paths.get(row["type"], ()), row["path"])
    return paths


@cache
def _by_kind() -> Mapping[tuple[str, str], str]:
    """A listed type of each custom kind, its last version."""
    return {_kind(row["type"]): row["type"] for row in rows("kubernetes/pod_templates") if is_custom(row["type"])}


def _kind(type_: str) -> tuple[str, str]:
    return group_of(type_), type_.rpartition(":")[2]
