"""Logs, metrics and traces of tasks, functions, builds, sessions and machines on AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.policies.sessions import session_inputs
from penstock.aws.types import (
    CLOUDFRONT_DISTRIBUTION,
    CODEBUILD_PROJECT,
    EC2_INSTANCE,
    ECS_CLUSTER,
    LAMBDA_FUNCTION,
    SFN_STATE_MACHINE,
    SSM_DOCUMENT,
)
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import ByType, Custom, Either, Given, Is, IsNot, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.LOGS)

_EXEC: Final = "configuration.executeCommandConfiguration"

RULES.row(
    "aws-ecs-exec-logs",
    "A cluster logs the commands that people run in its containers.",
    on=ECS_CLUSTER,
    check=Where(Given(_EXEC), IsNot(f"{_EXEC}.logging", "NONE")),
    severity=MEDIUM,
    rationale="After a break-in nothing shows which commands ran in the container, or who ran them.",
    fix="Set configuration.executeCommandConfiguration.logging to OVERRIDE, with a logConfiguration.",
    peers="CKV_AWS_223",
)


def _has_insights(cluster: View) -> Verdict:
    settings = {one.text("name"): one.text("value") for one in cluster.blocks("settings")}
    return allow(
        settings.get("containerInsights") in ("enabled", "enhanced"), "containerInsights is not on", path="settings"
    )


RULES.row(
    "aws-ecs-insights",
    "A cluster sends metrics of its tasks to CloudWatch.",
    on=ECS_CLUSTER,
    check=Custom(_has_insights, takes_settings=False),
    severity=LOW,
    rationale="A task that runs out of memory, or mines coins, shows in no graph.",
    fix="Add {name: containerInsights, value: enhanced} to settings; CloudWatch bills the metrics.",
    peers="AWS-0034 CKV_AWS_65 KICS:97cb0688",
)
_BEHAVIORS: Final = ("defaultCacheBehavior", "orderedCacheBehaviors[]")
_TRACES: Final = Is("tracingConfig.mode", "Active")


def _runs_in_its_region(it: View) -> Verdict:
    """Lambda@Edge has no traces (CloudFront developer guide, restrictions on Lambda@Edge)."""
    named = [
        distribution
        for behavior in _BEHAVIORS
        for distribution in it.referrers(CLOUDFRONT_DISTRIBUTION, f"{behavior}.lambdaFunctionAssociations[].lambdaArn")
    ]
    return allow(not named, "CloudFront runs it at the edge")


RULES.row(
    "aws-tracing",
    "Functions and state machines send traces to X-Ray.",
    on=(LAMBDA_FUNCTION, SFN_STATE_MACHINE),
    check=ByType(
        {
            LAMBDA_FUNCTION: Where(Custom(_runs_in_its_region, others=True, takes_settings=False), _TRACES),
            SFN_STATE_MACHINE: Is("tracingConfiguration.enabled", value=True),
        }
    ),
    severity=LOW,
    rationale="When a request fails or takes seconds, nothing shows which of the services behind it was the cause.",
    fix="Set tracingConfig.mode to Active (tracingConfiguration.enabled of a state machine to true).",
    peers="AWS-0066 CKV_AWS_50 KICS:8152e0cf CKV_AWS_284",
)
RULES.row(
    "aws-codebuild-logs",
    "A build keeps its log.",
    on=CODEBUILD_PROJECT,
    check=Either(IsNot("logsConfig.cloudwatchLogs.status", "DISABLED"), Is("logsConfig.s3Logs.status", "ENABLED")),
    severity=MEDIUM,
    rationale="Nothing shows what a build ran, downloaded and published, when the software turns out to be bad.",
    fix="Set logsConfig.cloudwatchLogs.status, or logsConfig.s3Logs.status, to ENABLED.",
    peers="CKV_AWS_314",
)
RULES.row(
    "aws-ec2-monitoring",
    "A machine sends metrics every minute.",
    on=EC2_INSTANCE,
    check=Is("monitoring", value=True),
    severity=LOW,
    rationale="Metrics of five minutes show a short overload or a miner too late, and alarms come after the outage.",
    fix="Set monitoring to true; CloudWatch bills seven metrics a machine.",
    peers="CKV_AWS_126 KICS:23b70e32",
)


def _sessions_are_logged(document: View, _: Settings) -> Verdict:
    inputs = session_inputs(document)
    if inputs is None:
        return NOT_APPLICABLE
    in_bucket = inputs.get("s3BucketName") and inputs.get("s3EncryptionEnabled") is not False
    in_group = inputs.get("cloudWatchLogGroupName") and inputs.get("cloudWatchEncryptionEnabled") is not False
    return allow(in_bucket or in_group, "no encrypted log records the sessions", path="content")


RULES.row(
    "aws-ssm-session-logs",
    "Sessions on machines are logged, and the log is encrypted.",
    on=SSM_DOCUMENT,
    check=Custom(_sessions_are_logged),
    severity=MEDIUM,
    rationale="Nothing shows what an administrator, or who has his token, typed on the machine.",
    fix="Set cloudWatchLogGroupName with cloudWatchEncryptionEnabled, or s3BucketName with s3EncryptionEnabled, in the "
    "inputs of content.",
    peers="CKV_AWS_113",
)
