"""EFS, RDS and ECR: what each of them refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import (
    DATABASE,
    DATABASE_SUBNETS,
    MOUNT_TARGET,
    REPOSITORY_LIFECYCLE,
    SHARED_FILES,
    SUBNET,
)

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def files(**inputs: Any) -> Program:
    """A shared file system."""
    return {"it": (SHARED_FILES, inputs)}


def mounted(*zones: Any, **inputs: Any) -> Program:
    """A file system with a mount target in each of these zones."""
    return {
        **files(**inputs),
        **{f"s{rank}": (SUBNET, {"availabilityZone": zone}) for rank, zone in enumerate(zones)},
        **{
            f"t{rank}": (MOUNT_TARGET, {"fileSystemId": Ref("it"), "subnetId": Ref(f"s{rank}")})
            for rank in range(len(zones))
        },
    }


def subnets(*zones: Any) -> Program:
    """The subnets of a database."""
    return {
        **{f"s{rank}": (SUBNET, {"availabilityZone": zone}) for rank, zone in enumerate(zones)},
        "it": (DATABASE_SUBNETS, {"subnetIds": [Ref(f"s{rank}") for rank in range(len(zones))]}),
    }


def database(**inputs: Any) -> Program:
    """A database."""
    return {"it": (DATABASE, {"engine": "postgres", "username": "admin", **inputs})}


def lifecycle(*rules: Any) -> Program:
    """The lifecycle of images."""
    return {"it": (REPOSITORY_LIFECYCLE, {"policy": json.dumps({"rules": list(rules)})})}


def images(rank: Any = 1, **selection: Any) -> dict[str, Any]:
    """A rule for images without tags; None leaves a part out."""
    given = {
        "tagStatus": "untagged",
        "countType": "sinceImagePushed",
        "countUnit": "days",
        "countNumber": 14,
        **selection,
    }
    chosen = {key: value for key, value in given.items() if value is not None}
    return {"rulePriority": rank, "selection": chosen, "action": {"type": "expire"}}


RAW = {"it": (REPOSITORY_LIFECYCLE, {"policy": UNKNOWN})}
NOTHING: Program = {"it": (REPOSITORY_LIFECYCLE, {})}
GP3 = {"storageType": "gp3", "iops": 12000}

CASES = [
    Case("aws-efs-provisioned-throughput", PASS, files(throughputMode="provisioned", provisionedThroughputInMibps=128)),
    Case("aws-efs-provisioned-throughput", PASS, files(throughputMode="elastic")),
    Case(
        "aws-efs-provisioned-throughput",
        FAIL,
        files(throughputMode="provisioned"),
        path="provisionedThroughputInMibps",
        says="not given",
    ),
    Case(
        "aws-efs-provisioned-throughput",
        FAIL,
        files(provisionedThroughputInMibps=128),
        path="provisionedThroughputInMibps",
    ),
    Case("aws-efs-provisioned-throughput", CANNOT_TELL, files(throughputMode=UNKNOWN)),
    Case("aws-efs-provisioned-throughput", NOT_APPLICABLE, files()),
    Case("aws-efs-max-io-mode", PASS, files(performanceMode="maxIO")),
    Case("aws-efs-max-io-mode", FAIL, files(performanceMode="maxIO", throughputMode="elastic"), path="performanceMode"),
    Case(
        "aws-efs-max-io-mode",
        FAIL,
        files(performanceMode="maxIO", availabilityZoneName="us-east-1a"),
        path="performanceMode",
    ),
    Case("aws-efs-max-io-mode", CANNOT_TELL, files(performanceMode=UNKNOWN)),
    Case("aws-efs-max-io-mode", NOT_APPLICABLE, files(throughputMode="elastic")),
    Case("aws-efs-mount-target-per-zone", PASS, mounted("us-east-1a", "us-east-1b"), preview=True),
    Case(
        "aws-efs-mount-target-per-zone",
        FAIL,
        mounted("us-east-1a", "us-east-1a"),
        path="subnetId",
        says="already",
        preview=True,
    ),
    Case(
        "aws-efs-mount-target-per-zone",
        FAIL,
        mounted("us-east-1b", availabilityZoneName="us-east-1a"),
        path="subnetId",
        says="only",
    ),
    Case("aws-efs-mount-target-per-zone", CANNOT_TELL, mounted(None)),
    Case("aws-efs-mount-target-per-zone", NOT_APPLICABLE, files()),
    Case("aws-rds-subnets-two-zones", PASS, subnets("us-east-1a", "us-east-1b"), preview=True),
    Case("aws-rds-subnets-two-zones", FAIL, subnets("us-east-1a", "us-east-1a"), path="subnetIds", says="us-east-1a"),
    Case("aws-rds-subnets-two-zones", CANNOT_TELL, subnets("us-east-1a", None)),
    Case("aws-rds-subnets-two-zones", NOT_APPLICABLE, subnets()),
    Case("aws-rds-storage-iops", PASS, database(**GP3, allocatedStorage=400)),
    Case("aws-rds-storage-iops", PASS, database(storageType="io2", iops=3000)),
    Case("aws-rds-storage-iops", FAIL, database(**GP3, allocatedStorage=100), path="iops", says="400"),
    Case("aws-rds-storage-iops", FAIL, database(storageType="gp2", iops=3000), path="iops", says="gp2"),
    Case("aws-rds-storage-iops", FAIL, database(storageType="io1"), path="iops", says="names no IOPS"),
    Case("aws-rds-storage-iops", CANNOT_TELL, database(storageType="gp3", iops=UNKNOWN)),
    Case("aws-rds-storage-iops", NOT_APPLICABLE, database(storageType="gp3", allocatedStorage=20)),
    Case("aws-rds-storage-iops", NOT_APPLICABLE, database(storageType="io1", snapshotIdentifier="rds:before")),
    Case("aws-rds-final-snapshot", PASS, database(finalSnapshotIdentifier="last")),
    Case("aws-rds-final-snapshot", FAIL, database(), path="finalSnapshotIdentifier"),
    Case("aws-rds-final-snapshot", CANNOT_TELL, database(skipFinalSnapshot=UNKNOWN)),
    Case("aws-rds-final-snapshot", NOT_APPLICABLE, database(skipFinalSnapshot=True)),
    Case("aws-rds-master-password", PASS, database(manageMasterUserPassword=True)),
    Case("aws-rds-master-password", PASS, database(password=UNKNOWN)),
    Case("aws-rds-master-password", FAIL, database(), path="password", says="manageMasterUserPassword"),
    Case(
        "aws-rds-master-password",
        FAIL,
        database(manageMasterUserPassword=True, password="x"),
        path="password",
        says="given",
    ),
    Case("aws-rds-master-password", CANNOT_TELL, database(manageMasterUserPassword=UNKNOWN)),
    Case("aws-rds-master-password", NOT_APPLICABLE, database(snapshotIdentifier="old")),
    Case("aws-ecr-lifecycle-json", PASS, lifecycle(images(), images(2))),
    Case("aws-ecr-lifecycle-json", FAIL, lifecycle(images(), images()), path="policy", says="rulePriority"),
    Case(
        "aws-ecr-lifecycle-json",
        FAIL,
        {"it": (REPOSITORY_LIFECYCLE, {"policy": "rules"})},
        path="policy",
        says="json.dumps",
    ),
    Case("aws-ecr-lifecycle-json", CANNOT_TELL, RAW),
    Case("aws-ecr-lifecycle-json", NOT_APPLICABLE, NOTHING),
    Case("aws-ecr-lifecycle-rule", PASS, lifecycle(images())),
    Case("aws-ecr-lifecycle-rule", PASS, lifecycle(images(countType="imageCountMoreThan", countUnit=None))),
    Case("aws-ecr-lifecycle-rule", PASS, lifecycle(images(tagStatus="tagged", tagPatternList=["v*"]))),
    Case("aws-ecr-lifecycle-rule", FAIL, lifecycle(images(tagStatus="tagged")), path="policy", says="tagPatternList"),
    Case("aws-ecr-lifecycle-rule", FAIL, lifecycle(images(countUnit=None)), path="policy", says="days"),
    Case("aws-ecr-lifecycle-rule", FAIL, lifecycle({"rulePriority": 1}), path="policy", says="expire"),
    Case("aws-ecr-lifecycle-rule", CANNOT_TELL, RAW),
    Case("aws-ecr-lifecycle-rule", NOT_APPLICABLE, NOTHING),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_stores_says_what_aws_would(case: Case) -> None:
    check(case)
