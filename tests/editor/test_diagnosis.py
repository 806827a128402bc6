"""Findings stay with their lines while a text is edited."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.editor.stackfiles import BLOCKS

from penstock.core.findings import Finding, Severity, Source
from penstock.editor.diagnosis import description_of, moved

LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=8)


def finding(line: int) -> Finding:
    return Finding(code="X-1", severity=Severity.ERROR, source=Source.CLOUD, message="m", line=line, column=1)


@given(before=LINES, after=LINES)
def test_a_finding_that_stays_is_on_a_line_of_the_same_text(before: list[str], after: list[str]) -> None:
    marked = [f"{text}{number}" for number, text in enumerate(before)]
    edited = [*marked[: len(marked) // 2], *after, *marked[len(marked) // 2 :]]
    found = list(moved(map(finding, range(1, len(marked) + 1)), "\n".join(marked), "\n".join(edited)))

    assert [edited[(each.line or 0) - 1] for each in found] == marked  # nothing but insertion happened


def test_a_finding_on_a_line_that_changed_is_gone() -> None:
    assert not list(moved([finding(2)], "a\nb\nc", "a\nx\nc"))


def test_a_stack_file_of_another_program_has_nothing_wrong() -> None:
    assert description_of("config:\n  aws:region: us-east-1\n", "Pulumi.dev.yaml") == (None, ())


def test_a_right_description_is_read() -> None:
    spec, problems = description_of(BLOCKS, "Pulumi.dev.yaml")

    assert not problems
    assert spec is not None
    assert [pool.name for pool in spec.node_pools] == ["system", "train"]
