"""Instance types: every one of AWS, in agreement with the machines that the catalogue knows better."""

from __future__ import annotations

import pytest
from botocore.loaders import Loader

from penstock.aws.facts import instance_types
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import machines, quotas
from penstock.core.errors import UnknownFact


def test_both_tables_say_the_same_of_a_machine() -> None:
    for machine in machines.machine_types(AwsMachine):
        found = instance_types.find_instance_type(machine.machine_type)

        assert (found.vcpu, found.architecture, found.quota) == (machine.vcpu, machine.architecture, machine.quota)
        assert found.accelerator_kind == (machine.accelerator_kind if machine.accelerator_kind != "fpga" else None)


def test_every_name_is_found_and_draws_on_a_quota_that_exists() -> None:
    for found in map(instance_types.find_instance_type, instance_types.instance_type_names()):
        assert found.vcpu > 0
        assert found.quota is None or quotas.quota(found.quota, "on_demand", "aws") is not None


def test_every_size_that_the_api_names_of_a_known_family_is_known() -> None:
    named = Loader().load_service_model("ec2", "service-2")["shapes"]["InstanceType"]["enum"]
    known = set(instance_types.instance_type_names())

    assert [each for each in named if instance_types.has_family(each) and each not in known] == []


def test_burstable_machines_stay_out_of_cluster_placement_groups() -> None:
    burstable = [
        found
        for found in map(instance_types.find_instance_type, instance_types.instance_type_names())
        if found.burstable
    ]

    assert {"t3", "t4g"} <= {found.family for found in burstable}
    assert not any(found.cluster_placement for found in burstable)


def test_an_unknown_size_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match=r"Did you mean p5\.48xlarge"):
        instance_types.find_instance_type("p5.48xlarg")


def test_an_unknown_family_is_reported_from_an_unknown_size() -> None:
    assert instance_types.has_family("m5.huge")
    assert not instance_types.has_family("m55.large")


def test_what_eks_allows_by_default_has_a_quota_code() -> None:
    assert quotas.default_quota("L-6D54EA21") == 30
    assert "L-6D54EA21" in quotas.codes()
    with pytest.raises(UnknownFact, match="L-6D54EA21"):
        quotas.default_quota("L-6D54EA22")
