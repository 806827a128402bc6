"""Properties of which one must be given."""

from __future__ import annotations

from penstock.aws.facts import alternatives
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on="aws:*",
    severity=HIGH,
    rationale="AWS rejects the request when none of the alternatives is given.",
    fix="Set one of the alternative properties.",
    sources=(
        "EC2 API reference (catalogue, aws_alternatives)",
        "Auto Scaling API reference (catalogue, aws_alternatives)",
    ),
)
def aws_api_one_of_required(resource: View) -> Verdict:
    """At least one of several alternative properties is given where AWS requires one of them."""
    choices = alternatives.by_type().get(resource.type)
    if choices is None:
        return NOT_APPLICABLE
    given = [key for key in choices if key in resource]
    sure = [key for key in given if resource.value(key) not in ("", [])]
    words = f"{', '.join(choices[:-1])} or {choices[-1]}"
    return allow(sure, f"none of {words} is set", hint=f"Set {words}.", path=choices[0])
