"""How EFA interfaces are spread over the network cards of a machine.

A node has one primary interface (card 0, device 0), which carries IP traffic and is never efa-only, and at most one EFA
device a card. AWS recommends efa-only devices, which take no address. The machine table names one of four layouts:

A   one card: the EFA device sits beside the primary interface
B   many cards, an EFA device on each; on card 0 it sits beside the primary interface
C   card 0 carries IP traffic only, every other card an EFA device
D   as C, but EFA devices on odd cards only; sources contradict one another, so `AwsMachine.unverified` names the layout
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.aws.facts.machines import AwsMachine
from penstock.catalog.records import records

InterfaceKind = Literal["interface", "efa", "efa-only"]
Policy = Literal["ip_optimized", "bandwidth_optimized"]


@dataclass(frozen=True, slots=True, order=True)
class Interface:
    """One network interface of a launch template; `efa` and `interface` take an address, `efa-only` does not."""

    card: int
    device: int
    kind: InterfaceKind


@dataclass(frozen=True, slots=True)
class _Addressed:
    machine_type: str
    cards: tuple[int, ...]
    device: int


def interfaces(machine: AwsMachine, policy: Policy) -> tuple[Interface, ...]:
    """The interfaces of a node, ordered by card and device; without EFA just the primary one.

    `ip_optimized` spends one address a node. `bandwidth_optimized` adds interfaces for IP traffic on the cards that AWS
    names for the type, each with an address of its own; where AWS names none the two are the same.
    """
    primary = Interface(0, 0, "interface")
    fabric = [Interface(card, 1 if card == 0 else 0, "efa-only") for card in _cards(machine)]
    addressed = _addressed(machine.machine_type) if policy == "bandwidth_optimized" else []
    return tuple(sorted([primary, *fabric, *addressed]))


def pods(machine: AwsMachine, *, with_efa: bool) -> int | None:
    """The most pods a node can give an address to without prefix delegation, or None where that is not known.

    An efa-only device on card 0 takes the place of an interface that would have carried pod addresses.
    """
    beside_primary = with_efa and 0 in _cards(machine)
    return machine.pods_efa_only if beside_primary else machine.pods


def addresses(machine: AwsMachine, addressed: int) -> int | None:
    """The addresses that one node takes of its subnet, or None where that is not known.

    The CNI holds a whole interface of addresses before the first pod asks, beside those of the `addressed` interfaces
    that the node starts with.
    """
    held = machine.addresses_per_interface
    return None if held is None else held + max(1, addressed)


def _cards(machine: AwsMachine) -> range:
    match machine.efa_layout:
        case "A" | "B":
            return range(machine.efa_max)
        case "C":
            return range(1, machine.efa_max + 1)
        case "D":
            return range(1, 2 * machine.efa_max, 2)
        case None:
            return range(0)


def _addressed(machine_type: str) -> list[Interface]:
    addressed = (each for each in records(_Addressed, "aws/efa_addresses") if each.machine_type == machine_type)
    return [Interface(card, each.device, "interface") for each in addressed for card in each.cards]
