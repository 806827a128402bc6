"""The packs: which rules each of them enables, and what a broken one does there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from penstock.rules import controls, registry
from penstock.rules.levels import BLOCKING, Category, Enforcement, RuleKind, RuleSeverity
from penstock.rules.rule import Rule
from penstock.rules.settings import FRAMEWORKS, Framework, Pack, Settings

_SECURITY: Final = frozenset(Category) - {Category.COST, Category.RESIDENCY, Category.TAGS, Category.PROVIDER}
_EVERY_SEVERITY: Final = frozenset(RuleSeverity)


@dataclass(frozen=True, slots=True)
class PackContent:
    """The rules of a pack and their level.

    Attributes:
        categories: The categories whose rules it has; those of a framework are its controls' rules.
        severities: The severities of its rules.
        blocking: The severities that block; the others advise.
        is_binding: Whether its critical rules may be waived only, and not disabled or lowered.
    """

    categories: frozenset[Category] = _SECURITY
    severities: frozenset[RuleSeverity] = _EVERY_SEVERITY
    blocking: frozenset[RuleSeverity] = frozenset(BLOCKING)
    is_binding: bool = False


PACKS: Final[Mapping[Pack, PackContent]] = {
    "baseline": PackContent(severities=frozenset(BLOCKING), blocking=frozenset({RuleSeverity.CRITICAL})),
    "strict": PackContent(severities=_EVERY_SEVERITY - {RuleSeverity.LOW}, is_binding=True),
    "regulated": PackContent(_SECURITY | {Category.TAGS}, is_binding=True),
    **{name: PackContent(frozenset(Category), is_binding=True) for name in FRAMEWORKS},
    "cost": PackContent(frozenset({Category.COST})),
    "sovereign": PackContent(frozenset({Category.RESIDENCY, Category.AT_REST})),
}
"""The content of each pack."""


def holds(pack: Pack, rule: Rule) -> bool:
    """Return whether a rule is in a pack."""
    content = PACKS[pack]
    if rule.category not in content.categories or rule.severity not in content.severities:
        return False
    return pack not in FRAMEWORKS or controls.is_mapped(pack, rule)


def in_force(settings: Settings) -> frozenset[Pack]:
    """The packs that are enabled: those named, and what frameworks and residency ask for."""
    packs = {*settings.packs, *settings.frameworks}
    if settings.residency is not None:
        packs.add("sovereign")
    return frozenset(packs)


def frameworks_in_force(settings: Settings) -> tuple[Framework, ...]:
    """The frameworks that are enabled, in the order in which reports show them."""
    packs = in_force(settings)
    return tuple(name for name in FRAMEWORKS if name in packs)


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
    return level(rule, settings) is not Enforcement.DISABLED


def level(rule: Rule, settings: Settings) -> Enforcement:
    """Return what a broken rule does: as configured for the rule, its category or its severity, else by its packs.

    `enforcement` is about policies: what a provider refuses is refused however strict a company is.
    """
    if rule.kind is RuleKind.PROVIDER:
        return settings.rules.get(rule.id, settings.rules.get(rule.category, _of_severity(rule.severity)))
    named = settings.rules.get(rule.id) or settings.rules.get(rule.category) or settings.enforcement.get(rule.severity)
    return named or _of_packs(rule, settings)


def usual_level(severity: RuleSeverity, settings: Settings) -> Enforcement:
    """Return what a broken policy of a severity does in the strictest of the enabled packs."""
    blocks = any(severity in PACKS[pack].blocking for pack in in_force(settings))
    return Enforcement.MANDATORY if blocks else Enforcement.ADVISORY


def binding(rule: Rule, settings: Settings) -> Pack | None:
    """Return the enabled pack that does not allow a rule to be lowered; None where each allows it."""
    if rule.severity is not RuleSeverity.CRITICAL:
        return None
    return next((pack for pack in PACKS if pack in in_force(settings) and _binds(pack, rule)), None)


def _binds(pack: Pack, rule: Rule) -> bool:
    return PACKS[pack].is_binding and holds(pack, rule)


def _of_severity(severity: RuleSeverity) -> Enforcement:
    return Enforcement.MANDATORY if severity in BLOCKING else Enforcement.ADVISORY


def _of_packs(rule: Rule, settings: Settings) -> Enforcement:
    """The strictest level of the packs that have a rule; the level of its severity for one that is in none."""
    if rule.severity is not RuleSeverity.HIGH or rule in registry.custom_rules():
        return _of_severity(rule.severity)  # only of these the packs differ
    having = [pack for pack in in_force(settings) if holds(pack, rule)]
    blocks = not having or any(rule.severity in PACKS[pack].blocking for pack in having)
    return Enforcement.MANDATORY if blocks else Enforcement.ADVISORY


def _is_wanted(rule: Rule, packs: Iterable[Pack], settings: Settings) -> bool:
    if rule.kind is RuleKind.PROVIDER or rule in registry.custom_rules():
        return True
    named = rule.id in settings.rules or rule.category in settings.rules
    return named or any(holds(pack, rule) for pack in packs)
