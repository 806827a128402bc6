"""The packs: which rules each of them enables, by category and severity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from penstock.rules import registry
from penstock.rules.levels import Category, Enforcement, RuleKind, RuleSeverity
from penstock.rules.rule import Rule
from penstock.rules.settings import Pack, Settings, level

_SECURITY = frozenset(Category) - {Category.COST, Category.RESIDENCY, Category.TAGS, Category.PROVIDER}
_EVERY_WEIGHT = frozenset(RuleSeverity)

PACKS: Mapping[Pack, tuple[frozenset[Category], frozenset[RuleSeverity]]] = {
    "baseline": (_SECURITY, frozenset({RuleSeverity.CRITICAL, RuleSeverity.HIGH})),
    "regulated": (_SECURITY | {Category.TAGS}, _EVERY_WEIGHT),
    "cost": (frozenset({Category.COST}), _EVERY_WEIGHT),
    "sovereign": (frozenset({Category.RESIDENCY, Category.AT_REST}), _EVERY_WEIGHT),
}
"""The categories and severities of each pack."""


def holds(pack: Pack, rule: Rule) -> bool:
    """Return whether a rule is in a pack."""
    categories, severities = PACKS[pack]
    return rule.category in categories and rule.severity in severities


def in_force(settings: Settings) -> frozenset[Pack]:
    """The packs that are enabled: those named, and what frameworks and residency ask for."""
    packs = set(settings.packs)
    if settings.frameworks:
        packs.add("regulated")
    if settings.residency is not None:
        packs.add("sovereign")
    return frozenset(packs)


def enabled(candidates: Iterable[Rule], settings: Settings) -> tuple[Rule, ...]:
    """Return the rules that are evaluated.

    Provider rules always are, and a user's own policies; other policies if a pack has them, or if they or their
    category are named. Settings may disable each of them.
    """
    packs = in_force(settings)
    return tuple(rule for rule in candidates if may_be_enabled(rule, settings) and _is_wanted(rule, packs, settings))


def may_be_enabled(rule: Rule, settings: Settings) -> bool:
    """Return whether nothing disables a rule, and it does not speak of production elsewhere."""
    if rule.in_production and settings.environment != "prod":
        return False
    return level(settings, rule.id, rule.category, rule.severity) is not Enforcement.DISABLED


def _is_wanted(rule: Rule, packs: Iterable[Pack], settings: Settings) -> bool:
    if rule.kind is RuleKind.PROVIDER or rule in registry.custom_rules():
        return True
    named = rule.id in settings.rules or rule.category in settings.rules
    return named or any(holds(pack, rule) for pack in packs)
