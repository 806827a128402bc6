"""Tags on AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.types import AUTOSCALING_GROUP, AUTOSCALING_TAG, EC2_LAUNCH_TEMPLATE
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.policies.tags import Tagged, judge_tags, required_keys, taggable_types
from penstock.rules.comparing import same
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.remedies import tag_environment
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.TAGS)

_TAGGED_AT_LAUNCH: Final = ("instance", "volume")

RULES.row(
    "tag-required-aws",
    "What can have tags has those that the settings require, its own or from defaultTags of the provider.",
    on=taggable_types("aws", "tags"),
    check=Tagged(),
    severity=MEDIUM,
    rationale="A resource without an owner is paid for indefinitely, or deleted by mistake.",
    fix="Add the tags to tags, or once for all to defaultTags of the provider; nothing is replaced.",
    remedy=tag_environment("tags"),
)


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=MEDIUM,
    rationale="Instances and their volumes are most of the bill, and tags of the template do not reach them.",
    fix="Add tagSpecifications with the tags for the resource types instance and volume; nodes get them when they are "
    "next replaced.",
)
def tag_lt_propagate(template: View, settings: Settings) -> Verdict:
    """A launch template gives the required tags to instances and to their volumes."""
    if not required_keys(template.type, settings):
        return NOT_APPLICABLE
    by_kind = {block.text("resourceType"): block for block in template.blocks("tagSpecifications")}

    def one(kind: str) -> Verdict:
        if kind not in by_kind:
            return fail(f"tagSpecifications gives no tags to the {kind}s", path="tagSpecifications")
        return judge_tags(by_kind[kind], "tags", settings)

    return each(_TAGGED_AT_LAUNCH, one)


@RULES.rule(
    on=AUTOSCALING_GROUP,
    joins=True,
    severity=LOW,
    rationale="Instances that the group starts belong to nobody on the bill: no tags of the provider reach them.",
    fix="Add the tags to tags, each with propagateAtLaunch true; instances get them when they are next replaced.",
    peers="CKV_AWS_153",
)
def tag_asg_propagate(group: View, settings: Settings) -> Verdict:
    """An autoscaling group has the required tags and gives them to its instances."""
    wanted = required_keys(group.type, settings)
    if not wanted:
        return NOT_APPLICABLE
    apart = [tag.block("tag") for tag in group.referrers(AUTOSCALING_TAG, "autoscalingGroupName")]
    tags = [*group.blocks("tags"), *(block for block in apart if block is not None)]
    given = {tag.text("key"): tag.value("propagateAtLaunch") for tag in tags}

    def one(key: str) -> Verdict:
        if key not in given:
            return fail(f"tags has no {key}", path="tags")
        return allow(same(given[key], wanted=True), f"the tag {key} does not reach its instances", path="tags")

    return each(wanted, one)
