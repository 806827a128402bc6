"""Pods, whatever kind of workload makes them: data/pod_templates.csv tells where each kind keeps them.

Objects of operators, such as Ray's clusters and JobSets, hold pods as a Deployment does. A rule that knew Deployments
only would miss every training job. Others hold parts only, which are laid over those of a runtime or of an object that
somebody else made: pods (data/partial_pods.csv) or single containers (data/partial_containers.csv). What such a part
does not say, something else may say.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from penstock.policies.jmespath import steps
from penstock.resources.values import UNKNOWN as UNKNOWN_VALUE
from penstock.resources.values import Secret, Unknown
from penstock.resources.verdict import NOT_APPLICABLE, UNKNOWN, Outcome, Verdict, allow, asked, each, together
from penstock.resources.view import Block, Spot, View
from penstock.rules.checks import Check
from penstock.rules.settings import Settings

_DATA: Final = Path(__file__).parent / "data"

CONTAINERS: Final = ("containers", "initContainers", "ephemeralContainers")

INHERITED: Final = (
    "appArmorProfile",
    "runAsGroup",
    "runAsNonRoot",
    "runAsUser",
    "seLinuxOptions",
    "seccompProfile",
    "windowsOptions",
)
"""What a container takes from its pod's security context where its own says nothing (Kubernetes API, Container)."""


RAY_CLUSTERS: Final = {
    "kubernetes:ray.io/v1:RayCluster": "spec",
    "kubernetes:ray.io/v1:RayJob": "spec.rayClusterSpec",
    "kubernetes:ray.io/v1:RayService": "spec.rayClusterConfig",
}
"""Objects of KubeRay, which makes Services and workers for them, with the place of their cluster (KubeRay API v1)."""

_PRIVILEGED: Final = "securityContext.privileged"


@cache
def templates() -> Mapping[str, tuple[str, ...]]:
    """The paths of pod specs by type."""
    return _paths("pod_templates.csv")


@cache
def partial() -> Mapping[str, tuple[str, ...]]:
    """The paths of pod specs that are no whole ones, by type."""
    return _paths("partial_pods.csv")


@cache
def parts() -> Mapping[str, tuple[str, ...]]:
    """The paths of containers that are no whole ones, by type."""
    return _paths("partial_containers.csv")


def _paths(name: str) -> Mapping[str, tuple[str, ...]]:
    paths: dict[str, list[str]] = defaultdict(list)
    with (_DATA / name).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            paths[row["type"]].append(row["path"])
    return {type_: tuple(found) for type_, found in paths.items()}


WITH_PODS: Final = tuple(dict.fromkeys((*templates(), *partial())))
"""The types that hold pods, whole or in part."""

WORKLOADS: Final = tuple(dict.fromkeys((*WITH_PODS, *parts())))
"""The types that make pods."""


def _homes(type_: str) -> tuple[str, ...]:
    return (*templates().get(type_, ()), *partial().get(type_, ()))


@dataclass(frozen=True, slots=True)
class Pods(Check):
    """Every pod spec of a workload fulfils a check; with `linux`, pods that are of Windows are out of reach.

    One that is no whole one fails by what it says; where it only lacks something, nobody can tell.
    """

    check: Check
    linux: bool = False

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return tuple(f"{home}.{path}" for home in _homes(type_) for path in self.check.reads(type_))

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(spot: Spot) -> Verdict:
            pod = it.within(spot)
            return NOT_APPLICABLE if self.linux and is_of_windows(pod) else self.check.judge(pod, settings)

        return together(
            (
                each(_given(it.owner, templates()), one),
                each(_given(it.owner, partial()), lambda spot: _of_part(self.check, it.within(spot), spot, settings)),
            )
        )


@dataclass(frozen=True, slots=True)
class Containers(Check):
    """Every container of every pod fulfils a check, as it will run: with what its pod's security context adds.

    `kinds` are the lists that are asked; with `linux`, pods that say they are of Windows are out of reach, and with
    `host_users` those whose users are none of their node's. A container that is no whole one fails by what it says;
    where it only lacks something, nobody can tell.
    """

    check: Check
    linux: bool = False
    host_users: bool = False
    kinds: tuple[str, ...] = CONTAINERS

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        homes = [f"{home}.{kind}[]" for home in _homes(type_) for kind in self.kinds]
        return tuple(f"{home}.{path}" for home in (*homes, *parts().get(type_, ())) for path in self.check.reads(type_))

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def whole(spot: Spot) -> Verdict:
            return self.check.judge(it.within(spot), settings)

        def part(spot: Spot) -> Verdict:
            return _of_part(self.check, it.within(spot), spot, settings)

        def in_pod(container: Callable[[Spot], Verdict]) -> Callable[[Spot], Verdict]:
            def one(spot: Spot) -> Verdict:
                pod = it.within(spot)
                if (self.linux and is_of_windows(pod)) or (self.host_users and pod.flag("hostUsers") is False):
                    return NOT_APPLICABLE
                return each(_containers(pod, self.kinds), container)

            return one

        return together(
            (
                each(_given(it.owner, templates()), in_pod(whole)),
                each(_given(it.owner, partial()), in_pod(part)),
                each(_given(it.owner, parts()), part),
            )
        )


@dataclass(frozen=True, slots=True)
class NoAnnotation(Check):
    """No annotation of a pod whose key begins so has this value."""

    prefix: str
    value: str

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return tuple(annotation_paths(type_))

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(spot: Spot) -> Verdict:
            told = it.within(spot)
            keys = [key for key in told if key.startswith(self.prefix)]
            return each(
                keys,
                lambda key: allow(told.text(key) != self.value, f"{told.at(key)} is {self.value}", path=told.at(key)),
            )

        return each((spot for path in annotation_paths(it.owner.type) for spot in it.spots(path) if spot.value), one)


def specs(workload: View) -> Iterator[Spot]:
    """Where the pod specs of a workload stand that are given, be they known or not, whole or in part."""
    yield from _given(workload, templates())
    yield from _given(workload, partial())


def annotation_paths(type_: str) -> Iterator[str]:
    """The paths of the annotations of pods by type, where it takes any."""
    for path in _homes(type_):
        if path.endswith("spec") and (path != "spec" or type_.rpartition(":")[2] in ("Pod", "PodPatch")):
            yield f"{path.removesuffix('spec')}metadata.annotations"


def containers(workload: View) -> list[Block]:
    """Every container of a workload, as it will run as far as the workload says.

    Raises:
        NotKnown: a pod or a list of containers is not known.
    """
    pods = [workload.within(spot) for spot in specs(workload)]
    within = [pod.within(spot) for pod in pods for spot in _containers(pod, CONTAINERS)]
    return [*within, *(workload.within(spot) for spot in _given(workload, parts()))]


def is_of_windows(pod: Block) -> bool:
    """Whether a pod says that it runs on Windows, where privileges, capabilities and profiles of Linux are refused."""
    system = pod.block("os")
    return system is not None and system.text("name") == "windows"


def _given(workload: View, paths: Mapping[str, tuple[str, ...]]) -> Iterator[Spot]:
    for path in paths.get(workload.type, ()):
        yield from (spot for spot in workload.spots(path) if spot.value is not None)


def _of_part(check: Check, part: Block, spot: Spot, settings: Settings) -> Verdict:
    """What a check says of a part at a spot: whether it fails whatever stands where the part says nothing."""
    said = asked(lambda own: check.judge(own, settings), part)
    if said.outcome is not Outcome.FAIL:
        return said
    own: Any = {key: part.given(key) for key in part}
    for path in check.reads(part.owner.type):
        if path != _PRIVILEGED:  # most checks are of containers without privileges
            own = _open_ended(own, [step.removesuffix("[]") for step in steps(path)])
    at_best = check.judge(Block(own, spot.path, part.owner), settings)
    return at_best if at_best.outcome is Outcome.FAIL else UNKNOWN


def _open_ended(value: Any, way: Sequence[str]) -> Any:
    """A value with something unknown where it says nothing on the way."""
    if value is None:
        return UNKNOWN_VALUE
    if not way or not isinstance(value, Mapping):
        return value
    return {**value, way[0]: _open_ended(value.get(way[0]), way[1:])}


def _containers(pod: Block, kinds: tuple[str, ...]) -> Iterator[Spot]:
    (shared,) = (spot.value for spot in pod.spots("securityContext"))
    for kind in kinds:
        for path, value in pod.spots(f"{kind}[]"):
            yield Spot(path, _as_run(value, shared) if isinstance(value, Mapping) else value)


def _as_run(container: Mapping[str, Any], shared: Any) -> Mapping[str, Any]:
    own = container.get("securityContext") or {}
    if not isinstance(own, Mapping):
        return container
    if isinstance(shared, Unknown | Secret):
        inherited = dict.fromkeys(INHERITED, UNKNOWN_VALUE)
    else:
        given = shared if isinstance(shared, Mapping) else {}
        inherited = {key: value for key, value in given.items() if key in INHERITED}
    said = {key: value for key, value in own.items() if value is not None}
    return {**container, "securityContext": {**inherited, **said}}
