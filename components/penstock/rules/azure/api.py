"""Rules on single fields that each API of Azure restricts."""

from __future__ import annotations

from penstock.catalog.api_limits import LimitKind
from penstock.resources.verdict import Verdict
from penstock.resources.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.single_fields import is_a_word, judged

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    "az-api-enum",
    on="azure-native:*",
    severity=HIGH,
    rationale="The API refuses other values.",
    fix="Use one of the values that the API lists for the property.",
    sources=("Microsoft's API specifications in pulumi-azure-native 3.29.0 (2026-11)",),
)
def words_are_known(resource: View) -> Verdict:
    """A property with a fixed set of values in an API of Azure has one of these values."""
    return judged(resource, is_a_word, LimitKind.ANY_CASE_WORD)
