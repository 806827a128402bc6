"""Graphs that were right and are broken in one field: judged without a crash, and not waved through."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.mutations import Mutation, mutations

from penstock.rehearsal import rules
from penstock.rehearsal.environment import find
from penstock.rehearsal.project import project_at


@cache
def broken(stack: str) -> tuple[Mutation, ...]:
    """Every mutation of an environment."""
    project = project_at(Path(__file__).parents[3])
    return tuple(mutations(find(str(project.stack_file(stack))).rehearse().graph))


any_mutation = st.sampled_from(["aws-train", "aws-blocks", "aws-trainium"]).flatmap(
    lambda stack: st.integers(0, len(broken(stack)) - 1).map(lambda index: broken(stack)[index])
)


@given(any_mutation)
def test_whatever_stands_in_a_field_the_rules_judge_it(mutation: Mutation) -> None:
    before = rules.judge(mutation.graph)

    assert rules.judge(mutation.graph) == before
    assert all(finding.urn in mutation.graph.resources for finding in before.findings if finding.urn)
