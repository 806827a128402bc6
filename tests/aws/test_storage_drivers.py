"""What the storage drivers promise: only the ones that are needed, with rights over this platform's storage only."""

from __future__ import annotations

import json

from tests.handles import CLUSTER

from penstock.aws.handles import BucketHandle, KeyHandle
from penstock.aws.storage_drivers import StorageDrivers
from penstock.resources.graph import Graph
from penstock.spec.block import ComponentSpec
from penstock.testing import rehearse

BUCKET = BucketHandle(name="datasets", arn="arn:aws:s3:::datasets")


def built(key: KeyHandle, *, lustre: bool = False, shared_files: bool = False, buckets: int = 0) -> Graph:
    return rehearse(
        lambda: StorageDrivers(
            "drivers",
            ComponentSpec(),
            cluster=CLUSTER,
            partition="aws",
            key=key,
            lustre=lustre,
            shared_files=shared_files,
            buckets=[BUCKET] * buckets,
        )
    ).graph


def installed(graph: Graph) -> list[str]:
    return [addon.inputs["addonName"] for addon in graph.of_type("aws:eks/addon:Addon")]


def test_storage_that_is_not_there_needs_no_driver(key: KeyHandle) -> None:
    assert installed(built(key)) == []
    assert installed(built(key, lustre=True)) == ["aws-fsx-csi-driver"]
    assert installed(built(key, shared_files=True)) == ["aws-efs-csi-driver"]
    assert installed(built(key, buckets=1)) == ["aws-mountpoint-s3-csi-driver"]


def test_the_driver_for_lustre_has_no_rights_in_aws(key: KeyHandle) -> None:
    assert not built(key, lustre=True).of_type("aws:iam/role:Role")


def test_the_driver_for_buckets_reaches_the_given_buckets_and_their_key_only(key: KeyHandle) -> None:
    (policy,) = built(key, buckets=1).of_type("aws:iam/rolePolicy:RolePolicy")
    statements = json.loads(policy.inputs["policy"])["Statement"]

    reached = {json.dumps(statement["Resource"]) for statement in statements}
    assert reached == {json.dumps([BUCKET.arn]), json.dumps([f"{BUCKET.arn}/*"]), json.dumps(key.arn)}
