"""What sizing needs of Google Cloud."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.catalog.machine import Machine
from penstock.catalog.machines import find_machine
from penstock.gcp.facts import lustre
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.facts.tpus import slice_, topologies
from penstock.sizing.cloud_sizing import CloudSizing, LustreSale, PricedItem


def _tiers() -> tuple[int, ...]:
    """The throughputs that one asks for, without that of the dynamic tier, which follows the use of data."""
    return tuple(each for each in lustre.tiers() if not lustre.steps(each).dynamic)


def _slices(machine: Machine) -> Mapping[int, str]:
    """The topologies of a TPU by the machines of their slices."""
    found = find_machine(machine.machine_type, GcpMachine)
    return {slice_(found, each).hosts: each for each in topologies(found)}


def _keeps_fabric(machine: Machine) -> bool:
    """Return whether nodes without the networks of their fabric would use one of their interfaces only."""
    return find_machine(machine.machine_type, GcpMachine).fabric not in (None, "dual-nic")


SIZING = CloudSizing(
    bucket=PricedItem("gcs", "standard regional"),
    lustre=LustreSale(price=PricedItem("managed-lustre", "{tier} MB/s/TiB"), tiers=_tiers, steps=lustre.steps),
    system_pool={"nodes": {"min": 1, "max": 3}},
    system_machines=("e2-standard-8",),
    account="example-project",
    cluster={"admins": ["group:ml-platform@example.com"]},
    reservations={"reserved": "{pool}-reservation"},
    keeps_fabric=_keeps_fabric,
    slices=_slices,
)
