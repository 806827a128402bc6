"""The Kubernetes API: kinds that live outside namespaces, and versions of kinds that newer releases no longer serve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from penstock.catalog.records import records
from penstock.catalog.tables import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedApi:
    """A version of a kind that is gone.

    Attributes:
        removed_in: the first minor release of Kubernetes that does not serve it.
        instead: the API version to take; None where the kind itself is gone.
    """

    api_version: str
    kind: str
    removed_in: str
    instead: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def spans_namespaces(group: str, kind: str) -> bool:
    """Return whether objects of a kind belong to the whole cluster; `group` is "core" for Kubernetes' first kinds."""
    return (group, kind) in _cluster_kinds()


def removed(api_version: str, kind: str) -> RemovedApi | None:
    """When a version of a kind was removed; None for one that is served, or that Kubernetes never had."""
    return _removed().get((api_version, kind))


@cache
def _cluster_kinds() -> frozenset[tuple[str, str]]:
    return frozenset((row["group"], row["kind"]) for row in rows("kubernetes/cluster_kinds"))


@cache
def _removed() -> dict[tuple[str, str], RemovedApi]:
    return {(each.api_version, each.kind): each for each in records(RemovedApi, "kubernetes/removed_apis")}
