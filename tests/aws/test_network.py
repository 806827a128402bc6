"""What a network promises: closed from outside, one way out a zone, and stable when zones come and go."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal

import pytest

from penstock.aws.components.handles import KeyHandle, NetworkHandle
from penstock.aws.components.network import Network, adopt
from penstock.description.network import ExistingNetwork, NetworkSpec
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

ZONES = ("us-east-1a", "us-east-1b", "us-east-1c")
SUBNET = "aws:ec2/subnet:Subnet"
ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"
NAT = "aws:ec2/natGateway:NatGateway"
ROUTE = "aws:ec2/route:Route"
INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
EGRESS = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"


def built(key: KeyHandle, spec: NetworkSpec | None = None, zones: Sequence[str] = ZONES) -> Graph:
    spec = spec or NetworkSpec(tags={"owner": "ml"})
    return rehearse(lambda: Network("net", spec, zones=zones, region="us-east-1", key=key)).graph


@pytest.fixture
def graph(key: KeyHandle) -> Graph:
    return built(key)


def ranges(graph: Graph) -> dict[str, str]:
    return {subnet.name: subnet.inputs["cidrBlock"] for subnet in graph.of_type(SUBNET)}


def named(graph: Graph, type_: str, name: str) -> Resource:
    (found,) = (resource for resource in graph.of_type(type_) if resource.name == name)
    return found


def test_no_machine_gets_a_public_address(graph: Graph) -> None:
    assert all(subnet.inputs["mapPublicIpOnLaunch"] is False for subnet in graph.of_type(SUBNET))


def test_every_zone_has_its_own_way_out(graph: Graph) -> None:
    gateways = {named(graph, SUBNET, f"net-egress-{zone}").id for zone in ZONES}

    assert {gateway.inputs["subnetId"] for gateway in graph.of_type(NAT)} == gateways
    for zone in ZONES:
        route = named(graph, ROUTE, f"net-egress-{zone}")
        assert route.inputs["natGatewayId"] == named(graph, NAT, f"net-egress-{zone}").id
        assert route.inputs["routeTableId"] == named(graph, "aws:ec2/routeTable:RouteTable", f"net-{zone}").id


def test_without_egress_nothing_leads_to_the_internet(key: KeyHandle) -> None:
    graph = built(key, NetworkSpec(egress="none"))

    assert not graph.of_type("aws:ec2/internetGateway:InternetGateway", NAT, ROUTE, "aws:ec2/eip:Eip")
    assert set(ranges(graph)) == {f"net-{zone}" for zone in ZONES}


def test_adding_removing_or_reordering_zones_moves_no_other_zone(key: KeyHandle) -> None:
    before = ranges(built(key, zones=("us-east-1a", "us-east-1c")))
    after = ranges(built(key, zones=("us-east-1c", "us-east-1f", "us-east-1b")))

    for name in set(before) & set(after):
        assert after[name] == before[name]


def test_s3_is_reached_without_the_nat_gateways_from_every_zone(graph: Graph) -> None:
    gateway = named(graph, ENDPOINT, "net-endpoints-s3")

    assert gateway.inputs["serviceName"] == "com.amazonaws.us-east-1.s3"
    assert gateway.inputs["vpcEndpointType"] == "Gateway"
    assert set(gateway.inputs["routeTableIds"]) == {
        named(graph, "aws:ec2/routeTable:RouteTable", f"net-{zone}").id for zone in ZONES
    }


def test_private_endpoints_stand_in_every_zone_and_admit_only_the_network(graph: Graph) -> None:
    interfaces = [one for one in graph.of_type(ENDPOINT) if one.inputs["vpcEndpointType"] == "Interface"]
    (rule,) = (one for one in graph.of_type(INGRESS) if one.inputs.get("fromPort") == 443)

    services = {one.inputs["serviceName"].removeprefix("com.amazonaws.us-east-1.") for one in interfaces}
    assert {"ec2", "ecr.api", "ecr.dkr", "eks", "eks-auth", "logs", "sts"} <= services
    for one in interfaces:
        assert len(one.inputs["subnetIds"]) == len(ZONES)
        assert one.inputs["privateDnsEnabled"] is True
        assert one.inputs["securityGroupIds"] == [rule.inputs["securityGroupId"]]
    assert rule.inputs["cidrIpv4"] == "10.0.0.0/16"


def test_private_endpoints_can_be_left_out_but_not_the_free_one(key: KeyHandle) -> None:
    graph = built(key, NetworkSpec(private_endpoints=False))

    assert [one.name for one in graph.of_type(ENDPOINT)] == ["net-endpoints-s3"]


def test_the_fabric_admits_its_members_by_id_in_both_directions(graph: Graph) -> None:
    (fabric,) = graph.of_type("penstock:aws:FabricGroup")
    group_id = fabric.outputs["group_id"]

    for direction in (INGRESS, EGRESS):
        by_id = [rule for rule in graph.of_type(direction) if rule.inputs.get("referencedSecurityGroupId") == group_id]
        assert [(rule.inputs["securityGroupId"], rule.inputs["ipProtocol"]) for rule in by_id] == [(group_id, "-1")]


def outward(graph: Graph) -> set[tuple[object, ...]]:
    """Where rules of the fabric's group lead, its own members left out: addresses, protocol and port."""
    rules = [rule.inputs for rule in graph.of_type(EGRESS) if "referencedSecurityGroupId" not in rule.inputs]
    return {
        (rule.get("cidrIpv4") or rule["prefixListId"], rule["ipProtocol"], rule.get("fromPort"), rule.get("toPort"))
        for rule in rules
    }


def test_nodes_reach_all_of_the_network_and_the_web_beyond_it(graph: Graph) -> None:
    web = {("0.0.0.0/0", "tcp", port, port) for port in (443, 80)}

    assert outward(graph) == {("10.0.0.0/16", "-1", None, None), *web}


def test_without_egress_nodes_reach_nothing_beyond_the_network_but_s3(key: KeyHandle) -> None:
    graph = built(key, NetworkSpec(egress="none"))
    s3 = named(graph, ENDPOINT, "net-endpoints-s3").outputs["prefixListId"]

    assert outward(graph) == {("10.0.0.0/16", "-1", None, None), (s3, "tcp", 443, 443)}


def test_what_lands_in_the_default_group_reaches_nothing(graph: Graph) -> None:
    (group,) = graph.of_type("aws:ec2/defaultSecurityGroup:DefaultSecurityGroup")

    assert group.inputs["ingress"] == []
    assert group.inputs["egress"] == []


def test_every_flow_is_recorded_encrypted_and_kept_a_year(graph: Graph, key: KeyHandle) -> None:
    (flows,) = graph.of_type("aws:ec2/flowLog:FlowLog")
    (group,) = graph.of_type("aws:cloudwatch/logGroup:LogGroup")

    assert flows.inputs["trafficType"] == "ALL"
    assert flows.inputs["logDestination"] == group.outputs["arn"]
    assert group.inputs["kmsKeyId"] == key.arn
    assert group.inputs["retentionInDays"] == 365


def test_the_recorder_writes_to_its_log_group_only_and_for_this_account_only(graph: Graph) -> None:
    (role,) = graph.of_type("aws:iam/role:Role")
    (policy,) = graph.of_type("aws:iam/rolePolicy:RolePolicy")
    (group,) = graph.of_type("aws:cloudwatch/logGroup:LogGroup")
    (trust,) = json.loads(role.inputs["assumeRolePolicy"])["Statement"]
    (right,) = json.loads(policy.inputs["policy"])["Statement"]

    assert list(trust["Condition"]["StringEquals"]) == ["aws:SourceAccount"]
    assert right["Resource"] == [group.outputs["arn"], f"{group.outputs['arn']}:*"]


@pytest.mark.parametrize(
    ("egress", "ways"),
    [("nat", {"Route", "VpcEndpoint"}), ("none", {"VpcEndpoint", "SecurityGroupEgressRule"})],
)
def test_nodes_wait_for_their_ways_out_and_nothing_else_does(
    key: KeyHandle, egress: Literal["nat", "none"], ways: set[str]
) -> None:
    handles: list[NetworkHandle] = []
    spec = NetworkSpec(egress=egress)
    rehearse(lambda: handles.append(Network("net", spec, zones=ZONES, region="us-east-1", key=key).handle))

    assert {type(resource).__name__ for resource in handles[0].ready} == ways


def test_everything_that_takes_tags_carries_them(graph: Graph) -> None:
    taggable = [resource for resource in graph if resource.custom and "tags" in resource.inputs]

    assert len(taggable) > 20
    assert all(resource.inputs["tags"]["owner"] == "ml" for resource in taggable)


def test_an_adopted_network_is_left_as_it_is_but_for_the_fabric() -> None:
    existing = ExistingNetwork(id="vpc-0a1b2c3d4e5f60718", subnets={"us-east-1a": "subnet-0aaaaaaaaaaaaaaaa"})

    graph = rehearse(lambda: adopt("net", existing, region="us-east-1", tags={})).graph

    made = {one.type for one in graph if one.custom and not one.is_default_provider}
    assert made <= {"aws:ec2/securityGroup:SecurityGroup", INGRESS, EGRESS}
    assert {(address, port) for address, _, port, _ in outward(graph)} == {
        ("10.0.0.0/16", None),
        ("0.0.0.0/0", 443),
        ("0.0.0.0/0", 80),
    }


def test_an_adopted_network_with_a_fabric_group_makes_nothing() -> None:
    existing = ExistingNetwork(
        id="vpc-0a1b2c3d4e5f60718",
        subnets={"us-east-1a": "subnet-0aaaaaaaaaaaaaaaa"},
        fabric_security_group="sg-0fabfabfabfabfabf",
    )

    graph = rehearse(lambda: adopt("net", existing, region="us-east-1", tags={})).graph

    assert not [one for one in graph if one.custom and one.type.startswith("aws:")]
