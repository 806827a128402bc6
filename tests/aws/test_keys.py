"""What the keys promise: rotation, separate powers, and nodes that start with encrypted disks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.aws.components.keys import Keys
from penstock.description.block import HoldingSpec
from penstock.graph.graph import Graph
from penstock.testing import rehearse

ACCOUNT = "123456789012"


def built(region: str = "us-east-1", *, protect: bool | None = None) -> Graph:
    spec = HoldingSpec(tags={"owner": "ml"}, protect=protect)
    return rehearse(lambda: Keys("keys", spec, region=region, account=ACCOUNT)).graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return built()


def statements(graph: Graph, purpose: str) -> dict[str, dict[str, Any]]:
    (key,) = (one for one in graph.of_type("aws:kms/key:Key") if one.name == f"keys-{purpose}")
    return {statement["Sid"]: statement for statement in json.loads(key.inputs["policy"])["Statement"]}


def test_every_key_rotates_and_takes_the_longest_time_to_die(graph: Graph) -> None:
    keys = graph.of_type("aws:kms/key:Key")

    assert len(keys) == 3
    assert all(key.inputs["enableKeyRotation"] is True for key in keys)
    assert all(key.inputs["deletionWindowInDays"] == 30 for key in keys)


def test_auto_scaling_can_start_nodes_with_encrypted_disks_but_only_through_ec2(graph: Graph) -> None:
    through_ec2 = {"kms:CallerAccount": ACCOUNT, "kms:ViaService": "ec2.us-east-1.amazonaws.com"}
    data = statements(graph, "data")

    assert data["DisksThroughEc2"]["Condition"] == {"StringEquals": through_ec2}
    assert data["GrantsForDisksThroughEc2"]["Condition"]["StringEquals"] == through_ec2
    assert data["GrantsForDisksThroughEc2"]["Condition"]["Bool"] == {"kms:GrantIsForAWSResource": "true"}


def test_lustre_can_import_from_encrypted_buckets_but_only_through_s3(graph: Graph) -> None:
    condition = statements(graph, "data")["ImportsFromEncryptedBuckets"]["Condition"]

    assert condition["StringEquals"]["kms:ViaService"] == "s3.us-east-1.amazonaws.com"
    assert "AWSServiceRoleForFSxS3Access_" in condition["ArnLike"]["aws:PrincipalArn"]


def test_cloudwatch_uses_the_key_for_log_groups_of_this_account_and_region_only(graph: Graph) -> None:
    logs = statements(graph, "logs")["LogGroupsOfThisAccount"]

    assert logs["Principal"] == {"Service": "logs.us-east-1.amazonaws.com"}
    assert logs["Condition"] == {
        "ArnLike": {"kms:EncryptionContext:aws:logs:arn": f"arn:aws:logs:us-east-1:{ACCOUNT}:*"}
    }


@pytest.mark.parametrize(("purpose", "sids"), [("data", 4), ("cluster", 1), ("logs", 2)])
def test_no_key_admits_anyone_without_a_condition_but_its_account(graph: Graph, purpose: str, sids: int) -> None:
    policy = statements(graph, purpose)
    unconditional = [statement for statement in policy.values() if "Condition" not in statement]

    assert len(policy) == sids
    assert [statement["Principal"] for statement in unconditional] == [{"AWS": f"arn:aws:iam::{ACCOUNT}:root"}]


def test_keys_in_china_name_the_services_of_china() -> None:
    graph = built("cn-north-1")

    owner = statements(graph, "cluster")["AccountDecidesByIam"]["Principal"]["AWS"]
    disks = statements(graph, "data")["DisksThroughEc2"]["Condition"]["StringEquals"]["kms:ViaService"]
    assert owner == f"arn:aws-cn:iam::{ACCOUNT}:root"
    assert disks == "ec2.cn-north-1.amazonaws.com.cn"


def test_protected_keys_refuse_to_be_deleted() -> None:
    assert all(key.options.protect for key in built(protect=True).of_type("aws:kms/key:Key"))
