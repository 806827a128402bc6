"""What a rule is, and how one is asked.

A rule is a function whose docstring is the promise; it yields a problem for each place that breaks it. It is asked only
when every block that it reads has the right form, so that one mistake is not told twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from penstock.providers import built_clouds
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.shape import Sound
from penstock.spec.storage import StorageSpec

CLOUDS: Final = "*"
"""The clouds that Penstock builds on; rules that hold for all of them are asked for no other."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One promise about a description.

    Attributes:
        code: Stable, such as SPEC-061.
        sentence: The promise, for the documentation.
        reads: The top-level fields that the rule looks at.
        provider: The cloud it speaks of, or `CLOUDS`; None for whatever the description names.
        ask: Yields what breaks it.
    """

    code: str
    sentence: str
    reads: frozenset[str]
    provider: str | None
    ask: Callable[[Sound], Iterator[Problem]]

    @property
    def providers(self) -> tuple[str, ...] | None:
        """The clouds it speaks of; None for all."""
        return built_clouds() if self.provider == CLOUDS else (self.provider,) if self.provider is not None else None

    def applies(self, sound: Sound) -> bool:
        """Whether the rule speaks of this cloud and all that it reads has the right form."""
        providers = self.providers
        spoken_of = providers is None or sound.spec.cloud.provider in providers
        return spoken_of and not self.reads & sound.broken


OfSpec = Callable[[Spec], Iterator[Problem]]
OfPool = Callable[[NodePoolSpec, Spec], Iterator[Problem]]
OfStorage = Callable[[StorageSpec, Spec], Iterator[Problem]]


def rule(code: str, *, reads: Iterable[str], provider: str | None = None) -> Callable[[OfSpec], Rule]:
    """Makes a function of the description a rule; its problems carry whole paths."""

    def make(function: OfSpec) -> Rule:
        return _rule(code, function.__doc__, reads, provider, lambda sound: function(sound.spec))

    return make


def pool_rule(code: str, *, reads: Iterable[str] = (), provider: str | None = None) -> Callable[[OfPool], Rule]:
    """Makes a function of one node pool a rule, asked for each that has the right form; its paths begin at the pool."""

    def make(function: OfPool) -> Rule:
        def ask(sound: Sound) -> Iterator[Problem]:
            for index, pool in sound.node_pools():
                yield from _below("node_pools", index, function(pool, sound.spec))

        return _rule(code, function.__doc__, reads, provider, ask)

    return make


def storage_rule(code: str, *, reads: Iterable[str] = (), provider: str | None = None) -> Callable[[OfStorage], Rule]:
    """As `pool_rule`, for one item of storage."""

    def make(function: OfStorage) -> Rule:
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
) -> Rule:
    # Which cloud it is must be known before a rule can be passed over for speaking of another.
    needs = {*reads, "cloud"} if provider is not None else {*reads}
    return Rule(code, " ".join((sentence or "").split()), frozenset(needs), provider, ask)


def _below(block: str, index: int, problems: Iterable[Problem]) -> Iterator[Problem]:
    return (replace(problem, path=(block, index, *problem.path)) for problem in problems)
