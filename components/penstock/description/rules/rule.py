"""A rule on the description, and its evaluation.

A rule is a function whose docstring is its title; it yields a problem for each place that breaks it. It runs only when
every block that it reads has the right form, so that one mistake is reported once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.shape import Sound
from penstock.description.storage import StorageSpec
from penstock.providers import built_clouds

CLOUDS: Final = "*"
"""The clouds that Penstock builds on; rules that hold for all of them are evaluated for no other."""


@dataclass(frozen=True, slots=True)
class DescriptionRule:
    """One rule on a description.

    Attributes:
        code: Stable, such as SPEC-061.
        sentence: The title, for the documentation.
        reads: The top-level fields that the rule looks at.
        provider: The cloud it is for, or `CLOUDS`; None for whatever the description names.
        ask: Yields the problems.
        warns: Whether its problems are warnings, with which a platform can be built.
    """

    code: str
    sentence: str
    reads: frozenset[str]
    provider: str | None
    ask: Callable[[Sound], Iterator[Problem]]
    warns: bool = False

    @property
    def providers(self) -> tuple[str, ...] | None:
        """The clouds it is for; None for all."""
        return built_clouds() if self.provider == CLOUDS else (self.provider,) if self.provider is not None else None

    def applies(self, sound: Sound) -> bool:
        """Return whether the rule is for this cloud and all that it reads has the right form."""
        providers = self.providers
        spoken_of = providers is None or sound.spec.cloud.provider in providers
        return spoken_of and not self.reads & sound.broken


OfSpec = Callable[[Spec], Iterator[Problem]]
OfPool = Callable[[NodePoolSpec, Spec], Iterator[Problem]]
OfStorage = Callable[[StorageSpec, Spec], Iterator[Problem]]


def rule(
    code: str, *, reads: Iterable[str], provider: str | None = None, warns: bool = False
) -> Callable[[OfSpec], DescriptionRule]:
    """Turn a function of the description into a rule; its problems carry whole paths."""

    def make(function: OfSpec) -> DescriptionRule:
        made = _rule(code, function.__doc__, reads, provider, lambda sound: function(sound.spec))
        return replace(made, warns=warns)

    return make


def pool_rule(
    code: str, *, reads: Iterable[str] = (), provider: str | None = None
) -> Callable[[OfPool], DescriptionRule]:
    """Turn a function of one node pool into a rule for each pool of the right form; its paths begin at the pool."""

    def make(function: OfPool) -> DescriptionRule:
        def ask(sound: Sound) -> Iterator[Problem]:
            for index, pool in sound.node_pools():
                yield from _below("node_pools", index, function(pool, sound.spec))

        return _rule(code, function.__doc__, reads, provider, ask)

    return make


def storage_rule(
    code: str, *, reads: Iterable[str] = (), provider: str | None = None
) -> Callable[[OfStorage], DescriptionRule]:
    """As `pool_rule`, for one item of storage."""

    def make(function: OfStorage) -> DescriptionRule:
        def ask(sound: Sound) -> Iterator[Problem]:
            for index, item in sound.storage():
                yield from _below("storage", index, function(item, sound.spec))

        return _rule(code, function.__doc__, reads, provider, ask)

    return make


def _rule(
    code: str,
    sentence: str | None,
    reads: Iterable[str],
    provider: str | None,
    ask: Callable[[Sound], Iterator[Problem]],
) -> DescriptionRule:
    # Which cloud it is must be known before a rule can be passed over for being of another.
    needs = {*reads, "cloud"} if provider is not None else {*reads}
    return DescriptionRule(code, " ".join((sentence or "").split()), frozenset(needs), provider, ask)


def _below(block: str, index: int, problems: Iterable[Problem]) -> Iterator[Problem]:
    return (replace(problem, path=(block, index, *problem.path)) for problem in problems)
