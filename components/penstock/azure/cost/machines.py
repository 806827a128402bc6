"""What machines of Azure cost beside their price: licences and public addresses."""

from __future__ import annotations

from typing import Final

from penstock.azure.facts.size_names import read_size
from penstock.azure.model.addresses import public_addresses
from penstock.azure.model.images import image_marks
from penstock.cost.machine_terms import MachineTerms


def _vcpu(machine_type: str) -> int | None:
    size = read_size(machine_type)
    return size.vcpu if size is not None else None


TERMS: Final = MachineTerms(
    image_marks=image_marks,
    vcpu=_vcpu,
    public_addresses=public_addresses,
    address="Regional address",
    addresses_depend_on="the configuration of its network interfaces",
)
