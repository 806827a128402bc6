"""Each property of a platform's resources leads back to the field of the description that decides it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.descriptions import GCP_TRAINING, TRAINING, changed
from tests.environments import PROJECT, STACKS, rehearsed

from penstock.core.findings import Finding, Severity, Source
from penstock.description import document, load
from penstock.description.storage import BucketSpec
from penstock.graph import source_block
from penstock.graph.graph import Graph
from penstock.graph.property_path import leaves
from penstock.graph.source_block import SourceBlock
from penstock.simulate.description_mapping import located, placed
from penstock.testing import rehearse

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


@pytest.mark.parametrize("stack", STACKS)
def test_each_field_that_a_component_names_is_one_of_its_block_or_of_the_description(stack: str) -> None:
    platform = load(PROJECT.stack_file(stack))
    unknown = []
    for each in rehearsed(stack).graph:
        is_volume = each.type.endswith(":Volume")  # that of a bucket has a size, but no field for it
        if each.source_block is None or "*" in each.source_block.path or is_volume:
            continue
        for field in " ".join(each.source_block.decided_by.values()).split():
            block: Any = platform
            for step in each.source_block.path if field.startswith(".") else ():
                block = block[step] if isinstance(step, int) else getattr(block, step)
            is_of_part = field.startswith(".") and not each.source_block.path
            if not is_of_part and field.removeprefix(".").split(".")[0] not in type(block).model_fields:
                unknown.append((each.type, field))

    assert not unknown


@pytest.mark.parametrize("stack", STACKS)
def test_a_block_leads_to_components_and_they_lead_back(stack: str) -> None:
    platform, graph = load(PROJECT.stack_file(stack)), rehearsed(stack).graph
    paths = {each.source_block.path for each in graph if each.source_block is not None}

    lists = ("node_pools", "storage")
    unbuilt = {(name, index) for name in lists for index in range(len(getattr(platform, name)))} - paths
    if platform.cloud.provider in ("aws", "gcp"):
        assert not unbuilt
    elif platform.cloud.provider == "azure":
        assert len(unbuilt) == 1  # AKS creates the first pool with the cluster
    assert not [each.urn for each in graph if "__penstock" in str(each.inputs) or "__penstock" in str(each.outputs)]


def test_a_component_that_is_used_alone_carries_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = BucketSpec(name="data")
    described_bucket = alone.at(("storage", 0))

    assert described_bucket.inputs({"versioning": ".versioning"}) == alone.inputs()  # a real deployment
    monkeypatch.setenv("PENSTOCK_REHEARSAL", "true")
    assert alone.inputs({"versioning": ".versioning"}) == alone.model_dump(mode="json", exclude_none=True)
    inputs = described_bucket.inputs({"versioning": ".versioning"})
    assert source_block.take(inputs) == SourceBlock(("storage", 0), {"versioning": ".versioning"})
    assert inputs == alone.model_dump(mode="json", exclude_none=True)


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

    (found,) = located([finding(reservation.urn, path)], graph.resources, read(description, tmp_path))

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

    places = located([finding(*each) for each in properties], after.resources, read_in)

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

    (found,) = located([about], graph.resources, read({**TRAINING, **given}, tmp_path))

    assert found.hint.startswith(f"`{field}` in the description decides this.")


def test_tags_that_are_missing_are_written_out_as_a_description_takes_them(tmp_path: Path) -> None:
    graph = graph_before("aws")
    (lustre,) = graph.of_type("aws:fsx/lustreFileSystem:LustreFileSystem")
    about = dataclasses.replace(finding(lustre.urn, "tags"), message="tags has no cost-center and no team")

    (found,) = located([about], graph.resources, read({**TRAINING, "owner": "me"}, tmp_path))

    assert "Add `tags: {cost-center: ..., team: ...}`." in found.hint


def test_what_a_component_decides_is_reported_as_a_defect_of_penstock(tmp_path: Path) -> None:
    graph = graph_before("aws")
    (lustre,) = graph.of_type("aws:fsx/lustreFileSystem:LustreFileSystem")

    (found,) = located([finding(lustre.urn, "deploymentType")], graph.resources, read(TRAINING, tmp_path))

    assert "a defect of Penstock" in found.hint
    assert found.file is not None


def test_what_is_about_no_resource_points_to_the_description(tmp_path: Path) -> None:
    nothing = Finding(code="x", severity=Severity.ERROR, source=Source.POLICY, message="m")

    (found,) = located([nothing], {}, read(TRAINING, tmp_path))

    assert (found.file, found.line) == (str(tmp_path / "Pulumi.dev.yaml"), 2)


def test_resources_are_placed_in_the_description(tmp_path: Path) -> None:
    graph = graph_before("aws")
    read_in = read(TRAINING, tmp_path)
    lines = Path(read_in.file).read_text(encoding="utf-8").splitlines()

    (lustre,) = placed(graph, read_in, "Pulumi.dev.yaml").of_type("aws:fsx/lustreFileSystem:LustreFileSystem")
    assert lustre.place is not None
    assert lustre.place.file == "Pulumi.dev.yaml"
    assert "capacity_tib: 19.2" in lines[lustre.place.line - 1]
