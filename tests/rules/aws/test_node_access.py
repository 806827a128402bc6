"""Objects in a cluster of EKS that rules on AWS judge, in programs as their authors write them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as kubernetes
import pytest

from penstock.core.findings import Severity
from penstock.testing import rehearse

Objects = Callable[[aws.iam.Role, pulumi.ResourceOptions], object]

UNMAPPED, UNLISTED = "aws-eks-node-role-mapped", "aws-eks-auth-map-keeps-nodes"
CODES = (UNMAPPED, UNLISTED)
_NODE_CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec: {role: nodes, amiSelectorTerms: [{alias: al2023@latest}]}
"""


def role(name: str, service: str) -> aws.iam.Role:
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}
    return aws.iam.Role(
        name, name=name, assume_role_policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    )


def kubeconfig(given: Mapping[str, Any]) -> str:
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "eks",
            "clusters": [{"name": "eks", "cluster": {"server": given["endpoint"]}}],
            "contexts": [{"name": "eks", "context": {"cluster": "eks", "user": "aws"}}],
            "users": [{"name": "aws", "user": {"exec": {"command": "aws", "args": ["eks", given["name"]]}}}],
        }
    )


def found(objects: Objects, *, mode: str = "API", entry: str = "", preview: bool) -> set[str]:
    """The codes that a program with a cluster, a node role and these objects is refused with; `entry` is a type."""

    def program() -> None:
        zones = enumerate("ab")
        vpc = aws.ec2.Vpc("network", cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
        subnets = [
            aws.ec2.Subnet(zone, vpc_id=vpc.id, cidr_block=f"10.0.{index}.0/24", availability_zone=f"us-east-1{zone}")
            for index, zone in zones
        ]
        cluster = aws.eks.Cluster(
            "ml",
            name="ml",
            role_arn=role("control", "eks.amazonaws.com").arn,
            access_config={"authentication_mode": mode},
            vpc_config={"subnet_ids": [subnet.id for subnet in subnets]},
        )
        nodes = role("nodes", "ec2.amazonaws.com")
        group = aws.eks.NodeGroup(
            "system",
            cluster_name=cluster.name,
            node_role_arn=role("system", "ec2.amazonaws.com").arn,
            subnet_ids=[subnet.id for subnet in subnets],
            scaling_config={"min_size": 1, "desired_size": 1, "max_size": 1},
        )
        if entry:
            aws.eks.AccessEntry("nodes", cluster_name=cluster.name, principal_arn=nodes.arn, type=entry)
        given = pulumi.Output.all(endpoint=cluster.endpoint, name=cluster.name)
        provider = kubernetes.Provider("eks", kubeconfig=given.apply(kubeconfig))
        objects(nodes, pulumi.ResourceOptions(provider=provider, depends_on=[group]))

    findings = rehearse(program, preview=preview).findings
    return {each.code for each in findings if each.code in CODES and each.severity is Severity.ERROR}


def node_class(nodes: aws.iam.Role, opts: pulumi.ResourceOptions) -> None:
    kubernetes.apiextensions.CustomResource(
        "default",
        api_version="karpenter.k8s.aws/v1",
        kind="EC2NodeClass",
        metadata={"name": "default"},
        spec={"role": nodes.name, "amiSelectorTerms": [{"alias": "al2023@latest"}]},
        opts=opts,
    )


def node_class_of_a_profile(nodes: aws.iam.Role, opts: pulumi.ResourceOptions) -> None:
    profile = aws.iam.InstanceProfile("nodes", name="nodes-of-karpenter", role=nodes.name)
    kubernetes.apiextensions.CustomResource(
        "default",
        api_version="karpenter.k8s.aws/v1",
        kind="EC2NodeClass",
        metadata={"name": "default"},
        spec={"instanceProfile": profile.name, "amiSelectorTerms": [{"alias": "al2023@latest"}]},
        opts=opts,
    )


def node_class_of_a_file(_: aws.iam.Role, opts: pulumi.ResourceOptions) -> None:
    kubernetes.yaml.ConfigGroup("default", yaml=[_NODE_CLASS], opts=opts)


def node_class_of_a_file_made_by_the_provider(_: aws.iam.Role, opts: pulumi.ResourceOptions) -> None:
    kubernetes.yaml.v2.ConfigGroup("default", yaml=_NODE_CLASS, opts=opts)


def auto_class(nodes: aws.iam.Role, opts: pulumi.ResourceOptions) -> None:
    kubernetes.apiextensions.CustomResource(
        "gpu",
        api_version="eks.amazonaws.com/v1",
        kind="NodeClass",
        metadata={"name": "gpu"},
        spec={"role": nodes.name},
        opts=opts,
    )


def auth_map(nodes: aws.iam.Role, opts: pulumi.ResourceOptions) -> None:
    """An aws-auth that lacks the role of the managed node group before it."""
    mapped = nodes.arn.apply(lambda arn: json.dumps([{"rolearn": arn, "groups": ["system:nodes"]}]))
    kubernetes.core.v1.ConfigMap(
        "auth", metadata={"name": "aws-auth", "namespace": "kube-system"}, data={"mapRoles": mapped}, opts=opts
    )


KARPENTERS = (
    node_class,
    node_class_of_a_profile,
    node_class_of_a_file,
    node_class_of_a_file_made_by_the_provider,
)


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
@pytest.mark.parametrize(("objects", "entry"), [*((each, "EC2_LINUX") for each in KARPENTERS), (auto_class, "EC2")])
def test_the_role_of_a_node_class_needs_an_access_entry(objects: Objects, entry: str, preview: bool) -> None:
    assert found(objects, preview=preview) == {UNMAPPED}
    assert found(objects, entry="STANDARD", preview=preview) == {UNMAPPED}
    assert found(objects, entry=entry, preview=preview) == set()


def test_a_map_that_replaces_that_of_eks_keeps_the_node_groups() -> None:
    assert found(auth_map, mode="CONFIG_MAP", preview=False) == {UNLISTED}
    assert found(auth_map, mode="API", preview=False) == set()
