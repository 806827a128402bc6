"""Facts on InfiniBand that jobs and networks on Azure need."""

from __future__ import annotations

from ipaddress import IPv4Network

import pytest

from penstock.azure.facts import address_ranges
from penstock.azure.facts.machines import AzureMachine
from penstock.catalog import machines, nccl_profiles

PROFILES = {profile.name: profile for profile in nccl_profiles.profiles("infiniband", "azure")}


def test_every_accelerator_on_infiniband_but_the_oldest_has_a_profile_of_its_own() -> None:
    with_rdma = {machine.accelerator for machine in machines.machine_types(AzureMachine) if machine.rdma}

    assert {f"infiniband-{accelerator}" for accelerator in with_rdma - {"v100"}} == set(PROFILES)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_the_bootstrap_of_nccl_goes_over_ethernet(profile: nccl_profiles.NcclSettings) -> None:
    values = {variable.name: variable.value for variable in profile.variables}

    assert values["NCCL_SOCKET_IFNAME"] == "eth0"
    assert "NCCL_TOPO_FILE" not in values, "nodes of AKS have no such file"


def test_a_network_clear_of_infiniband_need_not_be_clear_of_aks() -> None:
    assert address_ranges.rdma() == IPv4Network("172.16.0.0/16")
    assert not any(address_ranges.rdma().overlaps(kept) for kept in address_ranges.aks())
    assert any(IPv4Network("172.16.0.0/12").overlaps(kept) for kept in address_ranges.aks())


@pytest.mark.parametrize("usual", ["10.0.0.0/8", "192.168.0.0/16", "172.20.0.0/16"])
def test_usual_private_ranges_are_free(usual: str) -> None:
    kept = (*address_ranges.reserved(), *address_ranges.aks(), address_ranges.rdma())

    assert not any(IPv4Network(usual).overlaps(each) for each in kept)
