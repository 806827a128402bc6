"""Ranges of addresses that Azure keeps for a use of its own."""

from __future__ import annotations

from ipaddress import IPv4Network

from penstock.catalog.address_ranges import ranges_for


def reserved() -> tuple[IPv4Network, ...]:
    """The ranges that no virtual network may touch."""
    return ranges_for("reserved", "azure")


def aks() -> tuple[IPv4Network, ...]:
    """The ranges that neither the network of an AKS cluster nor its pods and services may touch."""
    return ranges_for("aks", "azure")


def rdma() -> IPv4Network:
    """The range of the InfiniBand network, which the network of machines with RDMA must not touch."""
    (found,) = ranges_for("rdma", "azure")
    return found
