"""Servers with accelerators that companies buy: price and power."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnServer:
    """A server with eight accelerators, its network cards and local disks: USD, and kW at full load."""

    accelerator: str
    usd: float
    power_kw: float
    unverified: tuple[str, ...]
    source: str
    as_of: str


def own_server(accelerator: str) -> OwnServer | None:
    """The server with eight of an accelerator; None where nobody sells one."""
    return keyed(OwnServer, "own_servers").get(accelerator)
