"""How two Graphs of one program are distinguished."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pulumi
import pytest
from pulumi_aws import ec2

from penstock.graph.graph import Graph, Options, SourceLocation
from penstock.graph.values import Secret
from penstock.simulate.engine.agreement import differences
from penstock.simulate.run import rehearse

HIDDEN = "correct horse battery staple"


def program() -> None:
    vpc = ec2.Vpc("net", cidr_block="10.0.0.0/16", tags={"key": pulumi.Output.secret("a")})
    ec2.Subnet("subnet", vpc_id=vpc.id, cidr_block="10.0.0.0/24")
    pulumi.export("vpc", vpc.id)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return rehearse(program).graph


def changed(graph: Graph, name: str, **attributes: Any) -> Graph:
    resources = dict(graph.resources)
    for urn, resource in resources.items():
        if resource.name == name:
            resources[urn] = replace(resource, **attributes)
    return replace(graph, resources=resources)


def test_two_rehearsals_of_one_program_agree(graph: Graph) -> None:
    assert not list(differences(graph, rehearse(program).graph))


@pytest.mark.parametrize(
    ("attributes", "path", "words"),
    [
        ({"id": "vpc-other"}, None, "id"),
        ({"parent": "urn:other"}, None, "parent"),
        ({"provider": "urn:other::id"}, None, "provider"),
        ({"place": SourceLocation("other.py", 1)}, None, "place"),
        ({"external": True}, None, "external"),
        ({"options": Options(protect=True)}, None, "protect"),
        ({"dependencies": ("urn:other",)}, None, "depends on"),
        ({"property_dependencies": {"cidrBlock": ("urn:other",)}}, "cidrBlock", "depends on"),
        ({"inputs": {"cidrBlock": "10.0.0.0/16", "tags": {"key": Secret(HIDDEN)}}}, "tags.key", "input"),
        ({"inputs": {"cidrBlock": "10.0.0.0/16", "tags": {"key": "a"}}}, "tags.key", "input"),
        ({"inputs": {"cidrBlock": "10.0.0.0/16"}}, "tags", "input"),
        ({"outputs": {}}, "arn", "output"),
    ],
)
def test_each_thing_that_differs_is_reported_with_its_path(
    graph: Graph, attributes: dict[str, Any], path: str | None, words: str
) -> None:
    reported = list(differences(changed(graph, "net", **attributes), graph))

    assert (path, True) in {(each.path, words in each.message) for each in reported}
    assert {each.code for each in reported} == {"ENGINE-001"}
    assert all(each.urn and each.urn.endswith("::net") for each in reported)
    assert HIDDEN not in str(reported)


def test_a_resource_that_only_one_has_is_reported(graph: Graph) -> None:
    fewer = replace(graph, resources={urn: each for urn, each in graph.resources.items() if each.name != "subnet"})

    (missing,) = differences(fewer, graph)
    (added,) = differences(graph, fewer)

    assert missing.urn == added.urn
    assert missing.message != added.message


def test_an_output_of_the_stack_that_differs_is_reported(graph: Graph) -> None:
    (reported,) = differences(replace(graph, exports={"vpc": "other"}), graph)

    assert reported.path == "vpc"


def test_random_ids_of_providers_mean_nothing(graph: Graph) -> None:
    providers = [each for each in graph if each.type.startswith("pulumi:providers:")]
    assert providers
    other = changed(graph, providers[0].name, id="another")
    other = changed(other, "net", provider=f"{providers[0].urn}::another")

    assert not list(differences(other, graph))
