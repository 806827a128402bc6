"""The rules: a package a concern, in it a module a cloud."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from penstock.policies.rule import Rule, Rules

CONCERNS = (
    "at_rest",
    "in_transit",
    "segmentation",
    "identity",
    "secrets",
    "logs",
    "residency",
    "cost",
    "resilience",
    "supply_chain",
    "tagging",
)
"""The packages, in the order in which they are told."""


@cache
def catalogue() -> tuple[Rule, ...]:
    """Every rule, by concern and cloud."""
    found: list[Rule] = []
    for concern in CONCERNS:
        package = import_module(f"{__package__}.{concern}")
        for module in iter_modules(package.__path__):
            rules: Rules = import_module(f"{package.__name__}.{module.name}").RULES
            found += rules
    return tuple(found)


@cache
def rules_on(type_: str) -> tuple[Rule, ...]:
    """The rules that speak of a type token."""
    names = {type_, f"{type_.partition(':')[0]}:*", "*"}
    return tuple(rule for rule in catalogue() if not names.isdisjoint(rule.on))
