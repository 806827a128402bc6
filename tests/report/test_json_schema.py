"""What is written as JSON has the form that its schema says."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.environments import STACKS, environment, rehearsed
from tests.graphs import graph_of, resource
from tests.report.assessments import CLOUD, assessment

from penstock.rehearsal.changes.diff import diff as compare
from penstock.rehearsal.run import rehearse
from penstock.rehearsal.schedule.faults import parse_faults
from penstock.report import json as report_json
from penstock.report.json_schema import report_schema
from penstock.report.overview import overview_of

Run = Callable[..., tuple[int, str, str]]


def problems(text: str) -> list[str]:
    found = Draft202012Validator(report_schema()).iter_errors(json.loads(text))
    return [f"{list(each.absolute_path)}: {each.message}" for each in found]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(report_schema())


def test_an_assessment_with_something_of_every_kind_fits() -> None:
    assert problems(report_json.render(assessment(frameworks=["hipaa"]))) == []


def test_an_error_fits() -> None:
    assert problems(report_json.render_findings((CLOUD,), environment="dev")) == []


def test_a_change_fits() -> None:
    buckets = [resource("aws:s3/bucket:Bucket", name, inputs={"tags": {"a": name}}) for name in ("one", "two")]
    after = rehearse(lambda: None)
    changes = compare(graph_of(*buckets), after)

    text = report_json.render(overview_of(after, environment="dev", cloud=None, changes=changes))

    assert problems(text) == []
    assert json.loads(text)["cost_change"]["old_usd"] == 0


@pytest.mark.parametrize("faults", [None, ["seed=1"]])
def test_a_rehearsal_fits(faults: list[str] | None) -> None:
    asked: dict[str, Any] = {"faults": parse_faults(faults)} if faults else {}

    assert (
        problems(report_json.render(overview_of(rehearsed("aws-train"), environment="x", cloud="aws", **asked))) == []
    )


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS)
def test_every_environment_fits(stack: str) -> None:
    whole = overview_of(rehearsed(stack), environment=stack, cloud=environment(stack).cloud)

    assert problems(report_json.render(whole)) == []


def test_the_command_prints_it(penstock: Run) -> None:
    status, out, _ = penstock("schema", "--report")

    assert status == 0
    assert json.loads(out) == report_schema()
