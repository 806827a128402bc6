"""Features that an update turns off: those in use are reported, be their users deleted with it or kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pulumi
import pytest
from pulumi_aws import ec2, rds
from pulumi_azure_native import containerservice
from pulumi_gcp import container
from pulumi_kubernetes.storage import v1 as storage

from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.simulate.run import rehearse

Program = Callable[[], object]


def turned_off(before: Program, after: Program) -> list[tuple[str, str]]:
    """The features that go while they are used: the property and the message of each finding."""
    changes = diff(rehearse(before), rehearse(after))
    return [(each.path or "", each.message) for each in findings_of(changes) if each.code == "DIFF-024"]


def gke(networks: bool, pool: bool, *, ignored: bool = False, others: bool = True) -> Program:
    def program() -> None:
        cluster = container.Cluster(
            "ml",
            location="us-central1",
            initial_node_count=1,
            remove_default_node_pool=True,
            enable_multi_networking=networks or None,
            opts=pulumi.ResourceOptions(ignore_changes=["enableMultiNetworking"] if ignored else []),
        )
        if pool:
            further: Any = {"additional_node_network_configs": [{"network": "rdma", "subnetwork": "rdma-0"}]}
            container.NodePool(
                "gpu",
                cluster=cluster.name,
                location="us-central1",
                node_count=1,
                network_config=further if others else None,
            )

    return program


def aks(**more: Any) -> Program:
    def program() -> None:
        containerservice.ManagedCluster("ml", resource_group_name="ml", location="eastus", dns_prefix="ml", **more)
        storage.StorageClass("data", provisioner="blob.csi.azure.com")

    return program


def database(days: int) -> Program:
    def program() -> None:
        source = rds.Instance("db", engine="postgres", instance_class="db.m6g.large", backup_retention_period=days)
        rds.Instance("copy", instance_class="db.m6g.large", replicate_source_db=source.identifier)

    return program


def network(names: bool) -> Program:
    def program() -> None:
        vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16", enable_dns_hostnames=names, enable_dns_support=True)
        ec2.VpcEndpoint(
            "ecr",
            vpc_id=vpc.id,
            service_name="com.amazonaws.us-east-1.ecr.api",
            vpc_endpoint_type="Interface",
            private_dns_enabled=True,
        )

    return program


@pytest.mark.parametrize(
    ("before", "after", "path", "says"),
    [
        (gke(True, True), gke(False, False), "enableMultiNetworking", "gpu is deleted only after that"),
        (gke(True, True), gke(False, True), "enableMultiNetworking", "gpu still uses it"),
        (
            aks(storage_profile={"blob_csi_driver": {"enabled": True}}),
            aks(storage_profile={"blob_csi_driver": {"enabled": False}}),
            "storageProfile.blobCSIDriver.enabled",
            "data still uses it",
        ),
        (database(7), database(0), "backupRetentionPeriod", "copy still uses it"),
        (network(True), network(False), "enableDnsHostnames", "ecr still uses it"),
    ],
)
def test_a_feature_that_goes_before_its_users_is_reported(
    before: Program, after: Program, path: str, says: str
) -> None:
    ((found, message),) = turned_off(before, after)

    assert found == path
    assert says in message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (gke(True, True), gke(False, False, ignored=True)),
        (gke(True, True, others=False), gke(False, False)),
        (gke(True, False), gke(False, False)),
        (gke(False, True), gke(True, True)),
        (database(7), database(14)),
    ],
)
def test_a_feature_that_stays_or_that_nothing_uses_is_not_reported(before: Program, after: Program) -> None:
    assert turned_off(before, after) == []
