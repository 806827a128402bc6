"""The resources that a cloud needs before it creates another, although no value of it is handed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, NamedTuple

from penstock.catalog.records import Column, records
from penstock.catalog.tables import clouds_with
from penstock.resources.property_path import locations


class NeedStep(NamedTuple):
    """One step from a resource to a related one of `type`.

    Forward, the property of the resource at hand points at it; backward, its own property points at the resource at
    hand. A property with braces is a name that the other has, not a path (`/aws/eks/{name}/cluster`), and `*` leads to
    every resource of the type in the same project.
    """

    property: str
    type: str
    forward: bool


def _steps(cell: str) -> tuple[NeedStep, ...]:
    return tuple(_step(text) for text in cell.split())


def _step(text: str) -> NeedStep:
    forward = "->" in text
    name, _, type_ = text.partition("->" if forward else "<-")
    return NeedStep(name, type_, forward)


def condition(cell: str) -> tuple[str, str] | None:
    """Read the path of a property and its value, as in `service=compute.googleapis.com`; None of an empty cell."""
    name, _, value = cell.partition("=")
    return (name, value) if name else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Resources of one type need those that the steps lead to.

    A type that ends in `/*` stands for a whole module of the provider, its functions included. `when` and `where` are
    the path of a property and its value, or None: which resources have the need, and which satisfy it.
    """

    type: str
    steps: Annotated[tuple[NeedStep, ...], Column("path", read=_steps)]
    when: Annotated[tuple[str, str] | None, Column(read=condition)]
    where: Annotated[tuple[str, str] | None, Column(read=condition)]
    why: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def fulfils(inputs: Mapping[str, Any], needed: tuple[str, str] | None) -> bool:
    """Return whether inputs have the value that a need names; flags and numbers are written as in JSON."""
    if needed is None:
        return True
    path, wanted = needed
    given = (place.value for place in locations(inputs, path))
    return any((str(value).lower() if isinstance(value, bool | int) else value) == wanted for value in given)


@cache
def needs_of(token: str) -> tuple[Need, ...]:
    """The needs of the resources of a type, or of a function's answer, by Pulumi's token."""
    table = _by_type()
    return (*table.get(f"{token.partition('/')[0]}/*", ()), *table.get(token, ()))


@cache
def _by_type() -> Mapping[str, tuple[Need, ...]]:
    table: dict[str, list[Need]] = {}
    for cloud in clouds_with("needs"):
        for need in records(Need, f"{cloud}/needs"):
            table.setdefault(need.type, []).append(need)
    return {type_: tuple(needs) for type_, needs in table.items()}
