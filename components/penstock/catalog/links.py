"""Links between the accelerators of one machine, and what an all-reduce reaches on them."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceleratorLink:
    """A link between accelerators, such as NVSwitch or PCIe.

    Attributes:
        link: its name, as `chips` and `machine_links` have it.
        gb_s: the bus bandwidth of a large all-reduce, in 10^9 bytes a second, as nccl-tests define it.
        latency_us: an all-reduce of a few kilobytes, in microseconds.
        joins: accelerators that it joins; None for all of a machine.
        beyond: the link between groups of so many; None where there are no such groups.
    """

    link: str
    title: str
    gb_s: float
    latency_us: float
    joins: int | None
    beyond: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _MachineLink:
    machine_type: str
    link: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_link(name: str) -> AcceleratorLink:
    """The link of that name.

    Raises:
        UnknownFact: there is none; the text names the nearest ones.
    """
    return record_of(AcceleratorLink, "links", name, "link between accelerators")


def link_of(machine_type: str, usual: str | None) -> AcceleratorLink | None:
    """The link between the accelerators of a machine: its own, or the usual one of its chip; None where unknown."""
    own = keyed(_MachineLink, "machine_links").get(machine_type)
    name = own.link if own is not None else usual
    return find_link(name) if name is not None else None
