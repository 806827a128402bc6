"""What rules read of resources is recorded, absent properties and all that a walk passes included."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.programs import IT, Program, graph_of, urn_of

from penstock.graph.reads import RecordedReads, Steps
from penstock.graph.view import Site, View

PROGRAM: Program = {
    IT: ("aws:s3/bucket:Bucket", {"bucket": "data", "tags": {"owner": "ml", "team": "a"}, "rules": [{"id": 1}, {}]})
}


@pytest.mark.parametrize(
    ("read", "steps"),
    [
        (lambda it: it.text("bucket"), {("bucket",)}),
        (lambda it: it.value("acl"), {("acl",)}),
        (lambda it: "acl" in it, {("acl",)}),
        (lambda it: it.value("tags.owner"), {("tags.owner",), ("tags",), ("tags", "owner")}),
        (lambda it: list(it.block("tags")), {("tags",), ("tags", "owner"), ("tags", "team")}),
        (lambda it: it.value("tags") == {}, {("tags",), ("tags", "owner"), ("tags", "team")}),
        (lambda it: it.count("rules"), {("rules",), ("rules", 0), ("rules", 1)}),
        (lambda it: it.locations("rules[0].id"), {("rules",), ("rules", 0), ("rules", 1), ("rules", 0, "id")}),
    ],
)
def test_each_read_is_recorded(read: Callable[[View], object], steps: set[Steps]) -> None:
    reads = RecordedReads(graph_of(PROGRAM))
    site = Site(reads.graph)
    reads.clear()

    read(View(site.graph[urn_of(IT, PROGRAM)], site))

    assert set(reads) == {(urn_of(IT, PROGRAM), each) for each in steps}


def test_the_copy_has_the_same_values() -> None:
    graph = graph_of(PROGRAM)

    assert RecordedReads(graph).graph == graph
