"""Types and properties that a rule of a user's own reads, and that no SDK in use declares."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from penstock.catalog.former_types import by_present_names
from penstock.core.findings import Finding, Severity, Source
from penstock.graph.graph import Graph
from penstock.graph.reads import RecordedReads, Steps
from penstock.graph.view import Site, View
from penstock.providers import provider_of
from penstock.rules import registry
from penstock.rules.judge import with_stack
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings
from penstock.rules.time_limit import within
from penstock.simulate.rule_reads import start_recording, undeclared_reads
from penstock.simulate.sdk_paths import is_known

_RULE_S: Final = 1.0
"""Seconds that a rule may take on one resource; the judge reports one that takes long."""


def undeclared_paths(graph: Graph, settings: Settings) -> Iterator[Finding]:
    """Yield a finding for each rule that would never find what it looks for, as far as the loaded SDKs show."""
    if not registry.custom_rules():
        return
    reads = RecordedReads(by_present_names(with_stack(graph)))
    site = Site(reads.graph)
    for rule in registry.custom_rules():
        for type_ in rule.on:
            yield from _of_type(rule, type_)
        if rule.file is not None:
            yield from _of_function(rule, reads, site, settings)


def _of_type(rule: Rule, type_: str) -> Iterator[Finding]:
    sdk = _sdk_of(type_)
    if not sdk:
        return
    if not is_known(type_):
        yield _undeclared(rule, f"rule {rule.id} judges {type_}, which {sdk} does not declare")
        return
    for path in rule.check.reads(type_):
        if not is_known(type_, path):
            yield _undeclared_path(rule, type_, path)


def _of_function(rule: Rule, reads: RecordedReads, site: Site, settings: Settings) -> Iterator[Finding]:
    found: dict[str, set[Steps]] = {}
    for resource in site.graph.of_type(*rule.on):
        start_recording(site, reads)
        with suppress(Exception, SystemExit):  # the judge reports these
            within(_RULE_S, lambda resource=resource: rule.judge(View(resource, site), settings))  # type: ignore[misc]
        found.setdefault(resource.type, set()).update(steps for urn, steps in reads if urn == resource.urn)
    for type_, steps in found.items():
        for path, _ in undeclared_reads(type_, steps) if _sdk_of(type_) else ():
            if all(_sdk_of(other) and not is_known(other, path) for other in rule.on):
                yield _undeclared_path(rule, type_, path)


def _sdk_of(type_: str) -> str:
    """The SDK that declares a type; empty where none does, or it is not loaded."""
    provider = provider_of(type_)
    return provider.sdk if provider is not None and provider.sdk in sys.modules else ""


def _undeclared_path(rule: Rule, type_: str, path: str) -> Finding:
    return _undeclared(rule, f"rule {rule.id} reads {path} of {type_}, which {_sdk_of(type_)} does not declare")


def _undeclared(rule: Rule, message: str) -> Finding:
    return Finding(
        code="RULE-002",
        severity=Severity.ERROR,
        source=Source.POLICY,
        message=message,
        hint="Write names as the provider's schema has them, in camelCase: storageEncrypted, rules[].filter.prefix.",
        file=rule.file,
    )
