"""Add-ons that EKS manages: when they are needed and what they may call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from penstock.catalog.records import Column, keyed, record_of, records


@dataclass(frozen=True, slots=True, kw_only=True)
class EksAddon:
    """One add-on of EKS. `unverified` names the fields that no primary source confirms.

    Attributes:
        name: as EKS spells it, such as vpc-cni.
        every_cluster: whether a cluster of ours always has it.
        before_nodes: whether nodes become ready only when it is there.
        waits_for_nodes: whether its creation ends only when a Deployment of it runs on some node.
        tolerated_taints: the keys of the taints that this Deployment tolerates by default.
        service_accounts: those of its service accounts whose pods call AWS.
        policies: what AWS recommends they may do: managed policies, by name.
    """

    name: Annotated[str, Column("addon")]
    every_cluster: bool
    before_nodes: bool
    waits_for_nodes: bool
    tolerated_taints: tuple[str, ...]
    namespace: str
    service_accounts: tuple[str, ...]
    policies: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_addon(name: str) -> EksAddon:
    """The add-on of that exact name.

    Raises:
        UnknownFact: there is none; the text names the nearest ones.
    """
    return record_of(EksAddon, "aws/eks_addons", name, "EKS add-on")


def known_addon(name: str | None) -> EksAddon | None:
    """The add-on of that exact name; None where the catalogue has none."""
    return keyed(EksAddon, "aws/eks_addons").get(name or "")


def addon_names() -> tuple[str, ...]:
    """The add-ons that the catalogue knows; AWS and others offer more."""
    return tuple(keyed(EksAddon, "aws/eks_addons"))


def for_every_cluster() -> tuple[EksAddon, ...]:
    """The add-ons without which a cluster, or its nodes, would not work or not be watched."""
    return tuple(addon for addon in records(EksAddon, "aws/eks_addons") if addon.every_cluster)
