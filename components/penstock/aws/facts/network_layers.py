"""The layers of the network above an instance that EC2 tells, and EKS writes on its node."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layers:
    machine_type: str
    layers: int
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Region:
    region: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def network_layers(machine_type: str, region: str) -> int:
    """The number of layers that a node of that type has labels for; 0 if EC2 does not report its topology."""
    found = keyed(_Layers, "aws/network_layers").get(machine_type)
    return found.layers if found is not None and region in keyed(_Region, "aws/topology_regions") else 0
