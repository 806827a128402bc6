"""Launch templates: what EC2 and EKS take in them, and what a node group must then leave to them."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error

from penstock.aws.facts import ami_types
from penstock.aws.model.launch_templates import template_of
from penstock.aws.rules import nodes
from penstock.aws.types import EC2_INSTANCE, EC2_LAUNCH_TEMPLATE, EKS_NODE_GROUP
from penstock.catalog import limits
from penstock.core.errors import UnknownFact
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, fail, together
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_JOINS = ("apiServerEndpoint", "certificateAuthority", "cidr", "name")
"""What nodeadm must know of a cluster (awslabs/amazon-eks-ami, nodeadm API, ClusterDetails)."""


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="EKS sets these itself, and CreateNodegroup refuses a launch template that does.",
    fix=(
        "Leave iamInstanceProfile, networkInterfaces[].subnetId, instanceInitiatedShutdownBehavior and "
        "hibernationOptions out of the launch template."
    ),
    joins=True,
    sources=("EKS user guide, customise managed nodes with launch templates",),
)
def aws_eks_template_reserved_fields(group: View) -> Verdict:
    """The launch template of a node group sets no instance profile, subnet, shutdown behavior or hibernation."""
    template = template_of(group)
    if template is None:
        return NOT_APPLICABLE
    hibernation = template.block("hibernationOptions")
    set_here = [
        *(key for key in ("iamInstanceProfile", "instanceInitiatedShutdownBehavior") if key in template),
        *(["hibernationOptions"] if hibernation is not None and hibernation.flag("configured") else []),
        *(card.at("subnetId") for card in template.blocks("networkInterfaces") if "subnetId" in card),
    ]
    return together([PASS, *(_not_for_node_groups(path, template, group) for path in set_here)])


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="CreateNodegroup refuses diskSize and remoteAccess beside a launch template.",
    fix="Set blockDeviceMappings[].ebs.volumeSize, keyName and security groups in the launch template instead.",
    sources=(
        "EKS API model in botocore 1.44, CreateNodegroup",
        "EKS user guide, customise managed nodes with launch templates",
    ),
)
def aws_eks_template_disk_and_ssh(group: View) -> Verdict:
    """A node group with a launch template sets neither diskSize nor remoteAccess on itself."""
    if group.block("launchTemplate") is None:
        return NOT_APPLICABLE
    wrong = [key for key in ("diskSize", "remoteAccess") if group.value(key) is not None]
    hints = {
        "diskSize": "Set blockDeviceMappings[0].ebs.volumeSize in the template.",
        "remoteAccess": "Set keyName and security groups in the template.",
    }
    return together(
        [PASS, *(fail(f"EKS refuses {key} beside a launch template", hint=hints[key], path=key) for key in wrong)]
    )


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale=(
        "CreateNodegroup refuses version, releaseVersion and any other AMI type beside an image in the launch template."
    ),
    fix="Leave version, releaseVersion and amiType out of the node group.",
    joins=True,
    sources=(
        "EKS API model in botocore 1.44, CreateNodegroup",
        "EKS user guide, customise managed nodes with launch templates",
    ),
)
def aws_eks_custom_ami_no_version(group: View) -> Verdict:
    """A node group whose launch template has an image sets no version, release or AMI type other than CUSTOM."""
    template = template_of(group)
    if template is None or not _own_image(template):
        return NOT_APPLICABLE
    wrong = [key for key in ("version", "releaseVersion") if key in group]
    if group.text("amiType") not in (None, "CUSTOM"):
        wrong.append("amiType")
    message = "the launch template sets imageId, so EKS refuses {} here"
    return together([PASS, *(fail(message.format(key), hint=f"Leave {key} out.", path=key) for key in wrong)])


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale="EKS adds nothing to the user data of a custom image, so the nodes start and never join the cluster.",
    fix="Set userData to a NodeConfig with name, apiServerEndpoint, certificateAuthority and cidr under spec.cluster.",
    joins=True,
    sources=("EKS user guide, customise managed nodes with launch templates", "awslabs/amazon-eks-ami, nodeadm API"),
)
def aws_eks_custom_ami_user_data(group: View) -> Verdict:
    """A launch template with a custom image names the cluster to join in its user data."""
    template = template_of(group)
    if template is None or not _own_image(template):
        return NOT_APPLICABLE
    if "userData" not in template:
        message = "nodes never join: the image is custom, and no user data names the cluster"
        hint = "Set a NodeConfig with the cluster's name, apiServerEndpoint, certificateAuthority and cidr."
        return fail(message, hint=hint, path="userData", urn=template.urn)
    text = _decoded(template.text("userData") or "")
    missing = [key for key in _JOINS if text is not None and "NodeConfig" in text and not _has_key(key, text)]
    if not missing:
        return PASS
    message = f"nodes never join: their NodeConfig lacks {', '.join(missing)} of the cluster"
    return fail(message, hint=f"Add {', '.join(missing)} under spec.cluster.", path="userData", urn=template.urn)


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale="EC2 rejects user data that is not base64 or is too long.",
    fix="Encode userData in base64, and fetch long content from a bucket at launch.",
    sources=("EC2 user guide, instance user data", "EC2 API, RequestLaunchTemplateData"),
)
def aws_lt_user_data_base64(template: View) -> Verdict:
    """User data of a launch template is base64 text of at most 16,384 bytes before encoding."""
    most = limits.find_limit("user_data_bytes", "aws").most
    encoded = template.text("userData")
    if not encoded:
        return NOT_APPLICABLE
    data = _bytes(encoded)
    if data is None:
        hint = "Encode it: base64.b64encode(text.encode()).decode()."
        return fail("userData is not base64, which EC2 requires", hint=hint, path="userData")
    return allow(
        len(data) <= most,
        f"userData has {len(data)} bytes; EC2 allows {most}",
        hint="Fetch long scripts from a bucket when the instance starts.",
        path="userData",
    )


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale=(
        "EKS merges its own user data with a MIME document only and refuses any other text, and Bottlerocket cannot "
        "read a MIME document."
    ),
    fix=(
        "Begin userData with MIME-Version: 1.0 and Content-Type: multipart/mixed, or write TOML settings for "
        "Bottlerocket."
    ),
    joins=True,
    sources=("EKS user guide, customise managed nodes with launch templates",),
)
def aws_eks_user_data_format(group: View) -> Verdict:
    """User data beside an EKS image is a MIME document for Amazon Linux, and TOML for Bottlerocket."""
    template = template_of(group)
    if template is None or _own_image(template):
        return NOT_APPLICABLE
    text = _decoded(template.text("userData") or "")
    if not text:
        return NOT_APPLICABLE
    system = _system(group.text("amiType"))
    mime = re.match(r"\s*(MIME-Version|Content-Type)\s*:", text, re.IGNORECASE) is not None
    if system == "bottlerocket":
        hint = "Write settings, such as [settings.kubernetes]."
        message = "Bottlerocket reads TOML, and userData is a MIME document"
        return PASS if not mime else fail(message, hint=hint, path="userData", urn=template.urn)
    if system in ("windows", "custom") or mime:
        return PASS
    message = "EKS merges its own part into a MIME document, and refuses userData of any other form"
    hint = "Begin with MIME-Version: 1.0 and Content-Type: multipart/mixed, and put the text into a part."
    return fail(message, hint=hint, path="userData", urn=template.urn)


@RULES.rule(
    on=EC2_LAUNCH_TEMPLATE,
    severity=HIGH,
    rationale="EC2 refuses security groups on the instance beside a list of network interfaces.",
    fix="Move vpcSecurityGroupIds and securityGroupNames to networkInterfaces[].securityGroups.",
    sources=("EC2 API, RunInstances", "EKS user guide, customise managed nodes with launch templates"),
)
def aws_lt_sg_on_interfaces(template: View) -> Verdict:
    """A launch template that lists interfaces sets security groups on the interfaces, not on the instance."""
    groups = template.count("vpcSecurityGroupIds") or template.count("securityGroupNames")
    if not groups:
        return NOT_APPLICABLE
    return allow(
        not template.count("networkInterfaces"),
        "EC2 refuses security groups of the instance beside a list of network interfaces",
        hint="Move them to networkInterfaces[].securityGroups.",
        path="vpcSecurityGroupIds" if template.count("vpcSecurityGroupIds") else "securityGroupNames",
    )


@RULES.rule(
    on=(EC2_LAUNCH_TEMPLATE, EC2_INSTANCE),
    severity=HIGH,
    rationale="EC2 rejects a hop limit outside this range.",
    fix=(
        "Set metadataOptions.httpPutResponseHopLimit to 1 to keep pods away from the instance role, or to 2 to let "
        "them use it."
    ),
    sources=("EC2 API model in botocore 1.44, metadata options",),
)
def aws_imds_hop_range(holder: View) -> Verdict:
    """The hop limit of the instance metadata endpoint is 1 to 64."""
    most = limits.find_limit("metadata_hops", "aws").most
    options = holder.block("metadataOptions")
    if options is None:
        return NOT_APPLICABLE
    hops = options.integer("httpPutResponseHopLimit")
    return allow(
        hops is None or 1 <= hops <= most,
        f"httpPutResponseHopLimit {hops} is not within 1 to {most}",
        hint="1 keeps pods away from the instance role, 2 gives them access.",
        path=options.at("httpPutResponseHopLimit"),
    )


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=HIGH,
    rationale=(
        "Nodes read their identity from the metadata endpoint, so without it they start and never join the cluster."
    ),
    fix="Set metadataOptions.httpEndpoint to enabled, with httpTokens required.",
    joins=True,
    sources=("awslabs/amazon-eks-ami, nodeadm reads the instance's identity from IMDS",),
)
def aws_eks_imds_enabled(group: View) -> Verdict:
    """The launch template of a node group leaves the instance metadata endpoint enabled."""
    template = template_of(group)
    options = template.block("metadataOptions") if template is not None else None
    if template is None or options is None:
        return NOT_APPLICABLE
    if options.text("httpEndpoint") != "disabled":
        return PASS
    message = "nodes never join: they read their identity from the metadata endpoint, which is disabled"
    hint = "Set httpEndpoint to enabled, with httpTokens required."
    return fail(message, hint=hint, path=options.at("httpEndpoint"), urn=template.urn)


@RULES.rule(
    on=nodes.STARTERS,
    severity=HIGH,
    rationale="EC2 rejects a launch template specification with both or neither.",
    fix="Set launchTemplate.id, and leave launchTemplate.name out.",
    sources=("EC2 API model in botocore 1.44, LaunchTemplateSpecification",),
)
def aws_lt_id_or_name(starter: View) -> Verdict:
    """A launch template is referenced by its id or by its name, and not by both or neither."""
    reference = starter.block("launchTemplate")
    if reference is None:
        return NOT_APPLICABLE
    given = [key for key in ("id", "name") if key in reference]
    what = "both id and name are" if given else "neither id nor name is"
    return allow(
        len(given) == 1, f"{what} set of the launch template", hint="Set launchTemplate.id.", path="launchTemplate"
    )


def _not_for_node_groups(path: str, template: View, group: View) -> Verdict:
    message = f"the node group {group.name} sets {path.rpartition('.')[2]} itself, and refuses a template that does"
    return fail(message, hint=f"Leave {path} out of the template.", path=path, urn=template.urn)


def _own_image(template: View) -> bool:
    return "imageId" in template


def _system(ami_type: str | None) -> str:
    try:
        return ami_types.find_ami_type(ami_type).system if ami_type is not None else "al2023"
    except UnknownFact:
        return "custom"


def _bytes(encoded: str) -> bytes | None:
    try:
        return b64decode("".join(encoded.split()), validate=True)
    except (Error, ValueError):
        return None


def _decoded(encoded: str) -> str | None:
    data = _bytes(encoded)
    return None if data is None else data.decode(errors="replace")


def _has_key(key: str, text: str) -> bool:
    return re.search(rf"""["']?\b{key}\b["']?\s*:""", text) is not None
