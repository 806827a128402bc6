"""Joining: what lets a node reach its cluster."""

from __future__ import annotations

from penstock.aws.model.launch_templates import template_of
from penstock.aws.rules import nodes
from penstock.aws.types import (
    EC2_SECURITY_GROUP,
    EC2_SECURITY_GROUP_RULE,
    EKS_CLUSTER,
    EKS_NODE_GROUP,
    VPC_SECURITY_GROUP_INGRESS_RULE,
)
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, fail
from penstock.graph.view import Block, Site, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale=(
        "Security groups in the launch template replace the cluster security group, so the nodes cannot reach the API "
        "server and never join."
    ),
    fix="Add the cluster's vpcConfig.clusterSecurityGroupId to the security groups of the launch template.",
    joins=True,
    sources=("EKS user guide, customise managed nodes with launch templates",),
)
def aws_eks_node_sg_admitted(group: View) -> Verdict:
    """The security groups of a launch template include the cluster's own, or a rule admits them to the cluster."""
    template = template_of(group)
    holder = _primary(template) if template is not None else None
    key = "vpcSecurityGroupIds" if holder is template else "securityGroups"
    if template is None or holder is None or not holder.count(key):
        return NOT_APPLICABLE
    cluster = nodes.cluster(group)
    if cluster.urn in {view.urn for view in template.sources(PropertyPath.parse(holder.at(key)).top, EKS_CLUSTER)}:
        return PASS
    own = {view.urn for view in holder.many(key, EC2_SECURITY_GROUP)}
    place = cluster.block("vpcConfig")
    gates = {view.urn for view in place.found("securityGroupIds", EC2_SECURITY_GROUP)} if place is not None else set()
    if own & gates or group.site.once(_admitting) & {cluster.urn, *gates}:
        return PASS
    message = f"nodes never join: the cluster {cluster.name} admits no security group of their launch template"
    hint = "Add the cluster's vpcConfig.clusterSecurityGroupId to the list."
    return fail(message, hint=hint, path=holder.at(key), urn=template.urn)


def _primary(template: View) -> Block | None:
    """Return the properties that list the security groups of an instance's first interface."""
    interfaces = template.blocks("networkInterfaces")
    if not interfaces:
        return template
    return next(
        (each for each in interfaces if not each.integer("networkCardIndex") and not each.integer("deviceIndex")), None
    )


def _admitting(site: Site) -> frozenset[str]:
    """The security groups, and the clusters with one of their own, that let somebody in by a rule of the program."""
    found = {view.urn for view in site.of_type(EC2_SECURITY_GROUP) if _has_inline_rules(view)}
    for view in site.of_type(VPC_SECURITY_GROUP_INGRESS_RULE, EC2_SECURITY_GROUP_RULE):
        if view.type == VPC_SECURITY_GROUP_INGRESS_RULE or _lets_in(view):
            found |= {target.urn for target in view.sources("securityGroupId", EC2_SECURITY_GROUP, EKS_CLUSTER)}
    return frozenset(found)


def _has_inline_rules(group: View) -> bool:
    try:
        return group.count("ingress") > 0
    except (NotKnown, TypeMismatch):
        return True


def _lets_in(one: View) -> bool:
    try:
        return one.text("type") != "egress"
    except (NotKnown, TypeMismatch):
        return True
