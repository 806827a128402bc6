"""What a cloud asks for machines beside their price, as shared code must know it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from penstock.cost.bill import Line, Unpriced
from penstock.model.pools import MachinePool
from penstock.model.pools.images import Mark

Items = Iterable[Line | Unpriced]


def _as_they_are(_: MachinePool, items: Items) -> Items:
    return items


def _none(_: MachinePool) -> Items:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineTerms:
    """What machines of a cloud cost beside their price.

    Attributes:
        image_marks: yields what says whose the image of a pool is.
        vcpu: the vCPU of a machine type; None where nothing says.
        public_addresses: how many addresses each machine of a pool gets by itself; raises `NotKnown`.
        address: the item of the service `public-ip` for one of them, and `address_on_spot` on spot where that differs.
        addresses_depend_on: what to look at where it is not known whether there are any.
        by_hardware: the items of a pool by whose hardware its machines are on.
        fees: what options of the machines cost, and what is paid once for several pools, with the first.
        reservations_have_licences: whether a reservation that holds machines is paid for with their licence.
    """

    image_marks: Callable[[MachinePool], Iterator[Mark]]
    vcpu: Callable[[str], int | None]
    public_addresses: Callable[[MachinePool], int]
    address: str
    address_on_spot: str = ""
    addresses_depend_on: str
    by_hardware: Callable[[MachinePool, Items], Items] = _as_they_are
    fees: Callable[[MachinePool], Items] = _none
    reservations_have_licences: bool = False
