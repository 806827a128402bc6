"""What machines of Azure cost beside their price: licences and public addresses."""

from __future__ import annotations

from typing import Final

from penstock.catalog.azure.size_names import read_size
from penstock.economics.cost.machine_terms import MachineTerms
from penstock.model.pools.azure_addresses import public_addresses
from penstock.model.pools.azure_images import image_marks


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
