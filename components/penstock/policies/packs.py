"""The packs: which rules each of them asks, by concern and weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from penstock.policies.rule import Concern, Rule, Weight
from penstock.policies.settings import Enforcement, Pack, Settings, level

_SECURITY = frozenset(Concern) - {Concern.COST, Concern.RESIDENCY, Concern.TAGS}
_EVERY_WEIGHT = frozenset(Weight)

PACKS: Mapping[Pack, tuple[frozenset[Concern], frozenset[Weight]]] = {
    "baseline": (_SECURITY, frozenset({Weight.CRITICAL, Weight.HIGH})),
    "regulated": (_SECURITY | {Concern.TAGS}, _EVERY_WEIGHT),
    "cost": (frozenset({Concern.COST}), _EVERY_WEIGHT),
    "sovereign": (frozenset({Concern.RESIDENCY, Concern.AT_REST}), _EVERY_WEIGHT),
}
"""The concerns and weights of each pack."""


def holds(pack: Pack, rule: Rule) -> bool:
    """Whether a rule is in a pack."""
    concerns, weights = PACKS[pack]
    return rule.concern in concerns and rule.weight in weights


def in_force(settings: Settings) -> frozenset[Pack]:
    """The packs that are asked: those named, and what frameworks and residency ask for."""
    packs = set(settings.packs)
    if settings.frameworks:
        packs.add("regulated")
    if settings.residency is not None:
        packs.add("sovereign")
    return frozenset(packs)


def asked(candidates: Iterable[Rule], settings: Settings) -> tuple[Rule, ...]:
    """The rules that are asked: by a pack, or because they or their concern are named, where they may be."""
    packs = in_force(settings)
    return tuple(rule for rule in candidates if may_be_asked(rule, settings) and _is_wanted(rule, packs, settings))


def may_be_asked(rule: Rule, settings: Settings) -> bool:
    """Whether nothing turns a rule off, and it does not speak of production elsewhere."""
    if rule.in_production and settings.environment != "prod":
        return False
    return level(settings, rule.id, rule.concern, rule.weight) is not Enforcement.DISABLED


def _is_wanted(rule: Rule, packs: Iterable[Pack], settings: Settings) -> bool:
    named = rule.id in settings.rules or rule.concern in settings.rules
    return named or any(holds(pack, rule) for pack in packs)
