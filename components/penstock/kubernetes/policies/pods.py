"""Checks of pods and of containers, whatever kind of workload makes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from typing_extensions import override

from penstock.graph.property_path import Location, PropertyPath
from penstock.graph.values import MAPPING
from penstock.graph.values import UNKNOWN as UNKNOWN_VALUE
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, allow, each, together
from penstock.graph.view import Block
from penstock.kubernetes.facts import pod_homes
from penstock.kubernetes.facts.pod_homes import Homes
from penstock.kubernetes.model.pods.containers import CONTAINERS, annotation_paths, containers_at, is_of_windows
from penstock.kubernetes.model.pods.places import places_of
from penstock.kubernetes.model.pods.templates import template_paths
from penstock.rules.checks import Check, Either, Given
from penstock.rules.settings import Settings

_PRIVILEGED: Final = "securityContext.privileged"

ACCELERATORS: Final = (
    "nvidia.com/gpu",
    "amd.com/gpu",
    "google.com/tpu",
    "aws.amazon.com/neuron",
    "aws.amazon.com/neuroncore",
    "aws.amazon.com/neurondevice",
    "habana.ai/gaudi",
)
"""Extended resources that are accelerators."""
_NAMES: Final = frozenset(ACCELERATORS)


def any_given(paths: Sequence[str]) -> Check:
    """Return a check that one of these properties is given."""
    return Either(*(Given(path) for path in paths))


ASKS_ACCELERATORS: Final = any_given([f'resources.limits."{name}"' for name in ACCELERATORS])
"""A container takes accelerators, as Kyverno can say it, too."""


@dataclass(frozen=True, slots=True)
class TakesAccelerators(Check):
    """A container takes accelerators, or takes none; as ASKS_ACCELERATORS, in one look at most containers."""

    some: bool = True

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return ASKS_ACCELERATORS.reads(type_)

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        (limits,) = it.locations("resources.limits")
        is_without = limits.value is None or (isinstance(limits.value, MAPPING) and _NAMES.isdisjoint(limits.value))
        said = NOT_APPLICABLE if is_without else ASKS_ACCELERATORS.judge(it, settings)
        if said.outcome is Outcome.UNKNOWN:
            return UNKNOWN
        return PASS if (said.outcome is Outcome.PASS) is self.some else NOT_APPLICABLE


@dataclass(frozen=True, slots=True)
class Pods(Check):
    """Every pod spec of a workload fulfils a check; with `linux`, pods that are of Windows are out of reach.

    `without` are the ends of types that it does not judge. A partial spec fails by what it has; where it only lacks
    something, the outcome is unknown.
    """

    check: Check
    linux: bool = False
    without: tuple[str, ...] = ()

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        homes = _listed(type_)
        return tuple(f"{home}.{path}" for home in (*homes.whole, *homes.parts) for path in self.check.reads(type_))

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(place: Location) -> Verdict:
            pod = it.within(place)
            return NOT_APPLICABLE if self.linux and is_of_windows(pod) else self.check.judge(pod, settings)

        if it.owner.type.endswith(self.without):
            return NOT_APPLICABLE
        places = places_of(it.owner)
        return together(
            (
                each(places.whole, one),
                each(
                    places.parts,
                    lambda place: _of_part(self.check, it.within(place), place, settings),
                ),
            )
        )


@dataclass(frozen=True, slots=True)
class Containers(Check):
    """Every container of every pod fulfils a check, as it will run: with what its pod's security context adds.

    `kinds` are the lists that are judged; with `linux`, pods that say they are of Windows are out of reach, and with
    `host_users` those whose users are none of their node's. A partial container fails by what it has;
    where it only lacks something, the outcome is unknown.
    """

    check: Check
    linux: bool = False
    host_users: bool = False
    kinds: tuple[str, ...] = CONTAINERS

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        homes = _listed(type_)
        inside = [f"{home}.{kind}[]" for home in (*homes.whole, *homes.parts) for kind in self.kinds]
        return tuple(f"{home}.{path}" for home in (*inside, *homes.containers) for path in self.check.reads(type_))

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def whole(place: Location) -> Verdict:
            return self.check.judge(it.within(place), settings)

        def part(place: Location) -> Verdict:
            return _of_part(self.check, it.within(place), place, settings)

        def in_pod(container: Callable[[Location], Verdict]) -> Callable[[Location], Verdict]:
            def one(place: Location) -> Verdict:
                pod = it.within(place)
                if (self.linux and is_of_windows(pod)) or (self.host_users and pod.flag("hostUsers") is False):
                    return NOT_APPLICABLE
                return each(containers_at(it.owner, place, self.kinds), container)

            return one

        places = places_of(it.owner)
        return together(
            (
                each(places.whole, in_pod(whole)),
                each(places.parts, in_pod(part)),
                each(places.containers, part),
            )
        )


@dataclass(frozen=True, slots=True)
class NoAnnotation(Check):
    """No annotation of a pod whose key begins so has this value."""

    prefix: str
    value: str

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return tuple(
            f"{path}.metadata.annotations" if path else "metadata.annotations"
            for path in template_paths(type_, _listed(type_))
        )

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(place: Location) -> Verdict:
            annotations = it.within(place)
            keys = [key for key in annotations if key.startswith(self.prefix)]
            return each(
                keys,
                lambda key: allow(
                    annotations.text(key) != self.value,
                    f"{annotations.at(key)} is {self.value}",
                    path=annotations.at(key),
                ),
            )

        return each((place for path in annotation_paths(it.owner) for place in it.locations(path) if place.value), one)


def _listed(type_: str) -> Homes:
    """The places that the table has for a type: what a rule reads of other kinds depends on the object."""
    return pod_homes.homes(type_) or Homes()


def _of_part(check: Check, part: Block, place: Location, settings: Settings) -> Verdict:
    """Return the verdict on a part at a place: a failure only if the missing properties cannot change it."""
    said = check.asked(part, settings)
    if said.outcome is not Outcome.FAIL:
        return said
    own: Any = {key: part.given(key) for key in part}
    for path in check.reads(part.owner.type):
        if path != _PRIVILEGED:  # most checks are of containers without privileges
            own = _open_ended(own, PropertyPath.parse(path).keys)
    at_best = check.judge(Block(own, place.path, part.owner), settings)
    return at_best if at_best.outcome is Outcome.FAIL else UNKNOWN


def _open_ended(value: Any, way: Sequence[str]) -> Any:
    """A value with something unknown where it says nothing on the way."""
    if value is None:
        return UNKNOWN_VALUE
    if not way or not isinstance(value, Mapping):
        return value
    return {**value, way[0]: _open_ended(value.get(way[0]), way[1:])}
