"""Images of EKS node groups: the AMI type and the Kubernetes version that fit the instance types."""

from __future__ import annotations

from penstock.aws.facts import ami_types, eks_machines
from penstock.aws.model.ec2 import Ec2Type, instance_types_of
from penstock.aws.model.launch_templates import template_of
from penstock.aws.rules import nodes
from penstock.aws.types import EKS_NODE_GROUP
from penstock.catalog import limits
from penstock.core.errors import UnknownFact
from penstock.core.versions import find_minor, minor
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale=(
        "An image for another architecture does not start the instance, and an image without the right drivers leaves "
        "accelerators unusable."
    ),
    fix="Set amiType to one for the instances' architecture and accelerator, such as AL2023_x86_64_NVIDIA.",
    joins=True,
    sources=("EKS API model in botocore 1.44, CreateNodegroup", "EKS user guide, choosing an instance type"),
)
def aws_eks_ami_type_fits(group: View) -> Verdict:
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
    on=EKS_NODE_GROUP,
    severity=MEDIUM,
    rationale="The default image does not start ARM instances, and has no drivers for accelerators.",
    fix="Set amiType to one for the instances' architecture and accelerator, such as AL2023_ARM_64_NVIDIA.",
    joins=True,
    sources=("[?] inferred: EKS' default image has no drivers",),
)
def aws_eks_ami_type_set(group: View) -> Verdict:
    """A node group of accelerated or ARM instances sets its AMI type."""
    template = template_of(group)
    if "amiType" in group or (template is not None and "imageId" in template):
        return NOT_APPLICABLE

    def check(named: Ec2Type) -> Verdict:
        facts = named.facts
        if facts is None or (facts.accelerator_kind is None and facts.architecture == "x86_64"):
            return PASS
        right = _usual_image(facts.architecture, facts.accelerator_kind)
        message = f"amiType is not set, and the default image does not start {named.name} or has no drivers"
        return fail(message, hint=f"Set amiType to {right}.", path="amiType")

    return each(instance_types_of(group), check)


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=MEDIUM,
    rationale="No image of this type exists for the version, so the node group cannot be created or updated.",
    fix="Set amiType to the AL2023 type for the same processor and accelerator.",
    joins=True,
    sources=("awslabs/amazon-eks-ami README: Amazon Linux 2 images end on 2025-11-26",),
)
def aws_eks_ami_type_published(group: View) -> Verdict:
    """AWS publishes the AMI type of a node group for its Kubernetes version."""
    ami = _ami_type(group)
    if ami is None or ami.newest_kubernetes is None:
        return NOT_APPLICABLE if ami is None else PASS
    version = group.text("version") or nodes.cluster(group).text("version")
    found = find_minor(version)
    if found is None:
        raise NotKnown
    newest = ami.newest_kubernetes
    message = f"AWS publishes {ami.name} up to Kubernetes {newest}; the node group has {version}"
    hint = f"Use {ami.name.replace('AL2_', 'AL2023_').replace('_GPU', '_NVIDIA')}."
    return allow(found <= minor(newest), message, hint=hint, path="amiType")


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale=(
        "EKS refuses node versions newer than the cluster, and kubelets further behind are outside the supported "
        "version skew."
    ),
    fix="Set version to that of the cluster, or leave version out.",
    joins=True,
    sources=("EKS user guide, node group versions", "Kubernetes version skew policy"),
)
def aws_eks_node_version_skew(group: View) -> Verdict:
    """The Kubernetes version of a node group is that of its cluster, or at most three minor versions older."""
    most = limits.find_limit("kubelet_minor_versions_behind", "aws").most
    version = group.text("version")
    if version is None:
        return NOT_APPLICABLE
    control_plane = nodes.cluster(group).text("version")
    theirs, ours = find_minor(control_plane), find_minor(version)
    if theirs is None:
        return NOT_APPLICABLE
    if ours is None or str(ours) != version:
        return fail(f"{version!r} is not a version of Kubernetes", hint=f"Such as {control_plane}.", path="version")
    how = "newer than" if ours > theirs else f"more than {most} versions behind"
    message = f"the node group's version {version} is {how} the cluster's, {control_plane}"
    hint = f"Use {control_plane}, or leave version out."
    return allow(theirs.later(-most) <= ours <= theirs, message, hint=hint, path="version")


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=MEDIUM,
    rationale="The node group is accepted, but its instances do not start or do not join the cluster.",
    fix="Set version to one that the instance type needs, or bring a custom image in a launch template.",
    sources=("awsome-distributed-ai P6e reference README", "EKS user guide (catalogue)"),
)
def aws_eks_machine_support(group: View) -> Verdict:
    """The Kubernetes version and the image of a node group support its instance type."""
    ami = _ami_type(group)

    def check(named: Ec2Type) -> Verdict:
        limits = eks_machines.limits_of_family(named.name.partition(".")[0])
        oldest = limits.oldest_kubernetes
        if limits.image_lacks and (ami is None or ami.system != "custom"):
            message = f"EKS' images do not start {named.name}, which needs {limits.image_lacks}"
            return fail(message, hint="Set a custom image in a launch template.", path="amiType")
        if oldest is None:
            return NOT_APPLICABLE
        version = group.text("version") or nodes.cluster(group).text("version")
        if version is None:
            raise NotKnown
        message = f"{named.name} needs Kubernetes {oldest}; the node group has {version}"
        found = find_minor(version)
        enough = found is not None and found >= minor(oldest)
        return allow(enough, message, hint=f"Use {oldest} or newer.", path="version")

    return each(instance_types_of(group), check)


def _ami_type(group: View) -> ami_types.AmiType | None:
    name = group.text("amiType")
    try:
        return ami_types.find_ami_type(name) if name is not None else None
    except UnknownFact:
        return None


def _usual_image(architecture: str, accelerator_kind: str | None) -> str:
    drivers = {"gpu": "NVIDIA", "neuron": "NEURON"}.get(accelerator_kind or "", "STANDARD")
    return f"AL2023_{'ARM_64' if architecture == 'arm64' else 'x86_64'}_{drivers}"
