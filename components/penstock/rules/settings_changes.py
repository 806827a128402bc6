"""Changed settings of rules: packs, levels, parameters and waivers before and after, and which changes loosen them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final

from penstock.rules import packs, registry
from penstock.rules.levels import Category, Enforcement, RuleKind, RuleSeverity, UndeterminedLevel
from penstock.rules.rule import Rule
from penstock.rules.settings import Parameters, Settings
from penstock.rules.waivers import Waiver

_STRICTNESS: Final = (Enforcement.DISABLED, Enforcement.ADVISORY, Enforcement.MANDATORY)
_NOTHING: Final = "none"


class Direction(StrEnum):
    """The direction of a change of settings: fewer mistakes block after it, or more."""

    LOOSENED = "loosened"
    TIGHTENED = "tightened"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting as it was and as it will be: `steps` is its path below the settings, `note` what it means.

    `urn` is the resource that has the setting, where a resource has it: a budget.
    """

    steps: tuple[str | int, ...]
    name: str
    before: str
    after: str
    direction: Direction
    note: str = ""
    urn: str = ""


def settings_changes(before: Settings, after: Settings, *, today: date) -> tuple[SettingChange, ...]:
    """Return what differs between two settings, in the order of their fields."""
    return (
        *_members("packs", before.packs, after.packs),
        *_members("frameworks", before.frameworks, after.frameworks),
        *_residency(before.residency, after.residency),
        *_environment(before.environment, after.environment),
        *_severities(before, after),
        *_rules(before, after),
        *_undetermined(before.unknown, after.unknown),
        *_parameters(before.parameters, after.parameters),
        *_waivers(before.waivers, after.waivers, today),
    )


def custom_rule_changes(before: Iterable[Rule], after: Iterable[Rule]) -> tuple[SettingChange, ...]:
    """Return the rules of a user's own that are no longer there, or new."""
    old, new = ({rule.id for rule in rules} for rules in (before, after))
    return (
        *(_change((), f"custom rule {id_}", "evaluated", _NOTHING, loosened=True) for id_ in sorted(old - new)),
        *(_change((), f"custom rule {id_}", _NOTHING, "evaluated", loosened=False) for id_ in sorted(new - old)),
    )


def _change(
    steps: tuple[str | int, ...], name: str, before: object, after: object, *, loosened: bool | None, note: str = ""
) -> SettingChange:
    directions = {True: Direction.LOOSENED, False: Direction.TIGHTENED, None: Direction.CHANGED}
    return SettingChange(steps, name, _text(before), _text(after), directions[loosened], note)


def _text(value: object) -> str:
    if value is None or value == ():
        return _NOTHING
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _members(name: str, before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[SettingChange]:
    """Settings that evaluate more rules the longer they are."""
    if set(before) != set(after):
        yield _change((name,), name, before, after, loosened=bool(set(before) - set(after)))


def _residency(before: str | None, after: str | None) -> Iterator[SettingChange]:
    if before != after:
        loosened = True if after is None else False if before is None else None
        yield _change(("residency",), "residency", before, after, loosened=loosened)


def _environment(before: str | None, after: str | None) -> Iterator[SettingChange]:
    if before != after:
        loosened = True if before == "prod" else False if after == "prod" else None
        note = "rules for prod no longer apply" if before == "prod" else ""
        yield _change(("environment",), "environment", before, after, loosened=loosened, note=note)


def _severities(before: Settings, after: Settings) -> Iterator[SettingChange]:
    for severity in RuleSeverity:
        usual = packs.usual_level(severity, after)
        old, new = (each.enforcement.get(severity, usual) for each in (before, after))
        if old is not new:
            yield _change(
                ("enforcement", severity),
                f"enforcement.{severity}",
                old,
                new,
                loosened=_STRICTNESS.index(new) < _STRICTNESS.index(old),
            )


def _rules(before: Settings, after: Settings) -> Iterator[SettingChange]:
    for name in dict.fromkeys((*before.rules, *after.rules)):
        old, new = before.rules.get(name), after.rules.get(name)
        if old is new:
            continue
        rule = registry.rule_named(name)
        if rule is not None:
            was, now = effective_level(rule, before), effective_level(rule, after)
            if was is not now:
                loosened = _STRICTNESS.index(now) < _STRICTNESS.index(was)
                yield _change(("rules", name), f"rules.{name}", was, now, loosened=loosened)
        else:
            loosened = _rank_of_category(name, new) < _rank_of_category(name, old)
            shown = (old or "by severity", new or "by severity")
            yield _change(("rules", name), f"rules.{name}", *shown, loosened=loosened)


def effective_level(rule: Rule, settings: Settings) -> Enforcement:
    """Return what a broken rule does under settings; a rule that no pack has is disabled."""
    if not packs.enabled((rule,), settings):
        return Enforcement.DISABLED
    return packs.level(rule, settings)


def _rank_of_category(name: str, enforcement: Enforcement | None) -> float:
    """The strictness of a category: by severity, some of its rules block, and those of policies if a pack has them."""
    if enforcement is not None:
        return _STRICTNESS.index(enforcement)
    return 1.5 if Category(name).kind is RuleKind.PROVIDER else 0.5


def _undetermined(before: UndeterminedLevel, after: UndeterminedLevel) -> Iterator[SettingChange]:
    order = (UndeterminedLevel.COUNTED, UndeterminedLevel.ADVISORY, UndeterminedLevel.MANDATORY)
    if before is not after:
        yield _change(("unknown",), "unknown", before, after, loosened=order.index(after) < order.index(before))


def _more_is_looser(before: Any, after: Any) -> bool:
    """Return whether a ceiling was raised or removed."""
    return after is None or (before is not None and after > before)


def _less_is_looser(before: Any, after: Any) -> bool:
    return bool(after < before)


def _allows_more(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    """Return whether a list of what is allowed has more; an empty one allows everything."""
    return not after or (bool(before) and bool(set(after) - set(before)))


def _has_more(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    return bool(set(after) - set(before))


def _has_less(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    return bool(set(before) - set(after))


LOOSENING: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "required_tags": _has_less,
    "allowed_regions": _allows_more,
    "public_ports": _has_more,
    "public_load_balancers": _more_is_looser,
    "allowed_machine_types": _allows_more,
    "allowed_registries": _allows_more,
    "max_accelerators": _more_is_looser,
    "max_tpu_chips": _more_is_looser,
    "max_file_system_tib": _more_is_looser,
    "permissions_boundary": _less_is_looser,
    "confidential_nodes": _less_is_looser,
    "encrypted_pod_traffic": _less_is_looser,
    "fips": _less_is_looser,
    "log_retention_days": _less_is_looser,
    "backup_retention_days": _less_is_looser,
}
"""The tests of whether a changed parameter is looser than before, by its name."""


def _parameters(before: Parameters, after: Parameters) -> Iterator[SettingChange]:
    for name in Parameters.model_fields:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield _change(("parameters", name), f"parameters.{name}", old, new, loosened=LOOSENING[name](old, new))


def _waivers(before: tuple[Waiver, ...], after: tuple[Waiver, ...], today: date) -> Iterator[SettingChange]:
    old, new = ({(each.rule, each.urn): (index, each) for index, each in enumerate(some)} for some in (before, after))
    for key in dict.fromkeys((*old, *new)):
        was, now = old.get(key), new.get(key)
        name = f"waiver of {key[0]} for {key[1]}"
        if was is None and now is not None:
            index, waiver = now
            yield _change(("waivers", index), name, None, _until(waiver), loosened=True, note=_remark(waiver, today))
        elif now is None and was is not None:
            yield _change((), name, _until(was[1]), None, loosened=False)
        elif was is not None and now is not None and was[1] != now[1]:
            loosened = None if was[1].expires == now[1].expires else now[1].expires > was[1].expires
            index, waiver = now
            note = _remark(waiver, today)
            yield _change(("waivers", index), name, _until(was[1]), _until(waiver), loosened=loosened, note=note)


def _remark(waiver: Waiver, today: date) -> str:
    return "; ".join((f"reason: {waiver.reason}", *waiver.excesses(today)))


def _until(waiver: Waiver) -> str:
    return f"until {waiver.expires} ({waiver.owner})"
