"""Relations that exempt resources of AWS from rules."""

from __future__ import annotations

from typing import Final

from penstock.aws.model.openings import AwsOpening
from penstock.aws.policies.relations import takes_logs
from penstock.aws.policies.security_groups import is_of_fabric, judge_openings
from penstock.aws.types import (
    ALB_LOAD_BALANCER,
    AUTOSCALING_GROUP,
    BATCH_COMPUTE_ENVIRONMENT,
    EC2_INSTANCE,
    EC2_LAUNCH_TEMPLATE,
    EC2_NAT_GATEWAY,
    EKS_NODE_GROUP,
    ELB_LOAD_BALANCER,
    LB_LOAD_BALANCER,
)
from penstock.graph.verdict import Outcome, Verdict, allow
from penstock.graph.view import View
from penstock.model.openings.reach import ALL

_GATEWAYS: Final = (
    (EC2_NAT_GATEWAY, "subnetId"),
    (LB_LOAD_BALANCER, "subnets"),
    (LB_LOAD_BALANCER, "subnetMappings[].subnetId"),
    (ALB_LOAD_BALANCER, "subnets"),
    (ALB_LOAD_BALANCER, "subnetMappings[].subnetId"),
    (ELB_LOAD_BALANCER, "subnets"),
)
_LAUNCHERS: Final = (
    (EC2_INSTANCE, "subnetId"),
    (EC2_LAUNCH_TEMPLATE, "networkInterfaces[].subnetId"),
    (AUTOSCALING_GROUP, "vpcZoneIdentifiers"),
    (EKS_NODE_GROUP, "subnetIds"),
    (BATCH_COMPUTE_ENVIRONMENT, "computeResources.subnets"),
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
