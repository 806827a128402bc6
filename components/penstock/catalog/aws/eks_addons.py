"""Add-ons that EKS manages: when they are needed and what they may call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from penstock.catalog.tables import provenance, rows, unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class EksAddon:
    """One add-on of EKS. `unverified` names the fields that no primary source confirms.

    Attributes:
        name: as EKS spells it, such as vpc-cni.
        every_cluster: whether a cluster of ours always has it.
        before_nodes: whether nodes become ready only when it is there.
        service_accounts: those of its service accounts whose pods call AWS.
        policies: what AWS recommends they may do: managed policies, by name.
    """

    name: str
    every_cluster: bool
    before_nodes: bool
    namespace: str
    service_accounts: tuple[str, ...]
    policies: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find(name: str) -> EksAddon:
    """The add-on of that exact name.

    Raises:
        UnknownFact: there is none; the text names the nearest ones.
    """
    table = _table()
    if name not in table:
        raise unknown("EKS add-on", name, table)
    return table[name]


def names() -> tuple[str, ...]:
    """The add-ons that the catalogue knows; AWS and others offer more."""
    return tuple(_table())


def for_every_cluster() -> tuple[EksAddon, ...]:
    """The add-ons without which a cluster, or its nodes, would not work or not be watched."""
    return tuple(addon for addon in _table().values() if addon.every_cluster)


@cache
def _table() -> dict[str, EksAddon]:
    return {
        row["addon"]: EksAddon(
            name=row["addon"],
            every_cluster=row["every_cluster"] == "yes",
            before_nodes=row["before_nodes"] == "yes",
            namespace=row["namespace"],
            service_accounts=tuple(row["service_accounts"].split()),
            policies=tuple(row["policies"].split()),
            **provenance(row),
        )
        for row in rows("aws/eks_addons")
    }
