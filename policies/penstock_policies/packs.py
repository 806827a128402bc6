"""The packs: which rules each of them asks, by concern and weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from penstock_policies.rule import Concern, Rule, Weight
from penstock_policies.settings import Enforcement, Pack, Settings, level

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
    """The rules that are asked: by a pack or by name, unless one is turned off or speaks of production elsewhere."""
    packs = in_force(settings)
    return tuple(rule for rule in candidates if _is_asked(rule, packs, settings))


def _is_asked(rule: Rule, packs: Iterable[Pack], settings: Settings) -> bool:
    if rule.in_production and settings.environment != "prod":
        return False
    if level(settings, rule.id, rule.concern, rule.weight) is Enforcement.DISABLED:
        return False
    return rule.id in settings.rules or any(holds(pack, rule) for pack in packs)
