"""Network policy engines: those that a program installs, and those of managed clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledEngine:
    """A network policy engine, and what installs it.

    Attributes:
        engine: Its name.
        charts: The Helm charts that install it.
        daemon_sets: The names of its agents in manifests.
        setting: The chart value that turns enforcement on or off; None where it is always on.
        enabled_by: The value that turns it on; None where it is on by default.
        disabled_by: The value that turns it off.
    """

    engine: str
    charts: tuple[str, ...]
    daemon_sets: tuple[str, ...]
    setting: str | None
    enabled_by: str | None
    disabled_by: str | None

    def is_enabled_by(self, value: str | None) -> bool:
        """Return whether a chart enforces policies with this value of its setting; None if it is not given."""
        if self.setting is None:
            return True
        return value != self.disabled_by if self.enabled_by is None else value == self.enabled_by


def all_engines() -> tuple[InstalledEngine, ...]:
    """Return every known engine."""
    return records(InstalledEngine, "kubernetes/policy_engines")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterEngine:
    """The network policy engine of clusters of one type.

    Attributes:
        type: The type token of the cluster.
        engine: Its name; None if such clusters have none of their own.
        setting: The path of the property that enables it.
        values: The values that do.
        undetermined_by: A property and a value with which the setting says nothing, such as autoMode.enabled=true.
        fix: How to have policies enforced.
    """

    type: str
    engine: str | None
    setting: str | None
    values: tuple[str, ...]
    undetermined_by: str | None
    fix: str


@cache
def cluster_engines() -> Mapping[str, ClusterEngine]:
    """Return the engines of clusters whose API nothing else here reads, by type token."""
    return {each.type: each for each in records(ClusterEngine, "kubernetes/cluster_engines")}
