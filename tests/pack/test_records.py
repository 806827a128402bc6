"""What the engine tells of resources comes to the rules as they know it from a rehearsal."""

from __future__ import annotations

import yaml
from tests.environments import rehearsed
from tests.pack import engine
from tests.programs import graph_of

import penstock
from penstock.graph.graph import Graph, Options
from penstock.graph.values import UNKNOWN, Asset, Secret
from penstock.pack import records


def heard(graph: Graph) -> Graph:
    """A Graph as it comes out of all that an engine tells of it."""
    inputs = {each.urn: records.properties(engine.request(each, graph).properties) for each in graph}
    return records.graph(engine.stack_request(graph), inputs)


def test_a_whole_environment_comes_as_it_was_rehearsed() -> None:
    graph = rehearsed("aws-dev", preview=True).graph

    found = heard(graph)

    assert set(found.resources) == set(graph.resources)
    for each in graph:
        same = found[each.urn]
        assert (same.type, same.name, same.parent) == (each.type, each.name, each.parent), each.urn
        assert same.inputs == each.inputs, each.urn
        assert same.property_dependencies == each.property_dependencies, each.urn
        assert same.provider_urn == each.provider_urn, each.urn
        assert same.options.protect == each.options.protect, each.urn


def test_values_of_all_kinds_come_as_they_are() -> None:
    inputs = {"whole": 3, "part": 1.5, "yes": True, "none": [], "later": UNKNOWN, "hidden": Secret({"a": [UNKNOWN]})}
    file = Asset("c44067f5952c0a294b673a41bacd8c17", {"text": "hello"})

    (it,) = heard(graph_of({"it": ("aws:ebs/volume:Volume", {**inputs, "file": file})}))

    assert it.inputs == {**inputs, "file": file}
    assert isinstance(it.inputs["whole"], int)


def test_options_come_as_the_program_gave_them() -> None:
    options = Options(protect=True, delete_before_replace=False, ignore_changes=("tags",), aliases=("urn:old",))
    graph = graph_of({"it": ("aws:ebs/volume:Volume", {})}, options={"it": options})

    (it,) = heard(graph)

    assert it.options == options


def test_former_names_of_types_are_the_present_ones() -> None:
    (it,) = heard(graph_of({"it": ("aws:s3/bucketV2:BucketV2", {})}))

    assert it.type == "aws:s3/bucket:Bucket"


def test_what_is_not_registered_is_only_looked_up() -> None:
    graph = graph_of({"it": ("aws:ec2/vpc:Vpc", {"cidrBlock": "10.0.0.0/16"})})

    (it,) = records.graph(engine.stack_request(graph), {})

    assert it.external
    assert it.inputs["cidrBlock"] == "10.0.0.0/16"
    assert it.id == "it-id"


def test_the_pack_has_the_version_of_the_project() -> None:
    pack = yaml.safe_load((engine.PACK / "PulumiPolicy.yaml").read_text())

    assert pack["version"] == penstock.__version__
    assert (engine.PACK / "requirements.txt").read_text().split() == [f"penstock-iac=={penstock.__version__}"]
    with engine.started() as running:
        assert running.info().version == penstock.__version__
