"""An edit that an editor offers makes the description right."""

from __future__ import annotations

import pytest
from tests.editor.stackfiles import TRAIN

from penstock.editor.diagnosis import description_of
from penstock.editor.fixes import Fix, fixes_for

FILE = "Pulumi.dev.yaml"


def fixes(text: str) -> list[Fix]:
    (finding,) = description_of(text, FILE)[1]
    return list(fixes_for(finding, text, FILE))


def applied(text: str, fix: Fix) -> str:
    lines = text.split("\n")
    here = lines[fix.span.line]
    lines[fix.span.line] = here[: fix.span.start] + fix.text + here[fix.span.end :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("accelerator: h100", "accelerator: h1000"),
        ("capacity: spot", "capacitee: spot"),
        ("capacity: spot", "capacity: sppot"),
        ("provider: aws, region: us-east-1,", "provider: aws, region: us-est-1,"),
        ('version: "1.35"', "version: 1.35"),
        ("capacity_tib: 19.2", "capacity_tib: 20"),
        ("nodes: {min: 0", "nodes: {min: -1"),
    ],
)
def test_a_mistake_is_undone(right: str, wrong: str) -> None:
    text = TRAIN.replace(right, wrong, 1)

    assert TRAIN in {applied(text, fix) for fix in fixes(text)}


def test_the_word_that_was_meant_comes_first_and_is_preferred() -> None:
    first, *others = fixes(TRAIN.replace("capacity: reserved", "capacity: reservd"))

    assert (first.text, first.is_likely) == ("reserved", True)
    assert not any(fix.is_likely for fix in others)


def test_what_would_be_refused_in_its_turn_is_not_offered() -> None:
    offered = {fix.text for fix in fixes(TRAIN.replace("capacity: spot", "capacity: sppot"))}

    assert "flex_start" not in offered  # of Google Cloud


def test_a_list_is_made_of_a_single_value() -> None:
    text = TRAIN.replace("zones: [us-east-1a, us-east-1b, us-east-1c]", "zones: us-east-1a")

    assert [fix.text for fix in fixes(text)] == ["[us-east-1a]"]
