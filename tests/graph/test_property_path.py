"""Paths to properties: one grammar, read as Pulumi reads it, and walked as it says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.graph.property_path import Every, Location, PropertyPath, Step, leaves
from penstock.graph.values import UNKNOWN, Secret

KEYS = st.text(max_size=8)
STEPS = st.lists(KEYS | st.integers(0, 99) | st.sampled_from(Every), min_size=1)
VALUES = st.recursive(
    st.integers() | st.text(max_size=3) | st.just(UNKNOWN),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=3)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("tags", ("tags",)),
        ("scalingConfig.minSize", ("scalingConfig", "minSize")),
        ("subnetIds[0]", ("subnetIds", 0)),
        ('tags["a.b"].c', ("tags", "a.b", "c")),
        ('limits."nvidia.com/gpu"', ("limits", "nvidia.com/gpu")),
        ("rules[].port", ("rules", Every.ITEM, "port")),
        ("rules[*].port", ("rules", Every.PART, "port")),
        ("spec.*", ("spec", Every.PART)),
        ("*", (Every.PART,)),
        ('tags["*"]', ("tags", "*")),
        ("", ()),
    ],
)
def test_a_path_is_read_as_pulumi_reads_it(text: str, steps: tuple[Step, ...]) -> None:
    assert PropertyPath.parse(text) == PropertyPath(steps)


@given(STEPS)
def test_what_is_written_is_read_again(steps: list[Step]) -> None:
    path = PropertyPath(tuple(steps))

    assert PropertyPath.parse(str(path)) == path


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("tags", "tags.a", True),
        ("tags.a", "tags", False),
        ("*", "anything[3].deep", True),
        ("rules[*].port", "rules[7].port", True),
        ("rules[].port", "rules[7].port", True),
        ("rules[].port", "rules.first.port", False),
        ("rules[*].port", "rules[7].name", False),
        ("rules[1]", "rules[2]", False),
    ],
)
def test_a_pattern_covers_what_stands_below_it(pattern: str, path: str, covered: bool) -> None:
    assert PropertyPath.parse(pattern).covers(PropertyPath.parse(path)) is covered


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("rules[].port", [("rules[0].port", 1), ("rules[1].port", None)]),
        ("rules[1].name", [("rules[1].name", "b")]),
        ("rules[7].name", []),
        ("rules.port", [("rules.port", None)]),
        ("one[].port", [("one.port", 2)]),
        ("absent[].port", []),
        ("absent.port", [("absent.port", None)]),
        ("roles.*.port", [("roles.head.port", 3)]),
        ("later[].port", [("later", UNKNOWN)]),
        ("hidden.port", [("hidden", Secret({"port": 4}))]),
        ('labels."a.b/c"', [('labels["a.b/c"]', 5)]),
        ("", [("", ...)]),
    ],
)
def test_a_path_leads_where_it_says(path: str, found: list[tuple[str, Any]]) -> None:
    inputs = {
        "rules": [{"port": 1}, {"name": "b"}],
        "one": {"port": 2},
        "roles": {"head": {"port": 3}},
        "later": UNKNOWN,
        "hidden": Secret({"port": 4}),
        "labels": {"a.b/c": 5},
    }

    expected = [Location(at, inputs if value is ... else value) for at, value in found]

    assert PropertyPath.parse(path).locations(inputs) == expected


@given(VALUES, STEPS)
def test_what_is_walked_to_is_got_by_its_own_path(value: Any, steps: list[Step]) -> None:
    for found in PropertyPath(tuple(steps)).locations(value):
        assert PropertyPath.parse(found.path).get(value) is found.value


@given(OBJECTS)
def test_each_leaf_is_got_by_its_path(value: dict[str, Any]) -> None:
    for path, leaf in leaves(value):
        assert path.get(value) is leaf
        assert PropertyPath.parse(str(path)) == path


@given(OBJECTS, st.lists(KEYS, min_size=1, max_size=3))
def test_what_is_put_is_got_and_all_else_stays(value: dict[str, Any], keys: list[str]) -> None:
    path = PropertyPath(tuple(keys))

    changed = path.put(value, "new")

    if changed is not value:
        assert path.get(changed) == "new"
        before = {at: leaf for at, leaf in leaves(value) if not path.covers(at)}
        assert before == {at: leaf for at, leaf in leaves(changed) if at != path}


@pytest.mark.parametrize("present", [UNKNOWN, Secret({}), "text", ["item"]])
def test_nothing_is_put_where_no_object_is_on_the_way(present: object) -> None:
    value = {"options": present}

    assert PropertyPath.parse("options.version").put(value, "1.2") is value
