"""Residency on the toy cloud."""

from __future__ import annotations

from tests.providers.toy.sdk import CHEST

from penstock.policies.geography import Within
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.RESIDENCY)

RULES.row(
    "toy-chest-place",
    "A chest is where the settings allow it.",
    on=CHEST,
    check=Within("toy", "place"),
    severity=HIGH,
    rationale="Toys are under the law of the room that they are in.",
    fix="Set place to an allowed one.",
)
