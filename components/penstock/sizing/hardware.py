"""The machines that could do the work: one record for each machine type of each cloud that has accelerators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from penstock.catalog import machines, offerings, prices, regions
from penstock.catalog.chips import Chip, find_chip
from penstock.catalog.limits import find_limit
from penstock.catalog.links import AcceleratorLink, link_of
from penstock.catalog.machine import Machine
from penstock.catalog.machine_zones import zones_selling
from penstock.catalog.sizing_assumptions import assumed
from penstock.core.quantities import MIB
from penstock.sizing.cloud_sizing import sizing_of
from penstock.sizing.memory import GB, usable_memory

_BITS = 8
_WAYS = ("on_demand", "reserved", "flex_start", "capacity_block", "spot")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """A machine type with its chip, as sizing sees it.

    Attributes:
        each: accelerators of one machine.
        memory: bytes of one accelerator, as the cloud's API reports them.
        link: what joins the accelerators of one machine; None where that is not known.
        network_gb_s: bytes that one machine exchanges with others, in 10^9 a second, one way; None is "not known".
        fast_fabric: whether accelerators reach those of other machines past the host: EFA, InfiniBand, GPUDirect, ICI.
        slices: the machines of the slices that it comes in, ascending; None where it comes in any number.
        most: machines that one job can have, where the cloud joins only so many; None for no known limit.
    """

    machine: Machine
    chip: Chip
    each: int
    memory: float
    link: AcceleratorLink | None
    network_gb_s: float | None
    fast_fabric: bool
    most: int | None
    slices: tuple[int, ...] | None

    @property
    def cloud(self) -> str:
        """The cloud that sells it."""
        return self.machine.cloud

    @property
    def machine_type(self) -> str:
        """Its name."""
        return self.machine.machine_type

    def usable(self, *, trains: bool) -> float:
        """Bytes of one accelerator that a job may hold."""
        return usable_memory(self.memory, trains=trains)


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineOffer:
    """Where and how a machine is bought: the price of an hour, None where it is not known."""

    region: str | None
    way: str
    price: prices.Price | None
    spot: prices.Price | None


def most_accelerators() -> int:
    """The accelerators of the largest job that is taken to be within reach."""
    return round(assumed("most_accelerators"))


def all_hardware(clouds: tuple[str, ...]) -> tuple[Hardware, ...]:
    """Every machine type with accelerators, cloud by cloud, in the order of the tables."""
    return tuple(_hardware(clouds))


def _hardware(clouds: tuple[str, ...]) -> Iterator[Hardware]:
    for cloud in clouds:
        for machine in machines.machine_types(cloud):
            if not machine.accelerator or not machine.memory_mib_each:
                continue
            chip = find_chip(machine.accelerator)
            yield Hardware(
                machine=machine,
                chip=chip,
                each=machine.accelerators,
                memory=machine.memory_mib_each * MIB,
                link=link_of(machine.machine_type, chip.link),
                network_gb_s=_network(machine, chip),
                fast_fabric=_fast(machine),
                most=_most(machine),
                slices=_slices(machine),
            )


def offer_of(hardware: Hardware, region: str | None) -> MachineOffer:
    """The cheapest region that sells a machine, of equal ones that with the newest price, or the requested one.

    The region is None where none sells it.
    """
    machine, cloud = hardware.machine, hardware.cloud
    way = next((each for each in _WAYS if each in machine.sold), "on_demand")
    places = [region] if region is not None else [each.name for each in regions.all_regions(cloud)]
    sold = [each for each in places if _sells(machine.machine_type, each, cloud)]
    priced = {each: price for each in sold if (price := _price(machine, each, way)) is not None}
    least = min((price.usd for price in priced.values()), default=None)
    cheapest = [each for each, price in priced.items() if price.usd == least]
    newest = max(cheapest, key=lambda each: priced[each].as_of, default=None)
    chosen = newest or (sold[0] if sold else None)
    if chosen is None:
        return MachineOffer(region=None, way=way, price=None, spot=None)
    spot = prices.spot(machine.machine_type, chosen, cloud) if "spot" in machine.sold else None
    price = _price(machine, chosen, way)
    if spot is not None and price is not None and way != "spot" and spot.usd >= price.usd:
        spot = None  # without a discount there is no spare capacity
    return MachineOffer(region=chosen, way=way, price=price, spot=spot)


def _price(machine: Machine, region: str, way: str) -> prices.Price | None:
    bought = "on_demand" if way in ("reserved", "flex_start", "capacity_block") else way
    if way in ("capacity_block", "flex_start"):
        return None
    found = prices.machine_hour(machine.machine_type, region, bought, machine.cloud)
    return found if found is not None and found.usd > 0 else None


def _sells(machine_type: str, region: str, cloud: str) -> bool:
    """Return whether a region is known to sell a machine type: by its whole offer, or a price or zone of the type."""
    sold = offerings.offered(region, cloud)
    if sold is not None:
        return machine_type in sold
    if prices.machine_hour(machine_type, region, "on_demand", cloud) is not None:
        return True
    return bool(zones_selling(machine_type, region, cloud))


def _network(machine: Machine, chip: Chip) -> float | None:
    if machine.accelerator_kind == "tpu":
        return chip.scale_up_gb_s * machine.accelerators if chip.scale_up_gb_s else None
    return machine.network_gbps / _BITS if machine.network_gbps else None


def _most(machine: Machine) -> int | None:
    """Azure joins the machines of one scale set by InfiniBand, and a job stays in it."""
    if not getattr(machine, "infiniband_nics", 0):
        return None
    return find_limit("machines_of_a_placement_group", machine.cloud).most


def _fast(machine: Machine) -> bool:
    if machine.accelerator_kind == "tpu":
        return True
    return bool(
        getattr(machine, "efa_max", 0) or getattr(machine, "infiniband_nics", 0) or getattr(machine, "fabric", None)
    )


def effective_network(hardware: Hardware, nodes: int = 1) -> float:
    """What collectives reach between machines, in bytes a second; that of plain Ethernet where the rate is unknown.

    Machines whose scale-up links join them (NVL72, a TPU slice) exchange over these, and several such groups over the
    networks of all machines of a group, each of which sends its part.
    """
    outside = hardware.network_gb_s or assumed("ethernet") / _BITS
    inside, group = outside, 1
    if hardware.slices is not None:
        group, outside = hardware.slices[-1], assumed("ethernet") / _BITS
    elif hardware.chip.domain and hardware.chip.scale_up_gb_s:
        group, inside = hardware.chip.domain // hardware.each, hardware.chip.scale_up_gb_s * hardware.each
    rate = inside if nodes <= group else min(inside, outside * group)
    return rate * GB * assumed("fabric_efficiency")


def _slices(machine: Machine) -> tuple[int, ...] | None:
    """The machines of the slices that a type comes in, ascending; None for one that comes in any number."""
    return tuple(sorted(sizing_of(machine.cloud).slices(machine))) or None
