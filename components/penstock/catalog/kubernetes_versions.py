"""Kubernetes versions that the clouds' managed services offer, and until when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from penstock.catalog.records import Column, keyed, record_of
from penstock.core.versions import minor
from penstock.providers import built_clouds


def _day(cell: str) -> date | None:
    return date.fromisoformat(cell) if cell else None


@dataclass(frozen=True, slots=True, kw_only=True)
class KubernetesVersion:
    """One minor version. None is "not known".

    Past `standard_until` the control plane costs several times as much; past `extended_until` the cloud upgrades it.
    """

    version: str
    standard_until: Annotated[date | None, Column(read=_day)]
    extended_until: Annotated[date | None, Column(read=_day)]
    default: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


def supported_versions(cloud: str, today: date, *, extended: bool = True) -> tuple[str, ...]:
    """Return the minor versions that a new cluster can have, ascending.

    Without `extended`, those under standard support alone.
    """
    ends = ((each.version, each.extended_until if extended else each.standard_until) for each in _table(cloud).values())
    return tuple(version for version, end in ends if end is None or end >= today)


def known_versions(cloud: str) -> tuple[str, ...]:
    """Return the minor versions of the table, ascending, be they supported or planned."""
    return tuple(_table(cloud))


def newest_known() -> str:
    """The newest minor version that any cloud has, or has planned."""
    versions = [version for cloud in built_clouds() for version in known_versions(cloud)]
    return max(versions, key=minor)


def default_version(cloud: str) -> str:
    """The newest version whose dates are confirmed."""
    return next(version.version for version in _table(cloud).values() if version.default)


def find_version(version: str, cloud: str) -> KubernetesVersion:
    """The facts on one minor version, such as "1.35".

    Raises:
        UnknownFact: the cloud does not offer it.
    """
    return record_of(KubernetesVersion, f"{cloud}/kubernetes_versions", version, f"Kubernetes version on {cloud}")


def _table(cloud: str) -> Mapping[str, KubernetesVersion]:
    return keyed(KubernetesVersion, f"{cloud}/kubernetes_versions")
