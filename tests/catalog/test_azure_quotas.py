"""Every machine of Azure draws on a quota of its family that a subscription can declare."""

from __future__ import annotations

import pytest

from penstock.azure.facts.machines import AzureMachine
from penstock.azure.facts.sizes import find_size
from penstock.catalog import machines, quotas
from penstock.catalog.tables import rows

MACHINES = pytest.mark.parametrize(
    "machine", machines.machine_types(AzureMachine), ids=lambda machine: machine.machine_type
)


@MACHINES
def test_every_machine_draws_on_a_quota_of_vcpu(machine: AzureMachine) -> None:
    drawn = quotas.quota(machine.quota, "on_demand", "azure")

    assert drawn is not None
    assert (drawn.code, drawn.unit) == (machine.quota, "vCPU")
    assert drawn.code in quotas.codes("azure")


@MACHINES
def test_spot_machines_draw_on_one_quota_of_the_region(machine: AzureMachine) -> None:
    drawn = quotas.quota_code(machine, "spot")

    assert drawn == ("lowPriorityCores" if "spot" in machine.sold else None)


@MACHINES
def test_families_of_accelerators_have_no_quota_at_first(machine: AzureMachine) -> None:
    assert quotas.default_quota(machine.quota) == (0 if machine.accelerator else 20)


@MACHINES
def test_a_machine_is_a_size_of_its_family(machine: AzureMachine) -> None:
    size = find_size(machine.machine_type.upper())

    assert size is not None
    assert (size.name, size.family, size.vcpu) == (machine.machine_type, machine.quota, machine.vcpu)


@pytest.mark.parametrize(("name", "vcpu"), [("Standard_DS2_v2", 2), ("Standard_DS3_v2", 4), ("Standard_D2s_v3", 2)])
def test_vcpu_are_not_always_the_number_in_the_name(name: str, vcpu: int) -> None:
    size = find_size(name)

    assert size is not None
    assert size.vcpu == vcpu


def test_every_family_is_a_quota_that_can_be_declared() -> None:
    assert {row["family"] for row in rows("azure/size_families")} <= set(quotas.codes("azure"))


def test_default_quotas_are_said_to_be_unconfirmed() -> None:
    assert all("value" in row["unverified"].split() for row in rows("azure/default_quotas"))
