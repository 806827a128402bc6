"""The add-ons of each provider, with the least that a description says to have one: for tests, and for the site."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from tests.descriptions import AZURE_TRAINING, GCP_TRAINING, ONPREM_NETWORKS, TRAINING, changed

from penstock.description import addon, addon_conditions, parse
from penstock.description.platform import Spec

PERFORMED = Path(__file__).parent / "cluster" / "data" / "performed.csv"
"""The environments that a real control plane has had, and the day; tests/cluster writes it with --accept."""

_CONTROLLERS = PERFORMED.with_name("controllers.csv")
"""The controllers that ran beside a real control plane: by chart, what they did, in which test, and the day."""

_FOLDER = Path(__file__).parent / "addons"

_SYSTEM = {"name": "system", "nodes": 3, "labels": {"node-role.example.com/system": "true"}}

PLATFORMS: Mapping[str, Mapping[str, Any]] = {
    "aws": TRAINING,
    "azure": AZURE_TRAINING,
    "gcp": GCP_TRAINING,
    "kubernetes": changed("node_pools", [_SYSTEM, *ONPREM_NETWORKS["node_pools"]], ONPREM_NETWORKS),
}
"""A platform to train on, of each provider."""

_OF_SLURM: Mapping[str, Mapping[str, Any]] = {
    "aws": {"machine_type": "m7i.2xlarge"},
    "azure": {"machine_type": "Standard_D8ds_v5"},
    "gcp": {"machine_type": "e2-standard-8"},
    "kubernetes": {"accelerator": "h200", "labels": {"nvidia.com/gpu.product": "NVIDIA-H200"}},
}
"""A pool that Slurm has to itself where others hand out accelerators, too."""


@dataclass(frozen=True, slots=True)
class AddonCase:
    """Add-ons of one platform; `shared` where Slurm and others have pools of their own."""

    provider: str
    keys: tuple[str, ...]
    shared: bool = False

    def __str__(self) -> str:
        return f"{self.provider}-{'-'.join(self.keys)}"

    @property
    def addons(self) -> dict[str, Any]:
        """The block `addons` of its description."""
        return {key: _block(key, self.provider, shared=self.shared) for key in self.keys}

    @property
    def platform(self) -> Mapping[str, Any]:
        """The platform that they are for."""
        whole = PLATFORMS[self.provider]
        if not self.shared:
            return whole
        batch = {"name": "batch", "nodes": 2, **_OF_SLURM[self.provider]}
        return changed("node_pools", [*whole["node_pools"], batch], whole)

    @property
    def spec(self) -> Spec:
        """The platform with these add-ons, in place of those that it has."""
        return parse(changed("addons", self.addons, self.platform))


def _case(key: str) -> Mapping[str, Any]:
    """What `case.yaml` in the folder of an add-on's tests says, if there is one.

    `block` is the least that a description says to have the add-on, `providers` what it says beside that on one, and
    `shared` where others have pools of their own; `beside` are other add-ons that it reads and does not bring itself.
    """
    file = _FOLDER / key / "case.yaml"
    found: Mapping[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def _block(key: str, provider: str, *, shared: bool) -> dict[str, Any]:
    case = _case(key)
    return {
        **case.get("block", {}),
        **case.get("providers", {}).get(provider, {}),
        **(case.get("shared", {}) if shared else {}),
    }


def alone() -> Iterator[AddonCase]:
    """Each add-on with a key, on each provider that it runs on; with what it reads."""
    for provider in PLATFORMS:
        for key in addon.keys(provider):
            yield AddonCase(provider, (*_case(key).get("beside", ()), key))


def together() -> Iterator[AddonCase]:
    """All add-ons of a provider together."""
    for provider in PLATFORMS:
        yield AddonCase(provider, tuple(addon.keys(provider)), shared=True)


def installed(platform: Spec) -> frozenset[str]:
    """The names of all add-ons that a platform comes with."""
    enabled = {key for key, value in platform.addons if value is not None}
    found = addon.in_order(enabled, platform.cloud.provider, addon_conditions.needed(platform))
    return frozenset(each.name for each in found)


def record_performed(stack: str, day: date) -> None:
    """Note that a real control plane had an environment."""
    with PERFORMED.open(encoding="utf-8", newline="") as lines:
        days = {row["environment"]: row["as_of"] for row in csv.DictReader(lines)} | {stack: day.isoformat()}
    with PERFORMED.open("w", encoding="utf-8", newline="") as lines:
        table = csv.writer(lines, lineterminator="\n")
        table.writerows([("environment", "as_of"), *sorted(days.items())])


def performed() -> tuple[str, ...]:
    """The environments that a real control plane has had."""
    with PERFORMED.open(encoding="utf-8", newline="") as lines:
        return tuple(row["environment"] for row in csv.DictReader(lines))


def controllers() -> Iterator[tuple[str, str, str]]:
    """The controllers that ran beside a real control plane: the chart of each, what it did, and in which test."""
    with _CONTROLLERS.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            yield row["chart"], row["did"], row["test"]
