"""Types under a former name are read as what they are called today."""

from __future__ import annotations

from typing import Any

import pytest
from tests.programs import graph_of

from penstock.catalog.former_types import by_present_names, present
from penstock.graph.graph import Resource
from penstock.graph.values import UNKNOWN


def renamed(type_: str, inputs: dict[str, Any]) -> Resource:
    (resource,) = by_present_names(graph_of({"it": (type_, inputs)}))
    return resource


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("aws:s3/bucketV2:BucketV2", "aws:s3/bucket:Bucket"),
        ("azure-native:storage/v20240101:StorageAccount", "azure-native:storage:StorageAccount"),
        ("azure-native:network/v20240301preview:Subnet", "azure-native:network:Subnet"),
        ("azure-native:cache:Redis", "azure-native:redis:Redis"),
        ("azure-native:insights/v20210501preview:DiagnosticSetting", "azure-native:monitor:DiagnosticSetting"),
        ("aws:ec2/vpc:Vpc", "aws:ec2/vpc:Vpc"),
        ("kubernetes:apps/v1:Deployment", "kubernetes:apps/v1:Deployment"),
    ],
)
def test_a_type_has_its_present_name(former: str, now: str) -> None:
    assert present(former) == now


def test_lists_of_one_of_the_former_bucket_become_that_one() -> None:
    default = {"sseAlgorithm": "aws:kms", "kmsMasterKeyId": "k"}
    former = {
        "bucket": "data",
        "serverSideEncryptionConfigurations": [{"rules": [{"applyServerSideEncryptionByDefaults": [default]}]}],
        "versionings": [{"enabled": True}],
        "loggings": [],
        "replicationConfigurations": UNKNOWN,
    }

    assert renamed("aws:s3/bucketV2:BucketV2", former).inputs == {
        "bucket": "data",
        "serverSideEncryptionConfiguration": {"rule": {"applyServerSideEncryptionByDefault": default}},
        "versioning": {"enabled": True},
        "logging": None,
        "replicationConfiguration": UNKNOWN,
    }
