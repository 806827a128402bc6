"""A second run sees what the first one left: ids and names stay, and change, as they would in the cloud."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pulumi
import pytest
from pulumi_aws import ec2, eks, s3

from penstock.graph.graph import Graph, Resource
from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.clouds import CreateRequest
from penstock.simulate.clouds.provider import SimulatedProvider
from penstock.simulate.lifecycle import Operation
from penstock.simulate.run import rehearse

Program = Callable[[], object]


def network(zone: str = "us-east-1a", **tags: str) -> Program:
    def program() -> None:
        vpc = ec2.Vpc("v", cidr_block="10.0.0.0/16", tags=tags)
        subnet = ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.0.1.0/24", availability_zone=zone)
        ec2.RouteTableAssociation("r", subnet_id=subnet.id, route_table_id="rtb-0123456789abcdef0")
        s3.Bucket("b", tags=tags)

    return program


def named(graph: Graph, name: str) -> Resource:
    (found,) = (resource for resource in graph if resource.name == name)
    return found


def test_a_second_run_without_changes_is_the_same() -> None:
    first = rehearse(network())
    second = rehearse(network(), before=first.graph)

    assert list(second.graph) == list(first.graph)


def test_an_update_keeps_the_id_and_the_name_that_the_cloud_chose() -> None:
    first = rehearse(network(team="a")).graph
    second = rehearse(network(team="b"), before=first).graph

    for name in ("v", "b"):
        assert named(second, name).id == named(first, name).id
    assert named(second, "b").outputs["bucket"] == named(first, "b").outputs["bucket"]
    assert named(second, "b").outputs["tagsAll"] == {"team": "b"}


def test_a_replacement_has_another_id_each_time_and_what_hangs_on_it_sees_it() -> None:
    graphs = [rehearse(network("us-east-1a")).graph]
    for zone in ("us-east-1b", "us-east-1a"):
        graphs.append(rehearse(network(zone), before=graphs[-1]).graph)

    subnets = [named(graph, "s").id for graph in graphs]
    assert len(set(subnets)) == 3
    assert [named(graph, "r").inputs["subnetId"] for graph in graphs] == subnets
    assert len({named(graph, "v").id for graph in graphs}) == 1


def test_a_preview_knows_what_stays_and_not_what_is_made_anew() -> None:
    first = rehearse(network()).graph
    preview = rehearse(network("us-east-1b"), before=first, preview=True).graph

    assert named(preview, "s").inputs["vpcId"] == named(first, "v").id
    assert named(preview, "s").id == ""
    assert named(preview, "r").inputs["subnetId"] is UNKNOWN


def test_what_has_become_a_secret_is_one_in_what_the_cloud_repeats() -> None:
    def program(*, hidden: bool) -> Program:
        return lambda: s3.BucketObject(
            "o", bucket="b", content=pulumi.Output.secret("plain") if hidden else "plain", metadata={"a": "b"}
        )

    first = rehearse(program(hidden=False)).graph
    state = {each.urn: replace(each, outputs={**each.inputs, **each.outputs}) for each in first}  # as an engine's
    second = rehearse(program(hidden=True), before=replace(first, resources=state)).graph

    assert named(second, "o").outputs["content"] == Secret("plain")
    assert named(second, "o").outputs["metadata"] == {"a": "b"}


def test_what_is_ignored_keeps_its_old_value() -> None:
    def program(cidr: str) -> Program:
        return lambda: ec2.Vpc("v", cidr_block=cidr, opts=pulumi.ResourceOptions(ignore_changes=["cidrBlock"]))

    first = rehearse(program("10.0.0.0/16")).graph
    second = rehearse(program("10.9.0.0/16"), before=first).graph

    assert named(second, "v").inputs["cidrBlock"] == "10.0.0.0/16"
    assert named(second, "v").id == named(first, "v").id


def test_what_is_ignored_is_as_the_program_says_where_another_resource_is_created() -> None:
    def program(zone: str, cidr: str) -> Program:
        ignoring = pulumi.ResourceOptions(ignore_changes=["cidrBlock"])
        return lambda: ec2.Subnet("s", vpc_id="vpc-1", availability_zone=zone, cidr_block=cidr, opts=ignoring)

    first = rehearse(program("us-east-1a", "10.0.0.0/24")).graph
    second = rehearse(program("us-east-1b", "10.0.9.0/24"), before=first).graph

    assert named(second, "s").inputs["cidrBlock"] == "10.0.9.0/24"
    assert named(second, "s").id != named(first, "s").id


class Pair(pulumi.ComponentResource):
    def __init__(self, name: str, aliases: list[pulumi.Alias] | None = None) -> None:
        super().__init__("test:index:Pair", name, None, pulumi.ResourceOptions(aliases=aliases))
        mine = pulumi.ResourceOptions(parent=self)
        self.vpc = ec2.Vpc(f"{name}-vpc", cidr_block="10.0.0.0/16", opts=mine)
        self.bucket = s3.Bucket("logs", opts=mine)


@pytest.mark.parametrize("child", ["-vpc", "logs"])
def test_the_children_of_a_renamed_component_are_found_by_its_alias(child: str) -> None:
    first = rehearse(lambda: Pair("old")).graph
    second = rehearse(lambda: Pair("new", [pulumi.Alias(name="old")]), before=first).graph

    before, after = (next(each for each in graph if each.name.endswith(child)) for graph in (first, second))
    assert after.urn == before.urn if child == "logs" else after.urn != before.urn
    assert after.id == before.id


def test_without_an_alias_a_renamed_resource_is_another_one() -> None:
    first = rehearse(lambda: s3.Bucket("old")).graph
    second = rehearse(lambda: s3.Bucket("new"), before=first).graph

    assert named(second, "new").id != named(first, "old").id


def test_a_provider_tells_its_whole_life() -> None:
    provider = SimulatedProvider("aws", {"region": "us-west-2"})
    rehearse(lambda: eks.Cluster("c", role_arn="arn:aws:iam::123456789012:role/r", vpc_config={"subnet_ids": ["s"]}))
    asked = CreateRequest(
        "urn:pulumi:s::p::aws:ec2/vpc:Vpc::v", "aws:ec2/vpc:Vpc", "v", {"cidrBlock": "10.0.0.0/16"}, {}
    )

    made = provider.create(asked)
    updated = provider.update(asked, "vpc-0000000000000000a", {**made.outputs, "mainRouteTableId": "rtb-mine"})

    assert updated.id == "vpc-0000000000000000a"
    assert updated.outputs["mainRouteTableId"] == "rtb-mine"
    assert provider.create(asked, instead_of=made.id).id != made.id
    assert provider.read(CreateRequest(asked.urn, asked.type, "v", {}, {}, id="vpc-1")).id == "vpc-1"
    assert [each.code for each in provider.check("aws:eks/cluster:Cluster", {"versoin": "1"})] != []
    assert provider.diff(asked.type, asked.inputs, {"cidrBlock": "10.1.0.0/16"}).operation is Operation.REPLACE
    assert provider.invoke("aws:index/getCallerIdentity:getCallerIdentity", {}).results["accountId"]
