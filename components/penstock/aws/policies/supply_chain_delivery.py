"""Builds, functions and services on AWS: which software they run, and who may change it."""

from __future__ import annotations

import json
from typing import Any, Final

from penstock.aws.types import AUTOSCALING_GROUP, CODEBUILD_PROJECT, ECS_SERVICE, LAMBDA_FUNCTION
from penstock.graph.verdict import NOT_APPLICABLE, PASS, TypeMismatch, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.policies.ended_versions import Maintained
from penstock.rules.checks import Absent, ByType, Given, Is, IsNot, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SUPPLY_CHAIN)

_SIGNING: Final = "aws:lambda/codeSigningConfig:CodeSigningConfig"
_APPROVERS: Final = 2

RULES.row(
    "aws-codebuild-not-privileged",
    "A build does not run in privileged mode.",
    on=CODEBUILD_PROJECT,
    check=IsNot("environment.privilegedMode", value=True),
    severity=MEDIUM,
    rationale="Code of a dependency or of a pull request is root on the build host, with the role of the build.",
    fix="Remove privilegedMode; build images with BuildKit rootless, Buildah or kaniko, or give image builds a project "
    "of their own with a narrow role.",
    peers="CKV_AWS_316",
)
RULES.row(
    "aws-lambda-runtime",
    "A function uses a runtime that AWS supports.",
    on=LAMBDA_FUNCTION,
    check=Maintained(),
    severity=MEDIUM,
    rationale="AWS no longer fixes security holes in the runtime, and later refuses to create and update the function.",
    fix="Set runtime to a version that AWS supports, such as python3.13 or nodejs24.x.",
    peers="CKV_AWS_363",
)
RULES.row(
    "aws-lambda-code-signing",
    "A function runs signed code only.",
    on=(LAMBDA_FUNCTION, _SIGNING),
    check=ByType(
        {
            LAMBDA_FUNCTION: Where(IsNot("packageType", "Image"), Given("codeSigningConfigArn")),
            _SIGNING: Is("policies.untrustedArtifactOnDeployment", "Enforce"),
        }
    ),
    severity=LOW,
    rationale="Whoever may write to the bucket of builds, or update a function, runs code that no pipeline has seen.",
    fix="Set codeSigningConfigArn to a CodeSigningConfig with policies.untrustedArtifactOnDeployment Enforce.",
    peers="CKV_AWS_272",
)
RULES.row(
    "aws-ecs-platform-version",
    "A service on Fargate runs on the latest platform version.",
    on=ECS_SERVICE,
    check=Unlike("platformVersion", r"1\.[0-3]\.0"),
    severity=LOW,
    rationale="Older platforms run an older kernel and container runtime, with holes that AWS has closed since.",
    fix="Set platformVersion to LATEST, or remove it.",
    peers="CKV_AWS_332",
)
RULES.row(
    "aws-asg-launch-template",
    "An Auto Scaling group starts machines from a launch template.",
    on=AUTOSCALING_GROUP,
    check=Absent("launchConfiguration"),
    severity=LOW,
    rationale="AWS adds no features to launch configurations, and new accounts cannot create them.",
    fix="Set launchTemplate (or mixedInstancesPolicy) in place of launchConfiguration.",
    peers="CKV_AWS_315",
)


def _needed_approvals(content: Any) -> int:
    if not isinstance(content, dict) or not isinstance(content.get("Statements"), list):
        raise TypeMismatch
    needed = [each.get("NumberOfApprovalsNeeded") for each in content["Statements"] if isinstance(each, dict)]
    return min((number for number in needed if isinstance(number, int)), default=0)


@RULES.rule(
    on="aws:codecommit/approvalRuleTemplate:ApprovalRuleTemplate",
    severity=LOW,
    rationale="One stolen login changes what production runs.",
    fix="Set NumberOfApprovalsNeeded to 2 in each of the Statements of content.",
    peers="CKV_AWS_257",
)
def aws_codecommit_approvals(template: View, _: Settings) -> Verdict:
    """A change of a branch needs two approvals."""
    text = template.text("content")
    if text is None:
        return NOT_APPLICABLE
    try:
        needed = _needed_approvals(json.loads(text))
    except ValueError:
        raise TypeMismatch from None
    return allow(needed >= _APPROVERS, f"content asks for {needed} approvals", path="content")


_WEBHOOK: Final = "aws:codebuild/webhook:Webhook"


@RULES.rule(
    on=_WEBHOOK,
    severity=MEDIUM,
    rationale=(
        "Whoever may open a pull request, in a public repository everybody, runs code in the build: with its role, its "
        "secrets and its caches."
    ),
    fix="Add a filter ACTOR_ACCOUNT_ID with a pattern such as ^(1234|5678)$ to each group of pull requests, or set "
    "pullRequestBuildPolicy.requiresCommentApproval to ALL_PULL_REQUESTS or FORK_PULL_REQUESTS.",
    sources=(
        (
            "CodeBuild user guide, pull request comment approval "
            "<https://docs.aws.amazon.com/codebuild/latest/userguide/pull-request-build-policy.html>"
        ),
    ),
)
def aws_codebuild_hook_actors(hook: View, _: Settings) -> Verdict:
    """A build that a pull request starts waits for approval, or is of named people only."""
    policy = hook.block("pullRequestBuildPolicy")
    approval = None if policy is None else policy.text("requiresCommentApproval")
    if approval not in (None, "DISABLED"):
        return PASS
    return each(hook.blocks("filterGroups"), _of_group)


def _of_group(group: Block) -> Verdict:
    filters = group.blocks("filters")
    types = [each_.text("type") for each_ in filters]
    events = [each_.text("pattern") or "" for each_ in filters if each_.text("type") == "EVENT"]
    if not any("PULL_REQUEST_CREATED" in event or "PULL_REQUEST_UPDATED" in event for event in events):
        return NOT_APPLICABLE
    at = group.at("filters")
    return allow("ACTOR_ACCOUNT_ID" in types, f"{at} builds the pull requests of everybody", path=at)
