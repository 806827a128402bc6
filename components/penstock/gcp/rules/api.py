"""Rules on single fields that each API of Google Cloud restricts."""

from __future__ import annotations

from penstock.catalog.api_limits import LimitKind
from penstock.graph.verdict import Verdict
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.single_fields import is_a_word, is_formed, judged

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on="gcp:*",
    severity=HIGH,
    rationale="The API rejects other values.",
    fix="Use one of the values that the API lists for the property.",
    sources=("Google API discovery documents in google-api-python-client 2.202.0 (2026-11)",),
)
def gcp_api_enum(resource: View) -> Verdict:
    """A property with a fixed set of values in a Google Cloud API has one of these values."""
    return judged(resource, is_a_word, LimitKind.WORD, LimitKind.ANY_CASE_WORD)


@RULES.rule(
    on="gcp:*",
    severity=HIGH,
    rationale="The API rejects texts of another form.",
    fix="Write the value in the form that the API states for the property.",
    sources=("Google API discovery documents in google-api-python-client 2.202.0 (2026-11)",),
)
def gcp_api_pattern(resource: View) -> Verdict:
    """A text property matches the pattern that the Google Cloud API states for the property."""
    return judged(resource, is_formed, LimitKind.PATTERN)
