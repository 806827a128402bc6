"""What each API of Google Cloud allows of single fields."""

from __future__ import annotations

from penstock.catalog import api_limits
from penstock.catalog.api_limits import LimitKind
from penstock.resources.verdict import Verdict
from penstock.resources.view import View
from penstock.rules.rule import rule
from penstock.rules.single_fields import is_a_word, is_formed, judged

_SOURCE = api_limits.source("gcp")


@rule("GCP-API-001", on="gcp:*", source=_SOURCE)
def words_are_known(resource: View) -> Verdict:
    """Where an API of Google Cloud takes one of a few words, the value is one of them."""
    return judged(resource, is_a_word, LimitKind.WORD, LimitKind.ANY_CASE_WORD)


@rule("GCP-API-002", on="gcp:*", source=_SOURCE)
def texts_have_their_form(resource: View) -> Verdict:
    """A text matches the pattern that the API of Google Cloud states for it."""
    return judged(resource, is_formed, LimitKind.PATTERN)
