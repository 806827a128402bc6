"""Launch templates: what EC2 and EKS take in them, and what a node group must then leave to them."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error

from penstock.catalog import limits
from penstock.catalog.aws import ami_types
from penstock.errors import UnknownFact
from penstock.findings import Severity
from penstock.resources.verdict import NOT_APPLICABLE, PASS, Verdict, allow, fail, together
from penstock.resources.view import View
from penstock.rules.aws import nodes
from penstock.rules.aws.types import INSTANCE, LAUNCH_TEMPLATE, NODE_GROUP
from penstock.rules.rule import rule

_GUIDE = "EKS user guide, customise managed nodes with launch templates"
_JOINS = ("apiServerEndpoint", "certificateAuthority", "cidr", "name")
"""What nodeadm must know of a cluster (awslabs/amazon-eks-ami, nodeadm API, ClusterDetails)."""


@rule("AWS-TEMPLATE-001", on=NODE_GROUP, source=_GUIDE)
def a_template_leaves_to_eks_what_eks_sets(group: View) -> Verdict:
    """The template of a node group names no instance profile, subnet, shutdown behaviour or hibernation."""
    template = nodes.template(group)
    if template is None:
        return NOT_APPLICABLE
    hibernation = template.block("hibernationOptions")
    set_here = [
        *(key for key in ("iamInstanceProfile", "instanceInitiatedShutdownBehavior") if key in template),
        *(["hibernationOptions"] if hibernation is not None and hibernation.flag("configured") else []),
        *(card.at("subnetId") for card in template.blocks("networkInterfaces") if "subnetId" in card),
    ]
    return together([PASS, *(_not_for_node_groups(path, template, group) for path in set_here)])


@rule("AWS-TEMPLATE-002", on=NODE_GROUP, source=f"EKS API model in botocore 1.44, CreateNodegroup; {_GUIDE}")
def disks_and_shells_are_set_in_the_template(group: View) -> Verdict:
    """A node group with a launch template sets neither diskSize nor remoteAccess: the template does."""
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


@rule("AWS-TEMPLATE-003", on=NODE_GROUP, source=f"EKS API model in botocore 1.44, CreateNodegroup; {_GUIDE}")
def an_image_of_ones_own_replaces_the_choice_of_eks(group: View) -> Verdict:
    """A node group whose template brings an image names no AMI type but CUSTOM, no version and no release."""
    template = nodes.template(group)
    if template is None or not _own_image(template):
        return NOT_APPLICABLE
    wrong = [key for key in ("version", "releaseVersion") if key in group]
    if group.text("amiType") not in (None, "CUSTOM"):
        wrong.append("amiType")
    message = "the launch template brings an image, so that EKS refuses {} here"
    return together([PASS, *(fail(message.format(key), hint=f"Leave {key} out.", path=key) for key in wrong)])


@rule("AWS-TEMPLATE-004", on=NODE_GROUP, source=f"{_GUIDE}; awslabs/amazon-eks-ami, nodeadm API")
def an_image_of_ones_own_is_told_its_cluster(group: View) -> Verdict:
    """A template with an image of its own says in its user data which cluster to join: EKS adds nothing to it."""
    template = nodes.template(group)
    if template is None or not _own_image(template):
        return NOT_APPLICABLE
    if "userData" not in template:
        message = "machines never join: the image is not EKS' own, and no user data names the cluster"
        hint = "Give a NodeConfig with the cluster's name, apiServerEndpoint, certificateAuthority and cidr."
        return fail(message, hint=hint, path="userData", urn=template.urn)
    text = _decoded(template.text("userData") or "")
    missing = [key for key in _JOINS if text is not None and "NodeConfig" in text and not _has_key(key, text)]
    if not missing:
        return PASS
    message = f"machines never join: their NodeConfig lacks {', '.join(missing)} of the cluster"
    return fail(message, hint=f"Add {', '.join(missing)} under spec.cluster.", path="userData", urn=template.urn)


@rule(
    "AWS-TEMPLATE-005",
    on=LAUNCH_TEMPLATE,
    source="EC2 user guide, instance user data; EC2 API, RequestLaunchTemplateData",
)
def user_data_is_base64_and_not_too_long(template: View) -> Verdict:
    """User data is base64 text of 16,384 bytes at most."""
    most = limits.find_limit("user_data_bytes", "aws").most
    encoded = template.text("userData")
    if not encoded:
        return NOT_APPLICABLE
    data = _bytes(encoded)
    if data is None:
        hint = "Encode it: base64.b64encode(text.encode()).decode()."
        return fail("the user data is not base64, which EC2 asks for", hint=hint, path="userData")
    return allow(
        len(data) <= most,
        f"the user data has {len(data)} bytes, and EC2 takes {most}",
        hint="Fetch what is long from a bucket when the machine starts.",
        path="userData",
    )


@rule("AWS-TEMPLATE-006", on=NODE_GROUP, source=_GUIDE)
def user_data_can_be_merged(group: View) -> Verdict:
    """User data beside an image of EKS is a MIME document for Amazon Linux, and TOML for Bottlerocket."""
    template = nodes.template(group)
    if template is None or _own_image(template):
        return NOT_APPLICABLE
    text = _decoded(template.text("userData") or "")
    if not text:
        return NOT_APPLICABLE
    system = _system(group.text("amiType"))
    mime = re.match(r"\s*(MIME-Version|Content-Type)\s*:", text, re.IGNORECASE) is not None
    if system == "bottlerocket":
        hint = "Write settings, such as [settings.kubernetes]."
        message = "Bottlerocket reads TOML, and this user data is a MIME document"
        return PASS if not mime else fail(message, hint=hint, path="userData", urn=template.urn)
    if system in ("windows", "custom") or mime:
        return PASS
    message = "EKS puts its own part before user data that is a MIME document, and refuses any other"
    hint = "Begin with MIME-Version: 1.0 and Content-Type: multipart/mixed, and put the text into a part."
    return fail(message, hint=hint, path="userData", urn=template.urn)


@rule("AWS-TEMPLATE-007", on=LAUNCH_TEMPLATE, source=f"EC2 API, RunInstances; {_GUIDE}")
def security_groups_stand_in_one_place(template: View) -> Verdict:
    """A template that lists interfaces gives security groups to each of them, and none to the machine."""
    groups = template.count("vpcSecurityGroupIds") or template.count("securityGroupNames")
    if not groups:
        return NOT_APPLICABLE
    return allow(
        not template.count("networkInterfaces"),
        "EC2 refuses security groups of the machine beside a list of network interfaces",
        hint="Move them to networkInterfaces[].securityGroups.",
        path="vpcSecurityGroupIds" if template.count("vpcSecurityGroupIds") else "securityGroupNames",
    )


@rule("AWS-TEMPLATE-008", on=(LAUNCH_TEMPLATE, INSTANCE), source="EC2 API model in botocore 1.44, metadata options")
def metadata_travels_a_number_of_hops_that_ec2_takes(holder: View) -> Verdict:
    """Answers of the metadata endpoint travel 1 to 64 hops."""
    most = limits.find_limit("metadata_hops", "aws").most
    options = holder.block("metadataOptions")
    if options is None:
        return NOT_APPLICABLE
    hops = options.integer("httpPutResponseHopLimit")
    return allow(
        hops is None or 1 <= hops <= most,
        f"a hop limit of {hops} is none of 1 to {most}",
        hint="1 keeps pods away from the machine's role, 2 lets them have it.",
        path=options.at("httpPutResponseHopLimit"),
    )


@rule(
    "AWS-TEMPLATE-009", on=NODE_GROUP, source="awslabs/amazon-eks-ami, nodeadm reads the instance's identity from IMDS"
)
def nodes_can_ask_who_they_are(group: View) -> Verdict:
    """The template of a node group leaves the metadata endpoint on, without which no node joins."""
    template = nodes.template(group)
    options = template.block("metadataOptions") if template is not None else None
    if template is None or options is None:
        return NOT_APPLICABLE
    if options.text("httpEndpoint") != "disabled":
        return PASS
    message = "nodes never join: they learn from the metadata endpoint who they are, and it is disabled"
    hint = "Set httpEndpoint to enabled, with httpTokens required."
    return fail(message, hint=hint, path=options.at("httpEndpoint"), urn=template.urn)


@rule(
    "AWS-TEMPLATE-010",
    on=(LAUNCH_TEMPLATE, INSTANCE),
    severity=Severity.WARNING,
    source="EC2 user guide, use IMDSv2; EKS best practices guide, security",
)
def metadata_asks_for_tokens(holder: View) -> Verdict:
    """The metadata endpoint answers to tokens only, so that a fooled web server cannot give away the machine's role."""
    options = holder.block("metadataOptions")
    tokens = options.text("httpTokens") if options is not None else None
    if options is None or tokens is None or options.text("httpEndpoint") == "disabled":
        return NOT_APPLICABLE
    message = "the metadata endpoint answers without a token"
    return allow(tokens != "optional", message, hint="Set httpTokens to required.", path=options.at("httpTokens"))


@rule("AWS-TEMPLATE-011", on=nodes.STARTERS, source="EC2 API model in botocore 1.44, LaunchTemplateSpecification")
def a_template_goes_by_id_or_by_name(starter: View) -> Verdict:
    """A launch template is named by its id or by its name, and not by both or neither."""
    reference = starter.block("launchTemplate")
    if reference is None:
        return NOT_APPLICABLE
    given = [key for key in ("id", "name") if key in reference]
    what = "both id and name are" if given else "neither id nor name is"
    return allow(len(given) == 1, f"{what} given of the launch template", hint="Give its id.", path="launchTemplate")


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
