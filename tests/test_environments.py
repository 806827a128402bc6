"""The environments in stacks/: each rehearses clean, stays short, and looks as a person last reviewed it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.environments import PROJECT, rehearsed

from penstock import description
from penstock.description.offer import kept_days
from penstock.description.storage import BucketSpec
from penstock.graph.graph import STACK_TYPE, Graph, Resource
from penstock.graph.values import shown
from penstock.simulate.run import Rehearsal
from penstock.timeline.timeline import schedule

pytestmark = pytest.mark.slow

ENVIRONMENTS = PROJECT.stacks()
MOST_LINES = 30
MOST_TIMES_THE_BOUND = 1.05
A_WEEK = 7

# Of these a reviewer wants to see every input: they are what machines and data depend on.
IN_FULL = (
    "aws:eks/cluster:Cluster",
    "aws:eks/nodeGroup:NodeGroup",
    "aws:ec2/launchTemplate:LaunchTemplate",
    "aws:ec2/placementGroup:PlacementGroup",
    "aws:ec2/capacityReservation:CapacityReservation",
    "aws:fsx/lustreFileSystem:LustreFileSystem",
    "azure-native:containerservice:ManagedCluster",
    "azure-native:containerservice:AgentPool",
    "azure-native:storagecache:AmlFilesystem",
    "gcp:container/cluster:Cluster",
    "gcp:container/nodePool:NodePool",
    "gcp:compute/network:Network",
    "gcp:compute/resourcePolicy:ResourcePolicy",
    "gcp:lustre/instance:Instance",
    "kubernetes:helm.sh/v3:Release",
)


def test_the_environments_that_the_readme_speaks_of_are_there() -> None:
    on_aws = {"aws-adopt", "aws-blocks", "aws-dev", "aws-legacy", "aws-train", "aws-trainium"}
    on_gcp = {"gcp-a2", "gcp-blackwell", "gcp-mega", "gcp-serve", "gcp-tpu", "gcp-train"}

    assert set(ENVIRONMENTS) >= on_aws | on_gcp | {
        "azure-amd",
        "azure-legacy",
        "azure-rack",
        "azure-serve",
        "azure-train",
        "onprem-train",
    }


@pytest.mark.parametrize("environment", ENVIRONMENTS)
@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_an_environment_has_no_findings(environment: str, preview: bool) -> None:
    assert rehearsed(environment, preview=preview).findings == ()


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_preview_registers_what_the_real_run_does(environment: str) -> None:
    up, preview = rehearsed(environment).graph, rehearsed(environment, preview=True).graph

    assert {resource.urn: resource.dependencies for resource in preview} == {
        resource.urn: resource.dependencies for resource in up
    }


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_an_environment_is_short(environment: str) -> None:
    assert len(PROJECT.stack_file(environment).read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_checkpoints_that_replace_each_other_are_paid_for_a_week_longer_at_most(environment: str) -> None:
    described = description.load(PROJECT.stack_file(environment))
    buckets = [item for item in described.storage if isinstance(item, BucketSpec) and item.name == "checkpoints"]

    assert all(not bucket.versioning or kept_days(bucket, described.cloud.provider) <= A_WEEK for bucket in buckets)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_an_environment_is_built_in_next_to_the_least_time(environment: str) -> None:
    timeline = schedule(rehearsed(environment).graph)

    assert timeline.makespan_s <= MOST_TIMES_THE_BOUND * timeline.bound_s
    if timeline.time_to_first_accelerator_s is not None:
        assert timeline.first_accelerator_bound_s is not None
        assert timeline.time_to_first_accelerator_s <= MOST_TIMES_THE_BOUND * timeline.first_accelerator_bound_s


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_an_environment_is_as_reviewed(environment: str, request: pytest.FixtureRequest) -> None:
    golden = Path(__file__).with_name("golden") / f"{environment}.txt"
    rehearsal = rehearsed(environment)
    text = "\n".join((*_lines(rehearsal.graph), *_needed(rehearsal))) + "\n"
    if request.config.getoption("--accept"):
        golden.write_text(text, encoding="utf-8")

    assert text == golden.read_text(encoding="utf-8")


def _lines(graph: Graph) -> Iterator[str]:
    for stack in graph.of_type(STACK_TYPE):
        for resource in graph.children(stack.urn):
            yield from _branch(graph, resource, "")


def _needed(rehearsal: Rehearsal) -> Iterator[str]:
    yield "preconditions"
    for each in rehearsal.preconditions:
        yield f"  {each.what}"
        yield f"    {each.how}"


def _branch(graph: Graph, resource: Resource, indent: str) -> Iterator[str]:
    flags = " (protected)" if resource.options.protect else ""
    yield f"{indent}{resource.type} {resource.name}{flags}"
    if resource.type in IN_FULL:
        for key, value in sorted(shown(resource.inputs).items()):
            if key in ("tags", "tagSpecifications", "resourceLabels"):
                continue
            if isinstance(value, list) and any(isinstance(item, dict) for item in value):
                yield f"{indent}    {key}:"
                yield from (f"{indent}      - {json.dumps(item)}" for item in value)
            else:
                yield f"{indent}    {key}: {json.dumps(value)}"
    for child in graph.children(resource.urn):
        yield from _branch(graph, child, indent + "  ")
