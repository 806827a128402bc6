"""Machines that mount FSx for Lustre over EFA."""

from __future__ import annotations

import pytest

from penstock.aws.facts import lustre_clients
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import machines
from penstock.catalog.tables import rows


def machine(name: str) -> AwsMachine:
    return machines.find_machine(name, AwsMachine)


def test_every_family_with_efa_is_known_as_a_client() -> None:
    families = {each.family for each in machines.machine_types(AwsMachine) if each.efa_max}

    assert families <= {row["family"] for row in rows("aws/lustre_clients")}


@pytest.mark.parametrize(
    ("machine_type", "interfaces"),
    [
        ("p4d.24xlarge", 0),
        ("p4de.24xlarge", 0),
        ("g5.48xlarge", 0),
        ("trn2.48xlarge", 0),
        ("m7i.2xlarge", 0),
        ("p5.48xlarge", 8),
        ("p5.4xlarge", 1),
        ("p5en.48xlarge", 8),
        ("p6-b300.48xlarge", 16),
        ("trn1.32xlarge", 2),
        ("g6.8xlarge", 1),
    ],
)
def test_a_machine_mounts_over_as_many_interfaces_as_fsx_recommends(machine_type: str, interfaces: int) -> None:
    assert lustre_clients.efa_interfaces(machine(machine_type)) == interfaces
