"""What the storage drivers promise: only the ones that are needed, and no rights over data that pods do not have."""

from __future__ import annotations

from tests.handles import CLUSTER

from penstock.aws.components.storage_drivers import StorageDrivers
from penstock.description.block import ComponentSpec
from penstock.graph.graph import Graph
from penstock.testing import rehearse


def built(*, lustre: bool = False, shared_files: bool = False, buckets: bool = False) -> Graph:
    return rehearse(
        lambda: StorageDrivers(
            "drivers",
            ComponentSpec(),
            cluster=CLUSTER,
            partition="aws",
            lustre=lustre,
            shared_files=shared_files,
            buckets=buckets,
        )
    ).graph


def installed(graph: Graph) -> list[str]:
    return [addon.inputs["addonName"] for addon in graph.of_type("aws:eks/addon:Addon")]


def test_storage_that_is_not_there_needs_no_driver() -> None:
    assert installed(built()) == []
    assert installed(built(lustre=True)) == ["aws-fsx-csi-driver"]
    assert installed(built(shared_files=True)) == ["aws-efs-csi-driver"]
    assert installed(built(buckets=True)) == ["aws-mountpoint-s3-csi-driver"]


def test_drivers_for_lustre_and_buckets_have_no_rights_in_aws() -> None:
    assert not built(lustre=True, buckets=True).of_type("aws:iam/role:Role")
