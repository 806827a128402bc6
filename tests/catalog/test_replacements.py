"""Which properties force a replacement, and where that is known from."""

from __future__ import annotations

import re

import pytest

from penstock.catalog import replacements, tables

PACKAGES = ("aws", "azure-native", "gcp", "kubernetes", "random")


@pytest.mark.parametrize(
    ("type_", "forces", "does_not"),
    [
        ("aws:ec2/vpc:Vpc", "cidrBlock", "tags"),
        ("aws:ec2/subnet:Subnet", "availabilityZone", "mapPublicIpOnLaunch"),
        ("aws:eks/cluster:Cluster", "name", "version"),
        ("aws:eks/nodeGroup:NodeGroup", "instanceTypes", "scalingConfig"),
        ("aws:eks/nodeGroup:NodeGroup", "launchTemplate.id", "launchTemplate.version"),
        ("aws:fsx/lustreFileSystem:LustreFileSystem", "subnetIds", "perUnitStorageThroughput"),
        ("aws:s3/bucket:Bucket", "bucket", "forceDestroy"),
        ("aws:efs/fileSystem:FileSystem", "encrypted", "throughputMode"),
        ("aws:rds/instance:Instance", "storageEncrypted", "instanceClass"),
        ("aws:kms/key:Key", "multiRegion", "policy"),
        ("gcp:container/cluster:Cluster", "location", "minMasterVersion"),
        ("gcp:storage/bucket:Bucket", "location", "versioning"),
        ("azure-native:storage:StorageAccount", "isHnsEnabled", "tags"),
        ("azure-native:containerservice:ManagedCluster", "dnsPrefix", "kubernetesVersion"),
        ("kubernetes:apps/v1:StatefulSet", "spec.volumeClaimTemplates", "spec.replicas"),
        ("kubernetes:core/v1:PersistentVolumeClaim", "spec.storageClassName", "spec.resources"),
        ("kubernetes:helm.sh/v3:Release", "namespace", "values"),
        ("random:index/randomPassword:RandomPassword", "length", "triggers"),
    ],
)
def test_a_cloud_says_what_it_cannot_change_in_place(type_: str, forces: str, does_not: str) -> None:
    found = replacements.replacements_of(type_)

    assert found.known
    assert forces in found.properties
    assert does_not not in found.properties


def test_a_file_system_may_grow_in_place_and_not_shrink() -> None:
    found = replacements.replacements_of("aws:fsx/lustreFileSystem:LustreFileSystem")

    assert "storageCapacity" in found.shrinking
    assert "storageCapacity" not in found.properties


def test_every_kubernetes_object_has_a_fixed_name_even_one_of_a_kind_that_nobody_named() -> None:
    assert "metadata.name" in replacements.replacements_of("kubernetes:kueue.x-k8s.io/v1beta1:ClusterQueue").properties
    assert "metadata.name" in replacements.replacements_of("kubernetes:core/v1:ConfigMap").properties


def test_what_has_no_row_is_not_known() -> None:
    assert not replacements.replacements_of("aws:nowhere/thing:Thing").known
    assert not replacements.replacements_of("cloudflare:index/record:Record").known


@pytest.mark.parametrize("package", PACKAGES)
def test_facts_are_those_of_the_installed_sdk(package: str) -> None:
    (row,) = (row for row in tables.rows("replacement_sources") if row["package"] == package)

    assert replacements.sdk_version(package) == row["sdk"], (
        f"The replacement facts are those of pulumi-{package} {row['sdk']}. Refresh them: pulumi package get-schema "
        f"{package} > schema.json && python -m tools.replacements {package} schema.json"
    )


def test_an_older_sdk_has_the_replacements_that_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = "aws:rds/cluster:Cluster"
    inputs = {"engine": "postgres"}
    assert "storageType" not in replacements.replacements_of(cluster).given(inputs).properties

    for version, forces in (("7.39.0", True), ("7.40.0", False), ("7.8.1-alpha.3", True)):
        monkeypatch.setattr(replacements, "sdk_version", lambda _package, version=version: version)
        facts = replacements.replacements_of.__wrapped__(cluster)

        assert ("storageType" in facts.given(inputs).properties) is forces
        assert "storageType" not in facts.given({"engine": "aurora-postgresql"}).properties


@pytest.mark.parametrize("package", PACKAGES)
def test_each_type_stands_once_and_its_source_and_date_are_reported(package: str) -> None:
    rows = tables.rows(f"{package.partition('-')[0]}/replacements")
    sources = {row["package"]: row for row in tables.rows("replacement_sources")}

    assert len({row["type"] for row in rows}) == len(rows)
    assert sources[package]["source"]
    assert re.fullmatch(r"20\d\d-[01]\d", sources[package]["as_of"])
    assert all(set(row["unverified"].split()) <= set(row) for row in rows)
