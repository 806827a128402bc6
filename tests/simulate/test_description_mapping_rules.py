"""Findings of rules that no property leads to a field: each points to the field that a person can change."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.environments import rehearsed
from tests.simulate.test_description_mapping import PROGRAM

from penstock.rules import registry

pytestmark = pytest.mark.slow

Run = Callable[..., tuple[int, str, str]]
PLATFORM = """config:
  penstock:policies: {packs: [baseline, regulated, cost], parameters: {max_accelerators: 4}}
  penstock:quotas: QUOTAS
  penstock:platform:
    environment: prod
    owner: training
    cloud: CLOUD
    cluster: {access: private, runner: true, admins: ADMINS}
    node_pools:
      - {name: web, accelerator: l4, nodes: 1}
      - {name: train, accelerator: h100, nodes: 2, zone: ZONE}
    storage:
      - name: data
        kind: bucket
        versioning: false
        protect: false
      - name: db
        kind: postgres
        protect: false
"""
AWS = {
    "QUOTAS": "{L-1216C47A: 2}",
    "CLOUD": "{provider: aws, region: us-east-1}",
    "ADMINS": '["arn:aws:iam::123456789012:role/platform"]',
    "ZONE": "us-east-1a",
}
GCP = {
    "QUOTAS": "{}",
    "CLOUD": "{provider: gcp, region: us-central1, account: my-ai-project}",
    "ADMINS": '["group:platform@example.com"]',
    "ZONE": "us-central1-a",
}
FIELDS = {
    "cost-budget-exists": ("budget.monthly_usd", 4),
    "cost-budget-exists-gcp": ("budget.monthly_usd", 4),
    "cost-max-gpus-eks": ("node_pools[1].nodes", 11),
    "cost-max-gpus-gke": ("node_pools[1].nodes", 11),
    "aws-s3-versioning": ("storage[0].versioning", 15),
    "gcp-gcs-versioning": ("storage[0].versioning", 15),
    "gcp-gcs-soft-delete": ("storage[0].versioning", 15),
    "aws-rds-deletion-protection": ("storage[1].protect", 19),
    "k8s-endpoint-first-run": ("cluster.deployer_cidrs", 8),
}


@pytest.fixture(params=[AWS, GCP], ids=["aws", "gcp"])
def findings(
    request: pytest.FixtureRequest, penstock: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[dict[str, object]]:
    text = PLATFORM
    for key, value in request.param.items():
        text = text.replace(key, value)
    (tmp_path / "Pulumi.yaml").write_text("name: mine\nruntime: python\n")
    (tmp_path / "__main__.py").write_text(PROGRAM)
    (tmp_path / "Pulumi.dev.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    found: list[dict[str, object]] = json.loads(penstock("check", "dev", "--format", "json")[1])["findings"]
    return found


def test_each_finding_names_the_field_and_its_place(findings: list[dict[str, object]]) -> None:
    about = [each for each in findings if each["code"] in FIELDS]

    assert len({each["code"] for each in about}) >= 5
    for each in about:
        field, line = FIELDS[str(each["code"])]
        assert str(each["hint"]).startswith(f"`{field}` in the description decides this.")
        assert (each["file"], each["line"]) == ("Pulumi.dev.yaml", line), each["code"]
        assert each["column"] is not None
    protected = [each for each in findings if each["code"] == "res-protect-stateful"]
    assert [each["line"] for each in protected] == [16, 19]


def test_a_pool_that_nobody_described_is_to_be_described(findings: list[dict[str, object]]) -> None:
    about = [each for each in findings if each["code"] == "aws-quota-vcpu" and str(each["urn"]).endswith("-system")]

    for each in about:
        assert "describe a pool named system under `node_pools`" in str(each["hint"])
        assert each["line"] == 9
    assert len(about) == any(each["code"] == "cost-budget-exists" for each in findings)


@pytest.mark.parametrize("stack", ["aws-train", "azure-train", "gcp-train", "onprem-train"])
def test_rules_that_components_name_exist(stack: str) -> None:
    blocks = [each.source_block for each in rehearsed(stack).graph if each.source_block is not None]
    named = {key for block in blocks for key in block.decided_by if "-" in key}

    assert named
    assert named <= {rule.id for rule in registry.all_rules()}
