"""Logs on AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.policies.engines import unless_custom
from penstock.aws.policies.keys import OwnKey
from penstock.aws.types import (
    ALB_LOAD_BALANCER,
    CLOUDTRAIL_TRAIL,
    CLOUDWATCH_LOG_GROUP,
    EC2_DEFAULT_VPC,
    EC2_VPC,
    EKS_CLUSTER,
    ELB_LOAD_BALANCER,
    FSX_DATA_REPOSITORY_ASSOCIATION,
    FSX_LUSTRE_FILE_SYSTEM,
    GUARDDUTY_DETECTOR,
    LB_LOAD_BALANCER,
    RDS_CLUSTER,
    RDS_INSTANCE,
    S3_BUCKET,
    S3_BUCKET_LOGGING,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Verdict, allow, fail
from penstock.graph.view import View
from penstock.rules.checks import All, ByType, Either, Given, Has, Is, IsNot, Joined, NotBelow, OneOf, Where, values
from penstock.rules.comparing import same
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.LOGS)

_BALANCERS: Final = (LB_LOAD_BALANCER, ALB_LOAD_BALANCER)
_OF_ALL_MANAGEMENT: Final = {"eventCategory", "eventSource"}
"""By what a selector takes reads and writes alike: a source may only be left out, KMS or the Data API of RDS, which
flood a trail (CloudTrail API, EventSelector; that it is the same for advanced selectors is from memory).
"""
_OBJECTS: Final = "AWS::S3::Object"
_PARTITIONS: Final = ("aws", "aws-cn", "aws-us-gov")
_ALL_BUCKETS: Final = {"arn:aws:s3", "arn:aws:s3:::"}
_DETECTOR_FEATURE: Final = "aws:guardduty/detectorFeature:DetectorFeature"

RULES.row(
    "aws-eks-cp-logs",
    "A cluster writes all five logs of its control plane.",
    on=EKS_CLUSTER,
    check=Has("enabledClusterLogTypes", ("api", "audit", "authenticator", "controllerManager", "scheduler")),
    severity=MEDIUM,
    rationale="After a break-in nothing shows who called the API server: AWS keeps none of it for you.",
    fix="Set enabledClusterLogTypes to api, audit, authenticator, controllerManager and scheduler; CloudWatch bills "
    "them by the gigabyte.",
    peers="CKV_AWS_37 AWS-0038 KICS:37304d3f KICS:66f130d9",
    cis=("EKS 1.8: 2.1.1",),
)
RULES.row(
    "aws-vpc-flow-logs",
    "A flow log records what enters and leaves a VPC, or what it refuses.",
    on=(EC2_VPC, EC2_DEFAULT_VPC),
    check=Joined(
        (("aws:ec2/flowLog:FlowLog", "vpcId"),),
        "no flow log records its traffic",
        OneOf("trafficType", ("ALL", "REJECT")),
    ),
    severity=MEDIUM,
    rationale="Data that a stolen node sends out leaves no trace, and the amount is unknown afterwards.",
    fix="Add an aws.ec2.FlowLog with its vpcId and trafficType ALL; a bucket keeps it for less than CloudWatch.",
    peers="CKV2_AWS_11 AWS-0178 KICS:f83121ea",
    cis=("AWS 5.0: 3.7",),
)


@RULES.rule(
    on=S3_BUCKET,
    joins=True,
    severity=LOW,
    rationale="Nothing shows who read a data set or a checkpoint before it turned up elsewhere.",
    fix="Add an aws.s3.BucketLogging with targetBucket, or data events of all buckets (arn:aws:s3) to a trail; logs "
    "of a busy bucket grow large, so give the target a lifecycle.",
    peers="CKV_AWS_18 AWS-0089 KICS:f861041c KICS:ee9e50e8 AWS-0163",
)
def aws_s3_access_logs(bucket: View, _: Settings) -> Verdict:
    """A bucket has its reads and writes logged, to another bucket or by a trail; those that take logs need none."""
    loggings = [(each, "targetBucket") for each in bucket.referrers(S3_BUCKET_LOGGING, "bucket")]
    if "logging" in bucket:
        loggings.append((bucket, "logging.targetBucket"))
    targets = {target.urn for logging, path in loggings for target in logging.found(path, S3_BUCKET)}
    if bucket.urn in targets:
        return fail("the bucket logs to itself, so that every entry causes another one")
    if loggings and bucket.has_hidden_name and not targets:
        return UNKNOWN
    trails = bucket.site.of_type(CLOUDTRAIL_TRAIL)
    if loggings or any(_records(trail, bucket) for trail in trails):
        return PASS
    if trails and bucket.has_hidden_name:
        return UNKNOWN
    takes = bucket.referrers(S3_BUCKET_LOGGING, "targetBucket") + bucket.referrers(S3_BUCKET, "logging.targetBucket")
    return NOT_APPLICABLE if takes else fail("nothing logs who reads and writes it")


def _records(trail: View, bucket: View) -> bool:
    """Return whether a trail records reads and writes of the objects of all buckets, or of this one."""
    own = _objects_of(bucket)
    for selector in trail.blocks("eventSelectors"):
        for data in selector.blocks("dataResources"):
            chosen = data.text("type") == _OBJECTS and (selector.text("readWriteType") or "All") == "All"
            if chosen and (_ALL_BUCKETS | own) & set(data.texts("values")):
                return True
    for selector in trail.blocks("advancedEventSelectors"):
        fields = {field.text("field"): field for field in selector.blocks("fieldSelectors")}
        of_objects = "resources.type" in fields and fields["resources.type"].texts("equals") == [_OBJECTS]
        if not of_objects or "readOnly" in fields:
            continue
        if "resources.ARN" not in fields or own & set(fields["resources.ARN"].texts("startsWiths")):
            return True
    return False


def _objects_of(bucket: View) -> set[str]:
    """How ARNs of all objects of a bucket begin."""
    arn, name = bucket.outputs.given("arn"), bucket.given("bucket")
    by_arn = {f"{arn}/"} if isinstance(arn, str) else set()
    by_name = {f"arn:{partition}:s3:::{name}/" for partition in _PARTITIONS} if isinstance(name, str) else set()
    return by_arn | by_name


RULES.row(
    "aws-log-retention",
    "A log group keeps its events as long as the settings ask.",
    on=CLOUDWATCH_LOG_GROUP,
    check=Where(
        IsNot("logGroupClass", "DELIVERY"),
        Either(Is("retentionInDays", 0), NotBelow("retentionInDays", "log_retention_days")),
    ),
    severity=LOW,
    rationale="Break-ins are found after months, and by then the log of how it began is gone.",
    fix="Set retentionInDays to log_retention_days or more (365 is what auditors ask for), or to 0 for no end; storage "
    "is billed by the gigabyte and month.",
    peers="CKV_AWS_66 CKV_AWS_338",
)
RULES.row(
    "aws-cloudtrail",
    "A trail is on, covers all regions, proves its files unchanged and encrypts them with a key of the customer's own.",
    on=CLOUDTRAIL_TRAIL,
    check=All(
        Is("enableLogging", value=True),
        Is("isMultiRegionTrail", value=True),
        Is("enableLogFileValidation", value=True),
        OwnKey("kmsKeyId"),
    ),
    severity=MEDIUM,
    rationale="Whoever steals a key works in a region that nobody watches, or edits the log of what was done.",
    fix="Set isMultiRegionTrail and enableLogFileValidation to true, kmsKeyId to a KMS key; leave enableLogging on.",
    peers=(
        "CKV_AWS_67 CKV_AWS_36 CKV_AWS_35 AWS-0014 AWS-0016 AWS-0015 KICS:4bb76f17 KICS:52ffcfa6 "
        "KICS:5d9e3164 KICS:8173d5eb CKV_AWS_251"
    ),
    cis=("AWS 5.0: 3.1", "AWS 5.0: 3.2", "AWS 5.0: 3.5"),
)


@RULES.rule(
    on=CLOUDTRAIL_TRAIL,
    joins=True,
    severity=MEDIUM,
    rationale="Nothing shows who created a role or opened a group: the existing trail records other events.",
    fix="Leave includeManagementEvents on and readWriteType at All in one of eventSelectors, or add a selector of "
    "advancedEventSelectors with eventCategory Management and without readOnly.",
    cis=("AWS 5.0: 3.1",),
)
def aws_cloudtrail_management(trail: View, _: Settings) -> Verdict:
    """A trail of the program records what is done to resources, reads and writes."""
    if any(_records_management(other) for other in trail.site.of_type(CLOUDTRAIL_TRAIL) if other.urn != trail.urn):
        return NOT_APPLICABLE  # this one may be for the events of data alone
    return allow(_records_management(trail), "the trail records no management events, or only some of them")


def _records_management(trail: View) -> bool:
    simple, advanced = trail.blocks("eventSelectors"), trail.blocks("advancedEventSelectors")
    if not simple and not advanced:
        return True
    if any(
        selector.flag("includeManagementEvents") is not False and (selector.text("readWriteType") or "All") == "All"
        for selector in simple
    ):
        return True
    chosen = ({field.text("field"): field.texts("equals") for field in s.blocks("fieldSelectors")} for s in advanced)
    return any(one.get("eventCategory") == ["Management"] and one.keys() <= _OF_ALL_MANAGEMENT for one in chosen)


RULES.row(
    "aws-guardduty-eks",
    "A GuardDuty detector is on and reads the audit logs of Kubernetes.",
    on=(GUARDDUTY_DETECTOR, _DETECTOR_FEATURE),
    check=ByType(
        {
            GUARDDUTY_DETECTOR: All(
                Is("enable", value=True),
                Where(
                    Given("datasources.kubernetes.auditLogs"),
                    Is("datasources.kubernetes.auditLogs.enable", value=True),
                ),
            ),
            _DETECTOR_FEATURE: Where(Is("name", "EKS_AUDIT_LOGS"), Is("status", "ENABLED")),
        }
    ),
    severity=MEDIUM,
    rationale="A miner in a GPU pool or a token used from abroad runs until the bill comes.",
    fix="Set enable to true, and datasources.kubernetes.auditLogs.enable or the feature EKS_AUDIT_LOGS; GuardDuty "
    "bills by the million of events.",
    peers="CKV_AWS_238 KICS:704dadd3",
)
RULES.row(
    "aws-lb-access-logs",
    "A load balancer logs the requests that it takes.",
    on=(*_BALANCERS, ELB_LOAD_BALANCER),
    check=ByType(
        dict.fromkeys(_BALANCERS, Where(IsNot("loadBalancerType", "gateway"), Is("accessLogs.enabled", value=True)))
        | {ELB_LOAD_BALANCER: All(Given("accessLogs.bucket"), IsNot("accessLogs.enabled", value=False))}
    ),
    severity=LOW,
    rationale="When an endpoint for inference is probed or drained, nothing shows from where.",
    fix="Set accessLogs.enabled to true and accessLogs.bucket to a bucket that the load balancer may write to.",
    peers="CKV_AWS_91 CKV_AWS_92 KICS:3e34db4f KICS:20018359",
)
RULES.row(
    "aws-rds-logs",
    "A database sends its logs to CloudWatch.",
    on=(RDS_INSTANCE, RDS_CLUSTER),
    check=unless_custom(Given("enabledCloudwatchLogsExports")),
    severity=LOW,
    rationale="The logs stay on the instance, where they are rotated away and go with it.",
    fix="Set enabledCloudwatchLogsExports to what the engine has: postgresql and upgrade, or audit, error, general, "
    "slowquery for MySQL.",
    peers="CKV_AWS_129 CKV_AWS_324 KICS:8d7f7b8c",
)


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    joins=True,
    severity=LOW,
    rationale="A checkpoint that was not exported to its bucket is noticed only when it is needed.",
    fix="Set logConfiguration.level to WARN_ERROR, and destination to a log group whose name begins with /aws/fsx/.",
)
def aws_fsx_lustre_logs(filesystem: View, _: Settings) -> Verdict:
    """A Lustre file system tied to a bucket logs what it fails to import and export."""
    tied = (
        "importPath" in filesystem
        or "exportPath" in filesystem
        or filesystem.referrers(FSX_DATA_REPOSITORY_ASSOCIATION, "fileSystemId")
    )
    if not tied:
        return NOT_APPLICABLE
    (level,) = values(filesystem, "logConfiguration.level")
    return allow(
        same(level, "WARN_ERROR"),
        f"logConfiguration.level is {level}: not every failed import and export is logged",
        path="logConfiguration.level",
    )
