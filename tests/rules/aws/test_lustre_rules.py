"""FSx for Lustre: what AWS sells and accepts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import (
    BUCKET,
    DATA_REPOSITORY,
    LAUNCH_TEMPLATE,
    LUSTRE,
    NODE_GROUP,
    SECURITY_GROUP,
    SUBNET,
)

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

EFA = {"efaEnabled": True, "metadataConfiguration": {"mode": "AUTOMATIC"}}


def filesystem(**inputs: Any) -> Program:
    """A file system."""
    return {"it": (LUSTRE, inputs)}


def persistent(**inputs: Any) -> Program:
    """A persistent file system of the newer type."""
    return filesystem(**{"deploymentType": "PERSISTENT_2", **inputs})


def tiering(**inputs: Any) -> Program:
    """A file system with Intelligent-Tiering."""
    cache = {"sizingMode": "NO_CACHE"}
    made = {"storageType": "INTELLIGENT_TIERING", "throughputCapacity": 4000, "dataReadCacheConfiguration": cache}
    return persistent(**{**made, **inputs})


def metadata(mode: Any, iops: Any = None, **inputs: Any) -> Program:
    """A file system whose metadata are configured."""
    return persistent(metadataConfiguration={"mode": mode, "iops": iops}, **inputs)


def linked(*paths: Any, **inputs: Any) -> Program:
    """A file system with links to buckets at these paths."""
    return {
        **persistent(**inputs),
        **{
            f"link{rank}": (
                DATA_REPOSITORY,
                {"fileSystemId": Ref("it"), "fileSystemPath": path, "dataRepositoryPath": f"s3://bucket-{rank}"},
            )
            for rank, path in enumerate(paths)
        },
    }


def link(path: Any = "s3://data/x", **inputs: Any) -> Program:
    """A link to a bucket."""
    return {
        "fs": (LUSTRE, {"region": "us-east-1", **inputs}),
        "bucket": (BUCKET, {"bucket": "data", "region": "us-east-1"}),
        "far": (BUCKET, {"bucket": "far", "region": "eu-west-1"}),
        "it": (DATA_REPOSITORY, {"fileSystemId": Ref("fs"), "dataRepositoryPath": path}),
    }


def guarded(rules: dict[str, Any], **inputs: Any) -> Program:
    """A file system behind a security group."""
    return {"group": (SECURITY_GROUP, rules), **filesystem(securityGroupIds=[Ref("group")], **inputs)}


def both(*openings: dict[str, Any]) -> dict[str, Any]:
    """The same rules in both directions."""
    return {"ingress": list(openings), "egress": list(openings)}


MEMBERS = {"protocol": "-1", "self": True}
WORLD = {"protocol": "-1", "cidrBlocks": ["0.0.0.0/0"]}
LNET = (
    {"protocol": "tcp", "fromPort": 988, "toPort": 988, "self": True},
    {"protocol": "tcp", "fromPort": 1018, "toPort": 1023, "self": True},
)
SSH = {"protocol": "tcp", "fromPort": 22, "toPort": 22, "self": True}


def placed(storage: Any, nodes: Any) -> Program:
    """A file system and nodes, each in a zone."""
    return {
        "a": (SUBNET, {"availabilityZone": storage}),
        "b": (SUBNET, {"availabilityZone": nodes}),
        "group": (NODE_GROUP, {"subnetIds": [Ref("b")]}),
        **filesystem(subnetIds=Ref("a")),
    }


def with_fabric(zone: str) -> Program:
    """A file system for EFA in us-east-1a, nodes beside it without EFA, and nodes with EFA in a zone."""
    return {
        **placed("us-east-1a", "us-east-1a"),
        "far": (SUBNET, {"availabilityZone": zone}),
        "template": (LAUNCH_TEMPLATE, {"networkInterfaces": [{"interfaceType": "efa"}]}),
        "trainers": (NODE_GROUP, {"subnetIds": [Ref("far")], "launchTemplate": {"id": Ref("template")}}),
        **persistent(subnetIds=Ref("a"), **EFA),
    }


def linking(inside: Any, outside: Any) -> Program:
    """A link of a bucket."""
    return {"it": (DATA_REPOSITORY, {"fileSystemPath": inside, "dataRepositoryPath": outside})}


CASES = [
    Case("AWS-FSX-001", PASS, filesystem(perUnitStorageThroughput=250, storageCapacity=4800)),
    Case(
        "AWS-FSX-001",
        FAIL,
        filesystem(perUnitStorageThroughput=250, storageCapacity=5000),
        path="storageCapacity",
        says="4800",
    ),
    Case(
        "AWS-FSX-001",
        FAIL,
        filesystem(perUnitStorageThroughput=250, storageCapacity=4800, efaEnabled=True),
        path="storageCapacity",
        says="19200",
    ),
    Case("AWS-FSX-001", CANNOT_TELL, filesystem(perUnitStorageThroughput=UNKNOWN, storageCapacity=5000)),
    Case("AWS-FSX-001", NOT_APPLICABLE, filesystem(storageCapacity=1200)),
    Case("AWS-FSX-002", PASS, persistent(perUnitStorageThroughput=250)),
    Case("AWS-FSX-002", PASS, filesystem()),
    Case(
        "AWS-FSX-002",
        PASS,
        filesystem(
            deploymentType="PERSISTENT_1", storageType="HDD", perUnitStorageThroughput=12, driveCacheType="NONE"
        ),
    ),
    Case("AWS-FSX-002", FAIL, persistent(perUnitStorageThroughput=300), path="perUnitStorageThroughput", says="250"),
    Case("AWS-FSX-002", FAIL, persistent(), path="perUnitStorageThroughput", says="needs"),
    Case(
        "AWS-FSX-002", FAIL, filesystem(perUnitStorageThroughput=200), path="perUnitStorageThroughput", says="SCRATCH_1"
    ),
    Case("AWS-FSX-002", FAIL, tiering(perUnitStorageThroughput=125), path="perUnitStorageThroughput"),
    Case("AWS-FSX-002", CANNOT_TELL, persistent(perUnitStorageThroughput=UNKNOWN)),
    Case("AWS-FSX-002", NOT_APPLICABLE, persistent(backupId="backup-0123456789abcdef0")),
    Case("AWS-FSX-002", NOT_APPLICABLE, persistent(storageType="HDD", perUnitStorageThroughput=12)),
    Case("AWS-FSX-003", PASS, filesystem(storageCapacity=2400)),
    Case("AWS-FSX-003", PASS, filesystem(storageCapacity=7200)),
    Case("AWS-FSX-003", PASS, filesystem(deploymentType="SCRATCH_2", storageCapacity=1200)),
    Case("AWS-FSX-003", FAIL, filesystem(storageCapacity=4800), path="storageCapacity", says="3600"),
    Case("AWS-FSX-003", FAIL, filesystem(deploymentType="SCRATCH_2", storageCapacity=3600), path="storageCapacity"),
    Case("AWS-FSX-003", CANNOT_TELL, filesystem(storageCapacity=UNKNOWN)),
    Case("AWS-FSX-003", NOT_APPLICABLE, persistent(storageCapacity=1000)),
    Case("AWS-FSX-004", PASS, persistent(storageType="SSD")),
    Case("AWS-FSX-004", PASS, tiering()),
    Case("AWS-FSX-004", FAIL, persistent(storageType="HDD"), path="storageType", says="SSD or INTELLIGENT_TIERING"),
    Case("AWS-FSX-004", FAIL, filesystem(storageType="INTELLIGENT_TIERING"), path="storageType"),
    Case("AWS-FSX-004", FAIL, filesystem(deploymentType="PERSISTENT_1", storageType="HDD"), path="driveCacheType"),
    Case("AWS-FSX-004", FAIL, persistent(driveCacheType="READ"), path="driveCacheType", says="Leave"),
    Case("AWS-FSX-004", CANNOT_TELL, persistent(storageType=UNKNOWN)),
    Case("AWS-FSX-004", NOT_APPLICABLE, filesystem(deploymentType="PERSISTENT_3")),
    Case("AWS-FSX-005", PASS, persistent(**EFA)),
    Case("AWS-FSX-005", PASS, persistent(**EFA, fileSystemTypeVersion="2.15")),
    Case("AWS-FSX-005", FAIL, persistent(efaEnabled=True), path="metadataConfiguration", says="AUTOMATIC"),
    Case("AWS-FSX-005", FAIL, filesystem(deploymentType="SCRATCH_2", **EFA), path="deploymentType"),
    Case("AWS-FSX-005", FAIL, persistent(**EFA, fileSystemTypeVersion="2.12"), path="fileSystemTypeVersion"),
    Case("AWS-FSX-005", CANNOT_TELL, persistent(efaEnabled=UNKNOWN)),
    Case("AWS-FSX-005", NOT_APPLICABLE, persistent()),
    Case("AWS-FSX-006", PASS, metadata("AUTOMATIC")),
    Case("AWS-FSX-006", PASS, metadata("USER_PROVISIONED", 24000)),
    Case("AWS-FSX-006", PASS, tiering(metadataConfiguration={"mode": "USER_PROVISIONED", "iops": 6000})),
    Case("AWS-FSX-006", FAIL, metadata("AUTOMATIC", 6000), path="metadataConfiguration.mode"),
    Case("AWS-FSX-006", FAIL, metadata("USER_PROVISIONED", 5000), path="metadataConfiguration.iops", says="6000"),
    Case("AWS-FSX-006", FAIL, metadata("USER_PROVISIONED"), path="metadataConfiguration.iops"),
    Case("AWS-FSX-006", FAIL, tiering(metadataConfiguration={"mode": "AUTOMATIC"}), path="metadataConfiguration.mode"),
    Case("AWS-FSX-006", FAIL, filesystem(metadataConfiguration={"mode": "AUTOMATIC"}), path="metadataConfiguration"),
    Case("AWS-FSX-006", CANNOT_TELL, metadata(UNKNOWN)),
    Case("AWS-FSX-006", NOT_APPLICABLE, persistent()),
    Case("AWS-FSX-007", PASS, tiering()),
    Case("AWS-FSX-007", FAIL, tiering(throughputCapacity=5000), path="throughputCapacity", says="4000"),
    Case("AWS-FSX-007", FAIL, tiering(dataReadCacheConfiguration=None), path="dataReadCacheConfiguration"),
    Case("AWS-FSX-007", FAIL, tiering(storageCapacity=1200), path="storageCapacity"),
    Case("AWS-FSX-007", FAIL, persistent(throughputCapacity=4000), path="throughputCapacity", says="Leave"),
    Case("AWS-FSX-007", CANNOT_TELL, tiering(throughputCapacity=UNKNOWN)),
    Case("AWS-FSX-007", NOT_APPLICABLE, persistent()),
    Case("AWS-FSX-008", PASS, filesystem(fileSystemTypeVersion="2.10")),
    Case(
        "AWS-FSX-008", FAIL, persistent(fileSystemTypeVersion="2.10"), path="fileSystemTypeVersion", says="2.12 or 2.15"
    ),
    Case("AWS-FSX-008", FAIL, metadata("AUTOMATIC", fileSystemTypeVersion="2.12"), path="fileSystemTypeVersion"),
    Case("AWS-FSX-008", CANNOT_TELL, persistent(fileSystemTypeVersion=UNKNOWN)),
    Case("AWS-FSX-008", NOT_APPLICABLE, persistent()),
    Case("AWS-FSX-008", NOT_APPLICABLE, persistent(fileSystemTypeVersion="2.12", **EFA)),
    Case("AWS-FSX-009", PASS, filesystem(automaticBackupRetentionDays=0)),
    Case("AWS-FSX-009", FAIL, filesystem(kmsKeyId="key"), path="kmsKeyId", says="PERSISTENT_2"),
    Case("AWS-FSX-009", FAIL, filesystem(automaticBackupRetentionDays=7), path="automaticBackupRetentionDays"),
    Case("AWS-FSX-009", CANNOT_TELL, filesystem(deploymentType=UNKNOWN)),
    Case("AWS-FSX-009", NOT_APPLICABLE, persistent(kmsKeyId="key", automaticBackupRetentionDays=7)),
    Case("AWS-FSX-010", PASS, linked("/data")),
    Case("AWS-FSX-010", FAIL, linked("/data", automaticBackupRetentionDays=7), path="automaticBackupRetentionDays"),
    Case("AWS-FSX-010", FAIL, filesystem(importPath="s3://x", copyTagsToBackups=True), path="copyTagsToBackups"),
    Case("AWS-FSX-010", CANNOT_TELL, linked("/data", automaticBackupRetentionDays=UNKNOWN)),
    Case("AWS-FSX-010", NOT_APPLICABLE, persistent(automaticBackupRetentionDays=7)),
    Case("AWS-FSX-011", PASS, filesystem(importPath="s3://x")),
    Case("AWS-FSX-017", PASS, filesystem(importPath="s3://x")),
    Case("AWS-FSX-017", FAIL, persistent(importPath="s3://x"), path="importPath", says="DataRepositoryAssociation"),
    Case("AWS-FSX-017", CANNOT_TELL, filesystem(importPath="s3://x", deploymentType=UNKNOWN)),
    Case("AWS-FSX-017", NOT_APPLICABLE, linked("/data")),
    Case("AWS-FSX-011", FAIL, linked("/a", deploymentType="SCRATCH_2", exportPath="s3://x"), path="exportPath"),
    Case(
        "AWS-FSX-011",
        CANNOT_TELL,
        {**filesystem(importPath="s3://x"), "link": (DATA_REPOSITORY, {"fileSystemId": UNKNOWN})},
    ),
    Case("AWS-FSX-011", NOT_APPLICABLE, linked("/data")),
    Case("AWS-FSX-012", PASS, link(deploymentType="PERSISTENT_2"), preview=True),
    Case("AWS-FSX-012", PASS, link(deploymentType="SCRATCH_2", fileSystemTypeVersion="2.12")),
    Case("AWS-FSX-012", FAIL, link(), path="fileSystemId", says="SCRATCH_1"),
    Case("AWS-FSX-012", FAIL, link(deploymentType="PERSISTENT_1"), path="fileSystemId", says="2.10"),
    Case(
        "AWS-FSX-012", FAIL, link(deploymentType="PERSISTENT_2", storageType="INTELLIGENT_TIERING"), path="fileSystemId"
    ),
    Case("AWS-FSX-012", CANNOT_TELL, {"it": (DATA_REPOSITORY, {"fileSystemId": "fs-1"})}),
    Case("AWS-FSX-012", NOT_APPLICABLE, {"it": (DATA_REPOSITORY, {})}),
    Case("AWS-FSX-013", PASS, linked("/a", "/ab", "/b/c"), preview=True),
    Case("AWS-FSX-013", FAIL, linked("/a", "/a/b"), path="fileSystemPath", says="/a/b lies within /a"),
    Case("AWS-FSX-013", FAIL, linked("/data", "/"), path="fileSystemPath", says="lies within /"),
    Case("AWS-FSX-013", FAIL, linked(*(f"/{rank}" for rank in range(9))), path="fileSystemId", says="8"),
    Case("AWS-FSX-013", CANNOT_TELL, linked("/a", UNKNOWN)),
    Case("AWS-FSX-013", NOT_APPLICABLE, persistent()),
    Case("AWS-FSX-014", PASS, link()),
    Case("AWS-FSX-014", FAIL, link("s3://far"), path="dataRepositoryPath", says="eu-west-1"),
    Case("AWS-FSX-014", CANNOT_TELL, link("s3://elsewhere")),
    Case("AWS-FSX-014", NOT_APPLICABLE, {"it": (DATA_REPOSITORY, {})}),
    Case("AWS-FSX-015", PASS, guarded(both(*LNET))),
    Case("AWS-FSX-015", PASS, guarded(both(WORLD))),
    Case("AWS-FSX-015", PASS, guarded(both(MEMBERS), **EFA), preview=True),
    Case("AWS-FSX-015", FAIL, guarded(both(SSH)), path="securityGroupIds", says="TCP 988"),
    Case("AWS-FSX-015", FAIL, guarded(both(LNET[0])), path="securityGroupIds", says="1018"),
    Case("AWS-FSX-015", FAIL, guarded({"ingress": list(LNET)}), path="securityGroupIds", says="egress"),
    Case("AWS-FSX-015", FAIL, guarded(both(WORLD), **EFA), path="securityGroupIds", says="all protocols", preview=True),
    Case("AWS-FSX-015", CANNOT_TELL, filesystem(securityGroupIds=["sg-1"])),
    Case("AWS-FSX-015", NOT_APPLICABLE, filesystem()),
    Case("AWS-FSX-016", PASS, placed("us-east-1a", "us-east-1a")),
    Case("AWS-FSX-016", PASS, with_fabric("us-east-1a")),
    Case("AWS-FSX-016", FAIL, with_fabric("us-east-1b"), path="subnetIds", says="us-east-1b"),
    Case("AWS-FSX-016", FAIL, placed("us-east-1a", "us-east-1b"), path="subnetIds", says="us-east-1b"),
    Case("AWS-FSX-016", CANNOT_TELL, placed("us-east-1a", None)),
    Case("AWS-FSX-016", NOT_APPLICABLE, {"a": (SUBNET, {}), **filesystem(subnetIds=Ref("a"))}),
    Case("AWS-FSX-018", PASS, filesystem(storageCapacity=1200)),
    Case("AWS-FSX-018", FAIL, persistent(perUnitStorageThroughput=125), path="storageCapacity", says="2400"),
    Case("AWS-FSX-018", CANNOT_TELL, filesystem(storageType=UNKNOWN)),
    Case("AWS-FSX-018", NOT_APPLICABLE, filesystem(backupId="backup-0123456789abcdef0")),
    Case("AWS-FSX-018", NOT_APPLICABLE, tiering()),
    Case("AWS-FSX-019", PASS, linking("/data", "s3://data/x")),
    Case("AWS-FSX-019", FAIL, linking("data", "s3://data"), path="fileSystemPath", says="Write /data."),
    Case("AWS-FSX-019", FAIL, linking("/data", "data/x"), path="dataRepositoryPath", says="s3://data/x"),
    Case("AWS-FSX-019", FAIL, linking("/data", "https://data"), path="dataRepositoryPath", says="s3://"),
    Case("AWS-FSX-019", CANNOT_TELL, linking("/data", UNKNOWN)),
    Case("AWS-FSX-019", NOT_APPLICABLE, linking(None, "s3://data")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_lustre_rule_says_what_aws_would(case: Case) -> None:
    check(case)
