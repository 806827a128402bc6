"""The registry of rules: those of the providers that a program uses, the policies, and rules of a user's own."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Final

from penstock.providers import Provider, all_providers, provider_named
from penstock.rules.levels import RuleKind
from penstock.rules.rule import Rule, patterns_of

CATEGORIES: Final = {
    "at_rest": "Who takes a disk, a snapshot or a backup away reads nothing from it.",
    "in_transit": "Nobody on the way reads along.",
    "segmentation": "What need not talk to each other cannot, and nothing faces the internet by mistake.",
    "identity": "Each workload may do what it needs, and proves who it is.",
    "secrets": "Never in clear, and exchanged before they are old.",
    "logs": "The record of what happened.",
    "residency": "Data stays in the part of the world that it was promised to.",
    "cost": "No accelerator runs that nobody asked for, or longer than needed.",
    "resilience": "Data survive a mistake, and services survive the loss of a zone.",
    "supply_chain": "What runs is what was built and checked.",
    "tagging": "Owner and purpose of every resource.",
}
"""The categories of policies and their aims, in the order in which reports show them; modules bear their names."""

_POLICIES = "penstock.policies"
_STATE_RULES = f"{_POLICIES}.state_rules"
_PROVIDERS = "pulumi:providers:"
"""The beginning of the types of providers, which the rules of their package judge."""
_COMPONENTS = "penstock:"
"""The beginning of the types of components, before the name of their provider."""

_Table = dict[str, dict[int, Rule]]
"""Rules by what they are on, each with its position."""

_custom: tuple[Rule, ...] = ()


def use_custom_rules(rules: Iterable[Rule]) -> None:
    """Register rules of a user's own in place of those that were registered before."""
    global _custom  # noqa: PLW0603 - a process rehearses one project at a time, and the engine loads one pack
    _custom = tuple(rules)
    rules_on.cache_clear()
    _by_id.cache_clear()


def custom_rules() -> tuple[Rule, ...]:
    """Return the registered rules of a user's own."""
    return _custom


def provider_rules(provider: str) -> tuple[Rule, ...]:
    """Return the rules of a provider by its name, by subject; none where the provider has none."""
    record = provider_named(provider)
    return _rules_of(record) if record is not None else ()


@cache
def _rules_of(provider: Provider) -> tuple[Rule, ...]:
    return tuple(rule for subject in subjects_of(provider) for rule in getattr(subject, "RULES", ()))


@cache
def policies(providers: tuple[str, ...] | None = None) -> tuple[Rule, ...]:
    """Return Penstock's own policies, by category and provider; those on a state apart (`state_rules`).

    With names of providers, only those on what they have, and on what is of no provider.
    """
    others = {each.name for each in all_providers()} - set(providers) if providers is not None else set()
    modules = (module for category in CATEGORIES for module in policy_modules(category, others))
    return tuple(rule for module in modules for rule in module.RULES)


@cache
def state_rules() -> tuple[Rule, ...]:
    """Return the rules on an exported state itself, which only an audit evaluates."""
    rules: tuple[Rule, ...] = import_module(_STATE_RULES).RULES
    return rules


def rules_of(kind: RuleKind) -> Iterator[Rule]:
    """Return all rules of a kind, a user's own last."""
    if kind is RuleKind.POLICY:
        yield from policies()
    else:
        for provider in all_providers():
            yield from provider_rules(provider.name)
    yield from (rule for rule in _custom if rule.kind is kind)


def all_rules() -> Iterator[Rule]:
    """Return every rule: of providers, of policies, of states, and a user's own."""
    for kind in RuleKind:
        yield from rules_of(kind)
    yield from state_rules()


def rule_named(id_: str) -> Rule | None:
    """Return the rule of that id; None where there is none."""
    return _by_id().get(id_)


@cache
def _by_id() -> dict[str, Rule]:
    return {rule.id: rule for rule in all_rules()}


@cache
def rules_on(type_: str, kind: RuleKind, packages: frozenset[str] = frozenset()) -> tuple[Rule, ...]:
    """Return the rules of a kind that judge resources of a type.

    `packages` are the Pulumi packages of a program: beside the provider of the type, only theirs have a say, such as a
    cloud on the objects of its clusters, and no others are loaded; without any, all policies are.
    """
    wanted = {*packages, type_.removeprefix(_PROVIDERS).partition(":")[0]}
    if kind is RuleKind.POLICY:
        tables = [_policies_by_type(_named_by(wanted, _owner(type_)) if packages else None)]
    else:
        tables = [_provider_rules_by_type(name) for name in _named_by(wanted)]
    found = [rule for table in tables for rule in _on_type(table, type_)]
    return (*found, *(rule for rule in _custom if rule.kind is kind and rule.judges(type_)))


def _named_by(packages: Container[str], owner: str = "") -> tuple[str, ...]:
    return tuple(each.name for each in all_providers() if each.package in packages or each.name == owner)


def _owner(type_: str) -> str:
    """The name of the provider of a component of ours; empty for other types."""
    return type_.split(":")[1] if type_.startswith(_COMPONENTS) else ""


@cache
def _policies_by_type(providers: tuple[str, ...] | None) -> _Table:
    return _by_type(policies(providers))


@cache
def _provider_rules_by_type(provider: str) -> _Table:
    return _by_type(provider_rules(provider))


def _by_type(rules: Iterable[Rule]) -> _Table:
    table: _Table = {}
    for position, rule in enumerate(rules):
        for type_ in rule.on:
            table.setdefault(type_, {})[position] = rule
    return table


def _on_type(by_type: _Table, type_: str) -> Iterator[Rule]:
    found: dict[int, Rule] = {}
    for pattern in (*patterns_of(type_), *_stand_ins(type_)):
        found |= by_type.get(pattern, {})
    yield from (found[position] for position in sorted(found))


@cache
def _stand_ins(type_: str) -> tuple[str, ...]:
    """The types whose rules judge this one, too, in the eyes of its provider."""
    package = type_.partition(":")[0]
    found = (each.stand_in for each in all_providers() if each.package == package)
    return tuple(other for stand_in in found if stand_in is not None if (other := stand_in(type_)))


def provider_of_rule(rule: Rule) -> Provider | None:
    """Return the provider whose package a provider rule is in; None for a policy or a user's own rule."""
    return next((each for each in all_providers() if rule in provider_rules(each.name)), None)


def policy_modules(category: str, without: Collection[str] = ()) -> Iterator[ModuleType]:
    """Yield the modules of policies that are named for a category.

    Logs of AWS are `penstock.aws.policies.logs` and, say, `logs_data`; what is of no provider alone stands in
    `penstock.policies`. `without` are names of providers to leave out.
    """
    packages = {each.name: each.path_of("policies") for each in all_providers() if each.name not in without}
    found = {
        f"{provider}{name.removeprefix(category)}".lstrip("_"): f"{package}.{name}"
        for provider, package in {"": _POLICIES, **packages}.items()
        if package
        for name in _names_in(package)
        if name == category or name.startswith(f"{category}_")
    }
    return (import_module(found[name]) for name in sorted(found))


def _names_in(package: str) -> tuple[str, ...]:
    return tuple(each.name for each in iter_modules(import_module(package).__path__))


def subjects_of(provider: Provider) -> Iterator[ModuleType]:
    """Yield the modules of a provider's rules: those that its `SUBJECTS` names, in that order, or else all."""
    package = provider.path_of("rules")
    if package:
        names: Iterable[str] = getattr(import_module(package), "SUBJECTS", ()) or _names_in(package)
        yield from (import_module(f"{package}.{name}") for name in names)
