"""What the networks of a fabric promise: as many as the machines have interfaces, with the packets that they expect."""

from __future__ import annotations

from ipaddress import IPv4Network
from itertools import combinations

import pulumi
import pytest
from tests.gcphandles import PROJECT

from penstock.gcp.components.fabric import Fabric
from penstock.gcp.description import ranges as gcp_ranges
from penstock.gcp.facts import fabrics
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

VPC = "gcp:compute/network:Network"
SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
FIREWALL = "gcp:compute/firewall:Firewall"
ZONE = "us-central1-b"


class Built:
    """The networks of one fabric as they would be built; `interfaces` are names of a network and a subnetwork each."""

    def __init__(self, name: str, *, first: int = 0) -> None:
        self.interfaces: list[tuple[str, str]] = []

        def program() -> None:
            fabric = Fabric(
                "fabric",
                fabric=fabrics.find_fabric(name),
                zone=ZONE,
                region="us-central1",
                project=PROJECT,
                first=first,
            )
            pairs = [pulumi.Output.all(*pair) for pair in fabric.handle.interfaces]
            pulumi.Output.all(*pairs).apply(lambda known: self.interfaces.extend(tuple(pair) for pair in known))

        self.graph: Graph = rehearse(program).graph

    @property
    def networks(self) -> dict[str, Resource]:
        return {network.name: network for network in self.graph.of_type(VPC)}

    def subnetworks_of(self, network: Resource) -> list[Resource]:
        return [one for one in self.graph.of_type(SUBNETWORK) if one.inputs["network"] == network.id]


@pytest.mark.parametrize("name", fabrics.fabric_names())
def test_a_node_gets_exactly_the_interfaces_of_its_fabric(name: str) -> None:
    assert len(Built(name).interfaces) == fabrics.find_fabric(name).interfaces


@pytest.mark.parametrize("name", fabrics.fabric_names())
def test_subnetworks_take_their_ranges_one_after_the_other_and_apart(name: str) -> None:
    ranges = [IPv4Network(one.inputs["ipCidrRange"]) for one in Built(name, first=3).graph.of_type(SUBNETWORK)]

    assert {*ranges} == {gcp_ranges.fabric(3 + number) for number in range(len(ranges))}
    assert not any(one.overlaps(other) for one, other in combinations(ranges, 2))


def test_tcpxo_has_eight_networks_with_packets_of_its_size() -> None:
    networks = Built("tcpxo").networks

    assert len(networks) == 8
    assert {network.inputs["mtu"] for network in networks.values()} == {8244}


def test_rdma_has_a_network_for_the_host_and_one_in_its_zone_for_all_accelerators() -> None:
    built = Built("rdma")
    host, accelerator = built.networks["fabric-host-0"], built.networks["fabric-gpu-0"]
    profile = f"projects/{PROJECT.id}/global/networkProfiles/{ZONE}-vpc-roce"

    assert "networkProfile" not in host.inputs
    assert accelerator.inputs["networkProfile"] == profile
    assert {host.inputs["mtu"], accelerator.inputs["mtu"]} == {8896}
    assert len(built.subnetworks_of(accelerator)) == 8


def test_the_interfaces_of_the_host_come_first() -> None:
    built = Built("rdma")
    host, accelerator = built.networks["fabric-host-0"], built.networks["fabric-gpu-0"]

    assert built.interfaces[0][0] == host.outputs["name"]
    assert [network for network, _ in built.interfaces[1:]] == [accelerator.outputs["name"]] * 8


def test_rules_stand_on_networks_of_the_host_and_never_on_those_for_rdma() -> None:
    built = Built("rdma")
    (rule,) = built.graph.of_type(FIREWALL)

    assert rule.inputs["network"] == built.networks["fabric-host-0"].id


def test_members_of_a_network_admit_each_other_and_nobody_else() -> None:
    built = Built("tcpx")
    rules = {rule.inputs["network"]: rule for rule in built.graph.of_type(FIREWALL)}

    for network in built.networks.values():
        (subnetwork,) = built.subnetworks_of(network)
        assert rules[network.id].inputs["sourceRanges"] == [subnetwork.inputs["ipCidrRange"]]
        assert {allowed["protocol"] for allowed in rules[network.id].inputs["allows"]} == {"tcp", "udp", "icmp"}


def test_machines_without_a_hypervisor_share_the_subnetwork_that_google_makes() -> None:
    built = Built("rdma-metal")
    accelerator = built.networks["fabric-gpu-0"]

    assert not built.subnetworks_of(accelerator)
    name = accelerator.outputs["name"]
    assert built.interfaces[1:] == [(name, f"default-subnet-1-{name}")] * 8
