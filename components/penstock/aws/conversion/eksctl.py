"""Cluster configurations of eksctl.

Source: eksctl, pkg/apis/eksctl.io/v1alpha5/types.go and its user guide, 2026-10.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from penstock.aws.conversion.eks import put_addons, put_endpoints, put_machine, put_nodes
from penstock.conversion.draft import Draft, taint_of
from penstock.conversion.format import FileFormat, ParsedFile
from penstock.conversion.note import NoteCode
from penstock.conversion.source import Expressions, Fields, Reason, SourceFile
from penstock.description.positions import Path

_ADMIN: Final = "AmazonEKSClusterAdminPolicy"
_MASTERS: Final = "system:masters"
_NAT: Final[Mapping[str, tuple[str, str]]] = {
    "single": ("nat", "single"),
    "highlyavailable": ("nat", "zonal"),
    "disable": ("egress", "none"),
}

_REASONS: Final[Mapping[str, Reason]] = {
    "iam": Reason("Penstock creates the roles of nodes, and gives pods roles by storage and add-on."),
    "ssh": Reason("Nodes have no SSH access.", "Reach a node with `aws ssm start-session`."),
    "amiFamily": Reason("Penstock chooses the EKS image by machine type.", "Set aws.ami_type on the pool."),
    "ami": Reason("Penstock runs EKS images only.", "Set aws.ami_type or aws.release on the pool."),
    "preBootstrapCommands": Reason("Nodes run no commands of their own.", "Use a DaemonSet."),
    "overrideBootstrapCommand": Reason("Nodes run no commands of their own.", "Use a DaemonSet."),
    "kubeletExtraConfig": Reason("Penstock sets the kubelet by itself."),
    "fargateProfiles": Reason("Penstock builds no Fargate profiles.", "Give the pods a node pool."),
    "secretsEncryption": Reason("Penstock encrypts Kubernetes secrets with a key of its own."),
    "nodeRepairConfig": Reason("EKS repairs the nodes of each pool with accelerators."),
    "subnets": Reason("Penstock places pools by zone.", "Set zone, or network.existing to keep a network."),
    "public": Reason("Penstock needs the private subnets of an existing network only."),
    "gitops": Reason("The description has no Flux.", "Install it beside the platform."),
    "securityGroups": Reason("Penstock creates the security groups."),
    "instancePrefix": Reason("Penstock names the machines after the platform."),
    "instanceName": Reason("Penstock names the machines after the platform."),
    "volumeType": Reason("Penstock chooses the type of boot disks."),
    "volumeIOPS": Reason("Penstock chooses the speed of boot disks."),
    "volumeThroughput": Reason("Penstock chooses the speed of boot disks."),
}


def _recognises(data: Mapping[str, Any]) -> bool:
    return str(data.get("apiVersion", "")).startswith("eksctl.io/")


def _read(parsed: ParsedFile) -> Draft:
    source = SourceFile(parsed.file, parsed.data, parsed.places, Expressions(re.compile(r"\$\{?\w")), _REASONS)
    draft = Draft(source, "aws")
    root = source.root
    root.built_in("apiVersion", "kind")
    metadata = root.block("metadata")
    draft.called(metadata.text("name"), metadata.origin("name"))
    draft.put(("cloud", "region"), metadata.text("region"), metadata.origin("region"))
    draft.put(("cluster", "version"), metadata.text("version"), metadata.origin("version"))
    draft.put(("tags",), metadata.labels("tags"), metadata.origin("tags"))
    draft.put(("cloud", "zones"), root.texts("availabilityZones"), root.origin("availabilityZones"))
    _network(draft, root)
    _access(draft, root)
    put_addons(draft, [(each.text("name"), each, "version") for each in root.blocks("addons")])
    for block in ("managedNodeGroups", "nodeGroups"):
        for group in root.blocks(block):
            _pool(draft, group)
    if "karpenter" in root:
        root.block("karpenter")
        draft.put(("cluster", "autoscaling"), "karpenter", root.origin("karpenter"))
    root.block("iam").built_in("withOIDC")
    source.unread()
    return draft


def _network(draft: Draft, root: Fields) -> None:
    if "vpc" not in root:
        return
    vpc = root.block("vpc")
    draft.put(("network", "cidr"), vpc.text("cidr"), vpc.origin("cidr"))
    if "nat" in vpc:
        nat = vpc.block("nat")
        gateway = (nat.text("gateway") or "").lower()
        if gateway in _NAT:
            field, value = _NAT[gateway]
            draft.put(("network", field), value, nat.origin("gateway"))
    if "id" in vpc or "subnets" in vpc:
        _existing(draft, vpc)
    endpoints = vpc.block("clusterEndpoints")
    put_endpoints(draft, endpoints, ("publicAccess",), vpc, ("publicAccessCIDRs",))
    endpoints.built_in("privateAccess")
    if root.block("privateCluster").flag("enabled"):
        draft.put(("network", "egress"), "none", root.origin("privateCluster"))


def _existing(draft: Draft, vpc: Fields) -> None:
    """Adopt a network whose private subnets are named by zone."""
    id_, subnets = vpc.text("id"), {}
    private = vpc.block("subnets").entries("private")
    for name, subnet in private:
        zone, subnet_id = subnet.text("az") or name, subnet.text("id")
        if re.fullmatch(r"[a-z]{2}(-[a-z]+)+-\d[a-z]", zone) and subnet_id:
            subnets[zone] = subnet_id
        else:
            message = "Penstock needs the zone and the id of each private subnet."
            draft.source.note(NoteCode.NOT_TRANSLATED, subnet.path, message, "Set network.existing.subnets.")
    if id_ and subnets:
        draft.put(("network", "existing"), {"id": id_, "subnets": subnets}, vpc.origin("id"))
        draft.platform["network"].pop("cidr", None)
    elif id_:
        message = "An existing network also needs its private subnets by zone."
        draft.source.note(NoteCode.NOT_TRANSLATED, vpc.origin("id"), message, "Set network.existing.")


def _access(draft: Draft, root: Fields) -> None:
    admins = []
    for entry in root.block("accessConfig").blocks("accessEntries"):
        policies = [each.text("policyARN") or "" for each in entry.blocks("accessPolicies")]
        arn = entry.text("principalARN")
        if arn and any(each.endswith(_ADMIN) for each in policies):
            admins.append(arn)
            for each in entry.blocks("accessPolicies"):
                each.built_in("accessScope")
        else:
            message = "Penstock grants access to administrators only."
            draft.source.note(NoteCode.NOT_TRANSLATED, entry.path, message, "Grant it with an EKS access entry.")
    for mapping in root.blocks("iamIdentityMappings"):
        arn, groups = mapping.text("arn"), mapping.texts("groups")
        mapping.built_in("username")
        if arn and _MASTERS in groups:
            admins.append(arn)
        else:
            message = "Penstock grants access to administrators only."
            draft.source.note(NoteCode.NOT_TRANSLATED, mapping.path, message, "Grant it with an EKS access entry.")
    draft.put(("cluster", "admins"), list(dict.fromkeys(admins)))


def _pool(draft: Draft, group: Fields) -> None:
    name = group.text("name") or "pool"
    mixed = group.block("instancesDistribution")
    types = [*group.texts("instanceType"), *group.texts("instanceTypes"), *mixed.texts("instanceTypes")]
    types = [each for each in dict.fromkeys(types) if each != "mixed"]
    path = put_machine(draft, name, group, types, "instanceTypes")
    if path is None:
        return
    put_nodes(draft, path, group, least=("minSize",), most=("maxSize",), start=("desiredCapacity",))
    share = mixed.number("onDemandPercentageAboveBaseCapacity")
    if group.flag("spot") or share == 0:
        draft.put((*path, "capacity"), "spot", group.origin("spot"))
    elif share is not None and "instancesDistribution" in group:
        message = "A pool has one way of buying machines."
        mixed.untranslated("onDemandPercentageAboveBaseCapacity", message, "Add a second pool with capacity: spot.")
    zones = group.texts("availabilityZones")
    if len(zones) == 1:
        draft.put((*path, "zone"), zones[0], group.origin("availabilityZones"))
    elif zones:
        message = "A pool is in one zone or in all zones of the platform."
        group.untranslated("availabilityZones", message, "Set zone, or add a pool for each zone.")
    _reservation(draft, path, group)
    if group.flag("efaEnabled") is False:
        draft.put((*path, "fabric"), "none", group.origin("efaEnabled"))
    size = group.number("volumeSize")
    if size is not None:
        draft.put((*path, "disk"), {"size_gib": size}, group.origin("volumeSize"))
    draft.put((*path, "labels"), group.labels("labels"), group.origin("labels"))
    draft.put((*path, "tags"), group.labels("tags"), group.origin("tags"))
    draft.put((*path, "taints"), _taints(group), group.origin("taints"))
    draft.put((*path, "placement"), group.block("placement").text("groupName"), group.origin("placement"))
    if group.flag("privateNetworking") is False:
        message = "Nodes have no public addresses."
        group.untranslated("privateNetworking", message)
    group.built_in("volumeEncrypted")


def _reservation(draft: Draft, path: Path, group: Fields) -> None:
    target = group.block("capacityReservation").block("capacityReservationTarget")
    id_ = target.text("capacityReservationID")
    block = group.block("instanceMarketOptions").text("marketType") == "capacity-block"
    if id_:
        draft.put(
            (*path, "capacity"), "capacity_block" if block else "reserved", target.origin("capacityReservationID")
        )
        draft.put((*path, "reservation"), id_, target.origin("capacityReservationID"))
    elif block:
        draft.put((*path, "capacity"), "capacity_block", group.origin("instanceMarketOptions"))


def _taints(group: Fields) -> list[Mapping[str, str]]:
    """Return taints, which are a list, or texts `value:effect` by key."""
    found = [taint_of(each.text("key") or "", each.text("value"), each.text("effect")) for each in _listed(group)]
    if not found:
        for key, text in group.labels("taints").items():
            value, _, effect = text.rpartition(":")
            found.append(taint_of(key, value, effect))
    return found


def _listed(group: Fields) -> list[Fields]:
    return group.blocks("taints") if isinstance(group.raw("taints"), list) else []


FORMAT: Final = FileFormat(title="eksctl ClusterConfig", language="yaml", recognises=_recognises, read=_read)
