"""The endpoint of an EKS cluster: one name, which leads to public addresses, private ones or both."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from penstock.aws.model.launch_templates import inside
from penstock.aws.types import (
    EC2_INSTANCE,
    EC2_SECURITY_GROUP,
    EC2_SUBNET,
    EC2_VPC,
    EKS_ADDON,
    EKS_CLUSTER,
    VPC_SECURITY_GROUP_INGRESS_RULE,
)
from penstock.core.cidr import overlaps
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View
from penstock.model.endpoints.endpoint import ClusterApi, Endpoint
from penstock.model.endpoints.enforcement import PolicyEngine, no_engine
from penstock.model.endpoints.machines import MachineKind
from penstock.model.openings.addresses import is_private, networks_of

CLUSTER: Final = EKS_CLUSTER
NETWORK: Final = EC2_VPC

_CONFIG_MAP: Final = "kubernetes:core/v1:ConfigMap"
_CNI: Final = "vpc-cni"
_SETTING: Final = "enableNetworkPolicy"
_FIRST_VERSION: Final = (1, 14)
"""The first version of the VPC CNI that enforces network policies (EKS user guide, cni-network-policy)."""
_CONTROLLER: Final = ("amazon-vpc-cni", "enable-network-policy-controller")
"""The ConfigMap by which EKS Auto Mode starts its network policy controller, and the key."""

HOLDERS: Final = {EC2_SUBNET: ("vpcId", EC2_VPC), EC2_SECURITY_GROUP: ("vpcId", EC2_VPC)}
"""The property by which something in a network names that network, and the network's type."""


def cluster_api(cluster: View) -> ClusterApi:
    """Read the API of an EKS cluster, which is public to everybody where nothing is set."""
    place = cluster.block("vpcConfig")
    if place is None:
        raise NotKnown
    endpoints = [Endpoint("private")] if place.flag("endpointPrivateAccess") else []
    if place.flag("endpointPublicAccess") is not False:
        endpoints.append(Endpoint("public", _ranges(place)))
    return ClusterApi(
        cluster,
        tuple(endpoints),
        place.at("endpointPublicAccess"),
        "set vpcConfig.endpointPublicAccess to true and publicAccessCidrs to the ranges that Pulumi runs from",
        _network,
    )


def policy_engine(cluster: View) -> PolicyEngine:
    """Return what enforces the network policies of an EKS cluster by its own settings.

    Raises:
        NotKnown: the cluster has no VPC CNI that the program shows.
    """
    compute = cluster.block("computeConfig")
    if compute is not None and compute.flag("enabled"):
        return _of_auto_mode(cluster)
    addons = [each for each in cluster.referrers(EKS_ADDON, "clusterName") if each.text("addonName") == _CNI]
    if addons:
        return _of_addon(addons[0])
    if cluster.flag("bootstrapSelfManagedAddons") is False:
        raise NotKnown
    return no_engine(
        "its VPC CNI is the one that EKS installs with a cluster, which enforces no network policies",
        f'Add the add-on {_CNI} with configurationValues {{"{_SETTING}": "true"}}.',
        cluster,
        "bootstrapSelfManagedAddons",
    )


def _of_addon(addon: View) -> PolicyEngine:
    text = addon.text("configurationValues")
    value = _configuration(text).get(_SETTING) if text else None
    if str(value).casefold() == "true":
        return _of_version(addon)
    found = "does not set" if value is None else f"sets {value!r} for"
    return no_engine(
        f"configurationValues of the add-on {_CNI} {found} {_SETTING}",
        f'Set {_SETTING} to "true" in configurationValues of the add-on {_CNI}.',
        addon,
        "configurationValues",
    )


def _of_version(addon: View) -> PolicyEngine:
    version = addon.given("addonVersion")  # one that is looked up is a recent one
    found = re.match(r"v?(\d+)\.(\d+)", version) if isinstance(version, str) else None
    if found is None or tuple(map(int, found.groups())) >= _FIRST_VERSION:
        return PolicyEngine("the VPC CNI")
    first = ".".join(map(str, _FIRST_VERSION))
    return no_engine(
        f"the add-on {_CNI} enforces them from version {first}, and addonVersion is {version}",
        f"Set addonVersion of the add-on {_CNI} to {first} or later.",
        addon,
        "addonVersion",
    )


def _configuration(text: str) -> dict[str, Any]:
    """The settings of an add-on, which are JSON or YAML."""
    try:
        found = json.loads(text)
    except ValueError:
        import yaml  # slow to import, and most programs write JSON

        try:
            found = yaml.safe_load(text)
        except yaml.YAMLError:
            raise NotKnown from None
    return found if isinstance(found, dict) else {}


def _of_auto_mode(cluster: View) -> PolicyEngine:
    called, key = _CONTROLLER
    for config_map in cluster.site.of_type(_CONFIG_MAP):
        metadata, data = config_map.block("metadata"), config_map.block("data")
        if metadata is not None and metadata.given("name") == called and data is not None and data.flag(key):
            return PolicyEngine("EKS Auto Mode")
    return no_engine(
        f"EKS Auto Mode enforces policies only with {key} in the ConfigMap {called} of kube-system, which the program "
        "does not create",
        f'Create the ConfigMap {called} in kube-system with {key}: "true".',
        cluster,
        "computeConfig.enabled",
    )


def _ranges(place: Block) -> tuple[object, ...] | None:
    """The ranges that are admitted; an empty list is none, and EKS then admits everybody."""
    found = [location.value for location in place.locations("publicAccessCidrs[]") if location.value is not None]
    return tuple(found) or None


def _network(cluster: View) -> View:
    place = cluster.block("vpcConfig")
    subnets = place.many("subnetIds", EC2_SUBNET) if place is not None else []
    vpc = inside(subnets[0]).one("vpcId", EC2_VPC) if subnets else None
    if vpc is None:
        raise NotKnown
    return inside(vpc)


def _takes_sessions(machine: View) -> bool:
    """Return whether people get on to a machine: with a role for Session Manager, or at a public address by key."""
    return "iamInstanceProfile" in machine or bool(machine.flag("associatePublicIpAddress") and "keyName" in machine)


def _admits_a_peer(rule: View) -> bool:
    """Return whether a rule of a cluster's group admits private ranges outside of its VPC: of a VPN or a peering."""
    group = rule.one("securityGroupId", EC2_SECURITY_GROUP)
    vpc = group.one("vpcId", EC2_VPC) if group is not None else None
    text = rule.text("cidrIpv4")
    if (
        group is None
        or vpc is None
        or text is None
        or not any(_is_of(group, each) for each in rule.site.of_type(EKS_CLUSTER))
    ):
        return False
    own = networks_of(vpc.text("cidrBlock") or "")
    return any(is_private(each) and not any(overlaps(each, part) for part in own) for each in networks_of(text))


def _is_of(group: View, cluster: View) -> bool:
    place = cluster.block("vpcConfig")
    return place is not None and any(
        each.urn == group.urn for each in place.many("securityGroupIds", EC2_SECURITY_GROUP)
    )


MACHINES: Final = (
    MachineKind(EC2_INSTANCE, "subnetId", EC2_SUBNET, "machine reached by Session Manager", _takes_sessions),
    MachineKind(
        VPC_SECURITY_GROUP_INGRESS_RULE,
        "securityGroupId",
        EC2_SECURITY_GROUP,
        "private range of a VPN or peering",
        _admits_a_peer,
    ),
)
"""Machines in a network that people get on to, and what admits people who come in by a way of another program."""
