"""The further networks of GKE's nodes as objects that pods ask for: Network and GKENetworkParamSet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, templates, texts
from penstock.kubernetes.rules import inventory, nodes
from penstock.kubernetes.rules.types import GOOGLE_SUBNETWORK, GOOGLE_VPC, NETWORK, NETWORK_PARAMETERS
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

ANNOTATION = "networking.gke.io/interfaces"
"""Where pods name the interfaces that they want, as JSON."""

DEFAULT_NETWORK = "default"
"""The network of the cluster itself, which every pod is in."""

_WIRED = tuple(f"{place}networkConfig.additionalNodeNetworkConfigs[].subnetwork" for place in ("", "nodePools[]."))
"""Where a node pool, or a cluster with pools of its own, names the subnetworks of further interfaces."""

_MODES = ("DPDK-VFIO", "NetDevice", "RDMA")
_PARAMETERS = "GKENetworkParamSet"


@RULES.rule(
    on=NETWORK_PARAMETERS,
    severity=HIGH,
    rationale="GKE rejects the parameters, and the network that uses them never becomes ready.",
    fix="Set both vpc and vpcSubnet, and set deviceMode to NetDevice or RDMA.",
    sources=("Source of GKE's network API (kubernetes/cloud-provider-gcp, crd/apis/network/v1)",),
)
def k8s_gke_network_params_valid(parameters: View) -> Verdict:
    """A GKENetworkParamSet names a VPC together with a subnetwork, and a device mode of GKE or ranges for pods."""
    spec = parameters.block("spec")
    if spec is None or "networkAttachment" in spec:
        return NOT_APPLICABLE
    for one, other in (("vpc", "vpcSubnet"), ("vpcSubnet", "vpc")):
        if one in spec and other not in spec:
            return fail(f"{one} is given without {other}", hint=f"Give {other} too.", path=spec.at(one))
    mode = spec.text("deviceMode")
    return allow(
        mode in _MODES if mode is not None else "podIPv4Ranges" in spec,
        f"{mode!r} is not a mode of devices" if mode else "neither a mode of devices nor ranges for pods are given",
        hint="Use NetDevice for GPUDirect over TCP and for hosts, RDMA for RDMA networks.",
        path=spec.at("deviceMode"),
    )


@RULES.rule(
    on=NETWORK_PARAMETERS,
    severity=HIGH,
    rationale="The interfaces of that VPC do not reach the pods as usable devices.",
    fix="Set deviceMode to RDMA for a VPC with an RDMA network profile, and to NetDevice for any other VPC.",
    joins=True,
    sources=("GKE documentation, GPUDirect: multiple networks", "VPC documentation, RDMA network profiles"),
)
def k8s_gke_device_mode_fits_vpc(parameters: View) -> Verdict:
    """The deviceMode of a GKENetworkParamSet is RDMA for a VPC with an RDMA profile, and another otherwise."""
    spec = parameters.block("spec")
    mode = spec.text("deviceMode") if spec is not None else None
    vpc = spec.one("vpc", GOOGLE_VPC) if spec is not None else None
    if spec is None or mode not in _MODES or vpc is None:
        return NOT_APPLICABLE
    profile = (vpc.text("networkProfile") or "").rpartition("/")[2]
    return allow(
        (mode == "RDMA") == ("roce" in profile),
        f"{vpc.name} has {f'the network profile {profile}' if profile else 'no RDMA profile'}, and the mode is {mode}",
        hint=f"Use {'RDMA' if 'roce' in profile else 'NetDevice'}.",
        path=spec.at("deviceMode"),
    )


@RULES.rule(
    on=NETWORK_PARAMETERS,
    severity=MEDIUM,
    rationale="The parameters are accepted, and no node gives pods an interface in that network.",
    fix="Set vpcSubnet to a subnetwork of additional_node_network_configs of a node pool, or leave the network out.",
    joins=True,
    sources=("GKE documentation, set up multi-network support for pods",),
)
def k8s_gke_subnetwork_on_pool(parameters: View) -> Verdict:
    """A node pool has an interface in the subnetwork of each GKENetworkParamSet."""
    spec = parameters.block("spec")
    subnetwork = spec.one("vpcSubnet", GOOGLE_SUBNETWORK) if spec is not None else None
    if spec is None or subnetwork is None:
        return NOT_APPLICABLE
    pools = {offer.pool.urn: offer.pool for offer in nodes.offers(parameters)}.values()
    found = [view for pool in pools for path in _WIRED for view in pool.found(path, GOOGLE_SUBNETWORK)]
    return allow(
        any(view.urn == subnetwork.urn for view in found),
        f"no node pool has an interface in {subnetwork.name}",
        hint="Name a subnetwork of additional_node_network_configs, or leave the network out.",
        path=spec.at("vpcSubnet"),
    )


@RULES.rule(
    on=NETWORK_PARAMETERS,
    severity=HIGH,
    rationale="GKE accepts the first and refuses the others, so their networks never become ready.",
    fix="Keep a single GKENetworkParamSet for each vpcSubnet.",
    joins=True,
    sources=(
        (
            "Source of GKE's network API (kubernetes/cloud-provider-gcp, crd/apis/network/v1): "
            "DeviceModeSubnetAlreadyInUse"
        ),
    ),
)
def k8s_gke_subnetwork_single_network(parameters: View) -> Verdict:
    """Each subnetwork has a single GKENetworkParamSet."""
    mine = _subnetwork(parameters)
    if mine is None:
        return NOT_APPLICABLE
    others = [
        other
        for other in parameters.site.of_type(NETWORK_PARAMETERS)
        if other.urn < parameters.urn and inventory.server(other) == inventory.server(parameters)
    ]

    def differs(other: View) -> Verdict:
        return allow(
            _subnetwork(other) != mine,
            f"{other.name} refers to the same subnetwork",
            hint="Make one network for each subnetwork.",
            path="spec.vpcSubnet",
        )

    return each(others, differs) if others else PASS


@RULES.rule(
    on=NETWORK,
    severity=HIGH,
    rationale="The network never becomes ready, so pods cannot use it.",
    fix="Set parametersRef.kind to GKENetworkParamSet, and parametersRef.name to an existing one.",
    joins=True,
    sources=("Source of GKE's network API (kubernetes/cloud-provider-gcp, crd/apis/network/v1)",),
)
def k8s_gke_network_params_exist(network: View) -> Verdict:
    """The parametersRef of a GKE Network names a GKENetworkParamSet of the program."""
    spec = network.block("spec")
    reference = spec.block("parametersRef") if spec is not None else None
    name = reference.text("name") if reference is not None else None
    if reference is None or name is None:
        return NOT_APPLICABLE
    kind = reference.text("kind")
    if kind not in (None, _PARAMETERS):
        return fail(f"{kind} are not parameters of a network", hint=f"Use {_PARAMETERS}.", path=reference.at("kind"))
    known = inventory.names(network, NETWORK_PARAMETERS)
    return allow(
        name in known,
        f"GKENetworkParamSet {name} does not exist",
        hint=f"There are: {', '.join(known)}.",
        path=reference.at("name"),
    )


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=HIGH,
    rationale="GKE refuses the pods.",
    fix=(
        "Correct the annotation networking.gke.io/interfaces: a JSON list of objects with a unique interfaceName and "
        "an existing network."
    ),
    joins=True,
    sources=("GKE documentation, set up multi-network support for pods",),
)
def k8s_gke_pod_networks_exist(pods: PodTemplate) -> Verdict:
    """The interfaces that pods ask for are a JSON list with unique names, and each names an existing network."""
    text = texts(pods.metadata, "annotations").get(ANNOTATION)
    if text is None or pods.metadata is None:
        return NOT_APPLICABLE
    path = pods.metadata.at("annotations")
    try:
        asked = _read(text)
    except TypeMismatch:
        return fail(
            "the interfaces are not a list of objects in JSON",
            hint='Such as [{"interfaceName":"eth0","network":"default"}].',
            path=path,
        )
    names = [str(each.get("interfaceName")) for each in asked]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        return fail(f"two interfaces are called {twice}", hint="Give each a name of its own.", path=path)
    wanted = [network for each in asked if (network := str(each.get("network"))) != DEFAULT_NETWORK]
    if not wanted:
        return PASS
    known = inventory.names(pods.workload, NETWORK)
    missing = next((network for network in wanted if network not in known), None)
    return allow(
        missing is None,
        f"network {missing} does not exist, so the pods are refused",
        hint=f"There are: {', '.join([DEFAULT_NETWORK, *known])}.",
        path=path,
    )


def interfaces(pods: PodTemplate) -> list[Mapping[str, Any]] | None:
    """The interfaces that pods ask for; None where they ask for none.

    Raises:
        TypeMismatch: the annotation is not a list of interfaces, which another rule reports.
    """
    text = texts(pods.metadata, "annotations").get(ANNOTATION)
    return None if text is None else _read(text)


def _read(text: str) -> list[Mapping[str, Any]]:
    try:
        found = json.loads(text)
    except ValueError:
        raise TypeMismatch from None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise TypeMismatch
    return found


def _subnetwork(parameters: View) -> str | None:
    """The identity of a subnetwork: the resource that creates it, or else its name."""
    spec = parameters.block("spec")
    if spec is None or "vpcSubnet" not in spec:
        return None
    found = spec.found("vpcSubnet", GOOGLE_SUBNETWORK)
    if found:
        return found[0].urn
    name = spec.text("vpcSubnet")
    if name is None:
        raise NotKnown
    return name
