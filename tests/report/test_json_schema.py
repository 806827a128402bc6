"""What is written as JSON has the form that its schema says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.environments import STACKS, environment, rehearsed
from tests.graphs import graph_of, resource
from tests.report.assessments import CLOUD, assessment

from penstock.app.assess import overview_of
from penstock.changes.diff import diff as compare
from penstock.cost import Cost
from penstock.preconditions import Precondition
from penstock.preflight import Asked, Reply, Status
from penstock.report import cost as report_cost
from penstock.report import json as report_json
from penstock.report import preflight
from penstock.report.json_schema import report_schema
from penstock.simulate.run import rehearse
from penstock.timeline.faults import parse_faults

Run = Callable[..., tuple[int, str, str]]
PROGRAM = """
import pulumi
from pulumi_aws import ebs, ec2, Provider

east = pulumi.ResourceOptions(provider=Provider("east", region="us-east-1"))
ebs.Volume("v", availability_zone="us-east-1a", size=pulumi.Config().require_int("size"), opts=east)
ec2.Instance("gpu", ami="ami-0123456789abcdef0", instance_type="p5.48xlarge", opts=east)
ec2.NatGateway("nat", subnet_id="subnet-1", opts=east)
"""


def problems(text: str) -> list[str]:
    found = Draft202012Validator(report_schema()).iter_errors(json.loads(text))
    return [f"{list(each.absolute_path)}: {each.message}" for each in found]


def forms(text: str) -> list[str]:
    """The forms of the schema that a document has; right is one."""
    schema = report_schema()
    names = [each["$ref"].rpartition("/")[2] for each in schema["oneOf"]]
    document = json.loads(text)
    return [
        name
        for name in names
        if Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}).is_valid(document)
    ]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a stack that is right and one that is wrong."""
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)
    usage = "{jobs: {train: {pool: gpu, nodes: 1, hours: 10}}, storage: {no-such: {gb: 3}}}"
    (tmp_path / "Pulumi.right.yaml").write_text(f"config: {{p:size: 100, penstock:usage: {usage}}}\n")
    (tmp_path / "Pulumi.wrong.yaml").write_text("config: {}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(report_schema())


@pytest.mark.slow
@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("arguments", "form"),
    [
        (("rehearse", "right"), "report"),
        (("rehearse", "wrong"), "report"),
        (("rehearse", "right", "--faults", "seed=1"), "report"),
        (("check", "right"), "report"),
        (("cost", "right"), "bill"),
        (("cost", "right", "--by", "pool"), "bill"),
        (("cost", "wrong"), "report"),
        (("preflight", "wrong"), "report"),
        (("rehearse", "--all"), "fleet"),
        (("check", "--all"), "fleet"),
        (("list",), "stacks"),
        (("explain", "aws-ebs-encrypted"), "explanation"),
        (("explain", "BUDGET-001"), "explanation"),
        (("size", "--parameters", "7B"), "sizing"),
        (("size", "--parameters", "7B", "--task", "lora", "--tokens", "1B", "--on-premises"), "sizing"),
        (("size", "--parameters", "70B", "--task", "serve", "--requests-per-second", "5"), "sizing"),
        (("size", "--parameters", "900T", "--deadline", "1d"), "sizing"),
        (("size", "--parameters", "two"), "report"),
    ],
)
def test_what_each_command_writes_has_its_form(penstock: Run, arguments: tuple[str, ...], form: str) -> None:
    _, out, _ = penstock(*arguments, "--format", "json")

    assert problems(out) == []
    assert forms(out) == [form]


def test_a_bill_may_have_findings() -> None:
    bill = {"environment": "x", "by": "pool", "groups": [], "pools": [], "jobs": []}
    cost = report_cost.document(Cost((), ()))
    found = json.loads(report_json.render_findings((CLOUD,), environment="dev"))["findings"]

    assert forms(json.dumps({**bill, "cost": cost, "findings": found})) == ["bill"]
    assert forms(json.dumps({**bill, "cost": cost, "findings": ["text"]})) == []


def test_a_preflight_fits() -> None:
    met = Precondition("a thing", "why", "how", "", kind="aws-quota")
    asked = (Asked(met, Reply(Status.MET, "there")), Asked(met, Reply(Status.NOT_ASKED, "no", "fix")))

    assert forms(preflight.render_json(preflight.report_of(asked, environment="dev", callers=("me",)))) == ["preflight"]


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
