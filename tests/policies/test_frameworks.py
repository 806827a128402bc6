"""A view by framework counts what the report has, and says what nobody has verified."""

from __future__ import annotations

import csv
import re
from datetime import date
from pathlib import Path

import pytest
from tests.programs import graph_of

import penstock.policies
from penstock.policies import frameworks
from penstock.policies.frameworks import ControlView, FrameworkView
from penstock.policies.judge import judge_policies
from penstock.resources.graph import Graph
from penstock.rules.levels import Category, Enforcement
from penstock.rules.settings import Settings
from penstock.rules.waivers import Waiver

TABLE = Path(penstock.policies.__file__).parent / "data" / "frameworks.csv"
AT_REST = {"aws-ebs-encrypted": Enforcement.MANDATORY}
VOLUME = "aws:ebs/volume:Volume"


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_row_names_its_source_and_its_date() -> None:
    for row in rows():
        assert row["source"]
        assert re.fullmatch(r"20\d\d-[01]\d", row["as_of"])
        assert set(row["unverified"].split()) <= set(row)


def test_a_control_has_one_title_and_every_framework_speaks_of_encryption() -> None:
    titles = {(row["framework"], row["control"], row["title"]) for row in rows()}

    assert len(titles) == len({title[:2] for title in titles}) == len(frameworks.framework_controls())
    assert {row["framework"] for row in rows() if row["category"] == Category.AT_REST} == set(frameworks.NAMES)


def volumes(**encrypted: object) -> Graph:
    return graph_of({name: (VOLUME, {} if flag is None else {"encrypted": flag}) for name, flag in encrypted.items()})


def view(graph: Graph, **settings: object) -> FrameworkView:
    asked = Settings.model_validate({"packs": (), "frameworks": ("hipaa",), **settings})
    (found,) = frameworks.framework_views(judge_policies(graph, asked, today=date(2026, 11, 21)))
    return found


def control(found: FrameworkView, id_: str) -> ControlView:
    return next(each for each in found.controls if each.control.id == id_)


def test_a_rule_that_fails_breaks_the_controls_of_its_category_and_no_other() -> None:
    found = view(volumes(it=False))

    assert "aws-ebs-encrypted" in control(found, "164.312(a)(2)(iv)").failed
    assert not control(found, "164.312(b)").failed
    assert control(found, "164.312(a)(2)(iv)") in found.failed


def test_what_is_kept_breaks_no_control() -> None:
    found = control(view(volumes(it=True)), "164.312(a)(2)(iv)")

    assert "aws-ebs-encrypted" not in found.failed
    assert found.asked
    assert found.passed


def test_what_is_waived_is_reported_as_waived() -> None:
    waiver = Waiver(rule="aws-ebs-encrypted", urn="*", reason="scratch", owner="ml", expires=date(2027, 1, 1))

    found = control(view(volumes(it=False), waivers=(waiver,)), "164.312(a)(2)(iv)")

    assert found.waived == ("aws-ebs-encrypted",)
    assert "aws-ebs-encrypted" not in found.failed


def test_a_mapping_from_memory_shows_as_unverified() -> None:
    assert view(volumes(it=True)).unverified


@pytest.mark.parametrize("name", frameworks.NAMES)
def test_no_framework_is_viewed_that_nobody_asked_for(name: str) -> None:
    report = judge_policies(volumes(it=True), Settings(rules=AT_REST, packs=()))

    assert not frameworks.framework_views(report)
    asked = report.settings.model_copy(update={"frameworks": (name,)})
    assert [each.framework for each in frameworks.framework_views(judge_policies(volumes(it=True), asked))] == [name]
