"""What each AWS API allows of single fields."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from penstock.catalog import api_limits
from penstock.catalog.api_limits import FieldLimit, LimitKind
from penstock.resources.verdict import NOT_APPLICABLE, Verdict
from penstock.resources.view import View
from penstock.rules.rule import rule
from penstock.rules.single_fields import has_a_length, is_a_word, is_formed, is_in_range, judged

_SOURCE = api_limits.source("aws")


@rule("AWS-API-001", on="aws:*", source=_SOURCE)
def words_are_known(resource: View) -> Verdict:
    """Where an AWS API takes one of a few words, the value is one of them."""
    return judged(resource, is_a_word, LimitKind.WORD, LimitKind.ANY_CASE_WORD)


@rule("AWS-API-002", on="aws:*", source=_SOURCE)
def numbers_are_in_range(resource: View) -> Verdict:
    """A number lies between the least and the most that the AWS API takes."""
    return judged(resource, is_in_range, LimitKind.NUMBER)


@rule("AWS-API-003", on="aws:*", source=_SOURCE)
def lengths_are_in_range(resource: View) -> Verdict:
    """A well-formed text has no more and no fewer characters, and a list no more items, than the AWS API takes."""
    forms_of = _patterns(resource.type)

    def check(limit: FieldLimit, value: Any, path: str) -> Verdict:
        form = forms_of.get(limit.path)
        verdict = has_a_length(limit, value, path)
        told = verdict.failures and form is not None and is_formed(form, value, path).failures
        return NOT_APPLICABLE if told else verdict

    return judged(resource, check, LimitKind.TEXT, LimitKind.LIST)


@rule("AWS-API-004", on="aws:*", source=_SOURCE)
def texts_have_their_form(resource: View) -> Verdict:
    """A text matches the pattern that the AWS API states for it."""
    return judged(resource, is_formed, LimitKind.PATTERN)


@cache
def _patterns(type_: str) -> Mapping[tuple[str, ...], FieldLimit]:
    return {limit.path: limit for limit in api_limits.limits_of(type_, LimitKind.PATTERN)}
