"""Rules on container registries: what the tier Premium has alone."""

from __future__ import annotations

from typing import Final

from penstock.rules.checks import All, IsNot, NoneOf, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

REGISTRY: Final = "azure-native:containerregistry:Registry"

RULES.row(
    "az-registry-premium",
    "A registry without public access, with zones or with deletion by age is of the tier Premium.",
    on=REGISTRY,
    check=Where(
        NoneOf("sku.name", ("Premium", None)),
        All(
            IsNot("publicNetworkAccess", "Disabled"),
            IsNot("zoneRedundancy", "Enabled"),
            IsNot("policies.retentionPolicy.status", "enabled"),
        ),
    ),
    severity=HIGH,
    rationale="Azure rejects these properties in other tiers.",
    fix="Set sku.name to Premium, or leave the property out.",
    sources=("Azure Container Registry documentation, SKUs",),
)
