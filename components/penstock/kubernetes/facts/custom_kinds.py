"""Custom kinds: those of operators, which no cluster has by itself."""

from __future__ import annotations

from functools import cache
from typing import Final

from penstock.catalog.tables import rows

_PACKAGE: Final = "kubernetes:"
_OWN_GROUPS: Final = frozenset(
    f"{name}.k8s.io"
    for name in (
        "admissionregistration",
        "apiextensions",
        "apiregistration",
        "auditregistration",
        "authentication",
        "authorization",
        "certificates",
        "coordination",
        "discovery",
        "events",
        "flowcontrol.apiserver",
        "internal.apiserver",
        "networking",
        "node",
        "rbac.authorization",
        "resource",
        "scheduling",
        "settings",
        "storage",
        "storagemigration",
    )
)
"""The groups of Kubernetes itself whose names have a dot (Kubernetes API 1.34)."""
_HELM: Final = "helm.sh"
"""The module of Pulumi's own resources for charts, which are no objects of a cluster."""


def group_of(type_: str) -> str:
    """The API group of a type token of the package kubernetes, without its version."""
    return type_.removeprefix(_PACKAGE).partition("/")[0]


@cache
def is_custom(type_: str) -> bool:
    """Return whether a type token is a custom resource's."""
    if not type_.startswith(_PACKAGE) or "/" not in type_:
        return False
    group = group_of(type_)
    return "." in group and group not in _OWN_GROUPS and group != _HELM


@cache
def makes_no_pods(type_: str) -> bool:
    """Return whether objects of a custom kind are known to describe no pods that anything runs."""
    kinds = _podless().get(group_of(type_))
    return kinds is not None and ("" in kinds or type_.rpartition(":")[2].removesuffix("Patch") in kinds)


@cache
def _podless() -> dict[str, frozenset[str]]:
    """The kinds without pods by group; the empty name for all kinds of a group."""
    table = rows("kubernetes/podless_kinds")
    return {row["group"]: frozenset(each["kind"] for each in table if each["group"] == row["group"]) for row in table}
