"""Each property of a platform's resources leads back to the field of the description that decides it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel
from tests.descriptions import GCP_TRAINING, TRAINING, changed

from penstock.catalog.tables import rows
from penstock.core.findings import Finding, Severity, Source
from penstock.description import document
from penstock.description.budget import BudgetSpec
from penstock.description.cluster import ClusterSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.storage import BucketSpec, DatabaseSpec, LustreSpec, SharedFilesSpec
from penstock.graph.graph import Graph
from penstock.graph.property_path import leaves
from penstock.simulate import described
from penstock.testing import rehearse

BLOCKS: Mapping[str, type[BaseModel]] = {
    "Bucket": BucketSpec,
    "Budget": BudgetSpec,
    "Cluster": ClusterSpec,
    "Database": DatabaseSpec,
    "Lustre": LustreSpec,
    "NodePool": NodePoolSpec,
    "SharedFiles": SharedFilesSpec,
    "TpuPool": NodePoolSpec,
}
TABLE = rows("described_fields", Path(described.__file__).parent / "data")
CHANGES = [
    (TRAINING, "cluster.version", "1.33"),
    (TRAINING, "cluster.deployer_cidrs", ["198.51.100.0/24"]),
    (TRAINING, "cluster.upgrade_policy", "extended"),
    (TRAINING, "node_pools.0.nodes", 2),
    (TRAINING, "node_pools.1.reservation", "cr-0123456789abcdef1"),
    (TRAINING, "node_pools.1.labels", {"a": "b"}),
    (TRAINING, "node_pools.1.taints", [{"key": "a", "effect": "NoSchedule"}]),
    (TRAINING, "storage.0.retention_days", 60),
    (TRAINING, "storage.1.capacity_tib", 38.4),
    (TRAINING, "storage.1.throughput_mbps_per_tib", 500),
    (TRAINING, "storage.3.capacity_tib", 0.5),
    (TRAINING, "storage.3.retention_days", 20),
    (TRAINING, "budget.monthly_usd", 300000),
    (GCP_TRAINING, "cluster.node_upgrades", "weekends"),
    (GCP_TRAINING, "storage.2.capacity_tib", 2.5),
    (GCP_TRAINING, "node_pools.1.labels", {"a": "b"}),
    (GCP_TRAINING, "storage.1.capacity_tib", 36.0),
    (GCP_TRAINING, "budget.monthly_usd", 300000),
]


def test_each_field_of_the_table_is_one_of_a_description() -> None:
    unknown = []
    for row in TABLE:
        for field in (re.split("[=?]", each)[0] for each in row["fields"].split()):
            block = BLOCKS.get(row["component"], ClusterSpec) if field.startswith(".") else Spec
            if field.startswith(".") and row["component"] in ("Registry", "SecretStore", "Volume"):
                continue
            if field.removeprefix(".").split(".")[0] not in block.model_fields:
                unknown.append((row["component"], field))

    assert not unknown


def finding(urn: str, path: str) -> Finding:
    return Finding(code="x", severity=Severity.ERROR, source=Source.CLOUD, message="m", hint="h", urn=urn, path=path)


def changed_paths(before: Graph, after: Graph) -> list[tuple[str, str]]:
    """The properties with other values, of resources that are in both."""
    found = []
    for urn in before.resources.keys() & after.resources.keys():
        old, new = dict(leaves(before[urn].inputs)), dict(leaves(after[urn].inputs))
        found += [(urn, str(path)) for path in old.keys() | new.keys() if old.get(path) != new.get(path)]
    return [(urn, path) for urn, path in found if after[urn].custom]


@cache
def graph_before(provider: str) -> Graph:
    """The Graph of a whole platform, before any change."""
    return rehearse(TRAINING if provider == "aws" else GCP_TRAINING).graph


def read(description: Mapping[str, Any], folder: Path) -> document.Document:
    file = folder / "Pulumi.dev.yaml"
    plain = yaml.safe_load(yaml.safe_dump({"config": {document.KEY: dict(description)}}))
    file.write_text(yaml.safe_dump(plain), encoding="utf-8")
    return document.read(file)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "field"), [("instanceCount", "nodes"), ("instanceType", "accelerator"), ("availabilityZone", "zone")]
)
def test_what_a_pool_reserves_for_itself_leads_back_to_its_fields(path: str, field: str, tmp_path: Path) -> None:
    own = {"name": "own", "accelerator": "h100", "nodes": 2, "capacity": "reserved", "zone": "us-east-1a"}
    description = changed("node_pools.2", own, TRAINING)
    graph = rehearse(description).graph
    (reservation,) = (each for each in graph if each.type == "aws:ec2/capacityReservation:CapacityReservation")

    (found,) = described.located([finding(reservation.urn, path)], graph.resources, read(description, tmp_path))

    assert f"`node_pools[2].{field}` in the description decides this." in found.hint


@pytest.mark.parametrize(("base", "path", "value"), CHANGES, ids=lambda value: value if isinstance(value, str) else "")
def test_a_property_that_a_field_changes_leads_back_to_it(
    base: Mapping[str, Any], path: str, value: Any, tmp_path: Path
) -> None:
    description = changed(path, value, base)
    after = rehearse(description).graph
    properties = changed_paths(graph_before(base["cloud"]["provider"]), after)
    read_in = read(description, tmp_path)
    lines = Path(read_in.file).read_text(encoding="utf-8").splitlines()

    places = described.located([finding(*each) for each in properties], after.resources, read_in)

    key = path.rpartition(".")[2]
    assert properties
    assert [
        (found.urn, found.path, lines[(found.line or 1) - 1])
        for found in places
        if not lines[(found.line or 1) - 1].lstrip("- ").startswith(f"{key}:")
    ] == []
    assert all(f"{key}` in the description decides this." in found.hint for found in places)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ("tags has no owner", "owner"),
        ("tags has no cost-center and no owner", "owner"),
        ("tags has no cost-center", "tags"),
        ("tags has no data-owner and no owner-team", "tags"),
        ("tags has no Owner (owner: letter case counts)", "tags"),
    ],
)
@pytest.mark.parametrize("given", [{}, {"tags": {"team": "research"}}, {"owner": "training"}])
def test_a_tag_that_is_missing_leads_to_the_field_that_gives_it(
    message: str, field: str, given: Mapping[str, Any], tmp_path: Path
) -> None:
    graph = graph_before("aws")
    (lustre,) = graph.of_type("aws:fsx/lustreFileSystem:LustreFileSystem")
    about = dataclasses.replace(finding(lustre.urn, "tags"), message=message)

    (found,) = described.located([about], graph.resources, read({**TRAINING, **given}, tmp_path))

    assert found.hint.startswith(f"`{field}` in the description decides this.")


def test_tags_that_are_missing_are_written_out_as_a_description_takes_them(tmp_path: Path) -> None:
    graph = graph_before("aws")
    (lustre,) = graph.of_type("aws:fsx/lustreFileSystem:LustreFileSystem")
    about = dataclasses.replace(finding(lustre.urn, "tags"), message="tags has no cost-center and no team")

    (found,) = described.located([about], graph.resources, read({**TRAINING, "owner": "me"}, tmp_path))

    assert "Add `tags: {cost-center: ..., team: ...}`." in found.hint


def test_what_a_component_decides_is_reported_as_a_defect_of_penstock(tmp_path: Path) -> None:
    graph = graph_before("aws")
    (lustre,) = graph.of_type("aws:fsx/lustreFileSystem:LustreFileSystem")

    (found,) = described.located([finding(lustre.urn, "deploymentType")], graph.resources, read(TRAINING, tmp_path))

    assert "a defect of Penstock" in found.hint
    assert found.file is not None


def test_what_is_about_no_resource_points_to_the_description(tmp_path: Path) -> None:
    nothing = Finding(code="x", severity=Severity.ERROR, source=Source.POLICY, message="m")

    (found,) = described.located([nothing], {}, read(TRAINING, tmp_path))

    assert (found.file, found.line) == (str(tmp_path / "Pulumi.dev.yaml"), 2)


def test_resources_are_placed_in_the_description(tmp_path: Path) -> None:
    graph = graph_before("aws")
    read_in = read(TRAINING, tmp_path)
    lines = Path(read_in.file).read_text(encoding="utf-8").splitlines()

    placed = described.placed(graph, read_in, "Pulumi.dev.yaml")

    (lustre,) = placed.of_type("aws:fsx/lustreFileSystem:LustreFileSystem")
    assert lustre.place is not None
    assert lustre.place.file == "Pulumi.dev.yaml"
    assert "capacity_tib: 19.2" in lines[lustre.place.line - 1]
