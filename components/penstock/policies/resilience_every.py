"""Resilience, of whatever holds data on any cloud."""

from __future__ import annotations

from penstock.catalog.former_types import present
from penstock.catalog.tables import rows_of_clouds
from penstock.policies.protection import keeps_resources
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.RESILIENCE)

HOLDING = tuple(
    row["type"] for row in rows_of_clouds("holds_data") if not row["unguarded"] and present(row["type"]) == row["type"]
)
"""The types of the clouds whose loss nobody can make good."""

RULES.row(
    "res-protect-stateful",
    "What holds data in production is protected from deletion.",
    on=HOLDING,
    check=keeps_resources(*HOLDING),
    severity=MEDIUM,
    rationale="One renamed resource or one destroy in the wrong terminal, and the checkpoints of a year are gone.",
    fix="Set the resource option protect to true; on Google Cloud deletionPolicy PREVENT does as well, or "
    "deletionProtection where a resource has it.",
    peers="CKV_GCP_119 CKV_GCP_120 CKV_GCP_121 CKV_GCP_122 KICS:a187ac47 KICS:0cc95bf8",
    in_production=True,
)
