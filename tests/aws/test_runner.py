"""What the machine inside promises: nobody calls in, and whoever IAM lets in reaches the cluster through it."""

from __future__ import annotations

import json

import pytest
from tests.handles import CLUSTER

from penstock.aws.components.handles import KeyHandle, NetworkHandle
from penstock.aws.components.kubeconfig import TUNNEL_PORT, kubeconfig
from penstock.aws.components.runner import Runner
from penstock.graph.graph import Graph
from penstock.testing import rehearse

INSTANCE = "aws:ec2/instance:Instance"
HOST = str(CLUSTER.endpoint).removeprefix("https://")


@pytest.fixture
def graph(network: NetworkHandle, key: KeyHandle) -> Graph:
    return rehearse(
        lambda: Runner("runner", cluster=CLUSTER, network=network, key=key, region="us-east-1", tags={"owner": "ml"})
    ).graph


def test_nobody_calls_in(graph: Graph, network: NetworkHandle) -> None:
    (machine,) = graph.of_type(INSTANCE)
    (group,) = graph.of_type("aws:ec2/securityGroup:SecurityGroup")

    assert machine.inputs["associatePublicIpAddress"] is False
    assert machine.inputs["subnetId"] in network.subnets.values()
    assert machine.inputs["vpcSecurityGroupIds"] == [group.id]
    assert "keyName" not in machine.inputs
    assert not graph.of_type("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule")


def test_its_role_opens_sessions_and_no_more(graph: Graph) -> None:
    (right,) = graph.of_type("aws:iam/rolePolicyAttachment:RolePolicyAttachment")
    (machine,) = graph.of_type(INSTANCE)

    assert right.inputs["policyArn"].endswith("/AmazonSSMManagedInstanceCore")
    assert right.urn in machine.dependencies


def test_its_disk_and_its_credentials_are_closed(graph: Graph, key: KeyHandle) -> None:
    (machine,) = graph.of_type(INSTANCE)

    assert machine.inputs["rootBlockDevice"]["encrypted"] is True
    assert machine.inputs["rootBlockDevice"]["kmsKeyId"] == key.arn
    assert machine.inputs["metadataOptions"]["httpTokens"] == "required"


def test_a_newer_image_leaves_it_alone(graph: Graph) -> None:
    (machine,) = graph.of_type(INSTANCE)

    assert machine.options.ignore_changes == ("ami",)


def test_the_tunnel_ends_at_the_api_of_the_cluster(graph: Graph) -> None:
    (runner,) = graph.of_type("penstock:aws:Runner")
    (machine,) = graph.of_type(INSTANCE)

    tunnel = runner.outputs["tunnel"]

    assert f"--target {machine.id} " in tunnel
    assert "AWS-StartPortForwardingSessionToRemoteHost" in tunnel
    assert f"host={HOST},portNumber=443,localPortNumber={TUNNEL_PORT}" in tunnel


def test_kubectl_checks_the_certificate_of_the_far_end() -> None:
    rendered: list[str] = []
    rehearse(lambda: kubeconfig(CLUSTER, region="us-east-1", tunnel=True).apply(rendered.append))

    (entry,) = json.loads(rendered[0])["clusters"]
    assert entry["cluster"]["server"] == f"https://127.0.0.1:{TUNNEL_PORT}"
    assert entry["cluster"]["tls-server-name"] == HOST
