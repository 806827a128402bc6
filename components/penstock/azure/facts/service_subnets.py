"""Subnets that a service of Azure finds by their names, and what such a service asks of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import keyed, records


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSubnet:
    """A subnet with a name of Azure's: the type of resource that is created in it, and the properties it may not have.

    `service` is None for a service that does not name its subnet.
    """

    name: str
    service: str | None
    refuses: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BastionRule:
    """Traffic that the security group of Azure Bastion must allow, and what it serves.

    Attributes:
        rule: what it is for.
        direction: of the traffic, as security rules have it.
        source_prefix: where it comes from, as a service tag or `*`.
        destination_prefix: where it goes, likewise.
        ports: where it arrives.
    """

    rule: str
    direction: Literal["Inbound", "Outbound"]
    source_prefix: str
    destination_prefix: str
    ports: tuple[int, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def service_subnets() -> Mapping[str, ServiceSubnet]:
    """The subnets, by their names."""
    return keyed(ServiceSubnet, "azure/service_subnets")


def bastion_rules() -> tuple[BastionRule, ...]:
    """The traffic that a security group of AzureBastionSubnet must allow."""
    return records(BastionRule, "azure/bastion_rules")
