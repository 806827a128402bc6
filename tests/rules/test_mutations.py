"""Graphs that were right and are broken in one field: judged without a crash, and not waved through."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st
from tests.environments import rehearsed
from tests.mutations import Mutation, mutations
from tests.rules.verdicts import verdicts

from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings

STACKS = ("aws-train", "aws-blocks", "aws-trainium", "gcp-train", "gcp-tpu")


@cache
def broken(stack: str) -> tuple[Mutation, ...]:
    """Every mutation of an environment."""
    return tuple(mutations(rehearsed(stack).graph))


any_mutation = st.sampled_from(STACKS).flatmap(
    lambda stack: st.integers(0, len(broken(stack)) - 1).map(lambda index: broken(stack)[index])
)


@given(any_mutation)
def test_whatever_stands_in_a_field_every_rule_has_a_verdict(mutation: Mutation) -> None:
    for _ in verdicts(mutation.graph, RuleKind.PROVIDER, Settings()):
        pass
    for _ in verdicts(mutation.graph, RuleKind.POLICY, Settings()):
        pass
