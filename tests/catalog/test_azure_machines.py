"""What the name of an accelerator or a size finds on Azure, and that figures and names fit together."""

from __future__ import annotations

import pytest

from penstock.azure.facts.machines import AzureMachine
from penstock.azure.facts.size_names import read_size
from penstock.azure.model.pools import machine_of_size
from penstock.catalog import machines
from penstock.core.errors import UnknownFact

MACHINES = pytest.mark.parametrize(
    "machine", machines.machine_types(AzureMachine), ids=lambda machine: machine.machine_type
)


@pytest.mark.parametrize(
    ("accelerator", "machine_type"),
    [
        ("a10", "Standard_NV36ads_A10_v5"),
        ("a100", "Standard_ND96asr_v4"),
        ("a100-80gb", "Standard_ND96amsr_A100_v4"),
        ("h100", "Standard_ND96isr_H100_v5"),
        ("h100-nvl", "Standard_NC40ads_H100_v5"),
        ("h200", "Standard_ND96isr_H200_v5"),
        ("mi300x", "Standard_ND96isr_MI300X_v5"),
        ("gb200", "Standard_ND128isr_NDR_GB200_v6"),
        ("gb300", "Standard_ND128isr_GB300_v6"),
        ("t4", "Standard_NC8as_T4_v3"),
    ],
)
def test_an_accelerator_alone_finds_the_standard_machine(accelerator: str, machine_type: str) -> None:
    assert machines.for_accelerator(accelerator, None, AzureMachine).machine_type == machine_type


@pytest.mark.parametrize("accelerator", machines.accelerators(AzureMachine))
def test_every_accelerator_has_exactly_one_default(accelerator: str) -> None:
    defaults = [
        machine
        for machine in machines.machine_types(AzureMachine)
        if machine.accelerator == accelerator and machine.default
    ]

    assert len(defaults) == 1


@pytest.mark.parametrize("accelerator", machines.accelerators(AzureMachine))
def test_machines_with_the_same_accelerator_share_its_memory(accelerator: str) -> None:
    its = [machine for machine in machines.machine_types(AzureMachine) if machine.accelerator == accelerator]

    assert len({machine.memory_mib_each for machine in its}) == 1


@pytest.mark.parametrize(
    ("accelerator", "count", "machine_type"),
    [
        ("a100-80gb", 1, "Standard_NC24ads_A100_v4"),
        ("a100-80gb", 4, "Standard_NC96ads_A100_v4"),
        ("h100-nvl", 2, "Standard_NC80adis_H100_v5"),
        ("mi300x", 8, "Standard_ND96isr_MI300X_v5"),
        ("t4", 1, "Standard_NC4as_T4_v3"),
    ],
)
def test_a_count_finds_the_machine_with_the_fewest_vcpu(accelerator: str, count: int, machine_type: str) -> None:
    assert machines.for_accelerator(accelerator, count, AzureMachine).machine_type == machine_type


@pytest.mark.parametrize(
    ("machine_type", "nics", "gbps", "together"),
    [
        ("Standard_ND96asr_v4", 8, 200, 1600),
        ("Standard_ND96amsr_A100_v4", 8, 200, 1600),
        ("Standard_ND96isr_H100_v5", 8, 400, 3200),
        ("Standard_ND96isr_MI300X_v5", 8, 400, 3200),
        ("Standard_ND96is_MI300X_v5", 0, None, 80),
        ("Standard_ND128isr_NDR_GB200_v6", 4, 400, 1600),
        ("Standard_NC96ads_A100_v4", 0, None, 80),
    ],
)
def test_infiniband_is_that_of_microsoft_s_pages(machine_type: str, nics: int, gbps: int | None, together: int) -> None:
    machine = machines.find_machine(machine_type, AzureMachine)

    assert (machine.infiniband_nics, machine.infiniband_gbps, machine.network_gbps) == (nics, gbps, together)


@MACHINES
def test_the_name_says_what_the_row_says(machine: AzureMachine) -> None:
    name = read_size(machine.machine_type)

    assert name is not None
    assert name.vcpu == machine.vcpu
    assert name.rdma == machine.rdma
    assert name.arm64 == (machine.architecture == "arm64")
    if "d" in name.features:
        assert machine.temp_gib or machine.nvme_gib


@MACHINES
def test_a_rate_of_infiniband_goes_with_interfaces(machine: AzureMachine) -> None:
    assert (machine.infiniband_gbps is not None) == machine.rdma
    assert machine.network_gbps == machine.infiniband_nics * (machine.infiniband_gbps or 0) or not machine.rdma


@MACHINES
def test_a_node_that_starts_from_a_local_disk_has_one(machine: AzureMachine) -> None:
    assert machine.ephemeral_os == bool(machine.temp_gib or machine.nvme_gib)


@MACHINES
def test_machines_that_azure_reserves_no_capacity_of_are_not_sold_reserved(machine: AzureMachine) -> None:
    unsold = machine.machine_type.startswith("Standard_ND") or machine.family == "NCads_H100_v5"

    assert ("reserved" not in machine.sold) is unsold


def test_conflicts_of_sources_are_marked() -> None:
    assert "ram_gib" in machines.find_machine("Standard_ND96amsr_A100_v4", AzureMachine).unverified
    assert "infiniband_gbps" in machines.find_machine("Standard_ND128isr_GB300_v6", AzureMachine).unverified


def test_host_encryption_of_sizes_that_nobody_asked_about_is_not_known() -> None:
    assert machines.find_machine("Standard_NC24ads_A100_v4", AzureMachine).host_encryption is True
    assert machines.find_machine("Standard_ND96isr_H100_v5", AzureMachine).host_encryption is None


def test_a_mistyped_size_names_its_neighbour_with_the_infix() -> None:
    with pytest.raises(UnknownFact, match="Standard_ND128isr_NDR_GB200_v6"):
        machines.find_machine("Standard_ND128isr_GB200_v6", AzureMachine)


def test_azure_reads_sizes_in_any_case() -> None:
    found = machine_of_size("standard_nd96isr_h100_v5")

    assert found is not None
    assert found.machine_type == "Standard_ND96isr_H100_v5"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Standard_HB120-16rs_v3", ("HB", 120, "rs", "", "v3")),
        ("Standard_M8-2ms", ("M", 8, "ms", "", "")),
        ("standard_nc132ds_xl_rtxpro6000bse_v6", ("NC", 132, "ds", "XL_RTXPRO6000BSE", "v6")),
        ("Standard_D2_v2", ("D", 2, "", "", "v2")),
        ("Standard_ND128isrG5_GB300_v6", ("ND", 128, "isr", "GB300", "v6")),
    ],
)
def test_names_of_sizes_that_the_catalogue_lacks_are_read(text: str, parts: tuple[object, ...]) -> None:
    name = read_size(text)

    assert name is not None
    assert (name.family, name.vcpu, name.features, name.accelerator, name.version) == parts


@pytest.mark.parametrize("text", ["", "ND96asr_v4", "p5.48xlarge", "Standard_"])
def test_a_text_that_is_no_name_of_a_size_is_told(text: str) -> None:
    assert read_size(text) is None
