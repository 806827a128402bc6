"""Tags on the toy cloud."""

from __future__ import annotations

from penstock.policies.tags import Tagged, taggable_types
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.TAGS)

RULES.row(
    "tag-required-toy",
    "What can have colours has those that the settings require.",
    on=taggable_types("toy", "colours"),
    check=Tagged(),
    severity=MEDIUM,
    rationale="A toy without an owner is lost.",
    fix="Add the tags to colours.",
)
