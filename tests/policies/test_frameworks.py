"""A view by framework counts what the report has, and says what nobody has verified."""

from __future__ import annotations

import re
from datetime import date

import pytest
from tests.programs import graph_of

from penstock.app.judge import judge_policies
from penstock.graph.graph import Graph
from penstock.policies import frameworks
from penstock.policies.frameworks import ControlView, FrameworkView
from penstock.rules import controls, registry
from penstock.rules.levels import Category, Enforcement
from penstock.rules.settings import FRAMEWORKS, Settings
from penstock.rules.waivers import Waiver

AT_REST = {"aws-ebs-encrypted": Enforcement.MANDATORY}
VOLUME = "aws:ebs/volume:Volume"


def test_every_control_names_its_source_and_its_date() -> None:
    for control in controls.framework_controls():
        assert control.source
        assert re.fullmatch(r"20\d\d-[01]\d", control.as_of)
        assert set(control.unverified) <= {"id", "aims"}


def test_a_control_is_in_the_table_once_and_every_framework_is_in_it() -> None:
    ids = [(control.framework, control.id) for control in controls.framework_controls()]

    assert len(ids) == len(set(ids))
    assert {framework for framework, _ in ids} == set(FRAMEWORKS) == set(controls.NAMES)


def test_every_control_has_a_rule_of_its_meaning() -> None:
    aims = frozenset[str]().union(*map(controls.aims_of, registry.policies()))

    assert [control.id for control in controls.framework_controls() if not control.aims <= aims] == []


def test_every_aim_serves_a_control_and_every_rule_of_the_table_exists() -> None:
    served = frozenset[str]().union(*(control.aims for control in controls.framework_controls()))

    assert frozenset[str]().union(*controls.aims_of_rules().values()) <= served
    assert [id_ for id_ in controls.aims_of_rules() if registry.rule_named(id_) is None] == []


def test_every_security_rule_has_its_aims_in_the_table_or_a_category_that_means_one() -> None:
    """A rule that serves no control has a row without an aim."""
    security = (rule for rule in registry.policies() if rule.category is not Category.COST)

    without = [rule.id for rule in security if rule.id not in controls.aims_of_rules() and not controls.aims_of(rule)]

    assert without == [], "each needs a row in rules/data/aims.csv"


def volumes(**encrypted: object) -> Graph:
    return graph_of({name: (VOLUME, {} if flag is None else {"encrypted": flag}) for name, flag in encrypted.items()})


def view(graph: Graph, **settings: object) -> FrameworkView:
    asked = Settings.model_validate({"packs": (), "frameworks": ("hipaa",), **settings})
    (found,) = frameworks.framework_views(judge_policies(graph, asked, today=date(2026, 11, 21)))
    return found


def control(found: FrameworkView, id_: str) -> ControlView:
    return next(each for each in found.controls if each.control.id == id_)


def test_a_rule_that_fails_breaks_the_controls_that_it_serves_and_no_other() -> None:
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
    waiver = Waiver(rule="aws-ebs-encrypted", urn="*", reason="scratch data", owner="ml", expires=date(2027, 1, 1))

    found = control(view(volumes(it=False), waivers=(waiver,)), "164.312(a)(2)(iv)")

    assert found.waived == ("aws-ebs-encrypted",)
    assert "aws-ebs-encrypted" not in found.failed


def test_a_mapping_from_memory_shows_as_unverified() -> None:
    assert view(volumes(it=True), frameworks=("gdpr",)).unverified


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_no_framework_is_viewed_that_nobody_asked_for(name: str) -> None:
    report = judge_policies(volumes(it=True), Settings(rules=AT_REST, packs=()))

    assert not frameworks.framework_views(report)
    asked = report.settings.model_copy(update={"frameworks": (name,)})
    assert [each.framework for each in frameworks.framework_views(judge_policies(volumes(it=True), asked))] == [name]
