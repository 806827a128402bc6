"""What the name of an accelerator or a machine type finds on Google Cloud, and that its figures fit together."""

from __future__ import annotations

import pytest

from penstock.catalog import machines, offerings, regions
from penstock.core.errors import UnknownFact
from penstock.gcp.facts import fabrics
from penstock.gcp.facts.machines import GcpMachine

MACHINES = pytest.mark.parametrize(
    "machine", machines.machine_types(GcpMachine), ids=lambda machine: machine.machine_type
)


@pytest.mark.parametrize(
    ("accelerator", "machine_type"),
    [
        ("a100", "a2-highgpu-8g"),
        ("a100-80gb", "a2-ultragpu-8g"),
        ("h100", "a3-megagpu-8g"),
        ("h200", "a3-ultragpu-8g"),
        ("b200", "a4-highgpu-8g"),
        ("gb200", "a4x-highgpu-4g"),
        ("gb300", "a4x-maxgpu-4g-metal"),
        ("l4", "g2-standard-8"),
        ("rtx-pro-6000", "g4-standard-48"),
        ("tpu-v4", "ct4p-hightpu-4t"),
        ("tpu-v5e", "ct5lp-hightpu-4t"),
        ("tpu-v5p", "ct5p-hightpu-4t"),
        ("tpu-v6e", "ct6e-standard-4t"),
        ("tpu7x", "tpu7x-standard-4t"),
    ],
)
def test_an_accelerator_alone_finds_the_standard_machine(accelerator: str, machine_type: str) -> None:
    assert machines.for_accelerator(accelerator, None, GcpMachine).machine_type == machine_type


@pytest.mark.parametrize("accelerator", machines.accelerators(GcpMachine))
def test_every_accelerator_has_exactly_one_default(accelerator: str) -> None:
    defaults = [
        machine
        for machine in machines.machine_types(GcpMachine)
        if machine.accelerator == accelerator and machine.default
    ]

    assert len(defaults) == 1


@pytest.mark.parametrize(
    ("accelerator", "count", "machine_type"),
    [
        ("h100", 8, "a3-megagpu-8g"),
        ("h100", 1, "a3-highgpu-1g"),
        ("h200", 8, "a3-ultragpu-8g"),
        ("b200", 8, "a4-highgpu-8g"),
        ("a100", 16, "a2-megagpu-16g"),
        ("a100-80gb", 4, "a2-ultragpu-4g"),
        ("l4", 1, "g2-standard-4"),
        ("rtx-pro-6000", 8, "g4-standard-384"),
        ("tpu-v6e", 8, "ct6e-standard-8t"),
    ],
)
def test_a_count_finds_the_machine_with_the_fewest_vcpu_and_its_disks(
    accelerator: str, count: int, machine_type: str
) -> None:
    assert machines.for_accelerator(accelerator, count, GcpMachine).machine_type == machine_type


def test_a_fraction_of_an_accelerator_is_no_machine_of_the_catalogue() -> None:
    assert machines.for_accelerator("rtx-pro-6000", 1, GcpMachine).vcpu == 48
    with pytest.raises(UnknownFact, match="g4-standard-24"):
        machines.find_machine("g4-standard-24", GcpMachine)


@pytest.mark.parametrize(
    ("machine_type", "memory_gib", "vcpu", "ram_gib"),
    [
        ("a2-highgpu-8g", 320, 96, 680),
        ("a2-megagpu-16g", 640, 96, 1360),
        ("a2-ultragpu-2g", 160, 24, 340),
        ("a3-highgpu-4g", 320, 104, 936),
        ("a3-highgpu-8g", 640, 208, 1872),
        ("a3-megagpu-8g", 640, 208, 1872),
        ("a3-ultragpu-8g", 1128, 224, 2952),
        ("a4-highgpu-8g", 1440, 224, 3968),
        ("a4x-highgpu-4g", 744, 140, 884),
        ("a4x-maxgpu-4g-metal", 1116, 144, 960),
        ("g2-standard-96", 192, 96, 384),
        ("g4-standard-384", 768, 384, 1440),
        ("ct5p-hightpu-4t", 380, 208, 448),
        ("ct6e-standard-4t", 128, 180, 720),
    ],
)
def test_figures_agree_with_google_s_totals(machine_type: str, memory_gib: int, vcpu: int, ram_gib: int) -> None:
    machine = machines.find_machine(machine_type, GcpMachine)

    assert machine.accelerators * (machine.memory_mib_each or 0) == memory_gib * 1024
    assert (machine.vcpu, machine.ram_gib) == (vcpu, ram_gib)


@pytest.mark.parametrize(
    ("machine_type", "local_ssds", "interfaces"),
    [
        ("a2-highgpu-1g", (0, 1, 2, 4, 8), None),
        ("a2-ultragpu-2g", (2,), None),
        ("a3-highgpu-8g", (16,), 5),
        ("a3-megagpu-8g", (16,), 9),
        ("a3-ultragpu-8g", (32,), 10),
        ("a4x-highgpu-4g", (4,), 6),
        ("g2-standard-96", (0, 8), None),
        ("g4-standard-384", (0, 32), 2),
        ("n2-standard-16", (0, 2, 4, 8, 16, 24), None),
        ("ct6e-standard-4t", (0,), 2),
    ],
)
def test_disks_and_interfaces_come_in_the_numbers_that_google_names(
    machine_type: str, local_ssds: tuple[int, ...], interfaces: int | None
) -> None:
    machine = machines.find_machine(machine_type, GcpMachine)

    assert (machine.local_ssds, machine.interfaces) == (local_ssds, interfaces)


@MACHINES
def test_the_name_tells_the_count_of_accelerators(machine: GcpMachine) -> None:
    size = machine.machine_type.removesuffix("-metal").removesuffix("-nolssd").rsplit("-", 1)[1]

    if size[-1] in "gt":
        assert machine.accelerators == int(size[:-1])
    else:
        assert machine.vcpu == int(size)


@MACHINES
def test_an_accelerator_has_a_kind_a_label_a_memory_and_a_name_of_one_quota(machine: GcpMachine) -> None:
    its = (machine.accelerator, machine.accelerator_kind, machine.label, machine.memory_mib_each)

    assert all(its) if machine.accelerators else not any(its)
    assert machine.quota


@pytest.mark.parametrize("accelerator", machines.accelerators(GcpMachine))
def test_machines_with_the_same_accelerator_share_its_memory_and_kind(accelerator: str) -> None:
    its = [machine for machine in machines.machine_types(GcpMachine) if machine.accelerator == accelerator]

    assert len({(machine.memory_mib_each, machine.accelerator_kind) for machine in its}) == 1


@MACHINES
def test_a_machine_starts_from_a_disk(machine: GcpMachine) -> None:
    assert machine.boot_disks


@MACHINES
def test_a_fabric_leaves_the_first_interface_to_the_cluster(machine: GcpMachine) -> None:
    if machine.fabric is None:
        return
    fabric = fabrics.find_fabric(machine.fabric)

    assert machine.accelerators
    if machine.interfaces is not None and fabric.groups[-1].profile is None:
        assert fabric.interfaces == machine.interfaces - 1


@pytest.mark.parametrize(
    ("machine_type", "sold"),
    [
        ("a3-highgpu-1g", ("spot", "flex_start")),
        ("a3-highgpu-8g", ("on_demand", "spot", "reserved", "flex_start")),
        ("a3-edgegpu-8g", ("on_demand", "spot", "reserved")),
        ("a3-ultragpu-8g", ("spot", "reserved", "flex_start")),
        ("a4-highgpu-8g", ("spot", "reserved", "flex_start")),
        ("a4x-highgpu-4g", ("reserved",)),
        ("a4x-maxgpu-4g-metal", ("reserved",)),
        ("ct4p-hightpu-4t", ("on_demand", "spot", "reserved")),
    ],
)
def test_machines_are_bought_as_google_sells_them(machine_type: str, sold: tuple[str, ...]) -> None:
    assert machines.find_machine(machine_type, GcpMachine).sold == sold


@MACHINES
def test_a_machine_without_its_disks_is_otherwise_the_same(machine: GcpMachine) -> None:
    if not machine.machine_type.endswith("-nolssd"):
        return
    whole = machines.find_machine(machine.machine_type.removesuffix("-nolssd"), GcpMachine)

    assert machine.local_ssds == (0,)
    assert min(whole.local_ssds) > 0
    assert (machine.family, machine.accelerators, machine.vcpu, machine.fabric, machine.sold) == (
        whole.family,
        whole.accelerators,
        whole.vcpu,
        whole.fabric,
        whole.sold,
    )


def test_contradicting_figures_are_marked() -> None:
    assert "vcpu" in machines.find_machine("ct6e-standard-8t", GcpMachine).unverified
    assert "ram_gib" in machines.find_machine("tpu7x-standard-4t", GcpMachine).unverified
    assert {"vcpu", "ram_gib"} <= set(machines.find_machine("ct4p-hightpu-4t", GcpMachine).unverified)


def test_every_machine_but_those_of_v4_is_sold_somewhere() -> None:
    sold = frozenset[str]().union(
        *(offerings.offered(region.name, "gcp") or () for region in regions.all_regions("gcp"))
    )

    assert {machine.machine_type for machine in machines.machine_types(GcpMachine)} - sold == {"ct4p-hightpu-4t"}


@pytest.mark.parametrize(
    ("machine_type", "where", "nowhere"),
    [
        ("a3-megagpu-8g", "us-east5", "us-east1"),
        ("a3-ultragpu-8g", "us-south1", "us-west4"),
        ("a4-highgpu-8g", "us-west3", "us-west1"),
        ("a4x-maxgpu-4g-metal", "us-east5", "europe-west4"),
        ("ct5p-hightpu-4t", "europe-west4", "us-west1"),
        ("tpu7x-standard-4t", "europe-west2", "us-east5"),
    ],
)
def test_machines_are_offered_where_compute_engine_lists_them(machine_type: str, where: str, nowhere: str) -> None:
    assert machine_type in (offerings.offered(where, "gcp") or ())
    assert machine_type not in (offerings.offered(nowhere, "gcp") or ())
