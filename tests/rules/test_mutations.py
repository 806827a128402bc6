"""Graphs that were right and are broken in one field: judged without a crash, and not waved through."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.mutations import Mutation, mutations
from tests.rulecases import RULES

from penstock.rehearsal.environment import find
from penstock.rehearsal.project import project_at
from penstock.resources.view import Site, View
from penstock.rules.judge import with_stack
from penstock.rules.settings import Settings

STACKS = ("aws-train", "aws-blocks", "aws-trainium", "gcp-train", "gcp-tpu")


@cache
def broken(stack: str) -> tuple[Mutation, ...]:
    """Every mutation of an environment."""
    project = project_at(Path(__file__).parents[2])
    return tuple(mutations(find(str(project.stack_file(stack))).rehearse().graph))


any_mutation = st.sampled_from(STACKS).flatmap(
    lambda stack: st.integers(0, len(broken(stack)) - 1).map(lambda index: broken(stack)[index])
)


@given(any_mutation)
def test_whatever_stands_in_a_field_every_rule_has_a_verdict(mutation: Mutation) -> None:
    site = Site(with_stack(mutation.graph))
    for resource in site.graph:
        for rule in RULES:
            if rule.judges(resource.type):
                rule.judge(View(resource, site), Settings())
