"""Which families of machines EKS does not serve as all others."""

from __future__ import annotations

from datetime import date

from penstock.aws.facts import eks_machines
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import kubernetes_versions, machines
from penstock.catalog.tables import rows


def test_every_family_with_limits_is_one_of_the_catalogue() -> None:
    assert {row["family"] for row in rows("aws/eks_machines")} <= {
        machine.family for machine in machines.machine_types(AwsMachine)
    }


def test_every_version_that_a_family_needs_is_one_that_eks_offers() -> None:
    needed = {
        eks_machines.limits_of_family(machine.family).oldest_kubernetes
        for machine in machines.machine_types(AwsMachine)
    } - {None}

    assert needed <= set(kubernetes_versions.supported_versions("aws", date(2026, 11, 22)))


def test_a_family_that_is_not_named_has_no_limits() -> None:
    assert eks_machines.limits_of_family("p5") == eks_machines.FamilyLimits()
