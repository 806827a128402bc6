"""Relations that exempt resources of AWS from rules."""

from __future__ import annotations

from typing import Final

from penstock.aws.model.openings import AwsOpening
from penstock.aws.policies.relations import takes_logs
from penstock.aws.policies.security_groups import is_of_fabric, judge_openings
from penstock.graph.verdict import Outcome, Verdict, allow
from penstock.graph.view import View
from penstock.model.openings.reach import ALL

_GATEWAYS: Final = (
    ("aws:ec2/natGateway:NatGateway", "subnetId"),
    ("aws:lb/loadBalancer:LoadBalancer", "subnets"),
    ("aws:lb/loadBalancer:LoadBalancer", "subnetMappings[].subnetId"),
    ("aws:alb/loadBalancer:LoadBalancer", "subnets"),
    ("aws:alb/loadBalancer:LoadBalancer", "subnetMappings[].subnetId"),
    ("aws:elb/loadBalancer:LoadBalancer", "subnets"),
)
_LAUNCHERS: Final = (
    ("aws:ec2/instance:Instance", "subnetId"),
    ("aws:ec2/launchTemplate:LaunchTemplate", "networkInterfaces[].subnetId"),
    ("aws:autoscaling/group:Group", "vpcZoneIdentifiers"),
    ("aws:eks/nodeGroup:NodeGroup", "subnetIds"),
    ("aws:batch/computeEnvironment:ComputeEnvironment", "computeResources.subnets"),
)


def is_of_one_fabric(it: View) -> bool:
    """Return whether every rule that lets all protocols in is between groups of a fabric, named by their ids."""

    def one(opening: AwsOpening) -> Verdict:
        return allow(opening.reach.protocol != ALL or is_of_fabric(opening), "")

    return judge_openings(it, one, "ingress").outcome is Outcome.PASS


def holds_only_gateways(it: View) -> bool:
    """Return whether a subnet has NAT gateways or load balancers, and nothing launches machines in it."""
    return any(it.referrers(*by) for by in _GATEWAYS) and not any(it.referrers(*by) for by in _LAUNCHERS)


RELATIONS: Final = (is_of_one_fabric, holds_only_gateways, takes_logs)
"""The relations that the table `exemptions` names."""
