"""Versions of AKS, and the operating systems of its nodes."""

from __future__ import annotations

from datetime import date

import pytest
from pulumi_azure_native import containerservice

from penstock.azure.facts import aks_presets, os_skus
from penstock.azure.facts.machines import AzureMachine
from penstock.catalog import kubernetes_versions, limits, machines, offerings, regions
from penstock.catalog.name_forms import name_forms
from penstock.core.errors import UnknownFact


def test_the_default_version_is_under_standard_support() -> None:
    default = kubernetes_versions.find_version(kubernetes_versions.default_version("azure"), "azure")

    assert default.standard_until is not None
    assert default.standard_until > date(2026, 11, 23)


def test_long_term_support_is_one_more_year() -> None:
    for version in kubernetes_versions.supported_versions("azure", date(2025, 1, 1)):
        found = kubernetes_versions.find_version(version, "azure")
        assert found.standard_until is not None
        assert found.extended_until is not None
        assert 364 <= (found.extended_until - found.standard_until).days <= 395


def test_versions_past_long_term_support_are_not_offered() -> None:
    assert kubernetes_versions.supported_versions("azure", date(2026, 12, 1))[0] == "1.32"
    assert kubernetes_versions.supported_versions("azure", date(2026, 12, 1), extended=False)[0] == "1.35"


@pytest.mark.parametrize(
    ("os_sku", "version", "runs"),
    [
        ("Ubuntu", "1.37", True),
        ("Ubuntu2404", "1.31", False),
        ("Ubuntu2404", "1.35.2", True),
        ("Ubuntu2404", "1.39", False),
        ("Ubuntu2204", "1.37", False),
        ("AzureLinux3", "1.9", False),
    ],
)
def test_an_os_sku_runs_some_versions(os_sku: str, version: str, runs: bool) -> None:
    assert os_skus.find_os_sku(os_sku).runs(version) is runs


@pytest.mark.parametrize(
    ("os_sku", "version", "is_it"),
    [
        ("Ubuntu", "1.34", False),
        ("Ubuntu", "1.35.1", True),
        ("Ubuntu2404", "1.32", True),
        ("Ubuntu2204", "1.35", False),
    ],
)
def test_an_os_sku_is_a_release(os_sku: str, version: str, is_it: bool) -> None:
    assert os_skus.find_os_sku(os_sku).is_release("24.04", version) is is_it


def test_amd_gpus_run_on_ubuntu_only() -> None:
    assert {name for name, found in os_skus.os_skus().items() if found.amd} == {"Ubuntu", "Ubuntu2204", "Ubuntu2404"}


def test_os_skus_of_the_sdk_are_known_but_for_retired_ones() -> None:
    of_sdk = {each.value for each in containerservice.OSSKU}

    assert of_sdk - set(os_skus.os_skus()) == {"CBLMariner", "Windows2019"}


def test_an_os_sku_that_aks_has_not_names_its_neighbour() -> None:
    with pytest.raises(UnknownFact, match="Ubuntu2404"):
        os_skus.find_os_sku("Ubuntu2304")


def test_a_pool_of_the_fewest_pods_a_node_needs_three_nodes() -> None:
    pods, nodes = limits.find_limit("pods_per_pool_least", "azure"), limits.find_limit("pods_per_node_least", "azure")

    assert pods.most == 3 * nodes.most


def test_a_limit_and_the_form_of_a_name_agree() -> None:
    cluster = name_forms("azure")["azure-native:containerservice:ManagedCluster"]

    assert limits.find_limit("cluster_name_characters", "azure").most == cluster.longest


def test_a_rack_is_eighteen_nodes_of_seventy_two_gpus() -> None:
    nodes = limits.find_limit("nvlink_domain_nodes", "azure").most

    assert nodes * machines.for_accelerator("gb200", None, AzureMachine).accelerators == 72


@pytest.mark.parametrize("size", aks_presets.system_sizes())
def test_a_size_of_system_pools_is_large_enough_and_sold_everywhere(size: str) -> None:
    machine = machines.find_machine(size, AzureMachine)
    sold = [offerings.offered(region.name, "azure") for region in regions.all_regions("azure")]

    assert machine.vcpu >= limits.find_limit("system_pool_vcpu_least", "azure").most
    assert machine.ephemeral_os
    assert machine.host_encryption
    assert all(size in there for there in sold if there is not None)


def test_the_smallest_size_of_system_pools_comes_first() -> None:
    vcpus = [machines.find_machine(size, AzureMachine).vcpu for size in aks_presets.system_sizes()]

    assert vcpus == sorted(vcpus)
