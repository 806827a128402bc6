"""Deletions that a cloud refuses, because something that stays still uses what goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pulumi
import pytest
from pulumi_aws import ec2, efs, eks, lb
from pulumi_gcp import compute, kms

from penstock.catalog import tables
from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.core.findings import Finding
from penstock.graph.property_path import PropertyPath
from penstock.simulate import sdk_types
from penstock.simulate.run import rehearse

pytestmark = pytest.mark.slow

Program = Callable[[], object]
RING = "projects/p/locations/us/keyRings/ring"


def subnets(letters: Sequence[str]) -> dict[str, ec2.Subnet]:
    vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16")
    return {
        letter: ec2.Subnet(
            letter, vpc_id=vpc.id, cidr_block=f"10.0.{ord(letter)}.0/24", availability_zone=f"us-east-1{letter}"
        )
        for letter in letters
    }


def cluster(letters: Sequence[str], *, ignored: bool) -> Program:
    def program() -> None:
        eks.Cluster(
            "c",
            role_arn="arn:aws:iam::123456789012:role/c",
            vpc_config={"subnet_ids": [each.id for each in subnets(letters).values()]},
            opts=pulumi.ResourceOptions(ignore_changes=["vpcConfig.subnetIds"] if ignored else None),
        )

    return program


def balancer(letters: Sequence[str], *, ignored: bool = False, gone: bool = False, retained: bool = False) -> Program:
    def program() -> None:
        found = subnets(letters)
        options = pulumi.ResourceOptions(
            ignore_changes=["subnets"] if ignored else None, retain_on_delete=retained or None
        )
        if not gone:
            lb.LoadBalancer("b", subnets=[each.id for each in found.values()], opts=options)

    return program


def mounts(letters: Sequence[str], mounted: Sequence[str]) -> Program:
    def program() -> None:
        found, files = subnets(letters), efs.FileSystem("f")
        for letter in mounted:
            efs.MountTarget(letter, file_system_id=files.id, subnet_id=found[letter].id)

    return program


def forwarding(port: int, *, named: bool) -> Program:
    def program() -> None:
        target = lb.TargetGroup("t", name="web" if named else None, port=port, protocol="HTTP", vpc_id="vpc-1")
        lb.Listener(
            "l",
            load_balancer_arn="arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/b/0123456789abcdef",
            port=80,
            default_actions=[{"type": "forward", "target_group_arn": target.arn}],
        )

    return program


def instances(machine_type: str, *, named: bool) -> Program:
    def program() -> None:
        template = compute.InstanceTemplate(
            "t",
            name="workers" if named else None,
            machine_type=machine_type,
            disks=[{"source_image": "debian-12", "boot": True}],
            network_interfaces=[{"network": "default"}],
        )
        compute.InstanceGroupManager(
            "g",
            base_instance_name="worker",
            zone="us-central1-a",
            target_size=2,
            versions=[{"instance_template": template.self_link}],
        )

    return program


def refused(before: Program, after: Program) -> list[Finding]:
    first = rehearse(before)
    compared = diff(first, rehearse(after, before=first.graph))
    return [each for each in findings_of(compared) if each.code == "DIFF-016"]


def test_a_cluster_that_does_not_follow_keeps_its_subnets() -> None:
    (kept,) = refused(cluster("abc", ignored=True), cluster("ab", ignored=True))

    assert kept.blocks
    assert kept.message.startswith("c (aws:ec2/subnet:Subnet) is deleted, while c (aws:eks/cluster:Cluster) keeps it")


def test_a_cluster_stays_in_the_zones_that_it_was_created_in() -> None:
    def codes(before: Sequence[str], after: Sequence[str]) -> list[str]:
        first = rehearse(cluster(before, ignored=False))
        compared = diff(first, rehearse(cluster(after, ignored=False), before=first.graph))
        return sorted({each.code for each in findings_of(compared)})

    assert codes("abc", "ab") == ["DIFF-016", "DIFF-019"]
    assert codes("ab", "abc") == ["DIFF-019"]
    assert codes("ab", "ab") == []


def test_subnets_that_nothing_keeps_go() -> None:
    assert refused(balancer("abc"), balancer("ab")) == []
    assert refused(balancer("abc"), balancer("ab", gone=True)) == []
    assert refused(mounts("abc", "abc"), mounts("ab", "ab")) == []


def test_a_load_balancer_that_does_not_follow_or_stays_in_the_cloud_keeps_its_subnets() -> None:
    assert len(refused(balancer("abc", ignored=True), balancer("a", ignored=True))) == 2
    assert len(refused(balancer("abc", retained=True), balancer("ab", gone=True))) == 1


@pytest.mark.parametrize(
    ("program", "one", "other"), [(forwarding, 80, 8080), (instances, "g2-standard-4", "g2-standard-8")]
)
def test_what_is_used_cannot_be_deleted_before_its_successor_is_there(
    program: Callable[..., Program], one: object, other: object
) -> None:
    assert len(refused(program(one, named=True), program(other, named=True))) == 1
    assert refused(program(one, named=False), program(other, named=False)) == []


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"purpose": "ENCRYPT_DECRYPT"}, {"purpose": "MAC"}, ["DIFF-020"]),
        ({"key_ring": RING}, {"key_ring": f"{RING}-2"}, []),
        ({"name": "one", "purpose": "ENCRYPT_DECRYPT"}, {"name": "two", "purpose": "MAC"}, []),
        ({"name": None, "purpose": "ENCRYPT_DECRYPT"}, {"name": None, "purpose": "MAC"}, []),
    ],
)
def test_a_name_that_the_cloud_keeps_is_not_free_for_a_replacement(
    before: dict[str, Any], after: dict[str, Any], expected: list[str]
) -> None:
    def key(settings: dict[str, Any]) -> Program:
        return lambda: kms.CryptoKey("k", **{"name": "k", "key_ring": RING, **settings})

    first = rehearse(key(before))
    found = [each.code for each in findings_of(diff(first, rehearse(key(after), before=first.graph)))]

    assert [code for code in found if code == "DIFF-020"] == expected


def test_the_table_names_types_and_properties_that_the_sdks_have() -> None:
    for cloud in tables.clouds_with("holders"):
        for row in tables.rows(f"{cloud}/holders"):
            assert sdk_types.input_types(row["type"]), row
            declared = sdk_types.input_types(row["holder"])
            assert declared, row
            assert PropertyPath.parse(row["property"]).top in declared, row
