"""The resources that a cloud needs before it creates another, although no value of it is handed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, NamedTuple

from penstock.catalog.conditions import RowCondition, condition
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Resources of one type need those that the steps lead to.

    A type that ends in `/*` stands for a whole module of the provider, its functions included. `when` tells
    which resources have the need, and `where` which satisfy it; None: all. A need that is `awaited` may come later: the
    creation starts without it, and ends only after it.
    """

    type: str
    steps: Annotated[tuple[NeedStep, ...], Column("path", read=_steps)]
    when: Annotated[RowCondition | None, Column(read=condition)]
    where: Annotated[RowCondition | None, Column(read=condition)]
    awaited: bool = False
    why: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


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
