"""What the record of the buckets' readers promises: delivered by S3 only, private, kept for a year."""

from __future__ import annotations

import json

import pytest

from penstock.aws.components.access_logs import AccessLogs
from penstock.aws.components.bucket import Bucket
from penstock.aws.components.handles import KeyHandle
from penstock.description.block import HoldingSpec
from penstock.description.storage import BucketSpec
from penstock.graph.graph import Graph
from penstock.testing import diff, rehearse

S3 = "aws:s3"
BUCKET = f"{S3}/bucket:Bucket"
LOGGING = f"{S3}/bucketLogging:BucketLogging"
ACCOUNT = "123456789012"


def built(spec: HoldingSpec) -> Graph:
    return rehearse(lambda: AccessLogs("logs", spec, account=ACCOUNT)).graph


@pytest.fixture
def graph() -> Graph:
    return built(HoldingSpec(protect=True, tags={"owner": "ml"}))


def program(key: KeyHandle, *names: str) -> None:
    logs = AccessLogs("logs", HoldingSpec(), account=ACCOUNT).handle
    for name in names:
        Bucket(name, BucketSpec(name=name), key=key, logs=logs)


def test_s3_alone_may_deliver_and_only_logs_of_this_account(graph: Graph) -> None:
    (bucket,) = graph.of_type(BUCKET)
    (policy,) = graph.of_type(f"{S3}/bucketPolicy:BucketPolicy")
    (allowed,) = (one for one in json.loads(policy.inputs["policy"])["Statement"] if one["Effect"] == "Allow")

    assert allowed["Principal"] == {"Service": "logging.s3.amazonaws.com"}
    assert (allowed["Action"], allowed["Resource"]) == ("s3:PutObject", f"{bucket.outputs['arn']}/*")
    assert allowed["Condition"] == {"StringEquals": {"aws:SourceAccount": ACCOUNT}}


def test_it_is_as_private_as_what_it_tells_of(graph: Graph) -> None:
    (block,) = graph.of_type(f"{S3}/bucketPublicAccessBlock:BucketPublicAccessBlock")
    (ownership,) = graph.of_type(f"{S3}/bucketOwnershipControls:BucketOwnershipControls")
    (policy,) = graph.of_type(f"{S3}/bucketPolicy:BucketPolicy")
    denied = [one["Sid"] for one in json.loads(policy.inputs["policy"])["Statement"] if one["Effect"] == "Deny"]

    ways = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
    assert all(block.inputs[way] is True for way in ways)
    assert ownership.inputs["rule"] == {"objectOwnership": "BucketOwnerEnforced"}
    assert denied == ["DenyWithoutTls", "DenyOldTls"]


def test_it_is_encrypted_with_the_key_that_s3_can_deliver_to(graph: Graph) -> None:
    (encryption,) = graph.of_type(
        f"{S3}/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration"
    )

    assert encryption.inputs["rules"] == [{"applyServerSideEncryptionByDefault": {"sseAlgorithm": "AES256"}}]


def test_logs_are_kept_for_a_year(graph: Graph) -> None:
    (lifecycle,) = graph.of_type(f"{S3}/bucketLifecycleConfiguration:BucketLifecycleConfiguration")
    (rule,) = lifecycle.inputs["rules"]

    assert (rule["status"], rule["filter"], rule["expiration"]) == ("Enabled", {"prefix": ""}, {"days": 365})


@pytest.mark.parametrize("protect", [True, False])
def test_only_a_bucket_that_is_not_protected_goes_with_its_logs(protect: bool) -> None:
    (bucket,) = built(HoldingSpec(protect=protect, tags={"owner": "ml"})).of_type(BUCKET)

    assert bool(bucket.options.protect) is protect
    assert bucket.inputs["forceDestroy"] is not protect
    assert bucket.inputs["tags"] == {"owner": "ml"}


def test_each_bucket_has_a_prefix_and_in_it_a_folder_for_each_day(key: KeyHandle) -> None:
    graph = rehearse(lambda: program(key, "datasets", "models")).graph
    bucket_of = {bucket.id: bucket.name for bucket in graph.of_type(BUCKET)}

    loggings = {bucket_of[each.inputs["bucket"]]: each.inputs for each in graph.of_type(LOGGING)}
    assert loggings.keys() == {"datasets", "models"}
    for name, inputs in loggings.items():
        assert bucket_of[inputs["targetBucket"]] == "logs"
        assert inputs["targetPrefix"] == f"{name}/"
        assert inputs["targetObjectKeyFormat"] == {"partitionedPrefix": {"partitionDateSource": "EventTime"}}


def test_a_bucket_alone_has_no_log(key: KeyHandle) -> None:
    graph = rehearse(lambda: Bucket("datasets", BucketSpec(name="datasets"), key=key)).graph

    assert not graph.of_type(LOGGING)


def test_a_further_bucket_leaves_the_others_and_their_log_alone(key: KeyHandle) -> None:
    changes = diff(
        rehearse(lambda: program(key, "models")),
        rehearse(lambda: program(key, "datasets", "models")),
    )

    assert changes.created
    assert not changes.updated
    assert not changes.replaced
    assert not changes.deleted


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_the_cloud_has_nothing_to_object(key: KeyHandle, preview: bool) -> None:
    assert rehearse(lambda: program(key, "datasets"), preview=preview).findings == ()
