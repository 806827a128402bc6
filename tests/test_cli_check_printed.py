"""`penstock check` on what other tools print: previews and exports of programs in any language, and manifests."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

Run = Callable[..., tuple[int, str, str]]

HEAD = "urn:pulumi:prod::shop::"
PROVIDER = f"{HEAD}pulumi:providers:aws::default_7_51_1"
UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""The text that previews have in place of a text that is not known yet (Pulumi sdk/go, plugin.UnknownStringValue)."""

SUBNET = {
    "urn": f"{HEAD}aws:ec2/subnet:Subnet::private",
    "type": "aws:ec2/subnet:Subnet",
    "custom": True,
    "inputs": {"vpcId": UNKNOWN, "cidrBlock": "10.0.0.0/24", "availabilityZone": "eu-west-1a"},
    "provider": f"{PROVIDER}::{UNKNOWN}",
}
DATABASE = {
    "urn": f"{HEAD}aws:rds/instance:Instance::db",
    "type": "aws:rds/instance:Instance",
    "custom": True,
    "inputs": {
        "engine": "postgres",
        "password": "[secret]",
        "publiclyAccessible": True,
        "instanceClass": "db.m7g.large",
    },
    "provider": f"{PROVIDER}::{UNKNOWN}",
}
DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "web"},
    "spec": {
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "other"}},
            "spec": {"containers": [{"name": "web", "image": "nginx:1.29"}]},
        },
    },
}
NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "web"}}


def step(state: Mapping[str, Any], op: str = "create") -> dict[str, Any]:
    return {"op": op, "urn": state["urn"], "oldState" if op.startswith("delete") else "newState": state}


def preview(*steps: Mapping[str, Any], region: str = "us-east-1", same: int = 0) -> str:
    return json.dumps({"config": {"aws:region": region}, "steps": steps, "changeSummary": {"same": same}})


@pytest.fixture
def check(penstock: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def run(text: str, *arguments: str, name: str = "printed.json") -> tuple[int, str, str]:
        Path(name).write_text(text, encoding="utf-8")
        return penstock("check", name, *arguments)

    return run


def codes(report: str) -> set[str]:
    return {each["code"] for each in json.loads(report)["findings"]}


def test_the_preview_of_a_program_in_another_language_is_judged_by_rules_and_policies(check: Run) -> None:
    status, out, _ = check(preview(step(SUBNET), step(DATABASE)), "--format", "json")

    assert status == 1
    assert {"aws-subnet-zone-in-region", "aws-rds-not-public"} <= codes(out)


def test_the_region_of_a_preview_is_that_of_the_configuration(check: Run) -> None:
    assert check(preview(step(SUBNET), region="eu-west-1"))[0] == 0


def test_deleted_resources_of_a_preview_are_not_judged(check: Run) -> None:
    _, out, _ = check(preview(step(SUBNET, "delete-replaced"), step(DATABASE)), "--format", "json")

    assert "aws-rds-not-public" in codes(out)
    assert "aws-subnet-zone-in-region" not in codes(out)


def test_a_preview_without_unchanged_resources_is_noted(check: Run) -> None:
    status, out, _ = check(preview(step(SUBNET, "update"), same=3, region="eu-west-1"))

    assert status == 0
    assert "leaves out 3 unchanged resources" in out
    assert "--show-sames" in out
    assert "leaves out" not in check(preview(step(SUBNET, "same"), same=1, region="eu-west-1"))[1]


def test_a_password_in_clear_is_found_and_not_shown_and_a_sealed_one_is_fine(check: Run) -> None:
    cluster = {"urn": f"{HEAD}aws:docdb/cluster:Cluster::db", "type": "aws:docdb/cluster:Cluster", "custom": True}

    _, sealed, _ = check(preview(step({**cluster, "inputs": {"masterPassword": "[secret]"}})), "--format", "json")
    status, clear, _ = check(
        preview(step({**cluster, "inputs": {"masterPassword": "tr0ub4dor&3"}})), "--format", "json"
    )

    assert status == 1
    assert codes(clear) - codes(sealed) == {"state-secret-in-properties"}
    assert "tr0ub4dor&3" not in clear


def test_the_stack_file_beside_a_preview_sets_its_policies(check: Run) -> None:
    Path("Pulumi.prod.yaml").write_text("config: {penstock:policies: {rules: {aws-rds-not-public: disabled}}}")

    _, out, _ = check(preview(step(DATABASE)), "--format", "json")

    assert "aws-rds-not-public" not in codes(out)


def test_an_export_is_judged_by_provider_rules_too(check: Run) -> None:
    export = json.dumps({"version": 3, "deployment": {"resources": [SUBNET]}})
    provider = {"urn": PROVIDER, "type": "pulumi:providers:aws", "custom": True, "inputs": {"region": "us-east-1"}}
    full = json.dumps({"version": 3, "deployment": {"resources": [provider, SUBNET]}})

    assert "aws-subnet-zone-in-region" in codes(check(full, "--format", "json")[1])
    assert "aws-subnet-zone-in-region" not in codes(check(export, "--format", "json")[1])  # of which region it is


@pytest.mark.parametrize("write", [yaml.safe_dump_all, lambda found: json.dumps({"kind": "List", "items": found})])
def test_manifests_are_judged_at_their_lines(check: Run, write: Callable[[Any], str]) -> None:
    text = write([NAMESPACE, DEPLOYMENT])

    status, out, _ = check(text, "--format", "json", name="web.yaml")

    (found,) = (each for each in json.loads(out)["findings"] if each["code"] == "k8s-workload-selector-matches")
    assert status == 1
    assert found["file"] == "web.yaml"
    assert found["line"] == (1 if text.startswith("{") else text[: text.index("apps/v1")].count("\n") + 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1}', "JSON of another tool"),
        ('{"steps": 3}', "steps is not a list"),
        ('{"steps": []}', "has no resources"),
        ('{"version": 9, "deployment": {}}', "version 9"),
        ("a: [\n", "printed.json:2 is not YAML"),
        ("a: 1\n", "printed.json:1: this is not a Kubernetes object: it has no apiVersion, kind, metadata.name"),
        ("", "has no Kubernetes objects"),
        ("kind: Pod\nmetadata: {name: a}\n---\n- b\n", "printed.json:4: this is not a Kubernetes object"),
    ],
)
def test_other_files_are_refused_by_name(check: Run, text: str, said: str) -> None:
    status, _, err = check(text)

    assert status == 2
    assert said in err


def test_a_failed_preview_blocks_with_its_errors_and_without_secrets(check: Run) -> None:
    token = "ghp_" + "a1B2" * 9
    failed = json.loads(preview(step(SUBNET), region="eu-west-1"))
    failed["diagnostics"] = [
        {"severity": "warning", "message": "an old plugin"},
        {"severity": "error", "urn": SUBNET["urn"], "message": f"no plugin\nfound with {token} " + "x" * 2000},
    ]

    status, out, _ = check(json.dumps(failed), "--format", "json")

    (found,) = (each for each in json.loads(out)["findings"] if each["code"] == "PROGRAM-013")
    assert status == 1
    assert found["severity"] == "error"
    assert found["urn"] == SUBNET["urn"]
    assert "no plugin found with" in found["message"]
    assert len(found["message"]) < 400
    assert token not in out
    assert "old plugin" not in out


def test_a_preview_that_failed_before_its_first_resource_blocks(check: Run) -> None:
    status, out, _ = check(json.dumps({"config": {}, "diagnostics": [{"severity": "error", "message": "no program"}]}))

    assert status == 1
    assert "The preview failed: no program" in out
    assert check(json.dumps({"config": {}, "diagnostics": []}))[0] == 2


@pytest.mark.parametrize("text", ["[" * 100_000, '{"steps": ' * 100_000, "a: " + "[" * 100_000])
def test_a_file_that_is_nested_too_deeply_is_an_error(check: Run, text: str) -> None:
    status, _, err = check(text)

    assert status == 2
    assert "printed.json is nested too deeply" in err


@pytest.mark.parametrize(("name", "start"), [("r.json", "{"), ("r.html", "<!"), ("r.md", "<!--"), ("r.xml", "<?xml")])
def test_the_name_of_out_sets_the_format(check: Run, name: str, start: str) -> None:
    check(preview(step(DATABASE)), "--out", name)

    assert Path(name).read_text().lower().startswith(start)


def test_format_counts_more_than_the_name_of_out(check: Run) -> None:
    check(preview(step(DATABASE)), "--format", "text", "--out", "r.json")
    check(preview(step(DATABASE)), "--format", "json", "--out", "r.html")
    check(preview(step(DATABASE)), "--out", "r.log")

    assert "aws-rds-not-public" in Path("r.json").read_text().splitlines()[0] or Path("r.json").read_text()[0] != "{"
    assert json.loads(Path("r.html").read_text())
    assert Path("r.log").read_text() == Path("r.json").read_text()


def test_a_format_that_a_command_lacks_is_refused(penstock: Run, tmp_path: Path) -> None:
    status, _, err = penstock("cost", "dev", "--out", tmp_path / "r.sarif")

    assert status == 2
    assert "has no report in sarif" in err
    assert not (tmp_path / "r.sarif").exists()
