"""What machines of EC2 cost beside their price: hardware of their own, licences and public addresses."""

from __future__ import annotations

from typing import Final

from penstock.aws.cost.machine_fees import machine_fees
from penstock.aws.cost.tenancy import by_tenancy
from penstock.aws.facts.instance_types import find_instance_type
from penstock.aws.model.addresses import public_addresses
from penstock.aws.model.images import image_marks
from penstock.core.errors import UnknownFact
from penstock.cost.machine_terms import MachineTerms


def _vcpu(machine_type: str) -> int | None:
    try:
        return find_instance_type(machine_type).vcpu
    except UnknownFact:
        return None


TERMS: Final = MachineTerms(
    image_marks=image_marks,
    vcpu=_vcpu,
    public_addresses=public_addresses,
    address="address",
    addresses_depend_on="whether its subnets give them",
    by_hardware=by_tenancy,
    fees=machine_fees,
    reservations_have_licences=True,
)
