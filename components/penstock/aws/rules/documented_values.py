"""Values that service models describe in words only: log retention, image ids, group sizes, databases, queues."""

from __future__ import annotations

from itertools import pairwise

from penstock.aws.types import (
    AUTOSCALING_GROUP,
    CLOUDWATCH_LOG_GROUP,
    EC2_INSTANCE,
    EC2_LAUNCH_CONFIGURATION,
    EC2_LAUNCH_TEMPLATE,
    EC2_SPOT_INSTANCE_REQUEST,
    LAMBDA_FUNCTION,
    RDS_CLUSTER_INSTANCE,
    RDS_INSTANCE,
    SQS_QUEUE,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, fail
from penstock.graph.view import View
from penstock.rules.checks import Absent, All, AtLeast, AtMost, ByType, Given, Is, Matches, NoneOf, OneOf, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


_RETENTION_DAYS = (0, 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827)
_RETENTION_YEARS = (2192, 2557, 2922, 3288, 3653)
_IMAGE = r"ami-[0-9A-Za-z]+|resolve:ssm:.+"
_ENGINES = (
    "(custom-)?oracle-(ee|se2)(-cdb)?|(custom-)?sqlserver-(ee|se|web|ex|dev)|sqlserver-dev-ee|db2-(ae|se)"
    "|mariadb|mysql|postgres"
)
_FROM_ELSEWHERE = ("replicateSourceDb", "snapshotIdentifier", "restoreToPointInTime")
_SMALL_ENGINES = ("mariadb", "mysql", "postgres")
_OF_RDS = ("RDS API model in botocore 1.44, CreateDBInstance",)

RULES.row(
    "aws-log-retention-days",
    "The retention of a log group is one of the numbers of days that CloudWatch Logs offers.",
    on=CLOUDWATCH_LOG_GROUP,
    check=OneOf("retentionInDays", (*_RETENTION_DAYS, *_RETENTION_YEARS)),
    severity=HIGH,
    rationale="PutRetentionPolicy rejects any other number with InvalidParameterException.",
    fix="Set retentionInDays to an offered number, such as 14, 30, 90, 180 or 365; 0 keeps logs for ever.",
    sources=("CloudWatch Logs API model in botocore 1.44, PutRetentionPolicy",),
)

RULES.row(
    "aws-image-id-form",
    "The image of a machine is the id of an AMI, or a Systems Manager parameter.",
    on=(EC2_INSTANCE, EC2_LAUNCH_TEMPLATE, EC2_SPOT_INSTANCE_REQUEST, EC2_LAUNCH_CONFIGURATION),
    check=ByType(
        {
            EC2_INSTANCE: Where(Given("ami"), Matches("ami", _IMAGE)),
            EC2_SPOT_INSTANCE_REQUEST: Where(Given("ami"), Matches("ami", _IMAGE)),
            EC2_LAUNCH_TEMPLATE: Where(Given("imageId"), Matches("imageId", _IMAGE)),
            EC2_LAUNCH_CONFIGURATION: Where(Given("imageId"), Matches("imageId", _IMAGE)),
        }
    ),
    severity=HIGH,
    rationale="EC2 answers InvalidAMIID.Malformed.",
    fix="Set the image to an id such as ami-0123456789abcdef0, or to resolve:ssm: and a parameter.",
    sources=("EC2 API model in botocore 1.44, RequestLaunchTemplateData",),
)

RULES.row(
    "aws-rds-engine-known",
    "The engine of a database instance is one that RDS offers.",
    on=RDS_INSTANCE,
    check=Where(Given("engine"), Matches("engine", _ENGINES)),
    severity=HIGH,
    rationale="CreateDBInstance answers InvalidParameterValue; Aurora instances belong to an rds.Cluster.",
    fix="Set engine to one such as postgres, mysql, mariadb or oracle-ee.",
    sources=_OF_RDS,
)

RULES.row(
    "aws-rds-class-form",
    "The class of a database instance has the form db.FAMILY.SIZE.",
    on=(RDS_INSTANCE, RDS_CLUSTER_INSTANCE),
    check=Where(Given("instanceClass"), Matches("instanceClass", r"db\.([a-z0-9-]+\.[a-z0-9.-]+|serverless)")),
    severity=HIGH,
    rationale="CreateDBInstance answers InvalidParameterValue for a class that does not exist.",
    fix="Set instanceClass to a class such as db.m7g.large.",
    sources=_OF_RDS,
)

RULES.row(
    "aws-rds-storage-size",
    "A MariaDB, MySQL or PostgreSQL instance has the least storage of its type, and at most 65536 GiB.",
    on=RDS_INSTANCE,
    check=Where(
        All(
            Given("allocatedStorage"),
            OneOf("engine", _SMALL_ENGINES),
            *(Absent(key) for key in _FROM_ELSEWHERE),
        ),
        All(
            AtMost("allocatedStorage", 65_536),
            Where(NoneOf("storageType", ("standard", "io1", "io2")), AtLeast("allocatedStorage", 20)),
            Where(OneOf("storageType", ("io1", "io2")), AtLeast("allocatedStorage", 100)),
            Where(Is("storageType", "standard"), AtLeast("allocatedStorage", 5)),
        ),
    ),
    severity=HIGH,
    rationale="CreateDBInstance answers InvalidParameterValue for a smaller or larger volume.",
    fix="Set allocatedStorage to 20 GiB or more for gp2 and gp3, 100 for io1 and io2, and 5 for standard.",
    sources=_OF_RDS,
)

RULES.row(
    "aws-sqs-queue-ranges",
    "The times and the message size of a queue are within the ranges of SQS.",
    on=SQS_QUEUE,
    check=All(
        Where(Given("delaySeconds"), All(AtLeast("delaySeconds", 0), AtMost("delaySeconds", 900))),
        Where(Given("maxMessageSize"), All(AtLeast("maxMessageSize", 1024), AtMost("maxMessageSize", 1_048_576))),
        Where(
            Given("messageRetentionSeconds"),
            All(AtLeast("messageRetentionSeconds", 60), AtMost("messageRetentionSeconds", 1_209_600)),
        ),
        Where(
            Given("receiveWaitTimeSeconds"),
            All(AtLeast("receiveWaitTimeSeconds", 0), AtMost("receiveWaitTimeSeconds", 20)),
        ),
        Where(
            Given("visibilityTimeoutSeconds"),
            All(AtLeast("visibilityTimeoutSeconds", 0), AtMost("visibilityTimeoutSeconds", 43_200)),
        ),
    ),
    severity=HIGH,
    rationale="CreateQueue answers InvalidAttributeValue.",
    fix="Set delaySeconds to at most 900, receiveWaitTimeSeconds to at most 20, visibilityTimeoutSeconds to at most "
    "43200, messageRetentionSeconds to 60 to 1209600, and maxMessageSize to 1024 to 1048576.",
    sources=("SQS API model in botocore 1.44, CreateQueue",),
)

RULES.row(
    "aws-lambda-timeout",
    "A function on Lambda's own capacity runs for at most 900 seconds.",
    on=LAMBDA_FUNCTION,
    check=Where(All(Given("timeout"), Absent("capacityProviderConfig")), AtMost("timeout", 900)),
    severity=HIGH,
    rationale="CreateFunction rejects a longer timeout.",
    fix="Set timeout to at most 900, or run the work elsewhere.",
    sources=("Lambda API model in botocore 1.44, CreateFunction",),
)


@RULES.rule(
    on=AUTOSCALING_GROUP,
    severity=HIGH,
    rationale="CreateAutoScalingGroup answers ValidationError for sizes that are out of order.",
    fix="Set minSize, desiredCapacity and maxSize in ascending order.",
    sources=("Auto Scaling API model in botocore 1.44, CreateAutoScalingGroup",),
)
def aws_asg_sizes_in_order(group: View) -> Verdict:
    """The desired capacity of an Auto Scaling group lies between its minimum and its maximum size."""
    sizes = {key: group.integer(key) for key in ("minSize", "desiredCapacity", "maxSize") if key in group}
    given = [(key, size) for key, size in sizes.items() if size is not None]
    if len(given) < 2:  # noqa: PLR2004 two are in order, or not
        return NOT_APPLICABLE
    wrong = [(lower, upper) for lower, upper in pairwise(given) if lower[1] > upper[1]]
    if not wrong:
        return PASS
    (low, least), (high, most) = wrong[0]
    return fail(f"{low} {least} is above {high} {most}", hint=f"Set {low} to at most {most}.", path=low)
