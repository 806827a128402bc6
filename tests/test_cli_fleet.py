"""Every stack of a project at once, the list of them, and the only one as the default."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

pytestmark = pytest.mark.slow

NAMES = ("a-right", "b-wrong", "c-empty")
Run = Callable[..., tuple[int, str, str]]
PROGRAM = """
import pulumi, os
from pulumi_aws import ebs
config = pulumi.Config()
print(config.get("words"))
ebs.Volume("v", availability_zone="us-east-1a", size=config.require_int("size"), encrypted=True)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in which one stack passes, one fails a rule, and one has no configuration that its program needs."""
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)
    (tmp_path / "Pulumi.a-right.yaml").write_text("config: {p:size: 100, p:words: printed-by-a-program}\n")
    (tmp_path / "Pulumi.b-wrong.yaml").write_text("config: {p:size: -100}\n")
    (tmp_path / "Pulumi.c-empty.yaml").write_text("config: {}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_stacks_are_in_one_summary_with_details_of_those_that_fail(penstock: Run, project: Path) -> None:
    status, out, _ = penstock("rehearse", "--all")
    summary = out.partition("\n\n")[0]
    rows = {stack: cells for stack, *cells in map(str.split, summary.splitlines())}

    assert status == 2  # the worst
    assert rows["Stack"][0] == "Verdict"
    assert rows["a-right"][0] == "passes"
    assert rows["a-right"][1] == "1"
    assert rows["b-wrong"][0] == "fails"
    assert " ".join(rows["c-empty"]).startswith("no result")
    assert "3 stacks: 1 pass, 2 fail. Nothing was created." in out
    assert "__main__.py:6  size" in out
    assert "p:size" in out
    assert "printed-by-a-program" not in out
    assert project.name not in out


def test_the_status_is_that_of_the_worst_stack(penstock: Run, project: Path) -> None:
    (project / "Pulumi.c-empty.yaml").unlink()
    assert penstock("check", "--all")[0] == 1
    (project / "Pulumi.b-wrong.yaml").unlink()
    assert penstock("check", project, "--all")[0] == 0


def test_json_has_a_summary_and_every_document(penstock: Run, project: Path) -> None:
    status, out, _ = penstock("rehearse", "--all", "--format", "json")
    document = json.loads(out)

    assert (status, document["project"], document["ok"]) == (2, "p", False)
    assert [row["status"] for row in document["summary"]] == [0, 1, 2]
    assert [each["environment"] for each in document["environments"]] == ["a-right", "b-wrong", "c-empty"]
    alone = json.loads(penstock("rehearse", project, "--stack", "a-right", "--format", "json")[1])
    assert document["environments"][0]["cost"] == alone["cost"]
    assert document["summary"][0]["monthly_usd"] == alone["cost"]["monthly_usd"]


def test_other_formats_have_every_stack_in_one_document(penstock: Run, project: Path) -> None:
    _, sarif, _ = penstock("check", "--all", "--format", "sarif")
    _, junit, _ = penstock("check", "--all", "--format", "junit")
    _, markdown, _ = penstock("check", "--all", "--format", "markdown", "--out", project / "report.md")

    runs = json.loads(sarif)["runs"]
    assert [run["automationDetails"]["id"] for run in runs] == [f"penstock/{name}/" for name in NAMES]
    root = ET.fromstring(junit)
    assert {(suite.get("name") or "").split()[0] for suite in root} == set(NAMES)
    assert int(root.get("tests", 0)) == sum(int(suite.get("tests", 0)) for suite in root)
    assert int(root.get("tests", 0)) == len(root.findall(".//testcase"))
    assert markdown == ""
    text = (project / "report.md").read_text()
    assert "| `b-wrong` | fails |" in text
    assert text.count("<details><summary>b-wrong") == 1
    assert "<details><summary>a-right" not in text


def test_the_only_stack_is_the_default_and_of_several_one_must_be_named(penstock: Run, project: Path) -> None:
    status, out, err = penstock("check")
    assert (status, out) == (2, "")
    assert "3 stacks" in err
    assert "a-right, b-wrong, c-empty" in err

    for name in ("b-wrong", "c-empty"):
        (project / f"Pulumi.{name}.yaml").unlink()
    assert penstock("check")[0] == 0
    assert penstock("check", project)[0] == 0


@pytest.mark.parametrize(
    "arguments", [("--all", "--stack", "x"), ("--all", "--watch"), ("Pulumi.a-right.yaml", "--all")]
)
def test_what_does_not_go_with_all_is_refused(penstock: Run, project: Path, arguments: tuple[str, ...]) -> None:
    status, out, _ = penstock("check", *arguments)

    assert (status, out) == (2, "")
    assert project.is_dir()


def test_a_format_of_one_stack_is_refused_with_those_that_go(penstock: Run, project: Path) -> None:
    for command in ("rehearse", "check"):
        status, out, err = penstock(command, project, "--all", "--format", "html")

        assert (status, out) == (2, "")
        assert "text, json, sarif, junit, markdown" in " ".join(err.split())


def test_stacks_are_listed_by_their_descriptions(penstock: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[1])
    listed = {each["stack"]: each for each in json.loads(penstock("list", "--format", "json")[1])["stacks"]}

    train = listed["aws-train"]
    assert (train["cloud"], train["region"], train["pools"]) == ("aws", "us-east-1", ["system", "train", "batch"])
    assert train["accelerators"] == {"h100": 128, "a100": 64}
    assert listed["onprem-train"]["accelerators"]
    assert "128 h100, 64 a100" in penstock("list")[1]


def test_a_folder_that_is_not_there_is_no_project(penstock: Run, project: Path) -> None:
    status, out, err = penstock("list", str(project / "elsewhere"))

    assert (status, out) == (2, "")
    assert "elsewhere is no folder" in err


def test_a_list_has_stacks_with_and_without_a_description_and_those_that_are_wrong(
    penstock: Run, project: Path
) -> None:
    (project / "Pulumi.b-wrong.yaml").write_text("config: {penstock:platform: {cloud: {provider: aws}}}\n")
    listed = json.loads(penstock("list", "--format", "json")[1])["stacks"]

    assert [(each["stack"], each["cloud"], each["problems"] > 0) for each in listed] == [
        ("a-right", None, False),
        ("b-wrong", None, True),
        ("c-empty", None, False),
    ]
    assert "its description has" in penstock("list", project)[1]
