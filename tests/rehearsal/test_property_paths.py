"""Paths to properties, as Pulumi writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.rehearsal.property_paths import covers, parse, render

STEPS = st.lists(st.text(min_size=1, max_size=8).filter(lambda text: text != "*") | st.integers(0, 99), min_size=1)


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("tags", ("tags",)),
        ("scalingConfig.minSize", ("scalingConfig", "minSize")),
        ("subnetIds[0]", ("subnetIds", 0)),
        ('tags["a.b"].c', ("tags", "a.b", "c")),
        ("rules[*].port", ("rules", "*", "port")),
        ("spec.*", ("spec", "*")),
        ("*", ("*",)),
    ],
)
def test_a_path_is_read_as_pulumi_reads_it(path: str, steps: tuple[str | int, ...]) -> None:
    assert parse(path) == steps


@given(STEPS)
def test_what_is_rendered_is_read_again(steps: list[str | int]) -> None:
    assert parse(render(steps)) == tuple(steps)


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("tags", "tags.a", True),
        ("tags.a", "tags", False),
        ("*", "anything[3].deep", True),
        ("rules[*].port", "rules[7].port", True),
        ("rules[*].port", "rules[7].name", False),
        ("rules[1]", "rules[2]", False),
    ],
)
def test_a_pattern_covers_what_stands_below_it(pattern: str, path: str, covered: bool) -> None:
    assert covers(parse(pattern), parse(path)) is covered
