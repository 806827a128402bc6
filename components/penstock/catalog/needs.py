"""The resources that a cloud needs before it creates another, although no value of it is handed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, NamedTuple

from penstock.catalog.records import Column, records
from penstock.catalog.tables import clouds_with


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


def _condition(cell: str) -> tuple[str, str] | None:
    name, _, value = cell.partition("=")
    return (name, value) if name else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Resources of one type need those that the steps lead to.

    `when` and `where` are a property and its value, or None: which resources have the need, and which satisfy it.
    """

    type: str
    steps: Annotated[tuple[NeedStep, ...], Column("path", read=_steps)]
    when: Annotated[tuple[str, str] | None, Column(read=_condition)]
    where: Annotated[tuple[str, str] | None, Column(read=_condition)]
    why: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


@cache
def by_type() -> Mapping[str, tuple[Need, ...]]:
    """The needs of every type that has some, by Pulumi's type token."""
    table: dict[str, list[Need]] = {}
    for cloud in clouds_with("needs"):
        for need in records(Need, f"{cloud}/needs"):
            table.setdefault(need.type, []).append(need)
    return {type_: tuple(needs) for type_, needs in table.items()}
