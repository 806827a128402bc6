"""Node groups of EKS: images, machines, numbers, taints, updates and place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from penstock.catalog import limits, offerings, regions
from penstock.catalog.aws import ami_types, eks_machines, instance_types
from penstock.errors import UnknownFact
from penstock.model.pools.ec2 import Ec2Type, instance_types_of, subnets_of, zones_of
from penstock.model.pools.launch_templates import inside, template_of
from penstock.resources.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail, together
from penstock.resources.view import Block, View
from penstock.rules.aws import nodes
from penstock.rules.aws.types import NODE_GROUP, SUBNET, VPC
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.wording import did_you_mean, listed

RULES = RuleSet(Category.PROVIDER)

_LABEL_VALUE = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
"""Kubernetes documentation, labels and selectors; EKS takes no empty one."""
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
    "aws-eks-ami-type-fits",
    on=NODE_GROUP,
    severity=HIGH,
    rationale=(
        "An image for another architecture does not start the instance, and an image without the right drivers leaves "
        "accelerators unusable."
    ),
    fix="Set amiType to one for the instances' architecture and accelerator, such as AL2023_x86_64_NVIDIA.",
    reads=("amiType", "instanceTypes", "launchTemplate.id"),
    joins=True,
    sources=("EKS API model in botocore 1.44, CreateNodegroup", "EKS user guide, choosing an instance type"),
)
def ami_type_fits_the_machines(group: View) -> Verdict:
    """The AMI type of a node group matches the processor architecture and the accelerator of its instance types."""
    ami = _ami_type(group)
    if ami is None or ami.system == "custom":
        return NOT_APPLICABLE

    def check(named: Ec2Type) -> Verdict:
        facts = named.facts
        if facts is None:
            return NOT_APPLICABLE
        machine = named.machine
        right = machine.ami_type if machine is not None else _usual_image(facts.architecture, facts.accelerator_kind)
        what = f"{facts.architecture}, {facts.accelerator_kind or 'no accelerator'}"
        message = f"{ami.name} does not start {named.name} ({what})"
        return allow(ami.fits(facts), message, hint=f"Use {right}.", path="amiType")

    return each(instance_types_of(group), check)


@RULES.rule(
    "aws-eks-ami-type-set",
    on=NODE_GROUP,
    severity=MEDIUM,
    rationale="The default image does not start ARM instances, and has no drivers for accelerators.",
    fix="Set amiType to one for the instances' architecture and accelerator, such as AL2023_ARM_64_NVIDIA.",
    reads=("amiType", "instanceTypes", "launchTemplate.id"),
    joins=True,
    sources=("[?] inferred: EKS' default image has no drivers",),
)
def machines_with_accelerators_name_their_image(group: View) -> Verdict:
    """A node group of accelerated or ARM instances sets its AMI type."""
    template = template_of(group)
    if "amiType" in group or (template is not None and "imageId" in template):
        return NOT_APPLICABLE

    def check(named: Ec2Type) -> Verdict:
        facts = named.facts
        if facts is None or (facts.accelerator_kind is None and facts.architecture == "x86_64"):
            return PASS
        right = _usual_image(facts.architecture, facts.accelerator_kind)
        message = f"nobody says which image starts {named.name}; the usual one does not, or brings no drivers"
        return fail(message, hint=f"Set amiType to {right}.", path="amiType")

    return each(instance_types_of(group), check)


@RULES.rule(
    "aws-eks-ami-type-published",
    on=NODE_GROUP,
    severity=MEDIUM,
    rationale="No image of this type exists for the version, so the node group cannot be created or updated.",
    fix="Set amiType to the AL2023 type for the same processor and accelerator.",
    reads=("amiType", "clusterName", "version"),
    joins=True,
    sources=("awslabs/amazon-eks-ami README: Amazon Linux 2 images end on 2025-11-26",),
)
def ami_type_is_published_for_the_version(group: View) -> Verdict:
    """AWS publishes the AMI type of a node group for its Kubernetes version."""
    ami = _ami_type(group)
    if ami is None or ami.newest_kubernetes is None:
        return NOT_APPLICABLE if ami is None else PASS
    version = group.text("version") or nodes.cluster(group).text("version")
    if version is None or _minor(version) is None:
        raise NotKnown
    newest = ami.newest_kubernetes
    message = f"AWS publishes {ami.name} for Kubernetes up to {newest}, and the nodes are to have {version}"
    hint = f"Use {ami.name.replace('AL2_', 'AL2023_').replace('_GPU', '_NVIDIA')}."
    return allow((_minor(version) or 0) <= (_minor(newest) or 0), message, hint=hint, path="amiType")


@RULES.rule(
    "aws-eks-scaling-order",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="CreateNodegroup rejects sizes that are out of order, and a maximum size of 0.",
    fix="Set minSize, desiredSize and maxSize in scalingConfig in ascending order, with maxSize 1 or more.",
    reads=("scalingConfig.desiredSize", "scalingConfig.maxSize", "scalingConfig.minSize"),
    sources=("EKS API model in botocore 1.44, NodegroupScalingConfig",),
)
def numbers_of_nodes_are_in_order(group: View) -> Verdict:
    """The smallest number of nodes is not above the largest, which is 1 or more; the desired one lies between them."""
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
    "aws-eks-instance-types-one-place",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="CreateNodegroup refuses instance types in the node group beside one in its launch template.",
    fix="Leave instanceTypes out of the node group, or instanceType out of the launch template.",
    reads=("instanceTypes", "launchTemplate.id"),
    joins=True,
    sources=("EKS API model in botocore 1.44, CreateNodegroup",),
)
def machine_types_stand_in_one_place(group: View) -> Verdict:
    """Instance types are set in the node group or in its launch template, and not in both."""
    if not group.count("instanceTypes"):
        return NOT_APPLICABLE
    template = template_of(group)
    if template is None:
        return NOT_APPLICABLE
    message = f"the launch template {template.name} names the instance type too, which EKS refuses"
    hint = "Leave instanceTypes out here, or instanceType there."
    return allow("instanceType" not in template, message, hint=hint, path="instanceTypes")


@RULES.rule(
    "aws-eks-instance-types-limit",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="CreateNodegroup rejects a longer list and duplicates.",
    fix="List each type once in instanceTypes, or create several node groups.",
    reads=("instanceTypes",),
    sources=("EKS API model in botocore 1.44, CreateNodegroup",),
)
def machine_types_are_few(group: View) -> Verdict:
    """A node group has at most 20 instance types, each listed once."""
    most = limits.find_limit("node_group_instance_types", "aws").most
    count = group.count("instanceTypes")
    if not count:
        return NOT_APPLICABLE
    message = f"{count} instance types are given, and EKS takes {most}"
    return together(
        [
            allow(count <= most, message, hint="Make several node groups.", path="instanceTypes"),
            _once(group.texts("instanceTypes"), "instanceTypes"),
        ]
    )


@RULES.rule(
    "aws-eks-taints-limit",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="EKS rejects more taints, and Kubernetes allows each pair of key and effect once on a node.",
    fix="Leave out taints that repeat a key and an effect, and keep at most 50.",
    reads=("taints[].effect", "taints[].key"),
    sources=("documentation of pulumi-aws 7, eks.NodeGroup", "Kubernetes API, Node"),
)
def taints_are_few_and_once_each(group: View) -> Verdict:
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
        message = f"the taint {pair[0]} has the effect {pair[1]} twice"
        return allow(first, message, hint="Leave one out.", path=taint.at("key"))

    message = f"there are {count} taints, and EKS takes {most}"
    few = allow(count <= most, message, hint="Leave some out.", path="taints")
    return together([few, each(group.blocks("taints"), check)])


@RULES.rule(
    "aws-eks-update-one-bound",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="EKS rejects an update config with both bounds, or with a bound of 0.",
    fix="Set one of maxUnavailable and maxUnavailablePercentage to 1 to 100 in updateConfig.",
    reads=("updateConfig.maxUnavailable", "updateConfig.maxUnavailablePercentage"),
    sources=("EKS API model in botocore 1.44, NodegroupUpdateConfig", "documentation of pulumi-aws 7"),
)
def updates_are_counted_one_way(group: View) -> Verdict:
    """An update is bounded by a number of nodes or by a share of them, and neither is 0."""
    updates = group.block("updateConfig")
    if updates is None:
        return NOT_APPLICABLE
    numbers = [key for key in ("maxUnavailable", "maxUnavailablePercentage") if key in updates]
    message = "both a number of nodes and a share bound the update"
    return together(
        [
            allow(len(numbers) < 2, message, hint="Leave one out.", path="updateConfig"),  # noqa: PLR2004 - both
            *(_some(updates, key) for key in numbers),
        ]
    )


@RULES.rule(
    "aws-eks-repair-one-bound",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="EKS rejects a node repair config with both a count and a percentage for one limit.",
    fix="Leave out either the count or the percentage of each limit in nodeRepairConfig.",
    reads=(
        "nodeRepairConfig.maxParallelNodesRepairedCount",
        "nodeRepairConfig.maxParallelNodesRepairedPercentage",
        "nodeRepairConfig.maxUnhealthyNodeThresholdCount",
    ),
    sources=("EKS API model in botocore 1.44, NodeRepairConfig",),
)
def repairs_are_counted_one_way(group: View) -> Verdict:
    """The repair config of a node group sets each limit as a count or as a percentage, and not as both."""
    repairs = group.block("nodeRepairConfig")
    if repairs is None:
        return NOT_APPLICABLE
    pairs = ("maxParallelNodesRepaired", "maxUnhealthyNodeThreshold")
    return each(
        pairs,
        lambda pair: allow(
            not (f"{pair}Count" in repairs and f"{pair}Percentage" in repairs),
            f"{pair} is given as a number and as a share",
            hint="Leave one out.",
            path=repairs.at(f"{pair}Count"),
        ),
    )


@RULES.rule(
    "aws-instance-type-exists",
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="EC2 has no such instance type, and refuses to launch it.",
    fix="Set the instance type to a size of the family that EC2 lists.",
    reads=("instanceType", "instanceTypes", "launchConfiguration", "launchTemplate.id", "mixedInstancesPolicy"),
    joins=True,
    sources=("EC2 DescribeInstanceTypes (resources of moto 5.2.5)",),
)
def machine_types_have_their_size(starter: View) -> Verdict:
    """An instance type has a size that its family comes in."""

    def check(named: Ec2Type) -> Verdict:
        if not instance_types.has_family(named.name):
            return NOT_APPLICABLE
        if named.facts is not None:
            return PASS
        return _at(named, f"AWS has no instance type {named.name!r}", _near(named.name))

    return each(instance_types_of(starter), check)


@RULES.rule(
    "aws-instance-family-known",
    on=nodes.STARTERS,
    severity=MEDIUM,
    rationale=(
        "The family is misspelled, and EC2 refuses to launch it, or is newer than the catalogue, and the rules on "
        "instance types do not apply."
    ),
    fix="Check the spelling of the instance type against the list of EC2's types.",
    reads=("instanceTypes", "launchConfiguration", "launchTemplate.id", "mixedInstancesPolicy"),
    joins=True,
    sources=("EC2 DescribeInstanceTypes (resources of moto 5.2.5), which may lack what AWS added since",),
)
def machine_types_are_of_a_known_family(starter: View) -> Verdict:
    """An instance type is of an instance family that Penstock's catalogue knows."""

    def check(named: Ec2Type) -> Verdict:
        if instance_types.has_family(named.name):
            return PASS
        return _at(named, f"{named.name!r} is of no instance family that Penstock knows", _near(named.name))

    return each(instance_types_of(starter), check)


@RULES.rule(
    "aws-instance-type-in-region",
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="EC2 does not offer the instance type in the region, so no instance starts.",
    fix="Use an instance type that the region offers, or subnets in a region that offers the type.",
    reads=("instanceTypes", "launchConfiguration", "launchTemplate.id", "subnetIds"),
    joins=True,
    sources=("EC2 DescribeInstanceTypeOfferings (catalogue, aws_offerings)",),
)
def machines_are_sold_in_the_region(starter: View) -> Verdict:
    """The machine is sold in the region of the subnets, where the catalogue knows what is sold there."""

    def check(named: Ec2Type) -> Verdict:
        machine = named.machine
        if machine is None:
            return NOT_APPLICABLE
        for region in {nodes.region_of(zone) for zone in zones_of(starter)} - {None}:
            sold = offerings.offered(region or "", "aws")
            if sold is not None and named.name not in sold:
                elsewhere = [
                    each_.name
                    for each_ in regions.all_regions("aws")
                    if named.name in (offerings.offered(each_.name, "aws") or ())
                ]
                hint = f"Sold in {listed(elsewhere)}." if elsewhere else "No region that Penstock knows sells it."
                return _at(named, f"{named.name} is not sold in {region}", hint)
        return PASS

    return each(instance_types_of(starter), check)


@RULES.rule(
    "aws-eks-node-version-skew",
    on=NODE_GROUP,
    severity=HIGH,
    rationale=(
        "EKS refuses node versions newer than the cluster, and kubelets further behind are outside the supported "
        "version skew."
    ),
    fix="Set version to that of the cluster, or leave version out.",
    reads=("clusterName", "version"),
    joins=True,
    sources=("EKS user guide, node group versions", "Kubernetes version skew policy"),
)
def nodes_are_not_newer_than_their_cluster(group: View) -> Verdict:
    """The Kubernetes version of a node group is that of its cluster, or at most three minor versions older."""
    most = limits.find_limit("kubelet_minor_versions_behind", "aws").most
    version = group.text("version")
    if version is None:
        return NOT_APPLICABLE
    control_plane = nodes.cluster(group).text("version")
    theirs, ours = _minor(control_plane or ""), _minor(version)
    if theirs is None:
        return NOT_APPLICABLE
    if ours is None:
        return fail(f"{version!r} is no version of Kubernetes", hint=f"Such as {control_plane}.", path="version")
    how = "newer than" if ours > theirs else f"more than {most} versions behind"
    message = f"the nodes' version {version} is {how} that of their cluster, {control_plane}"
    hint = f"Use {control_plane}, or leave version out."
    return allow(theirs - most <= ours <= theirs, message, hint=hint, path="version")


@RULES.rule(
    "aws-eks-nodes-in-cluster-vpc",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="CreateNodegroup refuses subnets of another VPC.",
    fix="Set subnetIds to subnets of the cluster's VPC.",
    reads=("clusterName", "subnetIds"),
    joins=True,
    sources=("EKS user guide, network requirements for VPC and subnets",),
)
def nodes_stand_in_the_network_of_their_cluster(group: View) -> Verdict:
    """The subnets of a node group are in the VPC of its cluster."""
    place = nodes.cluster(group).block("vpcConfig")
    if place is None:
        return NOT_APPLICABLE
    home = {_network(inside(subnet)) for subnet in place.many("subnetIds", SUBNET)}

    def check(subnet: View) -> Verdict:
        message = f"subnet {subnet.name} is in another VPC than the cluster"
        return allow(_network(subnet) in home, message, hint="Give subnets of the cluster's VPC.", path="subnetIds")

    return each(subnets_of(group), check)


@RULES.rule(
    "aws-eks-node-group-name",
    on=NODE_GROUP,
    severity=HIGH,
    rationale="CreateNodegroup rejects any other name.",
    fix="Set nodeGroupName to at most 63 letters, digits, '-' and '_', or leave nodeGroupName out.",
    reads=("nodeGroupName",),
    sources=("EKS API model in botocore 1.44, CreateNodegroup", "EKS user guide, managed node groups"),
)
def a_node_group_has_a_name_that_eks_takes(group: View) -> Verdict:
    """The name has up to 63 letters, digits, hyphens and underscores, and starts with a letter or digit."""
    name = group.text("nodeGroupName")
    if name is None:
        return NOT_APPLICABLE
    fits = re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z_-]{0,62}", name) is not None
    message = f"{name!r} cannot be the name of a node group"
    return allow(fits, message, hint="1 to 63 letters, digits, '-' and '_'.", path="nodeGroupName")


@RULES.rule(
    "aws-eks-node-labels",
    on=NODE_GROUP,
    severity=HIGH,
    rationale=(
        "EKS rejects an invalid label value, and a kubelet with a reserved label does not start, so the nodes never "
        "join."
    ),
    fix=(
        "Use a domain of your own or node.kubernetes.io for label keys, and values of at most 63 characters such as "
        '"true".'
    ),
    reads=("labels.pool",),
    sources=("terraform-aws-eks issue 3346", "Kubernetes documentation, kubelet --node-labels"),
)
def labels_are_such_as_a_node_may_have(group: View) -> Verdict:
    """Labels have values of Kubernetes' form, and none is one that only the control plane may set on a node."""
    labels = group.block("labels")
    if labels is None or not list(labels):
        return NOT_APPLICABLE
    return each(list(labels), lambda key: _label(key, labels))


@RULES.rule(
    "aws-eks-machine-support",
    on=NODE_GROUP,
    severity=MEDIUM,
    rationale="The node group is accepted, but its instances do not start or do not join the cluster.",
    fix="Set version to one that the instance type needs, or bring a custom image in a launch template.",
    reads=("amiType", "clusterName", "instanceTypes", "version"),
    sources=("awsome-distributed-ai P6e reference README", "EKS user guide (catalogue)"),
)
def version_and_image_serve_the_machine(group: View) -> Verdict:
    """The Kubernetes version and the image of a node group support its instance type."""
    ami = _ami_type(group)

    def check(named: Ec2Type) -> Verdict:
        limits = eks_machines.limits_of_family(named.name.partition(".")[0])
        oldest = limits.oldest_kubernetes
        if limits.image_lacks and (ami is None or ami.system != "custom"):
            message = f"EKS' images do not start {named.name}: it needs {limits.image_lacks}"
            return fail(message, hint="Bring an image of your own in a launch template.", path="amiType")
        if oldest is None:
            return NOT_APPLICABLE
        version = group.text("version") or nodes.cluster(group).text("version")
        if version is None:
            raise NotKnown
        message = f"{named.name} needs Kubernetes {oldest}, and the nodes are to have {version}"
        return allow(
            (_minor(version) or 0) >= (_minor(oldest) or 0), message, hint=f"Use {oldest} or newer.", path="version"
        )

    return each(instance_types_of(group), check)


def _network(subnet: View) -> str:
    vpc = subnet.found("vpcId", VPC)
    return vpc[0].urn if vpc else subnet.text("vpcId") or ""


def _ami_type(group: View) -> ami_types.AmiType | None:
    name = group.text("amiType")
    try:
        return ami_types.find_ami_type(name) if name is not None else None
    except UnknownFact:
        return None


def _usual_image(architecture: str, accelerator_kind: str | None) -> str:
    drivers = {"gpu": "NVIDIA", "neuron": "NEURON"}.get(accelerator_kind or "", "STANDARD")
    return f"AL2023_{'ARM_64' if architecture == 'arm64' else 'x86_64'}_{drivers}"


def _minor(version: str) -> int | None:
    form = re.fullmatch(r"1\.(\d+)", version)
    return int(form[1]) if form is not None else None


def _some(block: Block, key: str) -> Verdict:
    return allow(block.integer(key) != 0, f"{key} is 0", hint="Use 1 to 100, or leave it out.", path=block.at(key))


def _once(names: Sequence[str], path: str) -> Verdict:
    twice = sorted({name for name in names if names.count(name) > 1})
    return allow(not twice, f"{listed(twice)} is given twice", hint="List each once.", path=path)


def _label(key: str, labels: Block) -> Verdict:
    prefix = key.rpartition("/")[0]
    reserved = re.fullmatch(r"(.+\.)?(kubernetes|k8s)\.io", prefix) is not None
    allowed = not reserved or _OWN_LABELS.fullmatch(prefix) is not None or key in _WELL_KNOWN_LABELS
    message = f"a node may not give itself the label {key}, so that its kubelet does not start"
    hint = "Take a domain of your own, or node.kubernetes.io."
    value = labels.text(key)
    unfit = f"{value!r} is no value of a label" if value else f"EKS asks for a value of the label {key}"
    form = 'Up to 63 letters, digits, "-", "_" and ".", with a letter or digit first and last, such as "true".'
    return together(
        [
            allow(allowed, message, hint=hint, path=labels.at(key)),
            allow(_LABEL_VALUE.fullmatch(value or ""), unfit, hint=form, path=labels.at(key)),
        ]
    )


def _at(named: Ec2Type, message: str, hint: str) -> Verdict:
    return fail(message, hint=hint, path=named.path, urn=named.holder.urn)


def _near(name: str) -> str:
    return did_you_mean(name, instance_types.instance_type_names()) or "See the list of EC2's types."
