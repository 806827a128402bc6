"""Lists of Google Cloud resources whose entries are also resources of their own."""

from __future__ import annotations

from penstock.graph.verdict import Verdict
from penstock.graph.view import View
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.one_owner import FIX, RATIONALE, one_owner
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on="gcp:*",
    severity=MEDIUM,
    rationale=RATIONALE,
    fix=FIX,
    joins=True,
    sources=("Pulumi Google Cloud 10.2, resources within a list and beside it (catalogue, inline_lists)",),
)
def gcp_inline_or_separate(resource: View) -> Verdict:
    """The entries of a list are either in the list or resources of their own, and not a mix."""
    return one_owner(resource, "gcp")
