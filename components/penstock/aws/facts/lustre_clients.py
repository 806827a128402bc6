"""Machines that mount FSx for Lustre over EFA: those of Nitro v4 or newer with EFA, without Trainium2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from penstock.aws.facts.machines import AwsMachine
from penstock.catalog.records import keyed

FIRST_NITRO: Final = 4
"""The first generation of Nitro whose EFA carries Lustre (FSx for Lustre user guide, configuring EFA clients)."""

_OF_SEVERAL_CARDS, _OF_ONE_CARD = 2, 1
"""The EFA interfaces of a client, unless its family has a figure of its own (same page)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EfaClient:
    """A family of machines with EFA, as a client of FSx for Lustre.

    Attributes:
        nitro: the generation of its Nitro system.
        interfaces: how many EFA interfaces carry Lustre; 0 where FSx excludes the family, None for the usual number.
    """

    family: str
    nitro: int
    interfaces: int | None
    unverified: tuple[str, ...]
    source: str
    as_of: str

    @property
    def over_efa(self) -> bool:
        """True if FSx supports its machines as clients over EFA."""
        return self.nitro >= FIRST_NITRO and self.interfaces != 0


def find_client(family: str) -> EfaClient | None:
    """A family as a client; None where it has no EFA, or is not known."""
    return keyed(EfaClient, "aws/lustre_clients").get(family)


def efa_interfaces(machine: AwsMachine) -> int:
    """The number of EFA interfaces over which a machine mounts FSx for Lustre; 0 if it mounts over TCP only."""
    client = find_client(machine.family)
    if client is None or not client.over_efa:
        return 0
    usual = _OF_SEVERAL_CARDS if (machine.network_cards or 1) > 1 else _OF_ONE_CARD
    return min(machine.efa_max, usual if client.interfaces is None else client.interfaces)
