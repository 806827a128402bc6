"""Rules on container registries: what the tier Premium has alone."""

from __future__ import annotations

from penstock.azure.types import CONTAINERREGISTRY_REGISTRY, NETWORK_PRIVATE_ENDPOINT
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import All, IsNot, NoneOf, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


RULES.row(
    "az-registry-premium",
    "A registry without public access, with zones or with deletion by age is of the tier Premium.",
    on=CONTAINERREGISTRY_REGISTRY,
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


@RULES.rule(
    on=CONTAINERREGISTRY_REGISTRY,
    severity=HIGH,
    rationale="Private Link is of the tier Premium, and Azure rejects an endpoint of another registry.",
    fix="Set sku.name to Premium.",
    joins=True,
    sources=("Azure Container Registry documentation, SKUs",),
)
def az_registry_endpoint(registry: View) -> Verdict:
    """A container registry that is reached at a private endpoint is of the tier Premium."""
    sku = registry.block("sku")
    tier = sku.text("name") if sku is not None else None
    reached = registry.referrers(NETWORK_PRIVATE_ENDPOINT, "privateLinkServiceConnections[].privateLinkServiceId")
    if tier is None or not reached:
        return NOT_APPLICABLE
    message = f"{reached[0].name} leads to a registry of the tier {tier}"
    return allow(tier == "Premium", message, hint="Use Premium.", path="sku.name")
