"""Machines of one's own against the cloud: what they cost to buy and to run, and how busy they must be to pay off."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from penstock.catalog.own_servers import OwnServer
from penstock.catalog.sizing_assumptions import assumed
from penstock.sizing.addresses import OwnNetwork, own_networks
from penstock.sizing.cost import HOURS_A_YEAR
from penstock.sizing.memory import GB
from penstock.sizing.switches import SwitchCount, fat_tree, rail_optimised

RAILS = 8
_TB = 1000 * GB
_KW_OF_TON = 3.517
_RACK_KW = 40
_FEWEST_STORAGE_SERVERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSite:
    """Servers with eight accelerators each, and what they need. Money in USD, power in kW.

    Attributes:
        storage_servers: servers of parallel storage, for the capacity and the bandwidth of the cloud's side.
        capex: what is bought, by item.
        opex: what a year costs, by item, at full load.
        it_kw: power of servers and switches.
        site_kw: with cooling and losses.
    """

    nodes: int
    storage_servers: int
    tree: SwitchCount
    rails: SwitchCount
    networks: tuple[OwnNetwork, ...]
    capex: dict[str, float]
    opex: dict[str, float]
    it_kw: float
    site_kw: float

    @property
    def capex_usd(self) -> float:
        """All that is bought."""
        return sum(self.capex.values())

    @property
    def opex_usd(self) -> float:
        """All that a year costs."""
        return sum(self.opex.values())

    @property
    def year_usd(self) -> float:
        """A year, with what is bought written off evenly."""
        return self.capex_usd / assumed("amortisation") + self.opex_usd

    def years_usd(self, years: int) -> float:
        """The cost of so many years, with all that is bought, whatever it is worth then."""
        return self.capex_usd + years * self.opex_usd

    @property
    def node_hour_usd(self) -> float:
        """A server and hour, were all of them busy all year."""
        return self.year_usd / (self.nodes * HOURS_A_YEAR)

    @property
    def cooling_tons(self) -> float:
        """Tons of refrigeration that carry the heat of servers and switches away."""
        return self.it_kw / _KW_OF_TON

    @property
    def racks(self) -> int:
        """Racks of 40 kW."""
        return ceil(self.it_kw / _RACK_KW)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnStorage:
    """Required capacity of storage, in bytes, and bandwidth, in bytes a second."""

    capacity: float
    bandwidth: float

    @property
    def servers(self) -> int:
        """The servers for both: two at least, so that one can fail."""
        if not self.capacity:
            return 0
        by_capacity = self.capacity / (assumed("storage_server_capacity") * _TB)
        by_bandwidth = self.bandwidth / (assumed("storage_server_bandwidth") * GB)
        return max(_FEWEST_STORAGE_SERVERS, ceil(by_capacity), ceil(by_bandwidth))


def own_site(server: OwnServer, nodes: int, storage: OwnStorage) -> OwnSite:
    """The site for so many servers of one kind, and their storage."""
    ports = int(assumed("switch_ports"))
    tree, rails = fat_tree(nodes * RAILS, ports), rail_optimised(nodes, RAILS, ports)
    stores = storage.servers
    it_kw = (
        nodes * server.power_kw + rails.switches * assumed("switch_power") + stores * assumed("storage_server_power")
    )
    machines, stored = nodes * server.usd, stores * assumed("storage_server_price")
    network = rails.switches * assumed("switch_price") + rails.links * assumed("link_price")
    site_kw = it_kw * assumed("own_pue")
    return OwnSite(
        nodes=nodes,
        storage_servers=stores,
        tree=tree,
        rails=rails,
        networks=own_networks(nodes, RAILS),
        capex={
            "servers": machines,
            "switches and links": network,
            "storage": stored,
            "racks, power and cooling": it_kw * assumed("site_price"),
        },
        opex={
            "electricity": site_kw * HOURS_A_YEAR * assumed("electricity"),
            "maintenance": (machines + network + stored) * assumed("maintenance"),
            "staff": ceil(nodes / assumed("nodes_per_engineer")) * assumed("staff"),
        },
        it_kw=it_kw,
        site_kw=site_kw,
    )


def break_even(site: OwnSite, cloud_node_hour_usd: float, cloud_storage_year_usd: float = 0.0) -> float:
    """The part of all hours that the servers must work to cost as little as the cloud would for just those hours.

    Storage of the cloud is paid for all hours. Above 1 they never do; 0 where the cloud's storage alone costs more.
    """
    machines = site.year_usd - cloud_storage_year_usd
    return max(0.0, machines / (site.nodes * HOURS_A_YEAR)) / cloud_node_hour_usd
