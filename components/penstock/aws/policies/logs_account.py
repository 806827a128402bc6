"""Logs and alarms of a whole AWS account: trails, AWS Config, GuardDuty and the alarms of the CIS benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from penstock.aws.policies.engines import unless_custom
from penstock.aws.types import CLOUDTRAIL_TRAIL, CLOUDWATCH_LOG_GROUP, RDS_CLUSTER, RDS_CLUSTER_INSTANCE, RDS_INSTANCE
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, fail
from penstock.graph.view import Site, View
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Custom,
    Either,
    Given,
    Is,
    IsNot,
    OneOf,
    Where,
)
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.LOGS)

_OBJECTS: Final = "AWS::S3::Object"
_CALLS: Final = {"All": ("read", "write"), "ReadOnly": ("read",), "WriteOnly": ("write",)}
"""Calls by the readWriteType of an event selector."""
_KINDS: Final = {"true": "ReadOnly", "false": "WriteOnly"}
"""The readWriteType by the field readOnly of an advanced event selector."""

RULES.row(
    "aws-trail-cloudwatch",
    "A trail sends events to CloudWatch Logs.",
    on=CLOUDTRAIL_TRAIL,
    check=Given("cloudWatchLogsGroupArn"),
    severity=LOW,
    rationale="No alarm can be raised on an event, and a search starts with files in a bucket.",
    fix="Set cloudWatchLogsGroupArn to the ARN of a log group with :* at its end, and cloudWatchLogsRoleArn.",
    peers="AWS-0162 CKV2_AWS_10 KICS:17b30f8f",
)


def _records_objects(trail: View, _: Settings) -> Verdict:
    """A trail of the program records calls on objects; one suffices, for each trail bills them again."""
    recorded = {call for each in trail.site.of_type(CLOUDTRAIL_TRAIL) for call in _recorded_calls(each)}
    missing = "calls on" if not recorded else "reads of" if "read" not in recorded else "writes of"
    complete = recorded == set(_CALLS["All"])
    return allow(complete, f"no trail records {missing} objects in S3", path="eventSelectors")


def _recorded_calls(trail: View) -> Iterator[str]:
    """Return whether a trail records reads of objects, and writes of them."""
    for selector in trail.blocks("eventSelectors"):
        if any(data.text("type") == _OBJECTS for data in selector.blocks("dataResources")):
            yield from _CALLS.get(selector.text("readWriteType") or "All", ())
    for selector in trail.blocks("advancedEventSelectors"):
        fields = {field.text("field"): field.texts("equals") for field in selector.blocks("fieldSelectors")}
        if _OBJECTS in fields.get("resources.type", ()):
            yield from _CALLS[_KINDS.get("".join(fields.get("readOnly", ())), "All")]


RULES.row(
    "aws-trail-object-events",
    "Trails record reads and writes of objects in S3.",
    on=CLOUDTRAIL_TRAIL,
    check=Custom(_records_objects, others=True),
    severity=LOW,
    rationale="After a leak nothing shows which role read which object.",
    fix="Add a data resource of type AWS::S3::Object for the buckets with sensitive data to eventSelectors; CloudTrail "
    "bills data events by the hundred thousand, so leave out buckets of training data.",
    peers="AWS-0171 AWS-0172 KICS:a8fc2180",
)


class _Alarm(NamedTuple):
    """An alarm of the CIS benchmark: what it is about, and words that its filter pattern must contain."""

    about: str
    words: tuple[str, ...]


_ALARMS: Final = (
    _Alarm("unauthorized calls", ("UnauthorizedOperation", "AccessDenied")),
    _Alarm("console logins without MFA", ("ConsoleLogin", "MFAUsed")),
    _Alarm("use of the root user", ("userIdentity.type", "Root")),
    _Alarm("changes of IAM policies", ("PutRolePolicy", "AttachRolePolicy", "CreatePolicy")),
    _Alarm("changes of trails", ("UpdateTrail", "DeleteTrail", "StopLogging")),
    _Alarm("failed console logins", ("ConsoleLogin", "Failed authentication")),
    _Alarm("disabled or deleted keys", ("DisableKey", "ScheduleKeyDeletion")),
    _Alarm("changes of bucket policies", ("PutBucketPolicy", "DeleteBucketPolicy")),
    _Alarm("changes of AWS Config", ("StopConfigurationRecorder", "DeleteDeliveryChannel")),
    _Alarm("changes of security groups", ("AuthorizeSecurityGroupIngress", "RevokeSecurityGroupIngress")),
    _Alarm("changes of network ACLs", ("CreateNetworkAcl", "DeleteNetworkAclEntry")),
    _Alarm("changes of gateways", ("AttachInternetGateway", "DetachInternetGateway")),
    _Alarm("changes of route tables", ("CreateRoute", "ReplaceRouteTableAssociation")),
    _Alarm("changes of VPCs", ("CreateVpc", "DeleteVpc", "ModifyVpcAttribute")),
    _Alarm("changes of the organization", ("organizations.amazonaws.com",)),
)
"""CIS AWS Foundations Benchmark 5.0, section 4, "Monitoring"; a pattern may name more events."""
_FILTER: Final = "aws:cloudwatch/logMetricFilter:LogMetricFilter"
_METRIC_ALARM: Final = "aws:cloudwatch/metricAlarm:MetricAlarm"


def _raises_alarms(trail: View, _: Settings) -> Verdict:
    """The log group of a trail has a filter for each kind of event, and each filter an alarm."""
    if trail.given("cloudWatchLogsGroupArn") in (None, ""):
        return NOT_APPLICABLE
    groups = {group.urn for group in trail.found("cloudWatchLogsGroupArn", CLOUDWATCH_LOG_GROUP)}
    groups |= {group.urn for group in trail.sources("cloudWatchLogsGroupArn", CLOUDWATCH_LOG_GROUP)}
    try:
        patterns = [
            each.text("pattern") or ""
            for each in trail.site.of_type(_FILTER)
            if _metric_of(each) in trail.site.once(_watched_metrics) and _is_of(each, groups)
        ]
    except NotKnown:
        return UNKNOWN
    missing = [alarm.about for alarm in _ALARMS if not any(_matches(pattern, alarm) for pattern in patterns)]
    return fail(f"no alarm on {', '.join(missing)}", path="cloudWatchLogsGroupArn") if missing else PASS


def _is_of(each: View, groups: set[str]) -> bool:
    """Return whether a filter reads one of these log groups; any group will do where the trail's is elsewhere."""
    return not groups or any(group.urn in groups for group in each.found("logGroupName", CLOUDWATCH_LOG_GROUP))


def _matches(pattern: str, alarm: _Alarm) -> bool:
    lowered = pattern.casefold()
    return all(word.casefold() in lowered for word in alarm.words)


def _metric_of(each: View) -> tuple[str | None, str | None]:
    metric = each.block("metricTransformation")
    return (metric.text("namespace"), metric.text("name")) if metric is not None else (None, None)


def _watched_metrics(site: Site) -> frozenset[tuple[str | None, str | None]]:
    """Namespace and name of each metric that has an alarm; a name that is taken from a filter counts as its own."""
    found: set[tuple[str | None, str | None]] = set()
    for alarm in site.of_type(_METRIC_ALARM):
        sources = alarm.sources("metricName", _FILTER)
        if sources:
            found |= {_metric_of(each) for each in sources}
        else:
            found.add((alarm.text("namespace"), alarm.text("metricName")))
    return frozenset(found)


RULES.row(
    "aws-trail-alarms",
    "Alarms watch the events of a trail that the CIS benchmark lists.",
    on=CLOUDTRAIL_TRAIL,
    check=Custom(_raises_alarms, others=True),
    severity=LOW,
    rationale="A stolen root password, an opened security group or a stopped trail is noticed with the next bill.",
    fix="Add an aws.cloudwatch.LogMetricFilter on the trail's log group and a MetricAlarm for each of them, or waive "
    "the rule where a SIEM reads the trail.",
    peers=(
        "AWS-0147 AWS-0148 AWS-0149 AWS-0150 AWS-0151 AWS-0152 AWS-0153 AWS-0154 AWS-0155 AWS-0156 AWS-0157 AWS-0158 "
        "AWS-0159 AWS-0160 AWS-0174 KICS:4c18a45b KICS:44ceb4fa KICS:8b1b1e67 KICS:eaaba502 KICS:0f6cbf69 "
        "KICS:5864d189 KICS:56a585f5 KICS:27c6a499 KICS:5b8d7527 KICS:4beaf898 KICS:0a8e8dc5 KICS:6b6874fe "
        "KICS:2285e608 KICS:9d0d4512"
    ),
    cis=tuple(f"AWS 5.0: 4.{number}†" for number in range(1, 16)),
)
RULES.row(
    "aws-alarm-actions",
    "An alarm runs its actions.",
    on=_METRIC_ALARM,
    check=IsNot("actionsEnabled", value=False),
    severity=LOW,
    rationale="The alarm goes off, and reaches no one.",
    fix="Remove actionsEnabled, or set it to true.",
    peers="CKV_AWS_319",
)

_RECORDER: Final = "aws:cfg/recorder:Recorder"
_RECORDER_STATUS: Final = "aws:cfg/recorderStatus:RecorderStatus"


def _records_global_types(recorder: View, _: Settings) -> Verdict:
    """One recorder of the program records global types; a second one in another region would record them twice."""
    flags = [each.value("recordingGroup.includeGlobalResourceTypes") for each in recorder.site.of_type(_RECORDER)]
    return allow(
        any(flag in (True, "true") for flag in flags),
        "no recorder sets recordingGroup.includeGlobalResourceTypes",
        path="recordingGroup.includeGlobalResourceTypes",
    )


RULES.row(
    "aws-config-recorder",
    "AWS Config is on, and records all types of resources.",
    on=(_RECORDER, _RECORDER_STATUS),
    check=ByType(
        {
            _RECORDER: Where(
                Absent("recordingGroup.exclusionByResourceTypes"),
                All(
                    IsNot("recordingGroup.allSupported", value=False),
                    Custom(_records_global_types, others=True),
                ),
            ),
            _RECORDER_STATUS: Is("isEnabled", value=True),
        }
    ),
    severity=MEDIUM,
    rationale="Nothing shows how a role or a security group looked on the day of a break-in.",
    fix="Set recordingGroup.allSupported and includeGlobalResourceTypes to true, and isEnabled of the RecorderStatus.",
    peers="CKV2_AWS_45 CKV2_AWS_48",
    cis=("AWS 5.0: 3.3†",),
)

_AGGREGATOR: Final = "aws:cfg/configurationAggregator:ConfigurationAggregator"

RULES.row(
    "aws-config-aggregator",
    "An aggregator of AWS Config reads all regions.",
    on=_AGGREGATOR,
    check=All(
        Where(Given("accountAggregationSource"), Is("accountAggregationSource.allRegions", value=True)),
        Where(Given("organizationAggregationSource"), Is("organizationAggregationSource.allRegions", value=True)),
    ),
    severity=LOW,
    rationale="What an intruder starts in a region that nobody uses is seen nowhere.",
    fix="Set allRegions to true in accountAggregationSource or organizationAggregationSource.",
    peers="AWS-0019 CKV_AWS_121 KICS:ac5a0bc0",
)
RULES.row(
    "aws-guardduty-org",
    "GuardDuty is on in every account of an organization.",
    on="aws:guardduty/organizationConfiguration:OrganizationConfiguration",
    check=OneOf("autoEnableOrganizationMembers", ("ALL", "NEW")),
    severity=MEDIUM,
    rationale="A new account is watched by nobody until someone thinks of it.",
    fix="Set autoEnableOrganizationMembers to ALL.",
    peers="CKV2_AWS_3",
)


def _its_cluster_is_monitored(member: View, settings: Settings) -> Verdict:
    clusters = member.found("clusterIdentifier", RDS_CLUSTER)
    return AtLeast("monitoringInterval", 1).judge(clusters[0], settings) if clusters else NOT_APPLICABLE


RULES.row(
    "aws-rds-monitoring",
    "A database has enhanced monitoring.",
    on=(RDS_INSTANCE, RDS_CLUSTER_INSTANCE),
    check=ByType(
        {
            RDS_INSTANCE: unless_custom(AtLeast("monitoringInterval", 1)),
            RDS_CLUSTER_INSTANCE: Either(
                AtLeast("monitoringInterval", 1), Custom(_its_cluster_is_monitored, others=True)
            ),
        }
    ),
    severity=LOW,
    rationale="A process that mines coins, or a full disk of the host, does not show in the metrics of the engine.",
    fix="Set monitoringInterval to 60 or less, and monitoringRoleArn to a role with AmazonRDSEnhancedMonitoringRole.",
    peers="CKV_AWS_118",
)
