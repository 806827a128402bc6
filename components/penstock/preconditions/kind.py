"""Kinds of preconditions: small functions over what a program builds, in a module a subject."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from penstock.core.errors import UnknownFact
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site
from penstock.preconditions.precondition import Precondition

Finder = TypeVar("Finder", bound=Callable[[Any], Iterable[Precondition]])
"""A function of a resource, or of everything that a program builds."""


@dataclass(frozen=True, slots=True)
class PreconditionKind:
    """A kind of preconditions.

    Attributes:
        id: Stable and readable, such as aws-quota-machines.
        title: What must exist, one sentence.
        on: The type tokens of the resources that may need it; none for a function of everything together.
        find: Yields the preconditions of a resource, or of everything.
        sources: Where the kind comes from.
    """

    id: str
    title: str
    on: tuple[str, ...]
    find: Callable[[Any], Iterable[Precondition]]
    sources: tuple[str, ...]

    def in_site(self, site: Site) -> Iterator[Precondition]:
        """Yield the preconditions of a program; what depends on a value not known yet is left out."""
        for subject in site.of_type(*self.on) if self.on else [site]:
            for found in _while_known(self.find(subject)):
                yield replace(found, kind=self.id)


@dataclass(slots=True)
class Kinds:
    """The kinds of one module."""

    _kinds: list[PreconditionKind] = field(default_factory=list)

    def __iter__(self) -> Iterator[PreconditionKind]:
        return iter(self._kinds)

    def kind(self, id_: str, *, sources: tuple[str, ...], on: str | tuple[str, ...] = ()) -> Callable[[Finder], Finder]:
        """Turn a function into a kind; its docstring is the title."""

        def make(function: Finder) -> Finder:
            title = " ".join((function.__doc__ or "").split())
            types = (on,) if isinstance(on, str) else on
            self._kinds.append(PreconditionKind(id_, title, types, function, sources))
            return function

        return make


def _while_known(found: Iterable[Precondition]) -> Iterator[Precondition]:
    try:
        yield from found
    except (NotKnown, TypeMismatch, UnknownFact):
        return
