"""What the engine would do to a resource whose inputs change."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pulumi
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pulumi_aws.s3 import BucketObject

from penstock.graph.property_path import PropertyPath
from penstock.graph.values import SEALED, UNKNOWN, Secret
from penstock.simulate.lifecycle import Change, Operation, change, differences
from penstock.simulate.run import rehearse

GROUP = "aws:eks/nodeGroup:NodeGroup"
OLD = {
    "clusterName": "c",
    "scalingConfig": {"minSize": 1, "maxSize": 4},
    "subnetIds": ["subnet-a", "subnet-b"],
    "launchTemplate": {"id": "lt-1", "version": "1"},
    "taints": [{"key": "gpu", "effect": "NO_SCHEDULE"}],
    "tags": {"team": "ml"},
}

LEAVES = st.booleans() | st.integers(-9, 9) | st.text("abc", max_size=3)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("xyz", min_size=1, max_size=2), inner, max_size=3)
    ),
    max_leaves=12,
)
INPUTS = st.dictionaries(st.text("klm", min_size=1, max_size=3), VALUES, min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("before", "after"),
    [(True, "true"), (443, "443"), (1, 1.0), ({}, None), ('{"a": 1,  "b": 2}', '{"b": 2, "a": 1}')],
)
def test_what_the_aws_provider_reads_alike_is_no_change(before: Any, after: Any) -> None:
    assert change("aws:ec2/vpc:Vpc", {"tags": before}, {"tags": after}).operation is Operation.SAME
    assert change("aws:ec2/vpc:Vpc", {"tags": after}, {"tags": before}).operation is Operation.SAME


@pytest.mark.parametrize(("before", "after"), [(True, "false"), (443, "80"), (1, True), (1, 1.5), ({}, {"a": "b"})])
def test_what_the_aws_provider_tells_apart_is_an_update(before: Any, after: Any) -> None:
    assert change("aws:ec2/vpc:Vpc", {"tags": before}, {"tags": after}).operation is Operation.UPDATE


LINK = "https://www.googleapis.com/compute/v1/projects/p/global/networks/n"


@pytest.mark.parametrize(
    ("before", "after"),
    [(LINK, "projects/p/global/networks/n"), ("projects/p/global/networks/n", "n"), (LINK, "n"), ("5", 5)],
)
def test_a_link_a_path_and_a_name_of_one_resource_of_google_are_no_change(before: Any, after: Any) -> None:
    subnetwork = "gcp:compute/subnetwork:Subnetwork"

    assert change(subnetwork, {"network": before}, {"network": after}).operation is Operation.SAME
    assert change(subnetwork, {"network": after}, {"network": before}).operation is Operation.SAME


@pytest.mark.parametrize(
    ("before", "after"), [(LINK, "projects/q/global/networks/n"), ("projects/p/global/networks/n", "m"), ("a/n", "n")]
)
def test_another_resource_of_google_is_a_change(before: Any, after: Any) -> None:
    found = change("gcp:compute/subnetwork:Subnetwork", {"network": before}, {"network": after})

    assert found.operation is Operation.REPLACE


def test_rules_of_a_set_may_spell_their_numbers_as_texts() -> None:
    rules = [{"fromPort": 1, "protocol": "tcp"}, {"fromPort": 2, "protocol": "tcp"}]
    spelled = [{"fromPort": "2", "protocol": "tcp"}, {"fromPort": "1", "protocol": "tcp"}]

    assert change("aws:ec2/securityGroup:SecurityGroup", {"ingress": rules}, {"ingress": spelled}) == Change(
        Operation.SAME
    )


@pytest.mark.parametrize(("before", "after"), [(Secret("hunter2"), "hunter3"), ("hunter2", Secret("hunter3"))])
def test_what_was_a_secret_or_becomes_one_is_shown_on_neither_side(before: Any, after: Any) -> None:
    (found,) = differences("aws:ssm/parameter:Parameter", {"value": before}, {"value": after})

    assert "hunter" not in repr(found)


def test_files_are_compared_by_what_they_hold(tmp_path: Path) -> None:
    def asked(text: str) -> Any:
        file = tmp_path / "file"
        file.write_text(text)
        return rehearse(lambda: BucketObject("o", bucket="b", source=pulumi.FileAsset(str(file)))).graph

    (old,), (same,), (new,) = (asked(text).of_type("aws:s3/bucketObject:BucketObject") for text in ("a", "a", "b"))

    assert change(old.type, old.inputs, same.inputs).operation is Operation.SAME
    assert change(old.type, old.inputs, new.inputs).updates == ("source.hash",)


def with_(**changes: Any) -> dict[str, Any]:
    return {**deepcopy(OLD), **changes}


def test_the_same_inputs_change_nothing() -> None:
    assert change(GROUP, OLD, deepcopy(OLD)).operation is Operation.SAME


def test_a_change_in_place_is_reported_by_its_path() -> None:
    found = change(GROUP, OLD, with_(scalingConfig={"minSize": 2, "maxSize": 4}))

    assert (found.operation, found.updates, found.replaces) == (Operation.UPDATE, ("scalingConfig.minSize",), ())


def test_a_field_that_cannot_change_replaces_and_others_are_reported_beside_it() -> None:
    found = change(GROUP, OLD, with_(launchTemplate={"id": "lt-2", "version": "2"}))

    assert found.operation is Operation.REPLACE
    assert found.replaces == ("launchTemplate.id",)
    assert found.updates == ("launchTemplate.version",)


@pytest.mark.parametrize("value", [None, {"version": "1"}])
def test_taking_away_what_cannot_change_replaces(value: Any) -> None:
    assert change(GROUP, OLD, with_(launchTemplate=value)).operation is Operation.REPLACE


def test_the_order_of_a_set_means_nothing_and_that_of_a_list_does() -> None:
    assert change(GROUP, OLD, with_(subnetIds=["subnet-b", "subnet-a"])).operation is Operation.SAME
    assert change(GROUP, OLD, with_(subnetIds=["subnet-b", "subnet-c"])).replaces == ("subnetIds",)
    ordered = change("aws:ssm/document:Document", {"x": ["a", "b"]}, {"x": ["b", "a"]})
    assert ordered.updates == ("x[0]", "x[1]")


def test_null_is_absent_and_a_whole_number_is_the_same_number() -> None:
    assert (
        change(GROUP, OLD, with_(labels=None, scalingConfig={"minSize": 1.0, "maxSize": 4})).operation is Operation.SAME
    )


def test_true_is_not_one() -> None:
    assert change(GROUP, {"a": True}, {"a": 1}).operation is Operation.UPDATE


def test_a_value_that_is_not_known_yet_counts_as_changed() -> None:
    assert change(GROUP, OLD, with_(clusterName=UNKNOWN)).replaces == ("clusterName",)
    assert change(GROUP, {"a": UNKNOWN}, {"a": UNKNOWN}).operation is Operation.SAME


def test_policies_that_say_the_same_are_the_same_for_aws_alone() -> None:
    before, after = '{"a": [1, 2]}', '{\n "a":[1,2]}'

    assert change("aws:s3/bucketPolicy:BucketPolicy", {"policy": before}, {"policy": after}).operation is Operation.SAME
    assert change("kubernetes:core/v1:ConfigMap", {"data": {"a": before}}, {"data": {"a": after}}).replaces == (
        "data.a",
    )


def test_secrets_are_compared_by_value_and_never_shown() -> None:
    assert change(GROUP, {"a": Secret("x")}, {"a": "x"}).operation is Operation.SAME
    (found,) = differences(GROUP, {"a": Secret({"b": "hunter1"})}, {"a": Secret({"b": "hunter2"})})

    assert found.path == "a.b"
    assert "hunter" not in repr(found)


def test_what_only_pulumi_can_decrypt_counts_as_unchanged() -> None:
    assert change(GROUP, {"a": Secret(SEALED)}, {"a": Secret("x")}).operation is Operation.SAME


@pytest.mark.parametrize(
    ("ignored", "operation"),
    [
        (["clusterName"], Operation.UPDATE),
        (["clusterName", "tags"], Operation.SAME),
        (["clusterName", "tags.*"], Operation.SAME),
        (["clusterName", "tags.team"], Operation.SAME),
        (["tags"], Operation.REPLACE),
        (["*"], Operation.SAME),
    ],
)
def test_what_is_ignored_stays_as_it_is(ignored: list[str], operation: Operation) -> None:
    after = with_(clusterName="d", tags={"team": "data"})

    assert change(GROUP, OLD, after, ignore_changes=ignored).operation is operation


def test_an_ignored_index_leaves_the_others_alone() -> None:
    before, after = {"x": [{"a": 1}, {"a": 2}]}, {"x": [{"a": 3}, {"a": 4}]}

    assert change(GROUP, before, after, ignore_changes=["x[0].a"]).updates == ("x[1].a",)
    assert change(GROUP, before, after, ignore_changes=["x[*].a"]).operation is Operation.SAME


def test_something_added_can_be_ignored() -> None:
    assert change(GROUP, {"a": 1}, {"a": 1, "tags": {"b": 2}}, ignore_changes=["tags.b"]).operation is Operation.SAME


@pytest.mark.parametrize(
    ("paths", "replaces"), [(["*"], True), (["tags"], True), (["tags.team"], True), (["labels"], False)]
)
def test_the_program_can_ask_for_a_replacement(paths: list[str], replaces: bool) -> None:
    found = change(GROUP, OLD, with_(tags={"team": "x"}), replace_on_changes=paths)

    assert bool(found.replaces) is replaces


def test_a_container_of_a_pod_is_fixed_by_whatever_index() -> None:
    before = {"spec": {"containers": [{"name": "a", "image": "x"}, {"name": "b", "image": "y"}]}}
    after = deepcopy(before)
    after["spec"]["containers"][1]["image"] = "z"

    assert change("kubernetes:core/v1:Pod", before, after).replaces == ("spec.containers[1].image",)


def test_growing_is_in_place_and_shrinking_replaces() -> None:
    lustre = "aws:fsx/lustreFileSystem:LustreFileSystem"
    small, large = (
        {"deploymentType": "PERSISTENT_2", "storageCapacity": 1200},
        {"deploymentType": "PERSISTENT_2", "storageCapacity": 2400},
    )

    assert change(lustre, small, large).operation is Operation.UPDATE
    assert change(lustre, large, small).operation is Operation.REPLACE


@pytest.mark.parametrize(
    ("type_", "before", "after", "replaces"),
    [
        ("aws:fsx/lustreFileSystem:LustreFileSystem", {"storageCapacity": 1200}, {"storageCapacity": 3600}, True),
        ("aws:elasticache/cluster:Cluster", {"engine": "memcached", "nodeType": "a"}, {"nodeType": "b"}, True),
        ("aws:elasticache/cluster:Cluster", {"engine": "redis", "nodeType": "a"}, {"nodeType": "b"}, False),
        ("aws:rds/cluster:Cluster", {"engine": "mysql", "storageType": "io1"}, {"storageType": "io2"}, False),
        ("aws:rds/cluster:Cluster", {"engine": "aurora-mysql"}, {"storageType": "aurora-iopt1"}, False),
        ("aws:lb/loadBalancer:LoadBalancer", {"subnets": ["a", "b"]}, {"subnets": ["a", "c"]}, False),
        (
            "aws:lb/loadBalancer:LoadBalancer",
            {"loadBalancerType": "network", "subnets": ["a", "b"]},
            {"subnets": ["a"]},
            True,
        ),
        (
            "aws:lb/loadBalancer:LoadBalancer",
            {"loadBalancerType": "network", "subnets": ["a"]},
            {"subnets": ["b", "a"]},
            False,
        ),
        ("aws:lb/loadBalancer:LoadBalancer", {"loadBalancerType": "network"}, {"securityGroups": ["a"]}, True),
        (
            "aws:lb/loadBalancer:LoadBalancer",
            {"loadBalancerType": "network", "securityGroups": ["a"]},
            {"securityGroups": ["b"]},
            False,
        ),
        ("aws:ec2/instance:Instance", {"userData": "a"}, {"userData": "b"}, False),
        ("aws:ec2/instance:Instance", {"userData": "a"}, {"userData": "b", "userDataReplaceOnChange": True}, True),
        ("aws:eks/cluster:Cluster", {"encryptionConfig": {"resources": ["secrets"]}}, {"encryptionConfig": None}, True),
        ("aws:eks/cluster:Cluster", {}, {"encryptionConfig": {"resources": ["secrets"]}}, False),
        (
            "aws:opensearch/domain:Domain",
            {"encryptAtRest": {"enabled": False}},
            {"encryptAtRest": {"enabled": True}},
            False,
        ),
        (
            "aws:opensearch/domain:Domain",
            {"encryptAtRest": {"enabled": True}},
            {"encryptAtRest": {"enabled": False}},
            True,
        ),
        ("gcp:container/cluster:Cluster", {"enableL4IlbSubsetting": True}, {"enableL4IlbSubsetting": False}, True),
        ("gcp:container/cluster:Cluster", {"enableL4IlbSubsetting": False}, {"enableL4IlbSubsetting": True}, False),
        ("gcp:compute/instance:Instance", {"metadataStartupScript": "a"}, {"metadataStartupScript": "b"}, True),
        ("gcp:container/nodePool:NodePool", {"placementPolicy": {"type": "COMPACT"}}, {"placementPolicy": None}, True),
        ("gcp:container/nodePool:NodePool", {}, {"placementPolicy": {"type": "COMPACT"}}, True),
        ("gcp:vpcaccess/connector:Connector", {"maxInstances": 5}, {"maxInstances": 4}, True),
        ("gcp:vpcaccess/connector:Connector", {"maxInstances": 4}, {"maxInstances": 5}, False),
        ("gcp:redis/instance:Instance", {"redisVersion": "REDIS_7_2"}, {"redisVersion": "REDIS_6_X"}, True),
        (
            "gcp:sql/databaseInstance:DatabaseInstance",
            {"settings": {"diskSize": 200, "diskAutoresize": False}},
            {"settings": {"diskSize": 100, "diskAutoresize": False}},
            True,
        ),
        (
            "gcp:sql/databaseInstance:DatabaseInstance",
            {"settings": {"diskSize": 200}},
            {"settings": {"diskSize": 100}},
            False,
        ),
    ],
)
def test_some_changes_replace_only_in_one_direction_or_for_some_inputs(
    type_: str, before: dict[str, Any], after: dict[str, Any], *, replaces: bool
) -> None:
    found = change(type_, before, {**before, **after})

    assert found.operation is (Operation.REPLACE if replaces else Operation.UPDATE)


@pytest.mark.parametrize(
    ("type_", "property_", "newer", "older"),
    [
        ("aws:msk/cluster:Cluster", "kafkaVersion", "3.6.0", "3.5.1"),
        ("aws:elasticache/replicationGroup:ReplicationGroup", "engineVersion", "7.1", "6.2"),
        ("aws:opensearch/domain:Domain", "engineVersion", "OpenSearch_2.13", "OpenSearch_1.3"),
    ],
)
def test_an_older_version_replaces_where_the_provider_cannot_go_back(
    type_: str, property_: str, newer: str, older: str
) -> None:
    assert change(type_, {property_: older}, {property_: newer}).operation is Operation.UPDATE
    assert change(type_, {property_: newer}, {property_: older}).operation is Operation.REPLACE


def test_a_type_that_nobody_described_is_updated_and_said_to_be_unknown() -> None:
    found = change("cloudflare:index/record:Record", {"a": 1}, {"a": 2})

    assert (found.operation, found.known) == (Operation.UPDATE, False)


@given(INPUTS)
def test_nothing_differs_from_itself_in_whatever_form_it_travels(inputs: dict[str, Any]) -> None:
    assert differences("x:y:Z", inputs, json.loads(json.dumps(inputs))) == ()


@given(INPUTS, INPUTS)
def test_both_directions_find_the_same_paths(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert {each.path for each in differences("x:y:Z", one, other)} == {
        each.path for each in differences("x:y:Z", other, one)
    }


@given(INPUTS, st.data())
def test_an_edit_is_found_at_its_path(inputs: dict[str, Any], data: st.DataObject) -> None:
    edited, steps = deepcopy(inputs), []
    here: Any = edited
    while True:
        step = (
            data.draw(st.sampled_from(sorted(here)))
            if isinstance(here, dict)
            else data.draw(st.integers(0, len(here) - 1))
        )
        steps.append(step)
        if not isinstance(here[step], dict | list) or not here[step]:
            break
        here = here[step]
    here[step] = "edited"

    (found,) = differences("x:y:Z", inputs, edited)

    assert PropertyPath.parse(found.path) == PropertyPath(tuple(steps))
    assert found.after == "edited"


@given(INPUTS, INPUTS)
def test_ignoring_everything_leaves_nothing(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert differences("x:y:Z", one, other, ignore_changes=["*"]) == ()
