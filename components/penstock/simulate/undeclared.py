"""Types and properties that a rule of a user's own names, and that no SDK in use declares."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from penstock.core.findings import Finding, Severity, Source
from penstock.providers import provider_of
from penstock.rules import registry
from penstock.rules.rule import Rule
from penstock.simulate.sdk_paths import is_known


def undeclared_paths() -> Iterator[Finding]:
    """Return a finding for each rule that would never find what it looks for, as far as the loaded SDKs show."""
    for rule in registry.custom_rules():
        for type_ in rule.on:
            yield from _of_type(rule, type_)


def _of_type(rule: Rule, type_: str) -> Iterator[Finding]:
    provider = provider_of(type_)
    if provider is None or provider.sdk not in sys.modules:
        return
    if not is_known(type_):
        yield _undeclared(rule, f"rule {rule.id} judges {type_}, which {provider.sdk} does not declare")
        return
    for path in rule.reads(type_):
        if not is_known(type_, path):
            yield _undeclared(rule, f"rule {rule.id} reads {path} of {type_}, which {provider.sdk} does not declare")


def _undeclared(rule: Rule, message: str) -> Finding:
    return Finding(
        code="RULE-002",
        severity=Severity.ERROR,
        source=Source.POLICY,
        message=message,
        hint="Write names as the provider's schema has them, in camelCase: storageEncrypted, rules[].filter.prefix.",
        file=rule.file,
    )
