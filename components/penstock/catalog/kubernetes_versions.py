"""Kubernetes versions that the clouds' managed services offer, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from penstock.catalog.tables import provenance, rows, unknown


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


def supported(cloud: str) -> tuple[str, ...]:
    """The minor versions that a new cluster can have, ascending, those under extended support included."""
    return tuple(_table(cloud))


def default(cloud: str) -> str:
    """The newest version whose dates are confirmed."""
    return next(version.version for version in _table(cloud).values() if version.default)


def find(version: str, cloud: str) -> KubernetesVersion:
    """The facts on one minor version, such as "1.35".

    Raises:
        UnknownFact: the cloud does not offer it.
    """
    table = _table(cloud)
    if version not in table:
        raise unknown(f"Kubernetes version on {cloud}", version, table)
    return table[version]


@cache
def _table(cloud: str) -> dict[str, KubernetesVersion]:
    return {
        row["version"]: KubernetesVersion(
            version=row["version"],
            standard_until=row["standard_until"] or None,
            extended_until=row["extended_until"] or None,
            default=row["default"] == "yes",
            **provenance(row),
        )
        for row in rows(f"{cloud}/kubernetes_versions")
    }
