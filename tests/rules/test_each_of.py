"""Rules with `each_of` judge the members of a resource one by one."""

from __future__ import annotations

import pytest
from tests.programs import IT, graph_of, urn_of

from penstock.graph.values import UNKNOWN
from penstock.graph.verdict import Outcome, Verdict, allow
from penstock.graph.view import Block, Site, View
from penstock.rules.checks import Members
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

BUCKET = "aws:s3/bucket:Bucket"


def rules_of(bucket: View) -> list[Block]:
    """The lifecycle rules of a bucket."""
    return bucket.blocks("lifecycleRules")


def judged(each_of: Members | str, inputs: dict[str, object]) -> Verdict:
    """The verdict of a rule on the lifecycle rules of a bucket."""
    rules = RuleSet(Category.RESILIENCE)

    @rules.rule(on=BUCKET, each_of=each_of, severity=HIGH, rationale="So.", fix="Set enabled to true.")
    def acme_lifecycle_enabled(rule: Block, settings: Settings) -> Verdict:  # noqa: ARG001 - as rules are
        """Each lifecycle rule is enabled."""
        return allow(rule.flag("enabled"), "the rule is off", path=rule.at("enabled"))

    program = {IT: (BUCKET, inputs)}
    (rule,), site = rules, Site(graph_of(program))
    return rule.judge(View(site.graph[urn_of(IT, program)], site), Settings())


@pytest.mark.parametrize("each_of", [rules_of, "lifecycleRules", "lifecycleRules[]"])
def test_every_member_that_breaks_a_rule_is_reported(each_of: Members | str) -> None:
    said = judged(each_of, {"lifecycleRules": [{"enabled": False}, {"enabled": True}, {}]})

    assert [failure.path for failure in said.failures] == ["lifecycleRules[0].enabled", "lifecycleRules[2].enabled"]


def test_an_unknown_member_leaves_the_rule_undetermined() -> None:
    assert (
        judged("lifecycleRules", {"lifecycleRules": [{"enabled": True}, {"enabled": UNKNOWN}]}).outcome
        is Outcome.UNKNOWN
    )


def test_a_rule_does_not_apply_without_members() -> None:
    assert judged("lifecycleRules", {}).outcome is Outcome.NOT_APPLICABLE
