"""Who reaches the API of a cluster, on each cloud, and what leads into the network of a closed one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.model.views import it, view_of
from tests.programs import Program, Ref

from penstock.catalog.ways_in import connector_kinds
from penstock.graph.values import UNKNOWN
from penstock.graph.verdict import NotKnown
from penstock.model.endpoints import ClusterApi, cluster_api, ways_in
from penstock.simulate import sdk_types

EKS = "aws:eks/cluster:Cluster"
GKE = "gcp:container/cluster:Cluster"
AKS = "azure-native:containerservice:ManagedCluster"
OFFICE = "203.0.113.0/24"
INSIDE = "10.0.0.0/8"


def eks(**place: Any) -> ClusterApi:
    return cluster_api(it(EKS, vpcConfig={"subnetIds": [], **place}))


def gke(**inputs: Any) -> ClusterApi:
    return cluster_api(it(GKE, **inputs))


def aks(**profile: Any) -> ClusterApi:
    return cluster_api(it(AKS, apiServerAccessProfile=profile))


def by_name(*, ip: bool = True) -> Mapping[str, Any]:
    return {"dnsEndpointConfig": {"allowExternalTraffic": True}, "ipEndpointsConfig": {"enabled": ip}}


@pytest.mark.parametrize(
    ("api", "reached"),
    [
        (eks(), True),
        (eks(endpointPublicAccess=True, publicAccessCidrs=[OFFICE]), True),
        (eks(endpointPublicAccess=True, publicAccessCidrs=[INSIDE, "192.168.0.0/16"]), False),
        (eks(endpointPublicAccess=True, publicAccessCidrs=[]), True),
        (eks(endpointPublicAccess=False, endpointPrivateAccess=True), False),
        (gke(), True),
        (gke(masterAuthorizedNetworksConfig={"cidrBlocks": [{"cidrBlock": OFFICE}]}), True),
        (gke(masterAuthorizedNetworksConfig={"cidrBlocks": [{"cidrBlock": INSIDE}]}), False),
        (gke(masterAuthorizedNetworksConfig={}), False),
        (gke(privateClusterConfig={"enablePrivateEndpoint": True}), False),
        (gke(controlPlaneEndpointsConfig={"ipEndpointsConfig": {"enabled": False}}), False),
        (aks(), True),
        (aks(authorizedIPRanges=[OFFICE]), True),
        (aks(authorizedIPRanges=[INSIDE]), False),
        (aks(enablePrivateCluster=True), False),
    ],
)
def test_an_endpoint_is_reached_by_whom_it_admits(api: ClusterApi, *, reached: bool) -> None:
    assert api.is_reached_from_outside(by_name=False) is reached


def test_a_name_with_iam_is_reached_from_anywhere_by_a_client_that_uses_it() -> None:
    closed = {"enablePrivateEndpoint": True}
    api = gke(privateClusterConfig=closed, controlPlaneEndpointsConfig=by_name())

    assert api.is_reached_from_outside(by_name=True)
    assert not api.is_reached_from_outside(by_name=False)
    with pytest.raises(NotKnown):
        api.is_reached_from_outside(by_name=None)
    assert not gke(privateClusterConfig=closed).is_reached_from_outside(by_name=True), "there is no such name"
    assert gke(controlPlaneEndpointsConfig=by_name(ip=False)).is_reached_from_outside(by_name=True)


@pytest.mark.parametrize(
    "api",
    [
        eks(endpointPublicAccess=True, publicAccessCidrs=[INSIDE, UNKNOWN]),
        gke(masterAuthorizedNetworksConfig={"cidrBlocks": [{"cidrBlock": UNKNOWN}]}),
        aks(authorizedIPRanges=[UNKNOWN]),
    ],
    ids=["EKS", "GKE", "AKS"],
)
def test_a_range_that_nobody_knows_yet_leaves_it_open(api: ClusterApi) -> None:
    with pytest.raises(NotKnown):
        api.is_reached_from_outside(by_name=False)


NETWORKS: Mapping[str, Program] = {
    "EKS": {
        "home": ("aws:ec2/vpc:Vpc", {}),
        "nodes": ("aws:ec2/subnet:Subnet", {"vpcId": Ref("home")}),
        "it": (EKS, {"vpcConfig": {"subnetIds": [Ref("nodes")]}}),
    },
    "GKE": {"home": ("gcp:compute/network:Network", {}), "it": (GKE, {"network": Ref("home", "name")})},
    "AKS": {
        "home": ("azure-native:network:VirtualNetwork", {}),
        "nodes": ("azure-native:network:Subnet", {"virtualNetworkName": Ref("home", "name")}),
        "it": (AKS, {"agentPoolProfiles": [{"vnetSubnetID": Ref("nodes")}]}),
    },
}


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
@pytest.mark.parametrize("cloud", NETWORKS)
def test_a_cluster_is_in_a_network_of_its_program(cloud: str, *, preview: bool) -> None:
    assert cluster_api(view_of(NETWORKS[cloud], preview=preview)).network.name == "home"


@pytest.mark.parametrize(
    ("type_", "inputs"),
    [
        (EKS, {"vpcConfig": {"subnetIds": ["subnet-0123"]}}),
        (GKE, {"network": "projects/p/global/networks/shared"}),
        (GKE, {}),
        (AKS, {"agentPoolProfiles": [{"vnetSubnetID": "/subscriptions/s/resourceGroups/g/x/y"}]}),
    ],
)
def test_nobody_knows_a_network_that_was_there_before(type_: str, inputs: dict[str, Any]) -> None:
    with pytest.raises(NotKnown):
        _ = cluster_api(it(type_, **inputs)).network


def test_aks_brings_a_network_of_its_own_unless_a_pool_names_a_subnet() -> None:
    cluster = it(AKS, agentPoolProfiles=[{"name": "system"}])

    assert cluster_api(cluster).network.urn == cluster.urn


AWS: Program = {"net": ("aws:ec2/vpc:Vpc", {}), "sub": ("aws:ec2/subnet:Subnet", {"vpcId": Ref("net")})}
GCP: Program = {
    "net": ("gcp:compute/network:Network", {}),
    "sub": ("gcp:compute/subnetwork:Subnetwork", {"network": Ref("net")}),
    "way": ("gcp:compute/instance:Instance", {"networkInterfaces": [{"subnetwork": Ref("sub")}]}),
}


def firewall(*ranges: str, **inputs: Any) -> Program:
    allowed = {"network": Ref("net"), "sourceRanges": list(ranges), "allows": [{"protocol": "tcp"}], **inputs}
    return {"firewall": ("gcp:compute/firewall:Firewall", allowed)}


@pytest.mark.parametrize(
    ("program", "ways"),
    [
        ({**AWS, "way": ("aws:ec2/vpnGateway:VpnGateway", {"vpcId": Ref("net")})}, ["VPN gateway"]),
        ({**AWS, "way": ("aws:ec2/vpnGateway:VpnGateway", {"vpcId": "vpc-0123"})}, []),
        (
            {**AWS, "way": ("aws:ec2/instance:Instance", {"subnetId": Ref("sub"), "iamInstanceProfile": "p"})},
            ["machine reached by Session Manager"],
        ),
        ({**AWS, "way": ("aws:ec2/instance:Instance", {"subnetId": Ref("sub")})}, []),
        (GCP, []),
        ({**GCP, **firewall("35.235.240.0/20")}, ["machine reached by IAP"]),
        ({**GCP, **firewall("35.192.0.0/10")}, ["machine reached by IAP"]),
        ({**GCP, **firewall("35.235.240.0/24")}, []),
        ({**GCP, **firewall("35.235.240.0/20", direction="EGRESS")}, []),
        (
            {
                **GCP,
                "way": (
                    "gcp:compute/instance:Instance",
                    {"networkInterfaces": [{"subnetwork": Ref("sub"), "accessConfigs": [{}]}]},
                ),
            },
            ["machine reached by IAP"],
        ),
    ],
)
def test_a_way_in_leads_into_the_network(program: Program, ways: list[str]) -> None:
    assert [way.what for way in ways_in(view_of(program, "net"))] == ways


@pytest.mark.parametrize("kind", connector_kinds(), ids=lambda kind: f"{kind.type}-{kind.property}")
def test_a_connector_is_of_a_type_and_a_property_that_the_sdk_has(kind: Any) -> None:
    package, module, _ = kind.type.split(":")
    pytest.importorskip(f"pulumi_{package.replace('-', '_')}.{module.partition('/')[0]}")
    inputs = sdk_types.input_types(kind.type)

    assert inputs is not None
    assert kind.property.partition(".")[0].removesuffix("[]") in inputs
