"""What a bucket promises: private, encrypted, over TLS, and forgetful in time."""

from __future__ import annotations

import json

import pytest

from penstock.aws.components.bucket import Bucket
from penstock.aws.components.handles import KeyHandle
from penstock.description.storage import BucketSpec
from penstock.graph.graph import Graph
from penstock.testing import rehearse

S3 = "aws:s3"
BUCKET = f"{S3}/bucket:Bucket"
VERSIONING = f"{S3}/bucketVersioning:BucketVersioning"
LIFECYCLE = f"{S3}/bucketLifecycleConfiguration:BucketLifecycleConfiguration"


def built(key: KeyHandle, spec: BucketSpec) -> Graph:
    return rehearse(lambda: Bucket("datasets", spec, key=key)).graph


@pytest.fixture
def graph(key: KeyHandle) -> Graph:
    return built(key, BucketSpec(name="datasets", retention_days=45, protect=True, tags={"owner": "ml"}))


def test_no_way_of_being_public_is_left_open(graph: Graph) -> None:
    (block,) = graph.of_type(f"{S3}/bucketPublicAccessBlock:BucketPublicAccessBlock")
    (ownership,) = graph.of_type(f"{S3}/bucketOwnershipControls:BucketOwnershipControls")

    ways = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
    assert all(block.inputs[way] is True for way in ways)
    assert ownership.inputs["rule"] == {"objectOwnership": "BucketOwnerEnforced"}


def test_bucket_and_objects_are_refused_without_tls_and_over_old_tls(graph: Graph) -> None:
    (bucket,) = graph.of_type(BUCKET)
    (policy,) = graph.of_type(f"{S3}/bucketPolicy:BucketPolicy")
    statements = json.loads(policy.inputs["policy"])["Statement"]

    assert [statement["Condition"] for statement in statements] == [
        {"Bool": {"aws:SecureTransport": "false"}},
        {"NumericLessThan": {"s3:TlsVersion": "1.2"}},
    ]
    for statement in statements:
        assert (statement["Effect"], statement["Principal"], statement["Action"]) == ("Deny", "*", "s3:*")
        assert statement["Resource"] == [bucket.outputs["arn"], f"{bucket.outputs['arn']}/*"]


def test_objects_are_encrypted_with_the_given_key_through_a_bucket_key(graph: Graph, key: KeyHandle) -> None:
    (encryption,) = graph.of_type(
        f"{S3}/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration"
    )
    (rule,) = encryption.inputs["rules"]

    assert rule["applyServerSideEncryptionByDefault"] == {"sseAlgorithm": "aws:kms", "kmsMasterKeyId": key.arn}
    assert rule["bucketKeyEnabled"] is True


def test_old_versions_live_as_long_as_the_description_says(graph: Graph) -> None:
    (lifecycle,) = graph.of_type(LIFECYCLE)
    rules = {rule["id"]: rule for rule in lifecycle.inputs["rules"]}

    assert rules["old-versions"]["noncurrentVersionExpiration"]["noncurrentDays"] == 45
    assert rules["leftovers"]["abortIncompleteMultipartUpload"]["daysAfterInitiation"] == 7
    assert all(rule["filter"] == {"prefix": ""} and rule["status"] == "Enabled" for rule in rules.values())


def test_no_rule_removes_a_current_object(graph: Graph) -> None:
    (lifecycle,) = graph.of_type(LIFECYCLE)

    assert not any("days" in rule.get("expiration", {}) for rule in lifecycle.inputs["rules"])


@pytest.mark.parametrize(("versioning", "status"), [(True, "Enabled"), (False, "Suspended")])
def test_versioning_can_be_turned_off_again(key: KeyHandle, versioning: bool, status: str) -> None:
    (resource,) = built(key, BucketSpec(name="datasets", versioning=versioning)).of_type(VERSIONING)

    assert resource.inputs["versioningConfiguration"] == {"status": status}


def test_parts_wait_for_the_bucket_only_but_the_lifecycle_for_versioning_too(graph: Graph) -> None:
    (bucket,) = graph.of_type(BUCKET)
    (versioning,) = graph.of_type(VERSIONING)
    parts = [resource for resource in graph.children(bucket.parent) if resource is not bucket]

    for part in parts:
        expected = {bucket.urn, versioning.urn} if part.type == LIFECYCLE else {bucket.urn}
        assert set(part.dependencies) == expected, part.name


def test_what_holds_data_is_protected_and_tagged(graph: Graph) -> None:
    (bucket,) = graph.of_type(BUCKET)

    assert bucket.options.protect
    assert bucket.inputs["tags"] == {"owner": "ml"}
    assert "forceDestroy" not in bucket.inputs


def test_its_name_is_left_to_pulumi_so_that_two_stacks_never_fight_for_it(graph: Graph) -> None:
    (bucket,) = graph.of_type(BUCKET)

    assert "bucket" not in bucket.inputs


def test_the_cloud_has_nothing_to_object(key: KeyHandle) -> None:
    rehearsal = rehearse(lambda: Bucket("datasets", BucketSpec(name="datasets"), key=key))

    assert rehearsal.findings == ()
