"""The EFA layout of every machine keeps the rules that EC2 checks at launch."""

from __future__ import annotations

from typing import get_args

import pytest

from penstock.aws.facts import efa
from penstock.aws.facts.efa import Interface, Policy
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import machines

WITH_EFA = [machine for machine in machines.machine_types(AwsMachine) if machine.efa_max]
EVERY_LAYOUT = pytest.mark.parametrize("policy", get_args(Policy))
EVERY_MACHINE = pytest.mark.parametrize("machine", WITH_EFA, ids=lambda machine: machine.machine_type)


@EVERY_LAYOUT
@EVERY_MACHINE
def test_every_efa_device_of_the_machine_is_used(machine: AwsMachine, policy: Policy) -> None:
    assert sum(interface.kind != "interface" for interface in efa.interfaces(machine, policy)) == machine.efa_max


@EVERY_LAYOUT
@EVERY_MACHINE
def test_no_card_carries_two_efa_devices(machine: AwsMachine, policy: Policy) -> None:
    cards = [interface.card for interface in efa.interfaces(machine, policy) if interface.kind != "interface"]

    assert len(cards) == len(set(cards))


@EVERY_LAYOUT
@EVERY_MACHINE
def test_every_interface_has_a_place_of_its_own_that_the_machine_has(machine: AwsMachine, policy: Policy) -> None:
    interfaces = efa.interfaces(machine, policy)
    assert machine.network_cards is not None
    assert machine.interfaces_per_card is not None

    assert len({(interface.card, interface.device) for interface in interfaces}) == len(interfaces)
    assert all(0 <= interface.card < machine.network_cards for interface in interfaces)
    assert all(0 <= interface.device < machine.interfaces_per_card for interface in interfaces)


@EVERY_LAYOUT
@EVERY_MACHINE
def test_the_primary_interface_can_carry_an_address(machine: AwsMachine, policy: Policy) -> None:
    primary = efa.interfaces(machine, policy)[0]

    assert (primary.card, primary.device) == (0, 0)
    assert primary.kind != "efa-only"


@EVERY_MACHINE
def test_ip_optimized_spends_one_address_a_node(machine: AwsMachine) -> None:
    assert sum(interface.kind != "efa-only" for interface in efa.interfaces(machine, "ip_optimized")) == 1


@pytest.mark.parametrize(
    ("machine_type", "addresses"),
    [("p5.48xlarge", 8), ("p5en.48xlarge", 8), ("p6-b200.48xlarge", 8), ("p6-b300.48xlarge", 17), ("g6.8xlarge", 1)],
)
def test_bandwidth_optimized_spends_the_addresses_that_aws_names(machine_type: str, addresses: int) -> None:
    interfaces = efa.interfaces(machines.find_machine(machine_type, AwsMachine), "bandwidth_optimized")

    assert sum(interface.kind != "efa-only" for interface in interfaces) == addresses


def test_card_0_of_b300_carries_no_efa() -> None:
    interfaces = efa.interfaces(machines.find_machine("p6-b300.48xlarge", AwsMachine), "bandwidth_optimized")

    assert [interface for interface in interfaces if interface.card == 0] == [Interface(0, 0, "interface")]


def test_odd_cards_of_gb200_take_a_single_interface() -> None:
    machine = machines.find_machine("p6e-gb200.36xlarge", AwsMachine)

    assert all(
        interface.device == 0 for interface in efa.interfaces(machine, "bandwidth_optimized") if interface.card % 2
    )


def test_the_layout_that_sources_dispute_is_marked() -> None:
    disputed = [machine for machine in WITH_EFA if machine.efa_layout == "D"]

    assert disputed
    assert all("efa_layout" in machine.unverified for machine in disputed)


def test_efa_on_card_0_costs_pods_and_efa_elsewhere_does_not() -> None:
    p5, b300 = machines.find_machine("p5.48xlarge", AwsMachine), machines.find_machine("p6-b300.48xlarge", AwsMachine)

    assert (efa.pods(p5, with_efa=False), efa.pods(p5, with_efa=True)) == (100, 51)
    assert efa.pods(b300, with_efa=True) == efa.pods(b300, with_efa=False) == 198


def test_a_machine_without_efa_has_its_primary_interface_only() -> None:
    assert efa.interfaces(machines.find_machine("g6.2xlarge", AwsMachine), "ip_optimized") == (
        Interface(0, 0, "interface"),
    )
