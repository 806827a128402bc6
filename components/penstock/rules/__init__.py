"""Cloud rules: what the real clouds refuse, often many minutes into a `pulumi up`, judged over a Graph's resources.

They read resources, not our description, so that programs which never saw one are protected too. Each cloud's rules are
loaded when a program uses its provider.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from penstock.findings import Finding, Source
from penstock.providers import all_providers, provider_of
from penstock.resources.former_types import by_present_names
from penstock.resources.graph import Graph, Resource
from penstock.resources.verdict import UNKNOWN, Failure, Outcome, Verdict
from penstock.resources.view import Site, View
from penstock.rules.rule import Rule, WholeRule


@dataclass(frozen=True, slots=True)
class Undecided:
    """A rule that could not tell, because a value is known only to the cloud, secret, or outside the program."""

    code: str
    urn: str | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say of a Graph: findings for what fails, how many checks passed, and which could not tell."""

    findings: tuple[Finding, ...]
    passed: int
    unknown: tuple[Undecided, ...]


def judge(graph: Graph, *, quotas: Mapping[str, float] | None = None) -> Judgement:
    """Asks every rule that speaks of a type in the Graph.

    `quotas` are those of the account, by service quota code, as its user declares them; without one nothing is held to
    it.
    """
    graph = by_present_names(graph)
    site = Site(graph, quotas)
    packages = [package for package in rule_packages() if any(_is_of(package, resource) for resource in graph)]
    said: list[tuple[Rule | WholeRule, Resource | None, Verdict]] = []
    for resource in graph:
        if resource.custom and not resource.external:
            view = View(resource, site)
            said.extend((rule, resource, _verdict(rule, view)) for rule in _rules_on(resource.type))
    for package in packages:
        said.extend((rule, None, _verdict(rule, site)) for rule in whole_rules(package))
    outcomes = Counter(verdict.outcome for _, _, verdict in said)
    return Judgement(
        tuple(
            _finding(rule, resource, failure, graph) for rule, resource, verdict in said for failure in verdict.failures
        ),
        outcomes[Outcome.PASS],
        tuple(
            Undecided(rule.code, resource.urn if resource else None)
            for rule, resource, verdict in said
            if verdict.outcome is Outcome.UNKNOWN
        ),
    )


def _verdict(rule: Any, what: View | Site) -> Verdict:
    """What a rule says. One that fails itself could not tell: a slip of ours must not keep the others from a user."""
    try:
        verdict: Verdict = rule.judge(what)
    except Exception:  # noqa: BLE001 - whatever it is, there are other rules
        return UNKNOWN
    return verdict


@cache
def rules(package: str) -> tuple[Rule, ...]:
    """The rules on single resources of a provider, and on what they point at."""
    return tuple(rule for subject in subjects(package) for rule in vars(subject).values() if isinstance(rule, Rule))


@cache
def whole_rules(package: str) -> tuple[WholeRule, ...]:
    """The rules on all resources of a provider together."""
    return tuple(
        rule for subject in subjects(package) for rule in vars(subject).values() if isinstance(rule, WholeRule)
    )


def rule_packages() -> tuple[str, ...]:
    """Return the packages of the providers whose clouds have rules."""
    return tuple(provider.package for provider in all_providers() if provider.rules)


def subjects(package: str) -> tuple[ModuleType, ...]:
    """The modules that hold a provider's rules; each tells its subject in the first line of its docstring."""
    provider = provider_of(package)
    home = provider.module("rules") if provider is not None else None
    found: tuple[ModuleType, ...] = home.SUBJECTS if home is not None else ()
    return found


@cache
def _rules_on(type_: str) -> tuple[Rule, ...]:
    package = type_.partition(":")[0]
    if package not in rule_packages():
        return ()
    return tuple(rule for rule in rules(package) if type_ in rule.on or f"{package}:*" in rule.on)


def _is_of(package: str, resource: Resource) -> bool:
    return resource.type.startswith(f"{package}:")


def _finding(rule: Rule | WholeRule, resource: Resource | None, failure: Failure, graph: Graph) -> Finding:
    about = graph.resources.get(failure.urn, resource) if failure.urn else resource
    place = about.place if about is not None else None
    return Finding(
        code=rule.code,
        severity=rule.severity,
        source=Source.CLOUD,
        message=failure.message,
        hint=failure.hint,
        urn=about.urn if about is not None else None,
        path=failure.path or None,
        file=place.file if place else None,
        line=place.line if place else None,
    )
