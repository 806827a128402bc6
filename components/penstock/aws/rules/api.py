"""Bounds of each AWS API on single fields."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from penstock.catalog import api_limits
from penstock.catalog.api_limits import FieldLimit, LimitKind
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import NOT_APPLICABLE, Verdict
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.single_fields import has_a_length, is_a_word, is_formed, is_in_range, judged

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on="aws:*",
    severity=HIGH,
    rationale="The AWS API rejects any other value.",
    fix="Set the property to one of the values of the AWS API.",
    sources=("AWS service models in botocore 1.44.5 (2026-11)",),
)
def aws_api_enum_value(resource: View) -> Verdict:
    """The value of a property with a fixed set of values in the AWS API is one of them."""
    return judged(resource, is_a_word, LimitKind.WORD, LimitKind.ANY_CASE_WORD)


@RULES.rule(
    on="aws:*",
    severity=HIGH,
    rationale="The AWS API rejects a number outside the range.",
    fix="Set the property to a number within the range of the AWS API.",
    sources=("AWS service models in botocore 1.44.5 (2026-11)",),
)
def aws_api_number_range(resource: View) -> Verdict:
    """A number lies between the minimum and the maximum of the AWS API."""
    return judged(resource, is_in_range, LimitKind.NUMBER)


@RULES.rule(
    on="aws:*",
    severity=HIGH,
    rationale="The AWS API rejects a text or a list that is too short or too long.",
    fix="Shorten or extend the text or the list to the limits of the AWS API.",
    sources=("AWS service models in botocore 1.44.5 (2026-11)",),
)
def aws_api_length_range(resource: View) -> Verdict:
    """A text has a number of characters, and a list a number of items, within the limits of the AWS API."""
    forms_of = _patterns(resource.type)

    def check(limit: FieldLimit, value: Any, path: str) -> Verdict:
        form = forms_of.get(limit.path)
        verdict = has_a_length(limit, value, path)
        is_malformed = verdict.failures and form is not None and is_formed(form, value, path).failures
        return NOT_APPLICABLE if is_malformed else verdict

    return judged(resource, check, LimitKind.TEXT, LimitKind.LIST)


@RULES.rule(
    on="aws:*",
    severity=HIGH,
    rationale="The AWS API rejects a text that does not match the pattern.",
    fix="Write the text in the form of the AWS API's pattern.",
    sources=("AWS service models in botocore 1.44.5 (2026-11)",),
)
def aws_api_text_pattern(resource: View) -> Verdict:
    """A text matches the pattern that the AWS API states for its property."""
    return judged(resource, is_formed, LimitKind.PATTERN)


@cache
def _patterns(type_: str) -> Mapping[PropertyPath, FieldLimit]:
    return {limit.path: limit for limit in api_limits.limits_of(type_, LimitKind.PATTERN)}
