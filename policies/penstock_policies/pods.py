"""Pods, whatever kind of workload makes them: data/pod_templates.csv tells where each kind keeps them.

Objects of operators, such as Ray's clusters and JobSets, hold pods as a Deployment does. A rule that knew Deployments
only would miss every training job.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from penstock.resources.values import UNKNOWN, Secret, Unknown
from penstock.resources.verdict import NOT_APPLICABLE, Verdict, each
from penstock.resources.view import Block, Spot, View
from penstock_policies.checks import Check
from penstock_policies.settings import Settings

_FILE = Path(__file__).parent / "data" / "pod_templates.csv"

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


@cache
def templates() -> Mapping[str, tuple[str, ...]]:
    """The paths of pod specs by type."""
    paths: dict[str, list[str]] = defaultdict(list)
    with _FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            paths[row["type"]].append(row["path"])
    return {type_: tuple(found) for type_, found in paths.items()}


WORKLOADS: Final = tuple(templates())
"""The types that make pods."""


@dataclass(frozen=True, slots=True)
class Pods(Check):
    """Every pod spec of a workload fulfils a check; with `linux`, pods that are of Windows are out of reach."""

    check: Check
    linux: bool = False

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return tuple(f"{path}.{inner}" for path in templates()[type_] for inner in self.check.reads(type_))

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(spot: Spot) -> Verdict:
            pod = it.within(spot)
            return NOT_APPLICABLE if self.linux and is_of_windows(pod) else self.check.judge(pod, settings)

        return each(specs(it.owner), one)


@dataclass(frozen=True, slots=True)
class Containers(Check):
    """Every container of every pod fulfils a check, as it will run: with what its pod's security context adds.

    `kinds` are the lists that are asked; with `linux`, pods that say they are of Windows are out of reach.
    """

    check: Check
    linux: bool = False
    kinds: tuple[str, ...] = CONTAINERS

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        read = self.check.reads(type_)
        return tuple(f"{path}.{kind}[].{inner}" for path in templates()[type_] for kind in self.kinds for inner in read)

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(spot: Spot) -> Verdict:
            pod = it.within(spot)
            if self.linux and is_of_windows(pod):
                return NOT_APPLICABLE
            return each(_containers(pod, self.kinds), lambda each_: self.check.judge(pod.within(each_), settings))

        return each(specs(it.owner), one)


def specs(workload: View) -> Iterator[Spot]:
    """Where the pod specs of a workload stand that are given, be they known or not."""
    for path in templates().get(workload.type, ()):
        yield from (spot for spot in workload.spots(path) if spot.value is not None)


def containers(workload: View) -> list[Block]:
    """Every container of a workload, as it will run.

    Raises:
        NotKnown: a pod or a list of containers is not known.
    """
    pods = [workload.within(spot) for spot in specs(workload)]
    return [pod.within(spot) for pod in pods for spot in _containers(pod, CONTAINERS)]


def is_of_windows(pod: Block) -> bool:
    """Whether a pod says that it runs on Windows, where privileges, capabilities and profiles of Linux are refused."""
    system = pod.block("os")
    return system is not None and system.text("name") == "windows"


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
        inherited = dict.fromkeys(INHERITED, UNKNOWN)
    else:
        given = shared if isinstance(shared, Mapping) else {}
        inherited = {key: value for key, value in given.items() if key in INHERITED}
    said = {key: value for key, value in own.items() if value is not None}
    return {**container, "securityContext": {**inherited, **said}}
