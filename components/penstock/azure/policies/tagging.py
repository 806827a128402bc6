"""Tags on Azure."""

from __future__ import annotations

from penstock.azure.types import CONTAINERSERVICE_AGENT_POOL
from penstock.policies.tags import Tagged, taggable_types
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.remedies import tag_environment
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.TAGS)


RULES.row(
    "tag-required-az",
    "What can have tags has those that the settings require.",
    on=tuple(type_ for type_ in taggable_types("azure", "tags") if type_ != CONTAINERSERVICE_AGENT_POOL),
    check=Tagged(),
    severity=MEDIUM,
    rationale=(
        "A resource without an owner is paid for indefinitely, or deleted by mistake. Tags of a resource group do not "
        "reach what is in it."
    ),
    fix="Add the tags to tags; nothing is replaced.",
    peers="KICS:56dad03e",
    remedy=tag_environment("tags"),
)
RULES.row(
    "tag-aks-pool",
    "A node pool has the tags that the settings require, which its machines get.",
    on=CONTAINERSERVICE_AGENT_POOL,
    check=Tagged(),
    severity=LOW,
    rationale="Nodes with accelerators are most of the bill, and nothing shows which team they work for.",
    fix="Add the tags to tags of the pool; nothing is replaced.",
    remedy=tag_environment("tags"),
)
