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
    Case("AWS-EFS-001", PASS, files(throughputMode="provisioned", provisionedThroughputInMibps=128)),
    Case("AWS-EFS-001", PASS, files(throughputMode="elastic")),
    Case(
        "AWS-EFS-001", FAIL, files(throughputMode="provisioned"), path="provisionedThroughputInMibps", says="not given"
    ),
    Case("AWS-EFS-001", FAIL, files(provisionedThroughputInMibps=128), path="provisionedThroughputInMibps"),
    Case("AWS-EFS-001", CANNOT_TELL, files(throughputMode=UNKNOWN)),
    Case("AWS-EFS-001", NOT_APPLICABLE, files()),
    Case("AWS-EFS-002", PASS, files(performanceMode="maxIO")),
    Case("AWS-EFS-002", FAIL, files(performanceMode="maxIO", throughputMode="elastic"), path="performanceMode"),
    Case(
        "AWS-EFS-002", FAIL, files(performanceMode="maxIO", availabilityZoneName="us-east-1a"), path="performanceMode"
    ),
    Case("AWS-EFS-002", CANNOT_TELL, files(performanceMode=UNKNOWN)),
    Case("AWS-EFS-002", NOT_APPLICABLE, files(throughputMode="elastic")),
    Case("AWS-EFS-003", PASS, mounted("us-east-1a", "us-east-1b"), preview=True),
    Case("AWS-EFS-003", FAIL, mounted("us-east-1a", "us-east-1a"), path="subnetId", says="already", preview=True),
    Case("AWS-EFS-003", FAIL, mounted("us-east-1b", availabilityZoneName="us-east-1a"), path="subnetId", says="only"),
    Case("AWS-EFS-003", CANNOT_TELL, mounted(None)),
    Case("AWS-EFS-003", NOT_APPLICABLE, files()),
    Case("AWS-RDS-001", PASS, subnets("us-east-1a", "us-east-1b"), preview=True),
    Case("AWS-RDS-001", FAIL, subnets("us-east-1a", "us-east-1a"), path="subnetIds", says="us-east-1a"),
    Case("AWS-RDS-001", CANNOT_TELL, subnets("us-east-1a", None)),
    Case("AWS-RDS-001", NOT_APPLICABLE, subnets()),
    Case("AWS-RDS-002", PASS, database(**GP3, allocatedStorage=400)),
    Case("AWS-RDS-002", PASS, database(storageType="io2", iops=3000)),
    Case("AWS-RDS-002", FAIL, database(**GP3, allocatedStorage=100), path="iops", says="400"),
    Case("AWS-RDS-002", FAIL, database(storageType="gp2", iops=3000), path="iops", says="gp2"),
    Case("AWS-RDS-002", FAIL, database(storageType="io1"), path="iops", says="names no IOPS"),
    Case("AWS-RDS-002", CANNOT_TELL, database(storageType="gp3", iops=UNKNOWN)),
    Case("AWS-RDS-002", NOT_APPLICABLE, database(storageType="gp3", allocatedStorage=20)),
    Case("AWS-RDS-002", NOT_APPLICABLE, database(storageType="io1", snapshotIdentifier="rds:before")),
    Case("AWS-RDS-003", PASS, database(finalSnapshotIdentifier="last")),
    Case("AWS-RDS-003", FAIL, database(), path="finalSnapshotIdentifier"),
    Case("AWS-RDS-003", CANNOT_TELL, database(skipFinalSnapshot=UNKNOWN)),
    Case("AWS-RDS-003", NOT_APPLICABLE, database(skipFinalSnapshot=True)),
    Case("AWS-RDS-004", PASS, database(manageMasterUserPassword=True)),
    Case("AWS-RDS-004", PASS, database(password=UNKNOWN)),
    Case("AWS-RDS-004", FAIL, database(), path="password", says="manageMasterUserPassword"),
    Case("AWS-RDS-004", FAIL, database(manageMasterUserPassword=True, password="x"), path="password", says="given"),
    Case("AWS-RDS-004", CANNOT_TELL, database(manageMasterUserPassword=UNKNOWN)),
    Case("AWS-RDS-004", NOT_APPLICABLE, database(snapshotIdentifier="old")),
    Case("AWS-ECR-001", PASS, lifecycle(images(), images(2))),
    Case("AWS-ECR-001", FAIL, lifecycle(images(), images()), path="policy", says="rulePriority"),
    Case("AWS-ECR-001", FAIL, {"it": (REPOSITORY_LIFECYCLE, {"policy": "rules"})}, path="policy", says="json.dumps"),
    Case("AWS-ECR-001", CANNOT_TELL, RAW),
    Case("AWS-ECR-001", NOT_APPLICABLE, NOTHING),
    Case("AWS-ECR-002", PASS, lifecycle(images())),
    Case("AWS-ECR-002", PASS, lifecycle(images(countType="imageCountMoreThan", countUnit=None))),
    Case("AWS-ECR-002", PASS, lifecycle(images(tagStatus="tagged", tagPatternList=["v*"]))),
    Case("AWS-ECR-002", FAIL, lifecycle(images(tagStatus="tagged")), path="policy", says="tagPatternList"),
    Case("AWS-ECR-002", FAIL, lifecycle(images(countUnit=None)), path="policy", says="days"),
    Case("AWS-ECR-002", FAIL, lifecycle({"rulePriority": 1}), path="policy", says="expire"),
    Case("AWS-ECR-002", CANNOT_TELL, RAW),
    Case("AWS-ECR-002", NOT_APPLICABLE, NOTHING),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_stores_says_what_aws_would(case: Case) -> None:
    check(case)
