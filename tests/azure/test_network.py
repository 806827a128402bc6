"""What the network promises: subnets that stay apart, nothing from outside, one way out, and what file systems need."""

from __future__ import annotations

from ipaddress import IPv4Network, collapse_addresses
from itertools import pairwise
from typing import Any

import pytest
from tests.azurehandles import GROUP

from penstock.azure.components.handles import NetworkHandle
from penstock.azure.components.network import Network, adopt
from penstock.azure.description import ranges
from penstock.azure.facts import address_ranges
from penstock.description.network import ExistingNetwork, NetworkSpec
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse, violations

SUBNET = "azure-native:network:Subnet"
GUARD = "azure-native:network:NetworkSecurityGroup"


def built(spec: NetworkSpec | None = None, *, lustre: int = 2, machines: int = 1) -> Graph:
    rehearsal = rehearse(
        lambda: Network(
            "net",
            spec or NetworkSpec(tags={"owner": "ml"}),
            group=GROUP,
            services=("blob", "vault"),
            lustre=lustre,
            machines=machines,
        )
    )
    assert rehearsal.findings == ()
    return rehearsal.graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return built()


def subnets(graph: Graph) -> dict[str, Resource]:
    return {resource.inputs["subnetName"]: resource for resource in graph.of_type(SUBNET)}


def rules(graph: Graph, name: str) -> list[dict[str, Any]]:
    (group,) = (each for each in graph.of_type(GUARD) if each.name == name)
    return list(group.inputs["securityRules"])


@pytest.mark.parametrize("cidr", ["10.0.0.0/16", "10.0.0.0/9", "192.168.16.0/20"])
def test_all_subnets_lie_in_the_network_and_apart_from_each_other(cidr: str) -> None:
    parts = [
        IPv4Network(each.inputs["addressPrefix"])
        for each in built(NetworkSpec.model_validate({"cidr": cidr})).of_type(SUBNET)
    ]

    assert all(part.subnet_of(IPv4Network(cidr)) for part in parts)
    assert sum(part.num_addresses for part in collapse_addresses(parts)) == sum(part.num_addresses for part in parts)


@pytest.mark.parametrize("cidr", ["10.0.0.0/9", "10.128.0.0/9", "10.224.0.0/16", "192.168.16.0/20"])
def test_pods_have_a_range_of_their_own_that_azure_and_aks_leave_free(cidr: str) -> None:
    pods = ranges.pods(IPv4Network(cidr))

    assert not pods.overlaps(IPv4Network(cidr))
    assert not any(pods.overlaps(each) for each in (*address_ranges.aks(), address_ranges.rdma()))


@pytest.mark.parametrize("cidr", ["10.0.0.0/16", "172.20.0.0/16", "172.20.128.0/20", "172.24.0.0/14"])
def test_services_are_nowhere_in_the_network(cidr: str) -> None:
    services = ranges.services(IPv4Network(cidr))

    assert not services.overlaps(IPv4Network(cidr))
    assert not services.overlaps(ranges.pods(IPv4Network(cidr)))


def test_a_further_file_system_leaves_the_others_where_they_are(graph: Graph) -> None:
    more = subnets(built(lustre=3))

    assert {name: more[name].inputs for name in subnets(graph)} == {
        name: each.inputs for name, each in subnets(graph).items()
    }


def test_the_smallest_network_has_room_for_as_many_file_systems_as_it_says() -> None:
    cidr = IPv4Network(f"10.0.0.0/{ranges.LONGEST_PREFIX}")
    slots = ranges.lustre_slots(cidr)

    assert slots == 2
    assert ranges.lustre(cidr, slots - 1).subnet_of(cidr)
    assert not ranges.lustre(cidr, slots - 1).overlaps(ranges.endpoints(cidr))


def test_every_subnet_has_a_group_and_no_way_out_that_nobody_asked_for(graph: Graph) -> None:
    for subnet in graph.of_type(SUBNET):
        assert subnet.inputs["networkSecurityGroup"]["id"]
        assert subnet.inputs["defaultOutboundAccess"] is False


def test_nothing_is_let_in_from_the_internet(graph: Graph) -> None:
    for group in graph.of_type(GUARD):
        inbound = [rule for rule in group.inputs["securityRules"] if rule["direction"] == "Inbound"]
        last = max(inbound, key=lambda rule: rule["priority"])

        assert last["access"] == "Deny"
        assert last["sourceAddressPrefix"] == "*"
        assert not [rule for rule in inbound if rule["access"] == "Allow" and rule.get("sourceAddressPrefix") == "*"]


def test_pods_reach_pods_which_the_network_of_azure_does_not_know(graph: Graph) -> None:
    pods = str(ranges.pods(IPv4Network("10.0.0.0/16")))
    for direction in ("Inbound", "Outbound"):
        assert any(
            pods in rule.get("sourceAddressPrefixes", ()) and pods in rule.get("destinationAddressPrefixes", ())
            for rule in rules(graph, "net-nodes")
            if rule["direction"] == direction and rule["access"] == "Allow"
        )


def test_nodes_reach_the_web_and_nothing_else_of_the_internet(graph: Graph) -> None:
    outward = [rule for rule in rules(graph, "net-nodes") if rule.get("destinationAddressPrefix") == "Internet"]

    assert [(rule["protocol"], rule["destinationPortRanges"]) for rule in outward] == [("Tcp", ["80", "443"])]
    assert rules(graph, "net-nodes")[-1]["access"] == "Deny"
    assert rules(graph, "net-nodes")[-1]["direction"] == "Outbound"


def test_clients_reach_file_systems_by_the_ports_of_lustre(graph: Graph) -> None:
    (clients,) = (rule for rule in rules(graph, "net-lustre") if rule["name"] == "clients")

    assert clients["destinationPortRanges"] == ["988", "1019-1023"]
    assert any("Storage.eastus" in str(rule) for rule in rules(graph, "net-lustre"))
    assert not any("{" in str(value) for rule in rules(graph, "net-lustre") for value in rule.values())


def test_subnets_come_one_after_the_other(graph: Graph) -> None:
    """Azure refuses a change of a network while another one is under way."""
    order = [each.urn for each in subnets(graph).values()]

    for before, after in pairwise(order):
        assert before in graph[after].dependencies


def test_large_platforms_have_more_addresses_up_to_what_a_gateway_takes() -> None:
    def addresses(machines: int) -> int:
        return len(built(machines=machines).of_type("azure-native:network:PublicIPAddress"))

    assert [addresses(machines) for machines in (0, 32, 33, 5000)] == [1, 1, 2, 16]


def test_names_of_services_lead_into_the_network(graph: Graph) -> None:
    zones = {each.inputs["privateZoneName"] for each in graph.of_type("azure-native:privatedns:PrivateZone")}
    links = graph.of_type("azure-native:privatedns:VirtualNetworkLink")

    assert zones == {"privatelink.blob.core.windows.net", "privatelink.vaultcore.azure.net"}
    assert all(link.inputs["registrationEnabled"] is False for link in links)


def test_strict_policies_have_nothing_to_object() -> None:
    spec = NetworkSpec(tags={"owner": "ml", "environment": "prod"})
    rehearsal = rehearse(lambda: Network("net", spec, group=GROUP, services=("blob",), lustre=1))

    assert violations(rehearsal, {"packs": ["regulated"], "environment": "prod"}) == ()


def test_a_network_that_exists_is_used_as_it_is() -> None:
    found: list[NetworkHandle] = []
    group = f"/subscriptions/{GROUP.subscription}/resourceGroups/hub"
    id_ = f"{group}/providers/Microsoft.Network/virtualNetworks/shared"
    existing = ExistingNetwork(
        id=id_,
        subnets={"nodes": "workers", "endpoints": "private", "api-server": "aks", "scratch": "lustre-1"},
        pods_range="10.224.0.0/11",
    )

    graph = rehearse(lambda: found.append(adopt(existing, file_systems=("scratch",)))).graph

    (handle,) = found
    assert not list(graph.of_type(SUBNET, GUARD, "azure-native:network:VirtualNetwork"))
    assert (handle.nodes, handle.lustre) == (f"{id_}/subnets/workers", (f"{id_}/subnets/lustre-1",))
    assert handle.services_cidr == IPv4Network("172.20.0.0/16")
    assert not handle.zones
