"""Kinds of resources that connect a network with others, or let a machine into it: VPN gateways, peerings, tunnels."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records_of_clouds


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectorKind:
    """A type of resource that connects a network: `property` points at the network, or at something `of` a type in it.

    `what` is the field's noun for it.
    """

    type: str
    property: str
    of: str
    what: str


def connector_kinds() -> tuple[ConnectorKind, ...]:
    """Every kind, of all clouds."""
    return records_of_clouds(ConnectorKind, "ways_in")
