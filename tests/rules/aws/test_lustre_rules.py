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
    Case("aws-fsx-capacity-step", PASS, filesystem(perUnitStorageThroughput=250, storageCapacity=4800)),
    Case(
        "aws-fsx-capacity-step",
        FAIL,
        filesystem(perUnitStorageThroughput=250, storageCapacity=5000),
        path="storageCapacity",
        says="4800",
    ),
    Case(
        "aws-fsx-capacity-step",
        FAIL,
        filesystem(perUnitStorageThroughput=250, storageCapacity=4800, efaEnabled=True),
        path="storageCapacity",
        says="19200",
    ),
    Case("aws-fsx-capacity-step", CANNOT_TELL, filesystem(perUnitStorageThroughput=UNKNOWN, storageCapacity=5000)),
    Case("aws-fsx-capacity-step", NOT_APPLICABLE, filesystem(storageCapacity=1200)),
    Case("aws-fsx-throughput-tier", PASS, persistent(perUnitStorageThroughput=250)),
    Case("aws-fsx-throughput-tier", PASS, filesystem()),
    Case(
        "aws-fsx-throughput-tier",
        PASS,
        filesystem(
            deploymentType="PERSISTENT_1", storageType="HDD", perUnitStorageThroughput=12, driveCacheType="NONE"
        ),
    ),
    Case(
        "aws-fsx-throughput-tier",
        FAIL,
        persistent(perUnitStorageThroughput=300),
        path="perUnitStorageThroughput",
        says="250",
    ),
    Case("aws-fsx-throughput-tier", FAIL, persistent(), path="perUnitStorageThroughput", says="needs"),
    Case(
        "aws-fsx-throughput-tier",
        FAIL,
        filesystem(perUnitStorageThroughput=200),
        path="perUnitStorageThroughput",
        says="SCRATCH_1",
    ),
    Case("aws-fsx-throughput-tier", FAIL, tiering(perUnitStorageThroughput=125), path="perUnitStorageThroughput"),
    Case("aws-fsx-throughput-tier", CANNOT_TELL, persistent(perUnitStorageThroughput=UNKNOWN)),
    Case("aws-fsx-throughput-tier", NOT_APPLICABLE, persistent(backupId="backup-0123456789abcdef0")),
    Case("aws-fsx-throughput-tier", NOT_APPLICABLE, persistent(storageType="HDD", perUnitStorageThroughput=12)),
    Case("aws-fsx-scratch-capacity", PASS, filesystem(storageCapacity=2400)),
    Case("aws-fsx-scratch-capacity", PASS, filesystem(storageCapacity=7200)),
    Case("aws-fsx-scratch-capacity", PASS, filesystem(deploymentType="SCRATCH_2", storageCapacity=1200)),
    Case("aws-fsx-scratch-capacity", FAIL, filesystem(storageCapacity=4800), path="storageCapacity", says="3600"),
    Case(
        "aws-fsx-scratch-capacity",
        FAIL,
        filesystem(deploymentType="SCRATCH_2", storageCapacity=3600),
        path="storageCapacity",
    ),
    Case("aws-fsx-scratch-capacity", CANNOT_TELL, filesystem(storageCapacity=UNKNOWN)),
    Case("aws-fsx-scratch-capacity", NOT_APPLICABLE, persistent(storageCapacity=1000)),
    Case("aws-fsx-storage-type", PASS, persistent(storageType="SSD")),
    Case("aws-fsx-storage-type", PASS, tiering()),
    Case(
        "aws-fsx-storage-type",
        FAIL,
        persistent(storageType="HDD"),
        path="storageType",
        says="SSD or INTELLIGENT_TIERING",
    ),
    Case("aws-fsx-storage-type", FAIL, filesystem(storageType="INTELLIGENT_TIERING"), path="storageType"),
    Case(
        "aws-fsx-storage-type",
        FAIL,
        filesystem(deploymentType="PERSISTENT_1", storageType="HDD"),
        path="driveCacheType",
    ),
    Case("aws-fsx-storage-type", FAIL, persistent(driveCacheType="READ"), path="driveCacheType", says="Leave"),
    Case("aws-fsx-storage-type", CANNOT_TELL, persistent(storageType=UNKNOWN)),
    Case("aws-fsx-storage-type", NOT_APPLICABLE, filesystem(deploymentType="PERSISTENT_3")),
    Case("aws-fsx-efa-requirements", PASS, persistent(**EFA)),
    Case("aws-fsx-efa-requirements", PASS, persistent(**EFA, fileSystemTypeVersion="2.15")),
    Case("aws-fsx-efa-requirements", FAIL, persistent(efaEnabled=True), path="metadataConfiguration", says="AUTOMATIC"),
    Case("aws-fsx-efa-requirements", FAIL, filesystem(deploymentType="SCRATCH_2", **EFA), path="deploymentType"),
    Case(
        "aws-fsx-efa-requirements", FAIL, persistent(**EFA, fileSystemTypeVersion="2.12"), path="fileSystemTypeVersion"
    ),
    Case("aws-fsx-efa-requirements", CANNOT_TELL, persistent(efaEnabled=UNKNOWN)),
    Case("aws-fsx-efa-requirements", NOT_APPLICABLE, persistent()),
    Case("aws-fsx-metadata-iops", PASS, metadata("AUTOMATIC")),
    Case("aws-fsx-metadata-iops", PASS, metadata("USER_PROVISIONED", 24000)),
    Case("aws-fsx-metadata-iops", PASS, tiering(metadataConfiguration={"mode": "USER_PROVISIONED", "iops": 6000})),
    Case("aws-fsx-metadata-iops", FAIL, metadata("AUTOMATIC", 6000), path="metadataConfiguration.mode"),
    Case(
        "aws-fsx-metadata-iops",
        FAIL,
        metadata("USER_PROVISIONED", 5000),
        path="metadataConfiguration.iops",
        says="6000",
    ),
    Case("aws-fsx-metadata-iops", FAIL, metadata("USER_PROVISIONED"), path="metadataConfiguration.iops"),
    Case(
        "aws-fsx-metadata-iops",
        FAIL,
        tiering(metadataConfiguration={"mode": "AUTOMATIC"}),
        path="metadataConfiguration.mode",
    ),
    Case(
        "aws-fsx-metadata-iops",
        FAIL,
        filesystem(metadataConfiguration={"mode": "AUTOMATIC"}),
        path="metadataConfiguration",
    ),
    Case("aws-fsx-metadata-iops", CANNOT_TELL, metadata(UNKNOWN)),
    Case("aws-fsx-metadata-iops", NOT_APPLICABLE, persistent()),
    Case("aws-fsx-tiering-settings", PASS, tiering()),
    Case("aws-fsx-tiering-settings", FAIL, tiering(throughputCapacity=5000), path="throughputCapacity", says="4000"),
    Case("aws-fsx-tiering-settings", FAIL, tiering(dataReadCacheConfiguration=None), path="dataReadCacheConfiguration"),
    Case("aws-fsx-tiering-settings", FAIL, tiering(storageCapacity=1200), path="storageCapacity"),
    Case(
        "aws-fsx-tiering-settings", FAIL, persistent(throughputCapacity=4000), path="throughputCapacity", says="Leave"
    ),
    Case("aws-fsx-tiering-settings", CANNOT_TELL, tiering(throughputCapacity=UNKNOWN)),
    Case("aws-fsx-tiering-settings", NOT_APPLICABLE, persistent()),
    Case("aws-fsx-lustre-version", PASS, filesystem(fileSystemTypeVersion="2.10")),
    Case(
        "aws-fsx-lustre-version",
        FAIL,
        persistent(fileSystemTypeVersion="2.10"),
        path="fileSystemTypeVersion",
        says="2.12 or 2.15",
    ),
    Case(
        "aws-fsx-lustre-version",
        FAIL,
        metadata("AUTOMATIC", fileSystemTypeVersion="2.12"),
        path="fileSystemTypeVersion",
    ),
    Case("aws-fsx-lustre-version", CANNOT_TELL, persistent(fileSystemTypeVersion=UNKNOWN)),
    Case("aws-fsx-lustre-version", NOT_APPLICABLE, persistent()),
    Case("aws-fsx-lustre-version", NOT_APPLICABLE, persistent(fileSystemTypeVersion="2.12", **EFA)),
    Case("aws-fsx-scratch-no-backup", PASS, filesystem(automaticBackupRetentionDays=0)),
    Case("aws-fsx-scratch-no-backup", FAIL, filesystem(kmsKeyId="key"), path="kmsKeyId", says="PERSISTENT_2"),
    Case(
        "aws-fsx-scratch-no-backup",
        FAIL,
        filesystem(automaticBackupRetentionDays=7),
        path="automaticBackupRetentionDays",
    ),
    Case("aws-fsx-scratch-no-backup", CANNOT_TELL, filesystem(deploymentType=UNKNOWN)),
    Case("aws-fsx-scratch-no-backup", NOT_APPLICABLE, persistent(kmsKeyId="key", automaticBackupRetentionDays=7)),
    Case("aws-fsx-linked-no-backup", PASS, linked("/data")),
    Case(
        "aws-fsx-linked-no-backup",
        FAIL,
        linked("/data", automaticBackupRetentionDays=7),
        path="automaticBackupRetentionDays",
    ),
    Case(
        "aws-fsx-linked-no-backup",
        FAIL,
        filesystem(importPath="s3://x", copyTagsToBackups=True),
        path="copyTagsToBackups",
    ),
    Case("aws-fsx-linked-no-backup", CANNOT_TELL, linked("/data", automaticBackupRetentionDays=UNKNOWN)),
    Case("aws-fsx-linked-no-backup", NOT_APPLICABLE, persistent(automaticBackupRetentionDays=7)),
    Case("aws-fsx-one-link-method", PASS, filesystem(importPath="s3://x")),
    Case("aws-fsx-persistent2-associations", PASS, filesystem(importPath="s3://x")),
    Case(
        "aws-fsx-persistent2-associations",
        FAIL,
        persistent(importPath="s3://x"),
        path="importPath",
        says="DataRepositoryAssociation",
    ),
    Case("aws-fsx-persistent2-associations", CANNOT_TELL, filesystem(importPath="s3://x", deploymentType=UNKNOWN)),
    Case("aws-fsx-persistent2-associations", NOT_APPLICABLE, linked("/data")),
    Case(
        "aws-fsx-one-link-method",
        FAIL,
        linked("/a", deploymentType="SCRATCH_2", exportPath="s3://x"),
        path="exportPath",
    ),
    Case(
        "aws-fsx-one-link-method",
        CANNOT_TELL,
        {**filesystem(importPath="s3://x"), "link": (DATA_REPOSITORY, {"fileSystemId": UNKNOWN})},
    ),
    Case("aws-fsx-one-link-method", NOT_APPLICABLE, linked("/data")),
    Case("aws-fsx-association-support", PASS, link(deploymentType="PERSISTENT_2"), preview=True),
    Case("aws-fsx-association-support", PASS, link(deploymentType="SCRATCH_2", fileSystemTypeVersion="2.12")),
    Case("aws-fsx-association-support", FAIL, link(), path="fileSystemId", says="SCRATCH_1"),
    Case("aws-fsx-association-support", FAIL, link(deploymentType="PERSISTENT_1"), path="fileSystemId", says="2.10"),
    Case(
        "aws-fsx-association-support",
        FAIL,
        link(deploymentType="PERSISTENT_2", storageType="INTELLIGENT_TIERING"),
        path="fileSystemId",
    ),
    Case("aws-fsx-association-support", CANNOT_TELL, {"it": (DATA_REPOSITORY, {"fileSystemId": "fs-1"})}),
    Case("aws-fsx-association-support", NOT_APPLICABLE, {"it": (DATA_REPOSITORY, {})}),
    Case("aws-fsx-association-no-overlap", PASS, linked("/a", "/ab", "/b/c"), preview=True),
    Case(
        "aws-fsx-association-no-overlap", FAIL, linked("/a", "/a/b"), path="fileSystemPath", says="/a/b lies within /a"
    ),
    Case("aws-fsx-association-no-overlap", FAIL, linked("/data", "/"), path="fileSystemPath", says="lies within /"),
    Case(
        "aws-fsx-association-no-overlap",
        FAIL,
        linked(*(f"/{rank}" for rank in range(9))),
        path="fileSystemId",
        says="8",
    ),
    Case("aws-fsx-association-no-overlap", CANNOT_TELL, linked("/a", UNKNOWN)),
    Case("aws-fsx-association-no-overlap", NOT_APPLICABLE, persistent()),
    Case("aws-fsx-bucket-same-region", PASS, link()),
    Case("aws-fsx-bucket-same-region", FAIL, link("s3://far"), path="dataRepositoryPath", says="eu-west-1"),
    Case("aws-fsx-bucket-same-region", CANNOT_TELL, link("s3://elsewhere")),
    Case("aws-fsx-bucket-same-region", NOT_APPLICABLE, {"it": (DATA_REPOSITORY, {})}),
    Case("aws-fsx-lustre-sg-ports", PASS, guarded(both(*LNET))),
    Case("aws-fsx-lustre-sg-ports", PASS, guarded(both(WORLD))),
    Case("aws-fsx-lustre-sg-ports", PASS, guarded(both(MEMBERS), **EFA), preview=True),
    Case("aws-fsx-lustre-sg-ports", FAIL, guarded(both(SSH)), path="securityGroupIds", says="TCP 988"),
    Case("aws-fsx-lustre-sg-ports", FAIL, guarded(both(LNET[0])), path="securityGroupIds", says="1018"),
    Case("aws-fsx-lustre-sg-ports", FAIL, guarded({"ingress": list(LNET)}), path="securityGroupIds", says="egress"),
    Case(
        "aws-fsx-lustre-sg-ports",
        FAIL,
        guarded(both(WORLD), **EFA),
        path="securityGroupIds",
        says="all protocols",
        preview=True,
    ),
    Case("aws-fsx-lustre-sg-ports", CANNOT_TELL, filesystem(securityGroupIds=["sg-1"])),
    Case("aws-fsx-lustre-sg-ports", NOT_APPLICABLE, filesystem()),
    Case("aws-fsx-zone-of-nodes", PASS, placed("us-east-1a", "us-east-1a")),
    Case("aws-fsx-zone-of-nodes", PASS, with_fabric("us-east-1a")),
    Case("aws-fsx-zone-of-nodes", FAIL, with_fabric("us-east-1b"), path="subnetIds", says="us-east-1b"),
    Case("aws-fsx-zone-of-nodes", FAIL, placed("us-east-1a", "us-east-1b"), path="subnetIds", says="us-east-1b"),
    Case("aws-fsx-zone-of-nodes", CANNOT_TELL, placed("us-east-1a", None)),
    Case("aws-fsx-zone-of-nodes", NOT_APPLICABLE, {"a": (SUBNET, {}), **filesystem(subnetIds=Ref("a"))}),
    Case("aws-fsx-capacity-set", PASS, filesystem(storageCapacity=1200)),
    Case("aws-fsx-capacity-set", FAIL, persistent(perUnitStorageThroughput=125), path="storageCapacity", says="2400"),
    Case("aws-fsx-capacity-set", CANNOT_TELL, filesystem(storageType=UNKNOWN)),
    Case("aws-fsx-capacity-set", NOT_APPLICABLE, filesystem(backupId="backup-0123456789abcdef0")),
    Case("aws-fsx-capacity-set", NOT_APPLICABLE, tiering()),
    Case("aws-fsx-association-paths", PASS, linking("/data", "s3://data/x")),
    Case("aws-fsx-association-paths", FAIL, linking("data", "s3://data"), path="fileSystemPath", says="Write /data."),
    Case("aws-fsx-association-paths", FAIL, linking("/data", "data/x"), path="dataRepositoryPath", says="s3://data/x"),
    Case("aws-fsx-association-paths", FAIL, linking("/data", "https://data"), path="dataRepositoryPath", says="s3://"),
    Case("aws-fsx-association-paths", CANNOT_TELL, linking("/data", UNKNOWN)),
    Case("aws-fsx-association-paths", NOT_APPLICABLE, linking(None, "s3://data")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_lustre_rule_says_what_aws_would(case: Case) -> None:
    check(case)
