"""ECR: how long images live."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.aws.model.iam_documents import read_json
from penstock.aws.types import ECR_LIFECYCLE_POLICY
from penstock.graph.verdict import NOT_APPLICABLE, TypeMismatch, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=ECR_LIFECYCLE_POLICY,
    severity=HIGH,
    rationale="ECR rejects any other policy with InvalidParameterException.",
    fix='Write policy with json.dumps as {"rules": [...]}, and set a unique rulePriority from 1 on for each rule.',
    sources=("ECR user guide, LifecyclePolicies: InvalidParameterException",),
)
def aws_ecr_lifecycle_json(lifecycle: View) -> Verdict:
    """An ECR lifecycle policy is a JSON object with rules, each with a unique priority."""
    try:
        rules = _rules(lifecycle)
    except TypeMismatch:
        return fail(
            "the policy is not a JSON object", hint='Write it with json.dumps, as {"rules": [...]}.', path="policy"
        )
    if rules is None:
        return NOT_APPLICABLE
    ranks = [each.get("rulePriority") for each in rules]
    good = bool(rules) and all(isinstance(rank, int) and rank > 0 for rank in ranks) and len(set(ranks)) == len(ranks)
    hint = "Set a unique rulePriority on each rule, from 1 on."
    return allow(good, "the policy has no rules, or two with the same rulePriority", hint=hint, path="policy")


@RULES.rule(
    on=ECR_LIFECYCLE_POLICY,
    severity=HIGH,
    rationale="ECR rejects an incomplete rule with InvalidParameterException.",
    fix="Set tagStatus, countType, countNumber, countUnit for ages, and tagPatternList for tagged images.",
    sources=("ECR user guide, LifecyclePolicies: InvalidParameterException",),
)
def aws_ecr_lifecycle_rule(lifecycle: View) -> Verdict:
    """Each rule of an ECR lifecycle policy states which tags it selects and when images expire."""
    return each(_rules(lifecycle) or (), _complete)


def _rules(lifecycle: View) -> list[Mapping[str, Any]] | None:
    """The rules of a lifecycle policy, which is not an IAM document; None without a policy."""
    written = lifecycle.given("policy")
    if written is None:
        return None
    found = read_json(written).get("rules")
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def _complete(rule_: Mapping[str, Any]) -> Verdict:
    selection, action = rule_.get("selection"), rule_.get("action")
    if not isinstance(selection, Mapping) or not isinstance(action, Mapping):
        return fail(
            "a rule lacks a selection or an action", hint='Add both; the action is {"type": "expire"}.', path="policy"
        )
    tagged = selection.get("tagStatus") == "tagged"
    named = any(key in selection for key in ("tagPrefixList", "tagPatternList"))
    if selection.get("tagStatus") not in ("tagged", "untagged", "any") or tagged != named:
        hint = "Set tagStatus to untagged or any, or to tagged with a tagPatternList."
        return fail("a rule does not select tags", hint=hint, path="policy")
    aged = str(selection.get("countType")).startswith("since")
    good = aged == ("countUnit" in selection) and isinstance(selection.get("countNumber"), int)
    hint = "Set countType, countNumber, and countUnit days for a count of days."
    return allow(
        good,
        "a rule does not set when images expire",
        hint=hint,
        path="policy",
    )
