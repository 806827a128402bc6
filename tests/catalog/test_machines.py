"""What the name of an accelerator or a machine type finds."""

from __future__ import annotations

import pytest

from penstock.aws.facts import ami_types
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import machines, offerings, quotas, regions
from penstock.core.errors import UnknownFact

MACHINES = pytest.mark.parametrize(
    "machine", machines.machine_types(AwsMachine), ids=lambda machine: machine.machine_type
)


@pytest.mark.parametrize(
    ("accelerator", "machine_type"),
    [
        ("a100", "p4d.24xlarge"),
        ("a100-80gb", "p4de.24xlarge"),
        ("h100", "p5.48xlarge"),
        ("h200", "p5en.48xlarge"),
        ("b200", "p6-b200.48xlarge"),
        ("b300", "p6-b300.48xlarge"),
        ("gb200", "p6e-gb200.36xlarge"),
        ("trainium", "trn1.32xlarge"),
        ("trainium2", "trn2.48xlarge"),
        ("l4", "g6.2xlarge"),
    ],
)
def test_an_accelerator_alone_finds_the_standard_machine(accelerator: str, machine_type: str) -> None:
    assert machines.for_accelerator(accelerator, None, AwsMachine).machine_type == machine_type


@pytest.mark.parametrize("accelerator", machines.accelerators(AwsMachine))
def test_every_accelerator_has_exactly_one_default(accelerator: str) -> None:
    defaults = [
        machine
        for machine in machines.machine_types(AwsMachine)
        if machine.accelerator == accelerator and machine.default
    ]

    assert len(defaults) == 1


@pytest.mark.parametrize(
    ("accelerator", "count", "machine_type"),
    [
        ("h100", 1, "p5.4xlarge"),
        ("h200", 8, "p5en.48xlarge"),
        ("l4", 1, "g6.xlarge"),
        ("l40s", 4, "g6e.12xlarge"),
        ("trainium", 16, "trn1.32xlarge"),
        ("trainium2", 1, "trn2.3xlarge"),
    ],
)
def test_a_count_finds_the_machine_with_the_fewest_vcpu(accelerator: str, count: int, machine_type: str) -> None:
    assert machines.for_accelerator(accelerator, count, AwsMachine).machine_type == machine_type


@pytest.mark.parametrize(
    ("sold", "machine_type"),
    [
        ({"p5e.48xlarge", "p5en.48xlarge"}, "p5en.48xlarge"),
        ({"p5e.48xlarge"}, "p5e.48xlarge"),
        ({"g6.2xlarge"}, "p5en.48xlarge"),
    ],
)
def test_a_machine_that_the_region_sells_comes_first(sold: set[str], machine_type: str) -> None:
    assert machines.for_accelerator("h200", None, AwsMachine, sold).machine_type == machine_type


def test_a_count_that_nobody_sells_names_those_on_sale() -> None:
    with pytest.raises(UnknownFact, match="Known: 1, 8"):
        machines.for_accelerator("h100", 4, AwsMachine)


def test_a_mistyped_accelerator_names_its_neighbour() -> None:
    with pytest.raises(UnknownFact, match=r"'h1000' .* Did you mean h100\?"):
        machines.for_accelerator("h1000", None, AwsMachine)


def test_a_mistyped_machine_type_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match=r"Did you mean p5\.48xlarge"):
        machines.find_machine("p5.48large", AwsMachine)


def test_a_mistyped_region_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match="us-east-1"):
        regions.find_region("us-east1", "aws")


@MACHINES
def test_the_ami_type_of_a_machine_starts_on_it(machine: AwsMachine) -> None:
    assert ami_types.find_ami_type(machine.ami_type).fits(machine)


@MACHINES
def test_every_machine_draws_on_a_quota_when_bought_on_demand(machine: AwsMachine) -> None:
    drawn = quotas.quota(machine.quota, "on_demand", "aws")

    assert drawn is not None
    assert drawn.unit == "vCPU"


@MACHINES
def test_pods_follow_from_the_addresses_of_card_0(machine: AwsMachine) -> None:
    if machine.pods is None:
        assert "efa_layout" in machine.unverified
        return
    assert machine.interfaces_per_card is not None
    assert machine.addresses_per_interface is not None
    assert machine.pods == machine.interfaces_per_card * (machine.addresses_per_interface - 1) + 2


def test_capacity_blocks_draw_on_no_quota_and_reservations_on_the_one_of_on_demand() -> None:
    assert quotas.quota("p5", "capacity_block", "aws") is None
    assert quotas.quota("p5", "reserved", "aws") == quotas.quota("p5", "on_demand", "aws")
    assert quotas.quota("p5", "spot", "aws") != quotas.quota("p4", "spot", "aws")


def test_a_gpu_machine_takes_no_ami_type_without_drivers_and_a_plain_one_none_with_them() -> None:
    nvidia, standard = (
        ami_types.find_ami_type("AL2023_x86_64_NVIDIA"),
        ami_types.find_ami_type("AL2023_x86_64_STANDARD"),
    )
    gpu, plain, arm = (
        machines.find_machine("p5.48xlarge", AwsMachine),
        machines.find_machine("m7i.large", AwsMachine),
        machines.find_machine("m7g.large", AwsMachine),
    )

    assert nvidia.fits(gpu)
    assert standard.fits(plain)
    assert not standard.fits(gpu)
    assert not nvidia.fits(plain)
    assert not standard.fits(arm)
    assert ami_types.find_ami_type("CUSTOM").fits(gpu)


def test_every_machine_with_an_accelerator_is_sold_somewhere() -> None:
    sold = frozenset[str]().union(
        *(offerings.offered(region.name, "aws") or () for region in regions.all_regions("aws"))
    )

    assert {machine.machine_type for machine in machines.machine_types(AwsMachine) if machine.accelerator} <= sold


def test_a_region_nobody_looked_at_is_not_known_rather_than_empty() -> None:
    assert offerings.offered("xx-nowhere-1", "aws") is None


def test_every_region_has_zones_of_its_own_name() -> None:
    for region in regions.all_regions("aws"):
        assert len(region.zones) >= 2
        assert all(zone.startswith(region.name) for zone in region.zones)
