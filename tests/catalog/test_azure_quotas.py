"""Every machine of Azure draws on a quota of its family that a subscription can declare."""

from __future__ import annotations

import pytest

from penstock.catalog import machines, quotas
from penstock.catalog.azure.machines import AzureMachine
from penstock.catalog.tables import rows

MACHINES = pytest.mark.parametrize("machine", machines.machine_types("azure"), ids=lambda machine: machine.machine_type)


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


def test_default_quotas_are_said_to_be_unconfirmed() -> None:
    assert all("value" in row["unverified"].split() for row in rows("azure/default_quotas"))
