"""A property of a passing resource is removed, flipped or left unknown: only the rules that read it notice.

Driven by every passing case of every policy. A rule that reads a property has it among its `reads`; an unknown value
never makes a rule fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.programs import IT
from tests.rules.cases import RuleCase, policy_cases
from tests.rules.verdicts import TODAY, rules_by_id

from penstock.graph.graph import Graph
from penstock.graph.values import UNKNOWN
from penstock.graph.verdict import Outcome
from penstock.graph.view import Site, View
from penstock.rules import registry
from penstock.rules.judge import with_stack
from penstock.rules.levels import Category, RuleKind
from penstock.rules.recorded_reads import reads_of
from penstock.rules.rule import Rule

pytestmark = pytest.mark.exhaustive

POLICIES = [category for category in Category if category.kind is RuleKind.POLICY]

JOINING = {
    "apiId",
    "bucket",
    "cluster",
    "environmentId",
    "launchTemplate",
    "managedEnvironmentId",
    "metadata",
    "name",
    "network",
    "networkAclId",
    "project",
    "resourceGroupName",
    "vpcId",
}
"""Properties that name a resource, or that it names another by: by them a rule finds the resources that it reads."""

OF_SEVERAL_TYPES = {
    "gcp-gke-metadata-server",
    "gcp-gke-nodepool-upgrade",
}
"""Rules on several types or blocks, which read other properties of each."""


@dataclass(frozen=True)
class Weakened:
    """A passing case with one property of its resource changed: `key` is the first step of its path."""

    case: RuleCase
    key: str
    kind: str
    graph: Graph

    def __str__(self) -> str:
        return f"{self.case.rule}: {self.kind} {self.key}"


def passing(category: Category) -> Iterator[RuleCase]:
    """The passing cases of a category about one resource."""
    rules = {rule.id for rule in registry.policies() if rule.category is category and not rule.is_of_stack}
    yield from (
        case for case in policy_cases() if case.outcome == Outcome.PASS and case.rule in rules and IT in case.program
    )


def weakened(case: RuleCase) -> Iterator[Weakened]:
    """The case with each of its properties removed and unknown, and with each of its booleans flipped."""
    graph = case.graph
    it = graph[case.urn]
    for key, value in it.inputs.items():
        others = {name: other for name, other in it.inputs.items() if name != key}
        for kind, inputs in (
            ("removed", others),
            ("unknown", {**others, key: UNKNOWN}),
            *(("flipped", {**others, key: flipped}) for flipped in flips(value)),
        ):
            changed = replace(it, inputs=inputs)
            yield Weakened(case, key, kind, replace(graph, resources={**graph.resources, it.urn: changed}))


def flips(value: Any) -> Iterator[Any]:
    """A value with one of its booleans flipped, for each of them."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from ({**value, key: flipped} for flipped in flips(item))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from ([*value[:index], flipped, *value[index + 1 :]] for flipped in flips(item))


def outcomes(case: RuleCase, graph: Graph) -> dict[str, Outcome]:
    """The outcomes of all policies on the resource of a case, by their ids."""
    site = Site(with_stack(graph), case.quotas, TODAY, case.existing)
    packages = frozenset(resource.type.partition(":")[0] for resource in site.graph)
    it = View(site.graph[case.urn], site)
    rules = registry.rules_on(it.type, RuleKind.POLICY, packages)
    return {rule.id: rule.judge(it, case.settings).outcome for rule in rules}


def may_read(rule: Rule, type_: str, key: str) -> bool:
    """Return whether a rule reads a property of resources of a type, or joins resources by it.

    Nothing is recorded of a function for a type that its cases do not have.
    """
    paths = reads_of(rule, type_)
    if type_ not in rule.on or not paths or (rule.joins and key in JOINING):
        return True
    return any(path.partition(".")[0].partition("[")[0] in (key, "*", "") for path in paths)


@pytest.mark.parametrize("category", POLICIES)
def test_only_the_rules_that_read_a_property_notice_it(category: Category) -> None:
    noticed = set()
    for case in passing(category):
        type_ = case.graph[case.urn].type
        before = outcomes(case, case.graph)
        for weak in weakened(case):
            after = outcomes(case, weak.graph)
            noticed |= {
                (id_, type_, weak.key)
                for id_, outcome in after.items()
                if outcome is not before[id_] and not may_read(rules_by_id()[id_], type_, weak.key)
            }

    own = {rule.id for rule in registry.policies() if rule.category is category}
    assert {each for each in noticed if each[0] not in OF_SEVERAL_TYPES} == set(), (
        "add a case in which each rule reads the property"
    )
    assert OF_SEVERAL_TYPES & own <= {id_ for id_, *_ in noticed}, "remove each row that is not needed"


@pytest.mark.parametrize("category", POLICIES)
def test_an_unknown_property_never_breaks_a_rule(category: Category) -> None:
    broken = {
        f"{weak}: {id_}"
        for case in passing(category)
        for before in [outcomes(case, case.graph)]
        for weak in weakened(case)
        if weak.kind == "unknown"
        for id_, outcome in outcomes(case, weak.graph).items()
        if outcome is Outcome.FAIL and before[id_] is not Outcome.FAIL
    }

    assert sorted(broken) == []
