"""What machines of Google Cloud cost beside their price: licences and public addresses."""

from __future__ import annotations

from typing import Final

from penstock.catalog.custom_machines import read_custom_machine
from penstock.catalog.machines import find_machine
from penstock.core.errors import UnknownFact
from penstock.cost.machine_terms import MachineTerms
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.model.addresses import public_addresses
from penstock.gcp.model.images import image_marks


def _vcpu(machine_type: str) -> int | None:
    """The vCPU of a machine type, by the catalogue or by its name."""
    custom = read_custom_machine(machine_type)
    if custom is not None:
        return custom.vcpu
    try:
        return find_machine(machine_type, GcpMachine).vcpu
    except UnknownFact:
        last = machine_type.rpartition("-")[2]
        return int(last) if last.isdigit() else None


TERMS: Final = MachineTerms(
    image_marks=image_marks,
    vcpu=_vcpu,
    public_addresses=public_addresses,
    address="address in use",
    address_on_spot="address in use on spot",
    addresses_depend_on="whether its cluster is private",
)
