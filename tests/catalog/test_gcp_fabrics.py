"""The networks that Google's fabrics need beside that of the cluster."""

from __future__ import annotations

import pytest

from penstock.catalog import machines
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import fabrics
from penstock.gcp.facts.machines import GcpMachine


@pytest.mark.parametrize(
    ("name", "interfaces", "networks", "subnetworks", "mtu"),
    [
        ("tcpx", 4, 4, 4, 8244),
        ("tcpxo", 8, 8, 8, 8244),
        ("rdma", 9, 2, 9, 8896),
        ("rdma-nvl72", 5, 2, 5, 8896),
        ("rdma-metal", 9, 2, 1, 8896),
        ("dual-nic", 1, 1, 1, 8896),
    ],
)
def test_a_fabric_has_exactly_the_networks_that_google_names(
    name: str, interfaces: int, networks: int, subnetworks: int, mtu: int
) -> None:
    fabric = fabrics.find_fabric(name)

    assert fabric.interfaces == interfaces
    assert sum(group.networks for group in fabric.groups) == networks
    assert sum(group.networks * group.subnetworks for group in fabric.groups) == subnetworks
    assert {group.mtu for group in fabric.groups} == {mtu}


@pytest.mark.parametrize("name", fabrics.fabric_names())
def test_each_interface_lies_in_a_subnetwork_of_its_own_unless_google_makes_it(name: str) -> None:
    for group in fabrics.find_fabric(name).groups:
        assert group.interfaces == group.networks * group.subnetworks or group.subnetworks == 0


@pytest.mark.parametrize("name", fabrics.fabric_names())
def test_networks_with_a_profile_carry_rdma_and_no_others_do(name: str) -> None:
    for group in fabrics.find_fabric(name).groups:
        assert (group.profile is not None) == (group.device_mode == "RDMA") == (group.nic == "MRDMA")
        assert group.role == "accelerator" or group.profile is None


def test_every_fabric_is_that_of_a_machine() -> None:
    assert set(fabrics.fabric_names()) == {machine.fabric for machine in machines.machine_types(GcpMachine)} - {None}


@pytest.mark.parametrize(
    ("machine_type", "served"),
    [
        ("a3-megagpu-8g", True),
        ("a4-highgpu-8g", True),
        ("a4x-highgpu-4g", True),
        ("a4x-maxgpu-4g-metal", True),
        ("ct6e-standard-4t", True),
        ("tpu7x-standard-4t", True),
        ("a2-ultragpu-8g", False),
        ("ct5p-hightpu-4t", False),
        ("g2-standard-8", False),
        ("n2-standard-8", False),
    ],
)
def test_dranet_serves_the_families_that_google_names(machine_type: str, served: bool) -> None:
    assert fabrics.dranet(machines.find_machine(machine_type, GcpMachine)) is served


def test_a_mistyped_fabric_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match=r"Did you mean .*tcpxo"):
        fabrics.find_fabric("tcpx0")
