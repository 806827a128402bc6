"""The scales of rules: what a rule protects, how severe a broken one is, and what a broken or undetermined one does."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class RuleKind(StrEnum):
    """Who asks for a rule: a provider, which refuses or cannot run anything else, or a company, which chose it."""

    PROVIDER = "provider"
    POLICY = "policy"


class Category(StrEnum):
    """The category of a rule. `provider` is the category of all provider rules, the others are those of policies."""

    AT_REST = "encryption-at-rest"
    IN_TRANSIT = "encryption-in-transit"
    SEGMENTATION = "segmentation"
    IDENTITY = "identity"
    SECRETS = "secrets"
    LOGS = "logging"
    RESIDENCY = "residency"
    COST = "cost"
    RESILIENCE = "resilience"
    SUPPLY_CHAIN = "supply-chain"
    TAGS = "tags"
    PROVIDER = "provider"

    @property
    def kind(self) -> RuleKind:
        """The kind of the rules in it."""
        return RuleKind.PROVIDER if self is Category.PROVIDER else RuleKind.POLICY


class RuleSeverity(StrEnum):
    """How severe a broken rule is.

    A policy is critical where it lets strangers in, or data out, by itself. A provider rule is high where the provider
    refuses, medium where it accepts and then does badly or where no primary source confirms the rule, and low where it
    is a remark.
    """

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


CRITICAL, HIGH, MEDIUM, LOW = RuleSeverity


class Enforcement(StrEnum):
    """The effect of a broken rule: block, warn, or not evaluated."""

    MANDATORY = "mandatory"
    ADVISORY = "advisory"
    DISABLED = "disabled"


class UndeterminedLevel(StrEnum):
    """The effect of an undetermined rule: block, warn, or count."""

    MANDATORY = "mandatory"
    ADVISORY = "advisory"
    COUNTED = "counted"


BLOCKING: Final = (RuleSeverity.CRITICAL, RuleSeverity.HIGH)
"""The severities of which a broken rule blocks, unless settings say otherwise."""
