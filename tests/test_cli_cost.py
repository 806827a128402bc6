"""`penstock cost` and `penstock catalog` as a person and a pipeline meet them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from tests.catalog.price_services import aws, serving

from penstock.catalog import price_overrides, prices, shelf_life
from penstock.report.json_schema import report_schema

pytestmark = pytest.mark.slow

Run = Callable[..., tuple[int, str, str]]

PROGRAM = """
import pulumi
from pulumi_aws import ebs, ec2, s3, Provider

east = pulumi.ResourceOptions(provider=Provider("east", region="us-east-1"))
ec2.NatGateway("nat", subnet_id="subnet-1", opts=east)
ec2.Instance("gpu", ami="ami-0123456789abcdef0", instance_type="p5.48xlarge", tags={"team": "ml"}, opts=east)
s3.Bucket("datasets", opts=east)
"""
USAGE: dict[str, Any] = {
    "storage": {"datasets": {"gb": {"low": 1000, "expected": 2000, "high": 4000}}},
    "network": {"nat_gb": 100},
    "jobs": {"train": {"pool": "gpu", "nodes": 1, "hours": 10, "storage": {"datasets": 730}}},
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with a gateway, a machine and a bucket, and no refreshed prices."""
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)
    configure(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(price_overrides.VARIABLE, str(tmp_path / "prices"))
    prices.forget()
    yield tmp_path
    prices.forget()


def configure(folder: Path, usage: dict[str, Any] | None = None) -> None:
    config = {} if usage is None else {"penstock:usage": usage}
    (folder / "Pulumi.dev.yaml").write_text(yaml.safe_dump({"config": config}))


@pytest.mark.usefixtures("project")
def test_the_table_has_each_line_with_its_source_and_what_is_not_known(penstock: Run) -> None:
    status, out, _ = penstock("cost", "dev")

    assert status == 0
    assert out.startswith("dev: about 40,212 USD a month")
    assert re.search(r"1 × p5\.48xlarge, on demand +730 +55\.04/hour +40,179\.20", out)
    assert re.search(r"^\[\d\] list: AWS price list, as recorded by Infracost, 2026-08", out, re.MULTILINE)
    assert "datasets: objects, by use  0.023 USD per GB-month  declare penstock:usage.storage.datasets.gb" in out
    assert re.search(r"gpu +p5\.48xlarge +1 +55\.04 +6\.88", out)


@pytest.mark.usefixtures("project")
def test_no_line_of_the_table_is_wider_than_a_pipe(penstock: Run) -> None:
    _, out, _ = penstock("cost", "dev")
    table = out.split("Component", 1)[1].split("\n[1] ", 1)[0]

    assert max(map(len, table.splitlines())) <= 120
    assert re.search(r"40,179\.20 +40,179 +40,179 +\[\d\]", table)


@pytest.mark.usefixtures("project")
def test_a_rehearsal_shows_the_dearest_components_and_the_total(penstock: Run) -> None:
    _, out, _ = penstock("rehearse", "dev")

    lines = r"  gpu \(Instance\) +40,179\n  nat \(NatGateway\) +32\.85\n  total +40,212\n"
    assert re.search(rf"Cost by component, USD a month .*\n{lines}", out)


def test_declared_usage_counts_with_its_bounds_and_jobs_have_a_cost(penstock: Run, project: Path) -> None:
    configure(project, USAGE)

    status, out, _ = penstock("cost", "dev", "--format", "json")
    document = json.loads(out)
    cost = document["cost"]

    assert status == 0
    assert cost["monthly_usd"] == pytest.approx(40_179.20 + 32.85 + 4.5 + 46)
    assert (cost["low_usd"], cost["high_usd"]) == pytest.approx((40_239.55, 40_308.55))
    assert cost["monthly_usd"] == pytest.approx(sum(line["monthly_usd"] for line in cost["lines"]))
    assert {"quantity", "unit", "unit_usd", "source", "as_of", "confidence"} <= set(cost["lines"][0])
    (job,) = document["jobs"]
    assert job["machines_usd"] == pytest.approx(550.4)
    assert job["storage_usd"] == pytest.approx(730 * 0.023 * 10 / 730, abs=0.01)
    assert job["accelerator_hours"] == 80


@pytest.mark.parametrize(
    ("by", "names"),
    [
        ("type", {"aws:ec2/instance:Instance", "aws:ec2/natGateway:NatGateway", "aws:s3/bucket:Bucket"}),
        ("tag:team", {"ml", "(none)"}),
        ("component", {"gpu (Instance)", "nat (NatGateway)", "datasets (Bucket)"}),
        ("resource", {"gpu (Instance)", "nat (NatGateway)", "datasets (Bucket)"}),
        ("pool", {"gpu", "(none)"}),
    ],
)
@pytest.mark.usefixtures("project")
def test_lines_are_grouped_as_asked(penstock: Run, by: str, names: set[str]) -> None:
    _, out, _ = penstock("cost", "dev", "--by", by, "--format", "json")

    assert {group["name"] for group in json.loads(out)["groups"]} == names


@pytest.mark.usefixtures("project")
def test_the_markdown_has_a_table_and_folds_the_lines(penstock: Run) -> None:
    status, out, _ = penstock("cost", "dev", "--format", "markdown")

    assert status == 0
    assert out.startswith("<!-- penstock cost: shop/dev -->\n## Cost of `dev`")
    assert "<details><summary>2 lines</summary>" in out


def test_usage_that_matches_nothing_is_a_warning_with_its_line(penstock: Run, project: Path) -> None:
    configure(project, {"storage": {"dataset": {"gb": 1}}})

    _, out, _ = penstock("check", "dev")

    assert "Pulumi.dev.yaml:4:7  penstock:usage.storage.dataset  [USAGE-001]" in out


def test_usage_that_cannot_be_is_an_error_with_its_line_also_for_machines(penstock: Run, project: Path) -> None:
    configure(project, {"pools": {"gpu": {"nodes": 50}}})

    status, out, _ = penstock("cost", "dev")
    json_status, document, _ = penstock("cost", "dev", "--format", "json")
    _, page, _ = penstock("cost", "dev", "--format", "markdown")
    (finding,) = json.loads(document)["findings"]

    assert (status, json_status) == (1, 1)
    assert "error  Pulumi.dev.yaml:4:7" in out or "error  Pulumi.dev.yaml:5:9" in out
    assert (finding["code"], finding["path"]) == ("USAGE-002", "penstock:usage.pools.gpu.nodes")
    assert "| `USAGE-002` |" in page


@pytest.mark.usefixtures("project")
def test_a_tag_that_nothing_has_is_told_of(penstock: Run) -> None:
    assert (
        "No resource that costs something has the tag or label owner."
        in penstock("cost", "dev", "--by", "tag:owner")[1]
    )
    assert "No resource" not in penstock("cost", "dev", "--by", "tag:team")[1]
    assert "label `owner`" in penstock("cost", "dev", "--by", "tag:owner", "--format", "markdown")[1]


def test_the_key_of_a_tag_stays_as_it_is_written(penstock: Run, project: Path) -> None:
    configure(project)

    assert "Tag:Name" not in penstock("cost", "dev", "--by", "tag:name")[1]
    assert "Tag:TeamName" in penstock("cost", "dev", "--by", "tag:TeamName")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("--by", "colour"), "not a way to group costs"), (("--format", "html"), "html"), (("--by", "tag:"), "tag:KEY")],
)
@pytest.mark.usefixtures("project")
def test_a_mistake_is_refused(penstock: Run, arguments: tuple[str, ...], message: str) -> None:
    status, _, err = penstock("cost", "dev", *arguments)

    assert status == 2
    assert message in err


def test_unknown_is_not_nothing(penstock: Run, project: Path) -> None:
    (project / "__main__.py").write_text("import pulumi\npulumi.ComponentResource('a:b:C', 'c')\n")

    assert "no cost is known" in penstock("cost", "dev")[1]
    assert json.loads(penstock("cost", "dev", "--format", "json")[1])["cost"]["monthly_usd"] is None
    assert "No cost is known" in penstock("cost", "dev", "--format", "markdown")[1]


def test_what_has_no_price_is_null_in_the_form_that_the_schema_says(penstock: Run, project: Path) -> None:
    configure(project, {"jobs": {"train": {"pool": "gpu", "nodes": 1, "hours": 1}}})
    program = PROGRAM.replace("p5.48xlarge", "p6e-gb200.36xlarge").replace("us-east-1", "ap-south-1")
    (project / "__main__.py").write_text(program)

    document = json.loads(penstock("cost", "dev", "--by", "pool", "--format", "json")[1])

    (pool,), (job,) = document["pools"], document["jobs"]
    assert (pool["monthly_usd"], job["usd"]) == (None, None)
    assert next(group for group in document["groups"] if group["name"] == "gpu")["monthly_usd"] is None
    assert list(Draft202012Validator(report_schema()).iter_errors(document)) == []
    assert "| not known |" in penstock("cost", "dev", "--by", "pool", "--format", "markdown")[1]


def test_a_wrong_usage_is_refused_with_its_place(penstock: Run, project: Path) -> None:
    configure(project, {"network": {"nat_gb": -1}})

    status, _, err = penstock("cost", "dev")

    assert status == 2
    assert "Pulumi.dev.yaml:4:7  penstock:usage.network.nat_gb" in err


def test_the_diff_says_what_a_change_costs(penstock: Run, project: Path) -> None:
    before = json.loads(penstock("rehearse", "dev", "--format", "json")[1])
    state = {"version": 3, "deployment": {"manifest": {}, "resources": [_state(each) for each in before["resources"]]}}
    (project / "state.json").write_text(json.dumps(state))
    (project / "__main__.py").write_text(PROGRAM.replace("p5.48xlarge", "p5en.48xlarge"))

    _, text, _ = penstock("diff", "dev", "--state", "state.json")
    _, out, _ = penstock("diff", "dev", "--state", "state.json", "--format", "json")
    _, page, _ = penstock("diff", "dev", "--state", "state.json", "--format", "markdown")
    change = json.loads(out)["cost_change"]

    assert change["difference_usd"] == pytest.approx((63.296 - 55.04) * 730, rel=1e-3)
    assert "About 6,027 USD a month more (40,212 → 46,239 USD, +15%)." in text
    assert "| Component | USD a month before | after | difference |" in page


def _state(resource: dict[str, Any]) -> dict[str, Any]:
    outputs = {key: value for key, value in resource["outputs"].items() if key != "id"}
    custom = not resource["type"].startswith("pulumi:pulumi:")
    found = {"urn": resource["urn"], "type": resource["type"], "custom": custom, "inputs": resource["inputs"]}
    if custom:
        found |= {"id": resource["outputs"].get("id", "some-id"), "outputs": outputs}
    return found | ({"parent": resource["parent"]} if resource["parent"] else {})


@pytest.mark.usefixtures("project")
def test_the_catalogue_says_what_is_past_its_shelf_life(penstock: Run) -> None:
    status, out, _ = penstock("catalog")

    assert status == 0
    assert re.search(r"^aws/prices +\d+ of \d+ rows are older than 180 days", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("cloud", "says"),
    [(("gcp",), "no price service at this address"), (("aws", "--region", "us-east-1"), "the region")],
)
@pytest.mark.usefixtures("project")
def test_a_service_that_is_not_there_is_refused_without_a_region_that_nobody_named(
    penstock: Run, monkeypatch: pytest.MonkeyPatch, cloud: tuple[str, ...], says: str
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "some-key")
    with serving(lambda *_: (404, b"")) as service:
        status, _, err = penstock("catalog", "refresh", *cloud, "--endpoint", service.url)

    assert status == 2
    assert says in err
    assert ("region" in err) == (len(cloud) > 1)


@pytest.mark.usefixtures("project")
def test_a_table_without_a_shelf_life_is_no_reason_to_say_nothing(
    penstock: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    lives = shelf_life.shelf_lives
    monkeypatch.setattr(shelf_life, "shelf_lives", lambda name: [] if name == "aws/machines" else lives(name))

    assert penstock("catalog")[0] == 0


@pytest.mark.usefixtures("project")
def test_the_only_stack_is_the_default(penstock: Run) -> None:
    status, out, _ = penstock("cost")

    assert status == 0
    assert out == penstock("cost", "dev")[1]
    for command in ("cost", "preflight"):
        assert "[required]" not in penstock(command, "--help")[1]


def test_the_prices_of_a_region_are_printed_with_their_source(penstock: Run) -> None:
    status, out, _ = penstock("catalog", "prices", "aws", "--region", "us-east-1", "--machine-type", "m5.large")

    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "machine_type,capacity,usd_h,unverified,source,as_of"
    assert [line.split(",")[:4] for line in lines[1:]] == [
        ["m5.large", "on_demand", "0.096", ""],
        ["m5.large", "reserved_1y", "0.06", ""],
        ["m5.large", "reserved_3y", "0.041", ""],
        ["m5.large", "spot", "0.03264", "usd"],
    ]


def test_a_refresh_is_used_by_the_next_bill(penstock: Run, project: Path) -> None:
    (project / "__main__.py").write_text(PROGRAM.replace("us-east-1", "eu-north-1"))

    with serving(aws) as service:
        status, out, err = penstock("catalog", "refresh", "aws", "--region", "eu-north-1", "--endpoint", service.url)
    _, bill, _ = penstock("cost", "dev")

    assert (status, err) == (0, "")
    assert "aws/prices.csv: 3 rows new or changed, 3 in all" in out
    assert "54.9/hour" in bill
    assert "AWS price list, 2026-11-14" in bill
    assert "Refreshed: aws/prices, 3 rows, the newest of 2026-11-14" in penstock("catalog")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("aws",), "name the regions"),
        (("aws", "--region", "eu-nord-1"), "Did you mean eu-north-1"),
        (("oracle",), "oracle"),
        (("azure", "--region", "eastus", "--endpoint", "file:///etc"), "https://"),
        (("azure", "--region", "eastus", "--endpoint", "http://127.0.0.1:9"), "needs your network"),
    ],
)
@pytest.mark.usefixtures("project")
def test_a_refresh_that_cannot_be_is_refused(penstock: Run, arguments: tuple[str, ...], message: str) -> None:
    status, _, err = penstock("catalog", "refresh", *arguments)

    assert status == 2
    assert message in err


def test_a_broken_price_file_is_an_error_with_its_line_and_the_rest_of_the_bill_stands(
    penstock: Run, project: Path
) -> None:
    folder = project / "prices"
    (folder / "aws").mkdir(parents=True)
    (folder / "aws" / "prices.csv").write_text(
        "machine_type,region,capacity,usd_h,unverified,source,as_of\n"
        "p5.48xlarge,us-east-1,on_demand,1e3,,our contract,2026-11\n"
        "p5.48xlarge,us-east-1,spot,EUR 20,,our contract,2026-11\n"
    )
    status, out, _ = penstock("cost", "dev")
    document = json.loads(penstock("cost", "dev", "--format", "json")[1])
    (finding,) = [each for each in document["findings"] if each["code"] == "PRICE-001"]

    assert status == 1
    assert "730,000" in out
    assert "prices.csv:3" in out
    assert (finding["line"], finding["path"], finding["severity"]) == (3, "usd_h", "error")
    assert "PRICE-001" in penstock("check", "dev")[1]
