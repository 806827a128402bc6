"""Switches, networks and sites of one's own."""

from __future__ import annotations

from ipaddress import ip_network
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.catalog.own_servers import own_server
from penstock.core.errors import UnknownFact
from penstock.sizing.addresses import own_networks
from penstock.sizing.on_premises import OwnStorage, break_even, own_site
from penstock.sizing.switches import fat_tree, rail_optimised


@pytest.mark.parametrize(("endpoints", "leaves", "spines"), [(64, 1, 0), (512, 16, 8), (1024, 32, 16), (2048, 64, 32)])
def test_two_tiers_reach_2048_ports(endpoints: int, leaves: int, spines: int) -> None:
    found = fat_tree(endpoints, 64)

    assert (found.leaves, found.spines) == (leaves, spines)


def test_a_third_tier_follows() -> None:
    found = fat_tree(8192, 64)

    assert (found.tiers, found.switches) == (3, 640)
    with pytest.raises(UnknownFact):
        fat_tree(65537, 64)


@pytest.mark.parametrize(("nodes", "leaves", "spines"), [(32, 8, 4), (64, 16, 8), (127, 32, 16)])
def test_rails_need_the_switches_of_a_superpod(nodes: int, leaves: int, spines: int) -> None:
    found = rail_optimised(nodes, 8, 64)

    assert (found.leaves, found.spines) == (leaves, spines)


@given(st.integers(1, 5000), st.integers(1, 3000))
def test_more_ports_never_need_fewer_switches(endpoints: int, more: int) -> None:
    assert fat_tree(endpoints + more, 64).switches >= fat_tree(endpoints, 64).switches


@given(st.integers(min_value=1, max_value=4000))
def test_networks_do_not_overlap_and_hold_all_machines(nodes: int) -> None:
    found = own_networks(nodes, 8)
    ranges = [ip_network(each.cidr) for each in found]

    assert all(each.num_addresses - 2 >= nodes for each in ranges)
    assert not any(one.overlaps(other) for one, other in combinations(ranges, 2))
    assert len({each.vlan for each in found}) == len(found) == 11


def test_a_site_pays_off_sooner_against_a_dearer_cloud() -> None:
    server = own_server("h100")
    assert server is not None
    site = own_site(server, 32, OwnStorage(capacity=100e12, bandwidth=10e9))

    assert break_even(site, 98.32) < break_even(site, 55.04)
    assert break_even(site, 98.32, cloud_storage_year_usd=1e5) < break_even(site, 98.32)
    assert site.year_usd == pytest.approx(site.capex_usd / 4 + site.opex_usd)
    assert site.years_usd(3) == pytest.approx(site.capex_usd + 3 * site.opex_usd)
    assert site.site_kw > site.it_kw > 32 * 10
