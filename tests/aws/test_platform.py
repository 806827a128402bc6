"""What a whole platform on AWS promises: what it pays for and when, and who reaches what."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import pytest
from tests.descriptions import GONE, TRAINING, changed

from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"
NAT = "aws:ec2/natGateway:NatGateway"


def built(description: dict[str, Any]) -> Graph:
    return rehearse(description).graph


@cache
def training() -> Graph:
    """The platform of the tests, rehearsed once; none may change it."""
    return built(copy.deepcopy(dict(TRAINING)))


def one(graph: Graph, type_: str, name: str = "") -> Resource:
    (found,) = (each for each in graph.of_type(type_) if each.name.endswith(name))
    return found


def waits_for(graph: Graph, resource: Resource) -> set[str]:
    """The types of all that a resource waits for, over any number of steps."""
    seen: set[str] = set()
    pending = [*resource.dependencies]
    while pending:
        urn = pending.pop()
        if urn not in seen:
            seen.add(urn)
            pending += graph[urn].dependencies
    return {graph[urn].type for urn in seen}


def test_reserved_machines_are_paid_for_when_pulumi_has_reached_the_cluster() -> None:
    graph = built(changed("node_pools.1.reservation", GONE))

    reservation = one(graph, "aws:ec2/capacityReservation:CapacityReservation")

    assert {"aws:eks/cluster:Cluster", "kubernetes:storage.k8s.io/v1:StorageClass"} <= waits_for(graph, reservation)


def test_a_claim_without_a_class_gets_an_encrypted_volume() -> None:
    graph = training()

    disks = one(graph, "kubernetes:storage.k8s.io/v1:StorageClass")
    (key,) = (each for each in graph.of_type("aws:kms/key:Key") if each.name.endswith("-data"))
    assert disks.inputs["metadata"]["annotations"] == {"storageclass.kubernetes.io/is-default-class": "true"}
    assert disks.inputs["parameters"] == {"type": "gp3", "encrypted": "true", "kmsKeyId": key.outputs["arn"]}


@pytest.mark.parametrize(
    ("environment", "network", "gateways", "interfaces"),
    [
        ("dev", {}, 1, False),
        ("dev", {"nat": "zonal", "private_endpoints": True}, 3, True),
        ("dev", {"egress": "none"}, 0, True),
        ("prod", {}, 3, True),
        ("prod", {"nat": "single"}, 1, True),
    ],
)
def test_a_network_costs_what_its_environment_is_worth(
    environment: str, network: dict[str, Any], gateways: int, interfaces: bool
) -> None:
    description = changed("network", network, changed("environment", environment, changed("storage.1.fabric", GONE)))

    graph = built(description)

    assert len(graph.of_type(NAT)) == gateways
    assert interfaces == any(each.inputs["vpcEndpointType"] == "Interface" for each in graph.of_type(ENDPOINT))
    if network.get("egress") != "none":
        routes = [each for each in graph.of_type("aws:ec2/route:Route") if "natGatewayId" in each.inputs]
        assert len(routes) == 3


@pytest.mark.parametrize(("environment", "days"), [("dev", 30), ("prod", 365)])
def test_logs_are_kept_as_long_as_somebody_asks_for_them(environment: str, days: int) -> None:
    groups = built(changed("environment", environment)).of_type("aws:cloudwatch/logGroup:LogGroup")

    assert {group.inputs["retentionInDays"] for group in groups} == {days}


def test_the_commands_of_the_runner_are_outputs() -> None:
    graph = built(changed("cluster.runner", True))

    assert graph.of_type("aws:ec2/instance:Instance")
    assert not training().of_type("aws:ec2/instance:Instance")


def test_pods_reach_the_buckets_and_secrets_that_name_them() -> None:
    with_rights = changed("storage.0.readers", ["research/trainer"], changed("addons.secrets.readers", ["serving/api"]))

    bound = built(with_rights).of_type("aws:eks/podIdentityAssociation:PodIdentityAssociation")

    assert {each.inputs["serviceAccount"] for each in bound} >= {"trainer", "api"}


def test_pools_with_bounds_grow_by_themselves() -> None:
    graph = training()

    chart = one(graph, "kubernetes:helm.sh/v3:Release", "-autoscaler")
    bound = one(graph, "aws:eks/podIdentityAssociation:PodIdentityAssociation", "-autoscaler")
    assert chart.inputs["values"]["autoDiscovery"]["clusterName"] == "platform-prod"
    assert chart.inputs["values"]["rbac"]["serviceAccount"]["name"] == bound.inputs["serviceAccount"]
    assert chart.inputs["namespace"] == bound.inputs["namespace"]
    assert bound.urn in chart.dependencies


def test_the_autoscaler_moves_this_cluster_only() -> None:
    graph = training()

    rights = one(graph, "aws:iam/rolePolicy:RolePolicy", "-autoscaler")
    (scale,) = (
        each
        for each in json.loads(rights.inputs["policy"])["Statement"]
        if "autoscaling:SetDesiredCapacity" in each["Action"]
    )
    assert scale["Condition"] == {"StringEquals": {"aws:ResourceTag/eks:cluster-name": "platform-prod"}}


def test_a_closed_network_pulls_from_repositories_that_exist() -> None:
    graph = built(changed("network.egress", "none", changed("storage.1.fabric", GONE)))

    made = {each.outputs["repositoryUrl"] for each in graph.of_type("aws:ecr/repository:Repository")}
    charts = graph.of_type("kubernetes:helm.sh/v3:Release")
    pulled = {chart.inputs["values"]["image"]["repository"] for chart in charts if chart.inputs.get("skipAwait")}
    assert pulled
    assert pulled <= made


def test_an_open_network_pulls_from_the_makers_of_images() -> None:
    charts = training().of_type("kubernetes:helm.sh/v3:Release")

    assert not any(chart.inputs.get("skipAwait") for chart in charts)
    assert not [each for each in training() if each.type == "penstock:aws:ImageMirror"]


def test_fixed_pools_have_no_autoscaler() -> None:
    graph = built(changed("node_pools.1.nodes", 4))

    assert not [each for each in graph if each.type == "penstock:kubernetes:ClusterAutoscaler"]


def test_the_autoscaler_knows_the_devices_of_an_empty_pool() -> None:
    graph = training()

    tags = {each.inputs["tag"]["key"]: each.inputs["tag"]["value"] for each in graph.of_type("aws:autoscaling/tag:Tag")}
    assert tags["k8s.io/cluster-autoscaler/node-template/resources/vpc.amazonaws.com/efa"] == "32"
    assert tags["k8s.io/cluster-autoscaler/node-template/resources/hugepages-2Mi"].endswith("Mi")


def test_what_an_adopted_cluster_has_is_not_installed_again() -> None:
    subnets = {f"us-east-1{letter}": f"subnet-0123456789abcdef{letter}" for letter in "ab"}
    network = {"existing": {"id": "vpc-0123456789abcdef0", "subnets": subnets}}
    cluster = {"existing": {"name": "shared", "installed": ["nvidia", "efa", "bucket", "lustre", "nfs"]}}

    graph = built(changed("network", network, changed("cluster", cluster)))

    assert not graph.of_type("kubernetes:helm.sh/v3:Release", "aws:eks/addon:Addon")
    assert [each.name for each in graph.of_type("aws:kms/key:Key")] == ["platform-prod-keys-data"]


def test_each_storage_that_pods_can_mount_has_a_claim_of_its_name() -> None:
    graph = built(changed("storage.0.writers", ["default/trainer"]))

    volumes = {
        each.inputs["spec"]["claimRef"]["name"]: each.inputs["spec"]
        for each in graph.of_type("kubernetes:core/v1:PersistentVolume")
    }
    claims = {each.inputs["metadata"]["name"] for each in graph.of_type("kubernetes:core/v1:PersistentVolumeClaim")}
    assert set(volumes) == claims == {"datasets", "scratch", "home"}
    lustre = one(graph, "aws:fsx/lustreFileSystem:LustreFileSystem")
    assert volumes["scratch"]["capacity"] == {"storage": "19200Gi"}
    assert volumes["scratch"]["mountOptions"] == ["flock"]
    assert volumes["scratch"]["csi"] == {
        "driver": "fsx.csi.aws.com",
        "volumeHandle": lustre.id,
        "volumeAttributes": {"dnsname": lustre.outputs["dnsName"], "mountname": lustre.outputs["mountName"]},
    }
    files, point = one(graph, "aws:efs/fileSystem:FileSystem"), one(graph, "aws:efs/accessPoint:AccessPoint")
    assert volumes["home"]["csi"]["driver"] == "efs.csi.aws.com"
    assert volumes["home"]["csi"]["volumeHandle"] == f"{files.id}::{point.id}"
    assert volumes["datasets"]["csi"]["volumeAttributes"]["authenticationSource"] == "pod"
    assert volumes["datasets"]["mountOptions"] == [
        "region us-east-1",
        "maximum-throughput-gbps 100",
        "allow-delete",
        "allow-overwrite",
    ]


def test_storage_that_nobody_mounts_has_no_claim() -> None:
    graph = built(changed("storage", [{"name": "tracking", "kind": "postgres"}]))

    assert not graph.of_type("kubernetes:core/v1:PersistentVolume")
