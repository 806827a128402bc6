"""Warnings about descriptions: what can be built, and is hardly meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.descriptions import AZURE_TRAINING, GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed

from penstock.core.findings import Severity
from penstock.description import load, parse, rules
from penstock.description.document import read
from penstock.description.judgement import warnings
from penstock.description.storage import BucketSpec

TEAMS = {"queueing": {"teams": [{"name": "vision", "namespace": "ml-vision"}, {"name": "speech"}]}}


def described(*storage: dict[str, Any], of: Any = TRAINING, teams: bool = True) -> dict[str, Any]:
    given = changed("storage", list(storage), of)
    return changed("addons", TEAMS if teams else {}, given)


def bucket(name: str = "checkpoints", **fields: Any) -> dict[str, Any]:
    return {"name": name, "kind": "bucket", **fields}


SCRATCH = TRAINING["storage"][1]


def codes(description: dict[str, Any], folder: Path) -> list[tuple[str, str | None]]:
    file = folder / "Pulumi.warned.yaml"
    file.write_text(yaml.safe_dump({"config": {"penstock:platform": description}}))
    load(file)
    found = warnings(read(file))
    assert all(each.severity is Severity.WARNING and each.line for each in found)
    return [(each.code, each.path) for each in found]


@pytest.mark.parametrize(
    ("description", "paths"),
    [
        (described(bucket()), ["storage[0]"]),
        (described(bucket(readers=["default/trainer"])), ["storage[0]"]),
        (described(bucket(writers=["default/trainer"], readers=["default/server"])), ["storage[0]"]),
        (described(bucket("a", readers=["vision"]), bucket("b")), ["storage[1]"]),
        (described(bucket("a"), bucket("b"), of=GCP_TRAINING), ["storage[0]", "storage[1]"]),
        (described(bucket(readers=["default/trainer"]), of=AZURE_TRAINING), ["storage[0]"]),
    ],
    ids=["nobody", "default", "default-twice", "second", "gcp", "azure"],
)
def test_a_bucket_that_no_team_reads_is_a_warning_at_its_line(
    description: dict[str, Any], paths: list[str], tmp_path: Path
) -> None:
    assert codes(description, tmp_path) == [("SPEC-202", path) for path in paths]


@pytest.mark.parametrize(
    "description",
    [
        described(bucket(readers=["vision"])),
        described(bucket(writers=["speech"])),
        described(bucket(readers=["ml-vision/trainer"])),
        described(bucket("datasets"), SCRATCH),
        described(bucket(readers=["serving/api"])),
        described(bucket(), teams=False),
        described(of=ONPREM_TRAINING),
    ],
    ids=["reader", "writer", "account", "source-of-lustre", "another-namespace", "no-teams", "no-buckets"],
)
def test_a_bucket_that_is_of_use_is_not(description: dict[str, Any], tmp_path: Path) -> None:
    assert codes(description, tmp_path) == []


@pytest.mark.parametrize("platform", [TRAINING, GCP_TRAINING, AZURE_TRAINING], ids=["aws", "gcp", "azure"])
@pytest.mark.parametrize(("cidr", "warned"), [("8.8.0.0/16", True), ("172.32.0.0/16", True), ("100.64.0.0/16", False)])
def test_a_public_range_of_a_new_network_is_a_warning(platform: Any, cidr: str, warned: bool, tmp_path: Path) -> None:
    expected = [("SPEC-203", "network.cidr")] if warned else []

    assert (
        codes(changed("network.cidr", cidr, described(bucket(readers=["vision"]), of=platform)), tmp_path) == expected
    )


def test_a_new_cluster_without_node_pools_is_a_warning(tmp_path: Path) -> None:
    kept = ("environment", "cloud", "network", "cluster")
    without_pools = {**{key: TRAINING[key] for key in kept}, "node_pools": []}

    assert codes(without_pools, tmp_path) == [("SPEC-204", "node_pools")]


def test_a_team_stands_for_an_account_of_its_namespace() -> None:
    read_by_teams = described(bucket(readers=["vision", "ml-vision/trainer", "default/server"], writers=["speech"]))

    (item,) = parse(read_by_teams).storage

    assert isinstance(item, BucketSpec)
    assert item.readers == ("ml-vision/trainer", "default/server")
    assert item.writers == ("speech/trainer",)


def test_each_warning_is_tested_here() -> None:
    assert {rule.code for rule in rules.all_rules() if rule.warns} == {"SPEC-202", "SPEC-203", "SPEC-204"}
