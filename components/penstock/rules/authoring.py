"""The names that a rule of one's own is written with: `from penstock.rules.authoring import …`."""

from __future__ import annotations

from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail, together
from penstock.graph.view import Block, Site, View
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    AtMost,
    Each,
    Either,
    Given,
    Has,
    Is,
    IsNot,
    Joined,
    Matches,
    NoneOf,
    OneOf,
    Unlike,
    Where,
)
from penstock.rules.levels import CRITICAL, HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

__all__ = [
    "CRITICAL",
    "HIGH",
    "LOW",
    "MEDIUM",
    "NOT_APPLICABLE",
    "PASS",
    "STACK_TYPE",
    "Absent",
    "All",
    "AtLeast",
    "AtMost",
    "Block",
    "Category",
    "Each",
    "Either",
    "Given",
    "Has",
    "Is",
    "IsNot",
    "Joined",
    "Matches",
    "NoneOf",
    "OneOf",
    "RuleSet",
    "Settings",
    "Site",
    "Unlike",
    "Verdict",
    "View",
    "Where",
    "allow",
    "each",
    "fail",
    "together",
]
