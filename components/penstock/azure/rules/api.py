"""Rules on single fields that each API of Azure restricts."""

from __future__ import annotations

from typing import Any

from penstock.catalog.api_limits import FieldLimit, LimitKind
from penstock.graph.verdict import PASS, Verdict
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.single_fields import is_a_word, judged

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on="azure-native:*",
    severity=HIGH,
    rationale="The API refuses other values.",
    fix="Use one of the values that the API lists for the property.",
    sources=("Microsoft's API specifications in pulumi-azure-native 3.29.0 (2026-11)",),
)
def az_api_enum(resource: View) -> Verdict:
    """A property with a fixed set of values in an API of Azure has one of these values, or several with commas."""
    return judged(resource, _are_words, LimitKind.ANY_CASE_WORD)


@RULES.rule(
    on="azure-native:*",
    severity=MEDIUM,
    rationale="Most APIs refuse other values; some accept values that their specification does not list.",
    fix="Compare the value with the documentation of the property.",
    sources=("Microsoft's API specifications in pulumi-azure-native 3.29.0 (2026-11)",),
)
def az_api_open_enum(resource: View) -> Verdict:
    """A property with an open set of values in an API of Azure has one of the listed values."""
    return judged(resource, _are_words, LimitKind.OPEN_WORD)


def _are_words(limit: FieldLimit, value: Any, path: str) -> Verdict:
    words = value.split(",") if isinstance(value, str) else []
    if len(words) > 1 and all(is_a_word(limit, word.strip(), path) is PASS for word in words):
        return PASS
    return is_a_word(limit, value, path)
