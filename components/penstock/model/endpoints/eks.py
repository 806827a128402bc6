"""The endpoint of an EKS cluster: one name, which leads to public addresses, private ones or both."""

from __future__ import annotations

from typing import Final

from penstock.model.endpoints.endpoint import ClusterApi, Endpoint
from penstock.model.endpoints.machines import MachineKind
from penstock.model.pools.launch_templates import inside
from penstock.resources.verdict import NotKnown
from penstock.resources.view import Block, View

CLUSTER: Final = "aws:eks/cluster:Cluster"
SUBNET: Final = "aws:ec2/subnet:Subnet"
VPC: Final = "aws:ec2/vpc:Vpc"


HOLDERS: Final = {SUBNET: ("vpcId", VPC)}
"""The property by which something in a network names that network, and the network's type."""


def cluster_api(cluster: View) -> ClusterApi:
    """Read the API of an EKS cluster, which is public to everybody where nothing is set."""
    place = cluster.block("vpcConfig")
    if place is None:
        raise NotKnown
    endpoints = [Endpoint("private")] if place.flag("endpointPrivateAccess") else []
    if place.flag("endpointPublicAccess") is not False:
        endpoints.append(Endpoint("public", _ranges(place)))
    return ClusterApi(
        cluster,
        tuple(endpoints),
        place.at("endpointPublicAccess"),
        "set vpcConfig.endpointPublicAccess to true and publicAccessCidrs to the ranges that Pulumi runs from",
        _network,
    )


def _ranges(place: Block) -> tuple[object, ...] | None:
    """The ranges that are admitted; an empty list is none, and EKS then admits everybody."""
    found = [location.value for location in place.locations("publicAccessCidrs[]") if location.value is not None]
    return tuple(found) or None


def _network(cluster: View) -> View:
    place = cluster.block("vpcConfig")
    subnets = place.many("subnetIds", SUBNET) if place is not None else []
    vpc = inside(subnets[0]).one("vpcId", VPC) if subnets else None
    if vpc is None:
        raise NotKnown
    return inside(vpc)


def _takes_sessions(machine: View) -> bool:
    """Return whether people get on to a machine: with a role for Session Manager, or at a public address by key."""
    return "iamInstanceProfile" in machine or bool(machine.flag("associatePublicIpAddress") and "keyName" in machine)


MACHINES: Final = (
    MachineKind("aws:ec2/instance:Instance", "subnetId", SUBNET, "machine reached by Session Manager", _takes_sessions),
)
"""Machines in a network that people get on to."""
