"""Kubernetes versions that the clouds' managed services offer, and until when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from penstock.catalog.records import keyed, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class KubernetesVersion:
    """One minor version. Dates are ISO (2027-03-27); None is "not known".

    Past `standard_until` the control plane costs several times as much; past `extended_until` the cloud upgrades it.
    """

    version: str
    standard_until: str | None
    extended_until: str | None
    default: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


def supported_versions(cloud: str) -> tuple[str, ...]:
    """The minor versions that a new cluster can have, ascending, those under extended support included."""
    return tuple(_table(cloud))


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
