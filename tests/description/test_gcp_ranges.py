"""Where everything in a network on Google Cloud has its addresses."""

from __future__ import annotations

from ipaddress import IPv4Network

import pytest

from penstock.catalog import limits, regions
from penstock.gcp.description import ranges
from penstock.gcp.facts import fabrics


@pytest.mark.parametrize("prefix", [ranges.SHORTEST_PREFIX, 16, ranges.LONGEST_PREFIX])
def test_the_parts_of_a_network_lie_in_it_and_apart(prefix: int) -> None:
    cidr = IPv4Network(("10.0.0.0", prefix))
    parts = [part(cidr) for part in (ranges.nodes, ranges.services, ranges.private_services, ranges.pods)]

    assert all(part.subnet_of(cidr) for part in parts)
    assert not any(a.overlaps(b) for index, a in enumerate(parts) for b in parts[:index])


def test_the_smallest_network_has_room_for_lustre() -> None:
    smallest = IPv4Network(("10.0.0.0", ranges.LONGEST_PREFIX))

    assert ranges.private_services(smallest).prefixlen <= limits.find_limit("lustre_range_prefix", "gcp").most


@pytest.mark.parametrize(("max_pods", "addresses"), [(110, 256), (64, 128), (32, 64), (15, 32), (8, 16)])
def test_a_node_takes_twice_its_pods_in_a_block(max_pods: int, addresses: int) -> None:
    assert ranges.addresses_for_pods(max_pods) == addresses


def test_every_fabric_has_ranges_of_its_own_in_each_zone() -> None:
    zones = {zone[-1] for region in regions.all_regions("gcp") for zone in region.zones}
    taken: list[IPv4Network] = []
    for name in fabrics.fabric_names():
        count = sum(group.networks * group.subnetworks for group in fabrics.find_fabric(name).groups)
        for zone in sorted(zones) if fabrics.find_fabric(name).zonal else (None,):
            first = ranges.first_of_fabric(name, zone)
            taken += [ranges.fabric(first + index) for index in range(count)]

    assert len(set(taken)) == len(taken)
    assert all(each.subnet_of(ranges.FABRICS) for each in taken)


def test_a_fabric_keeps_its_ranges_whatever_other_fabrics_there_are() -> None:
    assert ranges.fabric(ranges.first_of_fabric("tcpxo", None)) == IPv4Network("172.16.128.0/21")
    assert ranges.fabric(ranges.first_of_fabric("rdma", "us-central1-b")) == IPv4Network("172.18.0.0/21")
