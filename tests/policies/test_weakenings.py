"""The packs notice each way in which our own platforms could be weakened, and find nothing in them as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from tests.environments import STACKS, environment, rehearsed
from tests.policies.exceptions import ADVICE, ADVICE_IN_DEV, ADVICE_ON, ADVICE_WITHOUT_OWNER
from tests.policies.weakening import Weakening, unprotected, weakened
from tests.policies.weakenings import WEAKENINGS

from penstock.app.judge import judge_policies
from penstock.catalog import regions
from penstock.graph.graph import Graph
from penstock.rules.levels import BLOCKING, Category
from penstock.rules.settings import DESCRIPTION, Pack, Parameters, Settings

pytestmark = pytest.mark.slow

PACKS: tuple[Pack, ...] = ("baseline", "regulated", "cost", "sovereign")
ACCELERATORS = 512
"""More than any of our environments may grow to."""

Broken = frozenset[tuple[Category, str, str]]


def described(stack: str) -> dict[str, Any]:
    """The description as in the stack file."""
    description: dict[str, Any] = json.loads(environment(stack).config.values[DESCRIPTION])
    return description


def graph(stack: str) -> Graph:
    return rehearsed(stack).graph


def settings(stack: str, *, in_production: bool = True) -> Settings:
    """Everything that a platform offers, in production or in its own environment; an existing cluster has no region."""
    cloud = described(stack)["cloud"]
    region = regions.find_region(cloud["region"], cloud["provider"]) if "region" in cloud else None
    return Settings(
        packs=PACKS,
        environment="prod" if in_production else described(stack)["environment"],
        residency=region.residency if region is not None else None,
        parameters=Parameters(max_accelerators=ACCELERATORS),
    )


TABLES: tuple[tuple[Mapping[str, str], tuple[str, ...]], ...] = (
    (ADVICE, tuple(STACKS)),
    (ADVICE_IN_DEV, tuple(each for each in STACKS if described(each)["environment"] == "dev")),
    *(
        (reasons, tuple(each for each in STACKS if described(each)["cloud"]["provider"] == cloud))
        for cloud, reasons in ADVICE_ON.items()
    ),
    (ADVICE_WITHOUT_OWNER, tuple(each for each in STACKS if "owner" not in described(each))),
)
"""Each table of exceptions with the environments that it speaks of."""


@cache
def rules_broken(stack: str) -> frozenset[str]:
    """The rules that a platform breaks in its own environment."""
    report = judge_policies(graph(stack), settings(stack, in_production=False))
    return frozenset(answer.rule.id for answer in report.of("fail"))


def broken(of: Graph, stack: str) -> Broken:
    """The failures of a platform: category, rule and resource."""
    answers = judge_policies(of, settings(stack)).of("fail")
    return frozenset((answer.rule.category, answer.rule.id, answer.resource.urn) for answer in answers)


@cache
def broken_before(stack: str) -> Broken:
    return broken(graph(stack), stack)


@pytest.mark.parametrize("stack", STACKS)
def test_our_environments_break_no_rule_of_any_pack(stack: str) -> None:
    assert rules_broken(stack) <= {rule for table, stacks in TABLES if stack in stacks for rule in table}


@pytest.mark.parametrize(
    ("rule", "stacks"), [pytest.param(rule, stacks, id=rule) for table, stacks in TABLES for rule in table]
)
def test_each_advice_is_given_to_one_of_our_environments(rule: str, stacks: tuple[str, ...]) -> None:
    assert any(rule in rules_broken(stack) for stack in stacks), "remove the row: no environment breaks the rule now"


@pytest.mark.parametrize("pack", ["strict", "regulated"])
@pytest.mark.parametrize("stack", STACKS)
def test_our_environments_break_nothing_that_a_strict_pack_blocks(stack: str, pack: Pack) -> None:
    report = judge_policies(graph(stack), Settings(packs=(pack,), environment=described(stack)["environment"]))

    assert [answer.rule.id for answer in report.of("fail") if answer.rule.severity in BLOCKING] == []


@pytest.mark.parametrize("weakening", WEAKENINGS, ids=str)
def test_a_weakened_platform_is_noticed(weakening: Weakening) -> None:
    tried = [
        (stack, weak)
        for stack in sorted(STACKS, key=lambda stack: described(stack)["environment"] == "dev")
        for _, weak in [*weakened(graph(stack), weakening)][:1]
    ]

    assert tried
    for stack, weak in tried[:2]:
        assert any(category is weakening.category for category, *_ in broken(weak, stack) - broken_before(stack)), stack


_PROTECTING = {"res-protect-stateful", "gcp-kms-prevent-destroy"}
"""Each speaks of types of its own."""


@pytest.mark.parametrize(
    "stack",
    [
        each
        for each in STACKS
        if described(each)["environment"] == "prod"
        and "storage" in described(each)
        and described(each)["cloud"]["provider"] != "kubernetes"  # storage there exists already
    ],
)
def test_what_holds_data_and_is_not_protected_is_noticed(stack: str) -> None:
    unguarded = list(unprotected(graph(stack)))

    assert unguarded
    for resource, weak in unguarded:
        new = broken(weak, stack) - broken_before(stack)
        assert _PROTECTING & {rule for _, rule, urn in new if urn == resource.urn}
