"""Updates that a cloud refuses however right the description is by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pulumi
import pytest
from pulumi_aws import docdb, ebs, ec2, eks, fsx, rds, s3
from pulumi_azure_native import containerservice, cosmosdb, dbforpostgresql, storagecache
from pulumi_azure_native import storage as azure_storage
from pulumi_gcp import compute, container, filestore, sql, storage
from pulumi_kubernetes import core

from penstock.catalog import tables, updates
from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.core.findings import Severity
from penstock.simulate import sdk_types
from penstock.simulate.run import rehearse

pytestmark = pytest.mark.slow

Program = Callable[[], object]
Maker = Callable[..., Program]


def cluster(version: str) -> Program:
    return lambda: eks.Cluster(
        "c", version=version, role_arn="arn:aws:iam::123456789012:role/c", vpc_config={"subnet_ids": ["subnet-1"]}
    )


def gke(version: str) -> Program:
    return lambda: container.Cluster("c", location="us-central1", initial_node_count=1, min_master_version=version)


def volume(size: int) -> Program:
    return lambda: ebs.Volume("v", availability_zone="us-east-1a", size=size)


def database(storage: int = 100, version: str = "16.4", *, major: bool | None = None) -> Program:
    return lambda: rds.Instance(
        "d",
        engine="postgres",
        instance_class="db.r6g.large",
        allocated_storage=storage,
        engine_version=version,
        allow_major_version_upgrade=major,
    )


def cloud_sql(size: int, version: str = "POSTGRES_16") -> Program:
    return lambda: sql.DatabaseInstance(
        "d", database_version=version, settings={"tier": "db-g1-small", "disk_size": size}
    )


def mysql(version: str, *, major: bool | None = None) -> Program:
    return lambda: rds.Instance(
        "d",
        engine="mysql",
        instance_class="db.r6g.large",
        allocated_storage=100,
        engine_version=version,
        allow_major_version_upgrade=major,
    )


def documents(version: str, *, major: bool | None = None) -> Program:
    return lambda: docdb.Cluster(
        "d",
        engine_version=version,
        allow_major_version_upgrade=major,
        master_username="admin",
        manage_master_user_password=True,
    )


def access(mode: str) -> Program:
    return lambda: eks.Cluster(
        "c",
        access_config={"authentication_mode": mode},
        role_arn="arn:aws:iam::123456789012:role/c",
        vpc_config={"subnet_ids": ["subnet-1"]},
    )


def versioning(status: str) -> Program:
    return lambda: s3.BucketVersioning("v", bucket="b", versioning_configuration={"status": status})


def openzfs(capacity: int) -> Program:
    return lambda: fsx.OpenZfsFileSystem(
        "f",
        subnet_ids="subnet-1",
        deployment_type="SINGLE_AZ_2",
        storage_capacity=capacity,
        throughput_capacity=160,
        skip_final_backup=True,
    )


def lustre(capacity: int) -> Program:
    return lambda: fsx.LustreFileSystem(
        "f",
        subnet_ids="subnet-1",
        deployment_type="PERSISTENT_2",
        per_unit_storage_throughput=125,
        storage_capacity=capacity,
    )


def locked_bucket(seconds: int) -> Program:
    return lambda: storage.Bucket(
        "b", location="US", retention_policy={"retention_period": str(seconds), "is_locked": True}
    )


def claim(size: str) -> Program:
    return lambda: core.v1.PersistentVolumeClaim(
        "p",
        metadata={"name": "p"},
        spec={"access_modes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}},
    )


def in_network(mtu: int, *, machines: bool = True) -> Program:
    def program() -> None:
        network = compute.Network("n", auto_create_subnetworks=False, mtu=mtu)
        if machines:
            compute.Instance(
                "m",
                machine_type="e2-small",
                zone="us-central1-a",
                boot_disk={"initialize_params": {"image": "debian-cloud/debian-12"}},
                network_interfaces=[{"network": network.id}],
            )

    return program


def root_disk(size: int) -> Program:
    return lambda: ec2.Instance(
        "m", ami="ami-0123456789abcdef0", instance_type="m5.large", root_block_device={"volume_size": size}
    )


def service_account(email: str, *, stopping: bool | None = None) -> Program:
    return lambda: compute.Instance(
        "m",
        machine_type="g2-standard-8",
        zone="us-central1-a",
        boot_disk={"initialize_params": {"image": "debian-12"}},
        network_interfaces=[{"network": "default"}],
        service_account={"email": email, "scopes": ["cloud-platform"]},
        allow_stopping_for_update=stopping,
    )


def files(size: int, tier: str) -> Program:
    return lambda: filestore.Instance(
        "f",
        tier=tier,
        location="us-central1-a",
        file_shares={"name": "home", "capacity_gb": size},
        networks=[{"network": "default", "modes": ["MODE_IPV4"]}],
    )


def machine(type_: str, *, stopping: bool | None = None) -> Program:
    return lambda: compute.Instance(
        "m",
        machine_type=type_,
        zone="us-central1-a",
        boot_disk={"initialize_params": {"image": "debian-12"}},
        network_interfaces=[{"network": "default"}],
        allow_stopping_for_update=stopping,
    )


def subnet(range_: str) -> Program:
    return lambda: ec2.Subnet("s", vpc_id="vpc-1", cidr_block=range_)


def amlfs(tib: float, *, tier: int = 250, day: str = "Sunday") -> Program:
    return lambda: storagecache.AmlFilesystem(
        "l",
        resource_group_name="g",
        sku={"name": f"AMLFS-Durable-Premium-{tier}"},
        storage_capacity_ti_b=tib,
        zones=["1"],
        filesystem_subnet="subnet",
        maintenance_window={"day_of_week": day, "time_of_day_utc": "03:00"},
    )


def aks(version: str) -> Program:
    return lambda: containerservice.ManagedCluster("c", resource_group_name="g", kubernetes_version=version)


def issuer(*, enabled: bool) -> Program:
    return lambda: containerservice.ManagedCluster(
        "c", resource_group_name="g", oidc_issuer_profile={"enabled": enabled}
    )


def account(sku: str) -> Program:
    return lambda: azure_storage.StorageAccount("s", resource_group_name="g", kind="StorageV2", sku={"name": sku})


def postgres(backups: str) -> Program:
    return lambda: dbforpostgresql.Server("d", resource_group_name="g", backup={"geo_redundant_backup": backups})


def items(key: str) -> Program:
    return lambda: cosmosdb.SqlResourceSqlContainer(
        "i",
        resource_group_name="g",
        account_name="a",
        database_name="d",
        resource={"id": "i", "partition_key": {"paths": [key], "kind": "Hash"}},
    )


def aks_pool(gib: int, *, replaced: bool = False) -> Program:
    return lambda: containerservice.AgentPool(
        "p",
        resource_group_name="g",
        resource_name_="c",
        agent_pool_name="train",
        os_disk_size_gb=gib,
        opts=pulumi.ResourceOptions(replace_on_changes=["osDiskSizeGB"] if replaced else []),
    )


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (cluster("1.33"), cluster("1.34"), None),
        (cluster("1.33"), cluster("1.35"), "DIFF-012"),
        (cluster("1.34"), cluster("1.33"), "DIFF-011"),
        (gke("1.33"), gke("1.34"), None),
        (gke("1.33.2-gke.100"), gke("1.33.4-gke.200"), None),
        (gke("1.33"), gke("1.35.1-gke.100"), "DIFF-012"),
        (gke("1.34"), gke("1.33"), "DIFF-015"),
        (claim("10Gi"), claim("20Gi"), None),
        (claim("20Gi"), claim("9000Mi"), "DIFF-010"),
        (claim("1Gi"), claim("1024Mi"), None),
        (in_network(8896), in_network(1460), "DIFF-021"),
        (in_network(8896, machines=False), in_network(1460, machines=False), None),
        (volume(100), volume(200), None),
        (volume(200), volume(100), "DIFF-010"),
        (root_disk(100), root_disk(200), None),
        (root_disk(200), root_disk(100), "DIFF-010"),
        (database(storage=100), database(storage=101), "DIFF-010"),
        (database(storage=100), database(storage=110), None),
        (database(storage=200), database(storage=100), "DIFF-010"),
        (database(version="16.4"), database(version="16.6"), None),
        (database(version="16.4"), database(version="16.3"), "DIFF-011"),
        (database(version="16.4"), database(version="17.2"), "DIFF-013"),
        (database(version="16.4"), database(version="17.2", major=True), None),
        (database(version="16"), database(version="16.4"), None),
        (cloud_sql(200), cloud_sql(100), "DIFF-015"),
        (cloud_sql(100, "POSTGRES_16"), cloud_sql(100, "MYSQL_8_4"), "DIFF-019"),
        (mysql("8.0.40"), mysql("8.0.42"), None),
        (mysql("8.0.40"), mysql("8.4.3"), "DIFF-013"),
        (mysql("8.0.40"), mysql("8.4.3", major=True), None),
        (documents("4.0.0"), documents("5.0.0"), "DIFF-013"),
        (documents("4.0.0"), documents("5.0.0", major=True), None),
        (documents("5.0.0"), documents("4.0.0"), "DIFF-011"),
        (access("CONFIG_MAP"), access("API_AND_CONFIG_MAP"), None),
        (access("API"), access("API_AND_CONFIG_MAP"), "DIFF-019"),
        (access("API_AND_CONFIG_MAP"), access("CONFIG_MAP"), "DIFF-019"),
        (versioning("Enabled"), versioning("Suspended"), None),
        (versioning("Suspended"), versioning("Disabled"), "DIFF-019"),
        (locked_bucket(3600), locked_bucket(86400), None),
        (locked_bucket(86400), locked_bucket(3600), "DIFF-019"),
        (openzfs(1000), openzfs(1050), "DIFF-010"),
        (openzfs(1000), openzfs(1100), None),
        (lustre(48000), lustre(50400), None),
        (service_account("a@p.iam"), service_account("b@p.iam"), "DIFF-013"),
        (service_account("a@p.iam"), service_account("b@p.iam", stopping=True), None),
        (cloud_sql(100, "POSTGRES_16"), cloud_sql(100, "POSTGRES_15"), "DIFF-011"),
        (cloud_sql(100, "POSTGRES_15"), cloud_sql(100, "POSTGRES_16"), None),
        (files(2048, "BASIC_SSD"), files(1024, "BASIC_SSD"), "DIFF-010"),
        (files(2048, "ZONAL"), files(1024, "ZONAL"), None),
        (machine("g2-standard-8"), machine("g2-standard-12"), "DIFF-013"),
        (machine("g2-standard-8"), machine("g2-standard-12", stopping=True), None),
        (subnet("10.0.0.0/20"), subnet("10.0.0.0/19"), "DIFF-014"),
        (subnet("10.0.0.0/20"), subnet("10.0.16.0/20"), None),
        (amlfs(8), amlfs(16), "DIFF-019"),
        (amlfs(8), amlfs(8, tier=500), "DIFF-019"),
        (amlfs(8), amlfs(8, day="Monday"), None),
        (aks("1.33"), aks("1.34"), None),
        (aks("1.33"), aks("1.35"), "DIFF-012"),
        (aks("1.34"), aks("1.33"), "DIFF-011"),
        (issuer(enabled=False), issuer(enabled=True), None),
        (issuer(enabled=True), issuer(enabled=False), "DIFF-019"),
        (account("Standard_LRS"), account("Standard_GRS"), None),
        (account("Standard_LRS"), account("Premium_LRS"), "DIFF-019"),
        (postgres("Enabled"), postgres("Enabled"), None),
        (postgres("Disabled"), postgres("Enabled"), "DIFF-019"),
        (items("/tenant"), items("/user"), "DIFF-019"),
        (aks_pool(128), aks_pool(256), "DIFF-019"),
        (aks_pool(128), aks_pool(256, replaced=True), None),
    ],
)
def test_a_cloud_refuses(before: Program, after: Program, expected: str | None) -> None:
    first = rehearse(before)
    findings = findings_of(diff(first, rehearse(after, before=first.graph)))
    found = [finding.code for finding in findings if finding.severity is not Severity.INFO]

    assert [code for code in found if code >= "DIFF-010"] == ([expected] if expected else [])


def test_what_the_cloud_has_grown_by_itself_counts() -> None:
    before = rehearse(database(storage=100)).graph
    (stored,) = before.of_type("aws:rds/instance:Instance")
    grown = replace(stored, outputs={**stored.outputs, "allocatedStorage": 300})
    state = replace(before, resources={**before.resources, stored.urn: grown})
    compared = diff(state, rehearse(database(storage=200), before=state))

    assert [finding.code for finding in findings_of(compared)] == ["DIFF-010"]


def disk(size: int) -> Program:
    return lambda: compute.Disk("d", zone="us-central1-a", size=size)


def subnetwork(range_: str) -> Program:
    return lambda: compute.Subnetwork("s", network="default", region="us-central1", ip_cidr_range=range_)


@pytest.mark.parametrize(
    ("make", "small", "large"), [(disk, 100, 200), (subnetwork, "10.0.0.0/20", "10.0.0.0/16")], ids=["disk", "subnet"]
)
def test_google_grows_in_place_and_replaces_to_shrink(make: Maker, small: Any, large: Any) -> None:
    first, second = rehearse(make(small)), rehearse(make(large))

    assert [each.resource.name for each in diff(first, second).updated]
    assert [each.resource.name for each in diff(second, first).replaced]


@pytest.mark.parametrize("table", ["update_effects", "update_refusals", "update_timeouts", "version_counters"])
def test_the_tables_name_types_and_properties_that_the_sdks_have(table: str) -> None:
    for cloud in tables.clouds_with(table):
        for row in tables.rows(f"{cloud}/{table}"):
            declared = sdk_types.input_types(row["type"])
            assert declared, row
            if "property" in row:
                assert row["property"].partition(".")[0] in declared, row


def test_a_whole_that_changes_has_the_gravest_effect_of_its_parts() -> None:
    pool = "gcp:container/nodePool:NodePool"

    def effect(*keys: str, inputs: Mapping[str, Any] | None = None) -> str:
        found = updates.effect_of(pool, keys, inputs or {})
        return found.effect if found else ""

    assert effect("nodeConfig") == "rolling"
    assert effect("nodeConfig", "labels", "team") == "in_place"
    assert effect("nodeConfig", "kubeletConfig", "cpuManagerPolicy") == "rolling"
    assert effect("upgradeSettings", "maxSurge") == "none"
    assert effect("nodeCount") == ""
