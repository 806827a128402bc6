"""What holds data."""

from __future__ import annotations

import pytest

from penstock.catalog import holdings


@pytest.mark.parametrize(
    "type_",
    [
        "aws:s3/bucket:Bucket",
        "aws:fsx/lustreFileSystem:LustreFileSystem",
        "aws:rds/instance:Instance",
        "aws:eks/cluster:Cluster",
        "gcp:storage/bucket:Bucket",
        "azure-native:storage:StorageAccount",
        "kubernetes:core/v1:PersistentVolumeClaim",
    ],
)
def test_storage_databases_and_clusters_hold_data(type_: str) -> None:
    found = holdings.of(type_)

    assert found is not None
    assert found.lost
    assert found.source


@pytest.mark.parametrize("type_", ["aws:ec2/subnet:Subnet", "aws:iam/role:Role", "kubernetes:apps/v1:Deployment"])
def test_what_can_be_made_again_holds_none(type_: str) -> None:
    assert holdings.of(type_) is None
