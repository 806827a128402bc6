"""What holds data."""

from __future__ import annotations

import pulumi_gcp  # noqa: F401 - the SDK tells which types there are
import pytest

from penstock.catalog import holdings
from penstock.catalog.tables import rows_of_clouds
from penstock.simulate.sdk_types import input_types


@pytest.mark.parametrize(
    "type_",
    [
        "aws:s3/bucket:Bucket",
        "aws:fsx/lustreFileSystem:LustreFileSystem",
        "aws:rds/instance:Instance",
        "aws:eks/cluster:Cluster",
        "gcp:storage/bucket:Bucket",
        "gcp:lustre/instance:Instance",
        "gcp:filestore/instance:Instance",
        "gcp:sql/databaseInstance:DatabaseInstance",
        "gcp:secretmanager/secret:Secret",
        "gcp:artifactregistry/repository:Repository",
        "gcp:kms/cryptoKey:CryptoKey",
        "gcp:container/cluster:Cluster",
        "azure-native:storage:StorageAccount",
        "kubernetes:core/v1:PersistentVolumeClaim",
    ],
)
def test_storage_databases_and_clusters_hold_data(type_: str) -> None:
    found = holdings.holding_of(type_)

    assert found is not None
    assert found.lost
    assert found.source


@pytest.mark.parametrize(
    "type_",
    [
        "aws:ec2/subnet:Subnet",
        "aws:iam/role:Role",
        "gcp:container/nodePool:NodePool",
        "gcp:billing/budget:Budget",
        "kubernetes:apps/v1:Deployment",
    ],
)
def test_what_can_be_made_again_holds_none(type_: str) -> None:
    assert holdings.holding_of(type_) is None


def test_every_type_of_google_is_one_that_there_is() -> None:
    named = [row["type"] for row in rows_of_clouds("holds_data") if row["type"].startswith("gcp:")]

    assert not [type_ for type_ in named if input_types(type_) is None]
