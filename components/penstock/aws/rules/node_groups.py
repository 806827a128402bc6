"""EKS node groups: size, taints, labels, updates, name and network."""

from __future__ import annotations

import re

from penstock.aws.model.ec2 import subnets_of
from penstock.aws.model.launch_templates import inside
from penstock.aws.rules import nodes
from penstock.aws.types import EC2_SUBNET, EC2_VPC, EKS_NODE_GROUP
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, together
from penstock.graph.view import Block, View
from penstock.rules.checks import Given, Matches, Where
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_LABEL_VALUE = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
"""Kubernetes documentation, labels and selectors; EKS takes no empty one."""

_KUBERNETES_RELEASE = re.compile(r"(?P<minor>1\.\d+)(\.\d+)?-\d{4}[.\d]+")
"""A release of Amazon Linux, such as 1.35.2-20261105, or of Windows, such as 1.35-2026.11.12."""

_OWN_LABELS = re.compile(r"(.+\.)?(kubelet|node)\.kubernetes\.io")
_WELL_KNOWN_LABELS = (
    "kubernetes.io/hostname",
    "kubernetes.io/arch",
    "kubernetes.io/os",
    "node.kubernetes.io/instance-type",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "beta.kubernetes.io/arch",
    "beta.kubernetes.io/instance-type",
    "beta.kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone",
)
"""Labels under kubernetes.io that a kubelet may set on its node (Kubernetes documentation, kubelet --node-labels)."""


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="CreateNodegroup rejects sizes that are out of order, and a maximum size of 0.",
    fix="Set minSize, desiredSize and maxSize in scalingConfig in ascending order, with maxSize 1 or more.",
    sources=("EKS API model in botocore 1.44, NodegroupScalingConfig",),
)
def aws_eks_scaling_order(group: View) -> Verdict:
    """The maximum size of a node group is at least 1, and minSize <= desiredSize <= maxSize."""
    scaling = group.block("scalingConfig")
    if scaling is None:
        return NOT_APPLICABLE
    low, wanted, high = (scaling.integer(key) for key in ("minSize", "desiredSize", "maxSize"))
    verdicts = [
        allow(
            high != 0,
            "maxSize is 0",
            hint="Use 1 or more; minSize and desiredSize may be 0.",
            path=scaling.at("maxSize"),
        )
    ]
    if low is not None and high is not None:
        message = f"minSize {low} is above maxSize {high}"
        verdicts.append(allow(low <= high, message, hint=f"Use {high} or less.", path=scaling.at("minSize")))
        if wanted is not None and low <= high:
            message = f"desiredSize {wanted} is not between minSize {low} and maxSize {high}"
            hint = f"Use {min(max(wanted, low), high)}."
            verdicts.append(allow(low <= wanted <= high, message, hint=hint, path=scaling.at("desiredSize")))
    return together(verdicts)


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="EKS rejects more taints, and Kubernetes allows each pair of key and effect once on a node.",
    fix="Leave out taints that repeat a key and an effect, and keep at most 50.",
    sources=("documentation of pulumi-aws 7, eks.NodeGroup", "Kubernetes API, Node"),
)
def aws_eks_taints_limit(group: View) -> Verdict:
    """A node group has at most 50 taints, and each pair of key and effect once."""
    most = limits.find_limit("node_group_taints", "aws").most
    count = group.count("taints")
    if not count:
        return NOT_APPLICABLE
    seen: set[tuple[str | None, str | None]] = set()

    def check(taint: Block) -> Verdict:
        pair = taint.text("key"), taint.text("effect")
        first = pair not in seen
        seen.add(pair)
        message = f"the taint {pair[0]} with the effect {pair[1]} is listed twice"
        return allow(first, message, hint="Leave one out.", path=taint.at("key"))

    message = f"{count} taints; EKS allows {most} for each node group"
    few = allow(count <= most, message, hint="Leave some out.", path="taints")
    return together([few, each(group.blocks("taints"), check)])


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="EKS rejects an update config with both bounds, or with a bound of 0.",
    fix="Set one of maxUnavailable and maxUnavailablePercentage to 1 to 100 in updateConfig.",
    sources=("EKS API model in botocore 1.44, NodegroupUpdateConfig", "documentation of pulumi-aws 7"),
)
def aws_eks_update_one_bound(group: View) -> Verdict:
    """The update config of a node group sets maxUnavailable or maxUnavailablePercentage, to more than 0."""
    updates = group.block("updateConfig")
    if updates is None:
        return NOT_APPLICABLE
    numbers = [key for key in ("maxUnavailable", "maxUnavailablePercentage") if key in updates]
    message = "updateConfig sets both maxUnavailable and maxUnavailablePercentage"
    return together(
        [
            allow(len(numbers) < 2, message, hint="Leave one out.", path="updateConfig"),  # noqa: PLR2004 - both
            *(_some(updates, key) for key in numbers),
        ]
    )


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="EKS rejects a node repair config with both a count and a percentage for one limit.",
    fix="Leave out either the count or the percentage of each limit in nodeRepairConfig.",
    sources=("EKS API model in botocore 1.44, NodeRepairConfig",),
)
def aws_eks_repair_one_bound(group: View) -> Verdict:
    """The repair config of a node group sets each limit as a count or as a percentage, and not as both."""
    repairs = group.block("nodeRepairConfig")
    if repairs is None:
        return NOT_APPLICABLE
    pairs = ("maxParallelNodesRepaired", "maxUnhealthyNodeThreshold")
    return each(
        pairs,
        lambda pair: allow(
            not (f"{pair}Count" in repairs and f"{pair}Percentage" in repairs),
            f"nodeRepairConfig sets {pair} as a count and as a percentage",
            hint="Leave one out.",
            path=repairs.at(f"{pair}Count"),
        ),
    )


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="CreateNodegroup refuses subnets of another VPC.",
    fix="Set subnetIds to subnets of the cluster's VPC.",
    joins=True,
    sources=("EKS user guide, network requirements for VPC and subnets",),
)
def aws_eks_nodes_in_cluster_vpc(group: View) -> Verdict:
    """The subnets of a node group are in the VPC of its cluster."""
    place = nodes.cluster(group).block("vpcConfig")
    if place is None:
        return NOT_APPLICABLE
    home = {_network(inside(subnet)) for subnet in place.many("subnetIds", EC2_SUBNET)}

    def check(subnet: View) -> Verdict:
        message = f"subnet {subnet.name} is in another VPC than the cluster"
        return allow(_network(subnet) in home, message, hint="Use subnets of the cluster's VPC.", path="subnetIds")

    return each(subnets_of(group), check)


RULES.row(
    "aws-eks-node-group-name",
    "A node group's name has 1 to 63 letters, digits, hyphens and underscores, and starts with a letter or digit.",
    on=EKS_NODE_GROUP,
    check=Where(Given("nodeGroupName"), Matches("nodeGroupName", r"[0-9A-Za-z][0-9A-Za-z_-]{0,62}")),
    severity=HIGH,
    rationale="CreateNodegroup rejects any other name.",
    fix="Set nodeGroupName to at most 63 letters, digits, '-' and '_', or leave nodeGroupName out.",
    sources=("EKS API model in botocore 1.44, CreateNodegroup", "EKS user guide, managed node groups"),
)


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale=(
        "EKS rejects an invalid label value, and a kubelet with a reserved label does not start, so the nodes never "
        "join."
    ),
    fix=(
        "Use a domain of your own or node.kubernetes.io for label keys, and values of at most 63 characters such as "
        '"true".'
    ),
    sources=("terraform-aws-eks issue 3346", "Kubernetes documentation, kubelet --node-labels"),
)
def aws_eks_node_labels(group: View) -> Verdict:
    """The labels of a node group have valid values, and no key that only the control plane may set on a node."""
    labels = group.block("labels")
    if labels is None or not list(labels):
        return NOT_APPLICABLE
    return each(list(labels), lambda key: _label(key, labels))


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="EKS answers 400: a release of the image is for one minor version of Kubernetes, and valid for no other.",
    fix="Set releaseVersion to a release of the Kubernetes version of the nodes, or leave releaseVersion out.",
    sources=("EKS user guide, versions of the AMIs", "EKS API reference: CreateNodegroup, UpdateNodegroupVersion"),
)
def aws_eks_release_of_its_version(group: View) -> Verdict:
    """The release of a node group's image is for the Kubernetes version that its nodes run."""
    release = group.text("releaseVersion")
    form = _KUBERNETES_RELEASE.fullmatch(release or "")
    if form is None or (group.text("amiType") or "").startswith("BOTTLEROCKET"):
        return NOT_APPLICABLE  # Bottlerocket numbers its releases by itself
    version = group.text("version") or nodes.cluster(group).text("version")
    if not version:
        return NOT_APPLICABLE
    message = f"{release} is an image for Kubernetes {form['minor']}, and the nodes are to run {version}"
    hint = f"Use a release that begins with {version}, or leave releaseVersion out."
    return allow(form["minor"] == version, message, hint=hint, path="releaseVersion")


def _network(subnet: View) -> str:
    vpc = subnet.found("vpcId", EC2_VPC)
    return vpc[0].urn if vpc else subnet.text("vpcId") or ""


def _some(block: Block, key: str) -> Verdict:
    return allow(block.integer(key) != 0, f"{key} is 0", hint="Use 1 to 100, or leave it out.", path=block.at(key))


def _label(key: str, labels: Block) -> Verdict:
    prefix = key.rpartition("/")[0]
    reserved = re.fullmatch(r"(.+\.)?(kubernetes|k8s)\.io", prefix) is not None
    allowed = not reserved or _OWN_LABELS.fullmatch(prefix) is not None or key in _WELL_KNOWN_LABELS
    message = f"the kubelet may not set the label {key} on its node, and does not start"
    hint = "Use a domain of your own, or node.kubernetes.io."
    value = labels.text(key)
    unfit = f"{value!r} is not a valid label value" if value else f"the label {key} has no value, which EKS requires"
    form = 'Up to 63 letters, digits, "-", "_" and ".", with a letter or digit first and last, such as "true".'
    return together(
        [
            allow(allowed, message, hint=hint, path=labels.at(key)),
            allow(_LABEL_VALUE.fullmatch(value or ""), unfit, hint=form, path=labels.at(key)),
        ]
    )
