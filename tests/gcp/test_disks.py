"""What volumes of pods promise on GKE: the platform's key, and a type of disk that the machines take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pulumi
import pytest
from tests.gcphandles import KEY, key_for

from penstock.catalog import machines
from penstock.description.block import HoldingSpec
from penstock.gcp import Disks
from penstock.gcp.components.disks import disk_type
from penstock.gcp.facts.machines import GcpMachine
from penstock.graph.graph import Graph
from penstock.testing import rehearse

CLASS = "kubernetes:storage.k8s.io/v1:StorageClass"


def machine(name: str) -> GcpMachine:
    found = machines.find_machine(name, GcpMachine)
    assert isinstance(found, GcpMachine)
    return found


def built(*, protect: bool = False, granted: bool = False) -> Graph:
    def program() -> None:
        key = key_for("compute") if granted else KEY
        types = [machine("e2-standard-8")]
        Disks(
            "disks",
            HoldingSpec(protect=protect),
            key=key,
            machines=types,
            version="1.35",
            opts=pulumi.ResourceOptions(),
        )

    return rehearse(program).graph


def test_a_claim_without_a_class_gets_a_volume_with_the_platforms_key() -> None:
    (disks,) = built().of_type(CLASS)

    assert disks.inputs["metadata"]["annotations"] == {"storageclass.kubernetes.io/is-default-class": "true"}
    assert disks.inputs["parameters"]["disk-encryption-kms-key"] == KEY.id
    assert disks.inputs["volumeBindingMode"] == "WaitForFirstConsumer"
    assert disks.inputs["allowVolumeExpansion"] is True


def test_the_class_waits_until_compute_engine_may_use_the_key() -> None:
    graph = built(granted=True)
    (disks,) = graph.of_type(CLASS)

    assert any(urn.endswith("::grant") for urn in disks.dependencies)


@pytest.mark.parametrize(("protect", "policy"), [(True, "Retain"), (False, "Delete")])
def test_volumes_of_a_protected_platform_outlive_their_claims(protect: bool, policy: str) -> None:
    (disks,) = built(protect=protect).of_type(CLASS)

    assert disks.inputs["reclaimPolicy"] == policy


@pytest.mark.parametrize(
    ("version", "types", "expected"),
    [
        ("1.35", ["e2-standard-8", "a4-highgpu-8g"], "dynamic"),
        ("1.36", ["n4-standard-8"], "dynamic"),
        ("1.35.0-gke.2232000", ["e2-standard-8"], "dynamic"),
        ("1.35.0-gke.2231999", ["e2-standard-8"], "pd-balanced"),
        ("1.34", ["e2-standard-8", "a4-highgpu-8g"], "pd-balanced"),
        ("1.34", ["n4-standard-8", "a3-ultragpu-8g"], "hyperdisk-balanced"),
        ("1.34", [], "pd-balanced"),
    ],
)
def test_gke_chooses_by_the_machine_where_its_version_can(version: str, types: list[str], expected: str) -> None:
    parameters: Mapping[str, Any] = disk_type([machine(each) for each in types], version)

    assert parameters["type"] == expected


def test_a_class_for_all_machines_names_a_type_that_each_takes() -> None:
    parameters = disk_type([], "1.35")
    named = {parameters["pd-type"], parameters["hyperdisk-type"]}

    known = [each for each in machines.machine_types(GcpMachine) if each.boot_disks]
    assert [each.machine_type for each in known if not named & set(each.boot_disks)] == []
