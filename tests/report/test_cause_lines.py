"""The lines about what causes a change: like changes of neighbouring items are one line."""

from __future__ import annotations

from tests.graphs import resource

from penstock.changes.diff import Changed
from penstock.graph.graph import Resource
from penstock.report.changes import cause_lines
from penstock.simulate.lifecycle import Difference, Operation


def lines(*causes: Difference) -> list[str]:
    was: Resource = resource("aws:ec2/launchTemplate:LaunchTemplate", "train")
    return list(cause_lines(Changed(Operation.UPDATE, was, was, causes)))


def test_items_that_come_one_after_the_other_are_one_line() -> None:
    added = [Difference(f"networkInterfaces[{index}]", None, {"index": index}) for index in range(9, 17)]

    assert lines(*added) == ['networkInterfaces[9] to [16], 8 alike: (none) → {"index": 9}']


def test_other_changes_keep_their_lines() -> None:
    found = lines(
        Difference("tags[0]", "a", "b"),
        Difference("tags[1]", "a", "c"),
        Difference("tags[3]", "a", "c"),
        Difference("size", 1, 2),
        Difference("other[2]", None, 1, replaces=True),
        Difference("other[3]", None, 1),
    )

    assert [line.partition(":")[0] for line in found] == [
        "tags[0]", "tags[1]", "tags[3]", "size", "other[2]", "other[3]",
    ]  # fmt: skip
