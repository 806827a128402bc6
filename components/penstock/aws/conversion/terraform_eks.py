"""Calls of the module terraform-aws-modules/eks, with the network of terraform-aws-modules/vpc.

Source: terraform-aws-modules/terraform-aws-eks, variables.tf of v20 and v21; terraform-aws-vpc, variables.tf of v5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from penstock.aws.conversion.eks import put_addons, put_endpoints, put_machine, put_nodes
from penstock.conversion.draft import Draft, taint_of
from penstock.conversion.format import FileFormat, ParsedFile
from penstock.conversion.note import NoteCode
from penstock.conversion.source import Expressions, Fields, Reason, SourceFile
from penstock.description.positions import Path

_EKS: Final = "terraform-aws-modules/eks/aws"
_VPC: Final = "terraform-aws-modules/vpc/aws"
_ADMIN: Final = "AmazonEKSClusterAdminPolicy"
_CAPACITY: Final[Mapping[str, str]] = {"SPOT": "spot", "CAPACITY_BLOCK": "capacity_block"}
_EXPRESSION: Final = re.compile(r"(?<!\$)\$\{|(?<!%)%\{")
_VARIABLE: Final = re.compile(r"\$\{((?:var|local)\.[\w-]+)\}")

_REASONS: Final[Mapping[str, Reason]] = {
    "version": Reason("A description has no modules."),
    "subnet_ids": Reason("Penstock places pools by zone.", "Set zone, or network.existing to keep a network."),
    "control_plane_subnet_ids": Reason("Penstock places the control plane in its own subnets."),
    "vpc_id": Reason("The network must be named with its subnets.", "Set network.existing to keep it."),
    "enable_cluster_creator_admin_permissions": Reason(
        "Penstock names administrators.", "Set cluster.admins to their IAM ARNs."
    ),
    "enable_irsa": Reason("Penstock gives pods roles by EKS Pod Identity."),
    "iam_role_additional_policies": Reason("Penstock creates the roles of nodes."),
    "user_data_template_path": Reason("Nodes run no commands of their own.", "Use a DaemonSet."),
    "cloudinit_pre_nodeadm": Reason("Nodes run no commands of their own.", "Use a DaemonSet."),
    "pre_bootstrap_user_data": Reason("Nodes run no commands of their own.", "Use a DaemonSet."),
    "fargate_profiles": Reason("Penstock builds no Fargate profiles.", "Give the pods a node pool."),
    "self_managed_node_groups": Reason("Penstock builds managed node groups.", "Describe each under node_pools."),
    "private_subnets": Reason("Penstock divides network.cidr into subnets."),
    "public_subnets": Reason("Penstock divides network.cidr into subnets."),
    "intra_subnets": Reason("Penstock divides network.cidr into subnets."),
    "block_device_mappings": Reason("Penstock chooses the type of boot disks.", "Set disk.size_gib on the pool."),
    "node_security_group_additional_rules": Reason("Penstock creates the security groups."),
}


def _recognises(data: Mapping[str, Any]) -> bool:
    calls = data.get("module")
    blocks = calls.values() if isinstance(calls, Mapping) else ()
    return any(str(block.get("source", "")).startswith(_EKS) for each in blocks for block in each)


def _read(parsed: ParsedFile) -> Draft:
    expressions = Expressions(_EXPRESSION, _VARIABLE, parsed.defaults)
    source = SourceFile(parsed.file, parsed.data, parsed.places, expressions, _REASONS)
    draft = Draft(source, "aws")
    root = source.root
    calls = [call for call in _modules(root) if _address(call) == _EKS]
    for provider in _blocks(root, "provider", "aws"):
        draft.put(("cloud", "region"), provider.text("region"), provider.origin("region"))
        tags = [block.labels("tags") for block in provider.blocks("default_tags")]
        draft.put(("tags",), {key: value for each in tags for key, value in each.items()}, provider.path)
    for call in _modules(root):
        if _address(call) == _VPC:
            _network(draft, call)
    _cluster(draft, calls[0])
    root.built_in("terraform", "variable", "locals", "output")
    _leftover(source, root, calls[0].path)
    source.unread()
    return draft


def _address(call: Fields) -> str:
    return str(call.raw("source") or "").partition("//")[0]


def _modules(root: Fields) -> list[Fields]:
    return [call for name in root.block("module").names() for call in root.block("module").blocks(name)]


def _blocks(root: Fields, *labels: str) -> list[Fields]:
    block = root
    for label in labels[:-1]:
        if label not in block:
            return []
        block = block.block(label)
    return block.blocks(labels[-1]) if labels[-1] in block else []


def _leftover(source: SourceFile, root: Fields, own: Path) -> None:
    """Report other blocks by themselves, not field by field."""
    for kind in ("resource", "data"):
        for type_, holder in root.entries(kind) if kind in root else ():
            for name in holder.names():
                source.read((*holder.path, name))
                message = f"A {kind} of Terraform is not translated."
                hint = "Keep it in Terraform, or write it as a Pulumi resource." if kind == "resource" else ""
                source.note(NoteCode.NOT_TRANSLATED, (kind, type_, name), message, hint)
    for call in _modules(root):
        if call.path != own and _address(call) != _VPC:
            source.read(call.path)
            message = (
                "A description has no other modules." if _address(call) != _EKS else "A description has one cluster."
            )
            hint = "Import it into a description of its own." if _address(call) == _EKS else "Keep it in Terraform."
            source.note(NoteCode.NOT_TRANSLATED, call.path, message, hint)


def _network(draft: Draft, call: Fields) -> None:
    draft.put(("network", "cidr"), call.text("cidr"), call.origin("cidr"))
    draft.put(("cloud", "zones"), call.texts("azs"), call.origin("azs"))
    if call.flag("enable_nat_gateway") is False:
        draft.put(("network", "egress"), "none", call.origin("enable_nat_gateway"))
    if call.flag("single_nat_gateway"):
        draft.put(("network", "nat"), "single", call.origin("single_nat_gateway"))
    elif call.flag("one_nat_gateway_per_az"):
        draft.put(("network", "nat"), "zonal", call.origin("one_nat_gateway_per_az"))
    call.built_in("source", "version", "name", "enable_dns_hostnames", "enable_dns_support")
    call.built_in("public_subnet_tags", "private_subnet_tags", "tags")


def _cluster(draft: Draft, call: Fields) -> None:
    call.built_in("source", "version", "create", "create_kms_key", "authentication_mode")
    draft.called(call.text("name", "cluster_name"), call.origin("name", "cluster_name"))
    version = call.text("kubernetes_version", "cluster_version")
    draft.put(("cluster", "version"), version, call.origin("kubernetes_version", "cluster_version"))
    draft.put(("tags",), {**draft.platform["tags"], **call.labels("tags")}, call.origin("tags"))
    public = ("endpoint_public_access", "cluster_endpoint_public_access")
    put_endpoints(draft, call, public, call, tuple(f"{name}_cidrs" for name in public))
    call.built_in("endpoint_private_access", "cluster_endpoint_private_access")
    if "addons" in call or "cluster_addons" in call:
        versions = call.entries("addons", "cluster_addons")
        put_addons(draft, [(name, block, "addon_version") for name, block in versions])
    _admins(draft, call)
    shared = call.block("eks_managed_node_group_defaults") if "eks_managed_node_group_defaults" in call else None
    for name, group in call.entries("eks_managed_node_groups", defaults=shared):
        _pool(draft, name, group)


def _admins(draft: Draft, call: Fields) -> None:
    admins = []
    for _, entry in call.entries("access_entries"):
        arn = entry.text("principal_arn")
        policies = [policy for _, policy in entry.entries("policy_associations")]
        full = any((policy.text("policy_arn") or "").endswith(_ADMIN) for policy in policies)
        for policy in policies:
            policy.built_in("access_scope")
        entry.built_in("kubernetes_groups")
        if arn and full:
            admins.append(arn)
        else:
            message = "Penstock grants access to administrators only."
            draft.source.note(NoteCode.NOT_TRANSLATED, entry.path, message, "Grant it with an EKS access entry.")
    draft.put(("cluster", "admins"), list(dict.fromkeys(admins)), call.origin("access_entries"))


def _pool(draft: Draft, name: str, group: Fields) -> None:
    path = put_machine(draft, group.text("name") or name, group, group.texts("instance_types"), "instance_types")
    if path is None:
        return
    group.built_in("use_name_prefix", "create", "use_custom_launch_template", "disk_type")
    put_nodes(draft, path, group, least=("min_size",), most=("max_size",), start=("desired_size",))
    bought = group.text("capacity_type")
    draft.put((*path, "capacity"), _CAPACITY.get(bought or ""), group.origin("capacity_type"))
    _reservation(draft, path, group)
    if group.flag("enable_efa_support") is False:
        draft.put((*path, "fabric"), "none", group.origin("enable_efa_support"))
    size = group.number("disk_size")
    if size is not None:
        draft.put((*path, "disk"), {"size_gib": size}, group.origin("disk_size"))
    draft.put((*path, "aws", "ami_type"), group.text("ami_type"), group.origin("ami_type"))
    draft.put((*path, "labels"), group.labels("labels"), group.origin("labels"))
    draft.put((*path, "tags"), group.labels("tags"), group.origin("tags"))
    draft.put((*path, "taints"), list(_taints(group)), group.origin("taints"))


def _reservation(draft: Draft, path: Path, group: Fields) -> None:
    for specification in group.blocks("capacity_reservation_specification"):
        for target in specification.blocks("capacity_reservation_target"):
            id_ = target.text("capacity_reservation_id")
            if id_:
                draft.put((*path, "reservation"), id_, target.origin("capacity_reservation_id"))
                if group.text("capacity_type") != "CAPACITY_BLOCK":
                    draft.put((*path, "capacity"), "reserved", target.origin("capacity_reservation_id"))
    for market in group.blocks("instance_market_options"):
        if market.text("market_type") == "capacity-block":
            draft.put((*path, "capacity"), "capacity_block", market.origin("market_type"))


def _taints(group: Fields) -> Iterator[Mapping[str, str]]:
    """Yield taints, which are a mapping in newer versions of the module and a list in older ones."""
    taints = (
        group.blocks("taints") if isinstance(group.raw("taints"), list) else [t for _, t in group.entries("taints")]
    )
    for each in taints:
        yield taint_of(each.text("key") or "", each.text("value"), each.text("effect"))


FORMAT: Final = FileFormat(
    title="Terraform call of terraform-aws-modules/eks", language="hcl", recognises=_recognises, read=_read
)
