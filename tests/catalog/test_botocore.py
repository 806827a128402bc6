"""Our tables agree with the service models that AWS ships in botocore; a newer botocore sounds the alarm."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_args

import pytest
from botocore.loaders import Loader

from penstock.aws.facts import ami_types, ebs, lustre
from penstock.aws.facts.efa import InterfaceKind
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import machines, regions, tables


@cache
def shapes(service: str) -> dict[str, Any]:
    model: dict[str, dict[str, Any]] = Loader().load_service_model(service, "service-2")
    return model["shapes"]


def prose(service: str, shape: str, member: str) -> str:
    """The documentation of one member, without its HTML."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", shapes(service)[shape]["members"][member]["documentation"]))


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text))


def test_ec2_has_every_machine_type() -> None:
    assert {machine.machine_type for machine in machines.machine_types(AwsMachine)} <= set(
        shapes("ec2")["InstanceType"]["enum"]
    )


def test_ec2_has_no_newer_accelerated_type_of_a_family_in_the_table() -> None:
    ours = {machine.machine_type for machine in machines.machine_types(AwsMachine)}
    families = {machine.family for machine in machines.machine_types(AwsMachine) if machine.accelerator}

    missing = {name for name in shapes("ec2")["InstanceType"]["enum"] if name.split(".")[0] in families} - ours

    assert not missing


def test_the_ami_types_are_those_of_eks() -> None:
    assert {ami_type.name for ami_type in ami_types.all_ami_types()} == set(shapes("eks")["AMITypes"]["enum"])


def test_what_is_sold_can_be_asked_of_a_node_group() -> None:
    sold = {kind.upper() for machine in machines.machine_types(AwsMachine) for kind in machine.sold}

    # A reservation is not a capacity type: the launch template names it.
    assert sold - {"RESERVED"} == set(shapes("eks")["CapacityTypes"]["enum"])


def test_ec2_knows_every_kind_of_interface() -> None:
    documented = prose("ec2", "LaunchTemplateInstanceNetworkInterfaceSpecificationRequest", "InterfaceType")

    for kind in get_args(InterfaceKind):
        assert re.search(rf"\b{kind}\b", documented)


def test_the_deployment_and_storage_types_of_lustre_are_those_of_fsx() -> None:
    rows = tables.rows("aws/lustre")

    assert {row["deployment_type"] for row in rows} <= set(shapes("fsx")["LustreDeploymentType"]["enum"])
    assert {row["storage_type"] for row in rows} <= set(shapes("fsx")["StorageType"]["enum"])


@pytest.mark.parametrize(
    ("deployment_type", "storage_type"), [("PERSISTENT_1", "HDD"), ("PERSISTENT_1", "SSD"), ("PERSISTENT_2", "SSD")]
)
def test_the_throughputs_of_lustre_are_those_that_fsx_documents(deployment_type: str, storage_type: str) -> None:
    documented = prose("fsx", "CreateFileSystemLustreConfiguration", "PerUnitStorageThroughput")
    stated = re.search(rf"{deployment_type} {storage_type} storage: ([\d, ]+) MB/s/TiB", documented)
    assert stated is not None

    ours = {
        int(row["throughput_mbps_per_tib"])
        for row in tables.rows("aws/lustre")
        if (row["deployment_type"], row["storage_type"]) == (deployment_type, storage_type)
    }

    assert ours == set(numbers(stated[1]))


def test_the_steps_of_lustre_are_those_that_fsx_documents() -> None:
    documented = prose("fsx", "CreateFileSystemRequest", "StorageCapacity")
    ssd = re.search(r"SSD storage type, the valid values are (.*?)\. ", documented)
    hdd = re.search(r"increments of (\d+) GiB for 12 MB/s/TiB .*? increments of (\d+) GiB for 40 MB/s/TiB", documented)
    assert ssd is not None
    assert hdd is not None
    minimum, second, step = numbers(ssd[1])

    for tier in (*lustre.tiers("PERSISTENT_2"), 50, 100, 200):
        steps = lustre.steps(tier)
        assert (steps.minimum, steps.step) == (minimum, step)
        assert steps.allow(second)
    assert (lustre.steps(12).step, lustre.steps(40).step) == (int(hdd[1]), int(hdd[2]))


@pytest.mark.parametrize("name", ["gp2", "gp3", "io1", "io2"])
def test_the_sizes_of_volumes_are_those_that_ec2_documents(name: str) -> None:
    stated = re.search(rf"{name}: ([\d,]+) - ([\d,]+) GiB", prose("ec2", "CreateVolumeRequest", "Size"))
    assert stated is not None
    volume = ebs.find_volume_type(name)

    assert (volume.min_gib, volume.max_gib) == numbers(" ".join(stated.groups()))


@pytest.mark.parametrize("name", ["gp3", "io1", "io2"])
def test_the_iops_of_volumes_are_those_that_ec2_documents(name: str) -> None:
    stated = re.search(rf"{name}: ([^:]*?) IOPS", prose("ec2", "CreateVolumeRequest", "Iops"))
    assert stated is not None
    volume = ebs.find_volume_type(name)

    assert (volume.min_iops, volume.max_iops) == numbers(stated[1])


def test_the_throughput_of_gp3_is_what_ec2_documents() -> None:
    stated = re.search(r"Valid Range: (.*?) MiB/s", prose("ec2", "CreateVolumeRequest", "Throughput"))
    assert stated is not None
    volume = ebs.find_volume_type("gp3")

    assert (volume.min_mibps, volume.max_mibps) == numbers(stated[1])


def test_every_region_is_in_the_partition_that_botocore_names() -> None:
    partitions = {partition["id"]: partition for partition in Loader().load_data("partitions")["partitions"]}

    for region in regions.all_regions("aws"):
        partition = partitions[region.partition]
        assert region.name in partition["regions"]
        assert region.dns_suffix == partition["outputs"]["dnsSuffix"]
