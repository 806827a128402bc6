"""What the network promises: private machines, room for pods, one way out of its own, and a record of it all."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, collapse_addresses

import pytest
from tests.gcphandles import PROJECT, project_with

from penstock.description.network import ExistingNetwork, NetworkSpec
from penstock.gcp.components.handles import NetworkHandle
from penstock.gcp.components.network import Network, adopt
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

VPC = "gcp:compute/network:Network"
SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
FIREWALL = "gcp:compute/firewall:Firewall"
NAT = "gcp:compute/routerNat:RouterNat"
ADDRESS = "gcp:compute/address:Address"
RESERVED = "gcp:compute/globalAddress:GlobalAddress"
ZONE = "gcp:dns/managedZone:ManagedZone"
RECORD = "gcp:dns/recordSet:RecordSet"
PEERING = "gcp:servicenetworking/connection:Connection"


def built(
    spec: NetworkSpec | None = None, *, peered: bool = False, handles: list[NetworkHandle] | None = None
) -> Graph:
    def program() -> None:
        handle = Network(
            "net", spec or NetworkSpec(tags={"owner": "ml"}), region="us-central1", project=PROJECT, peered=peered
        ).handle
        if handles is not None:
            handles.append(handle)

    return rehearse(program).graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return built(peered=True)


def one(graph: Graph, type_: str) -> Resource:
    (resource,) = graph.of_type(type_)
    return resource


def rules(graph: Graph, direction: str) -> list[Resource]:
    return [rule for rule in graph.of_type(FIREWALL) if rule.inputs["direction"] == direction]


def refuses(rule: Resource) -> bool:
    return rule.inputs.get("denies") == [{"protocol": "all"}]


def let_out(graph: Graph) -> set[tuple[str, str, tuple[str, ...]]]:
    """Where machines may go: range, protocol and ports."""
    return {
        (target, opening["protocol"], tuple(opening.get("ports", ())))
        for rule in rules(graph, "EGRESS")
        for opening in rule.inputs.get("allows", ())
        for target in rule.inputs["destinationRanges"]
    }


def ranges(graph: Graph) -> list[IPv4Network]:
    subnetwork, reserved = one(graph, SUBNETWORK).inputs, one(graph, RESERVED).inputs
    texts = [subnetwork["ipCidrRange"], *(part["ipCidrRange"] for part in subnetwork["secondaryIpRanges"])]
    return [IPv4Network(text) for text in (*texts, f"{reserved['address']}/{reserved['prefixLength']}")]


@pytest.mark.parametrize("cidr", ["10.0.0.0/16", "10.64.0.0/10", "10.9.0.0/18"])
def test_all_ranges_lie_in_that_of_the_network_and_apart_from_each_other(cidr: str) -> None:
    parts = ranges(built(NetworkSpec.model_validate({"cidr": cidr}), peered=True))

    assert all(part.subnet_of(IPv4Network(cidr)) for part in parts)
    assert sum(part.num_addresses for part in collapse_addresses(parts)) == sum(part.num_addresses for part in parts)


def test_no_subnetwork_appears_that_nobody_asked_for(graph: Graph) -> None:
    assert one(graph, VPC).inputs["autoCreateSubnetworks"] is False


def test_packets_are_as_large_as_google_carries_unless_the_description_says_otherwise() -> None:
    assert one(built(), VPC).inputs["mtu"] == 8896
    assert one(built(NetworkSpec(mtu=1460)), VPC).inputs["mtu"] == 1460


def test_services_of_google_are_reached_without_a_public_address(graph: Graph) -> None:
    assert one(graph, SUBNETWORK).inputs["privateIpGoogleAccess"] is True


def test_flows_are_recorded_as_google_samples_them(graph: Graph) -> None:
    log = one(graph, SUBNETWORK).inputs["logConfig"]

    assert log["flowSampling"] == 0.5
    assert log["metadata"] == "INCLUDE_ALL_METADATA"


def test_nothing_is_let_in_and_what_is_refused_is_recorded(graph: Graph) -> None:
    (rule,) = rules(graph, "INGRESS")

    assert rule.inputs["denies"] == [{"protocol": "all"}]
    assert rule.inputs["sourceRanges"] == ["0.0.0.0/0"]
    assert "allows" not in rule.inputs
    assert rule.inputs["logConfig"] == {"metadata": "INCLUDE_ALL_METADATA"}


@pytest.mark.parametrize("direction", ["INGRESS", "EGRESS"])
def test_rules_that_gke_or_others_make_come_before_the_refusal(graph: Graph, direction: str) -> None:
    (refusal,) = [rule for rule in rules(graph, direction) if "denies" in rule.inputs]

    assert refusal.inputs["priority"] > 1000


def test_machines_reach_the_whole_network_and_of_the_internet_only_the_web(graph: Graph) -> None:
    assert let_out(graph) == {("10.0.0.0/16", "all", ()), ("0.0.0.0/0", "tcp", ("80", "443"))}


def test_without_egress_machines_reach_googles_apis_beside_the_network() -> None:
    graph = built(NetworkSpec(egress="none"))

    assert let_out(graph) == {("10.0.0.0/16", "all", ()), ("199.36.153.8/30", "tcp", ("443",))}


def test_everything_in_the_network_is_in_what_machines_reach(graph: Graph) -> None:
    (within,) = [IPv4Network(target) for target, protocol, _ in let_out(graph) if protocol == "all"]

    assert all(part.subnet_of(within) for part in ranges(graph))


@pytest.mark.parametrize("egress", ["nat", "none"])
def test_whatever_else_goes_out_is_refused_and_recorded(egress: str) -> None:
    (rule,) = [one for one in rules(built(NetworkSpec.model_validate({"egress": egress})), "EGRESS") if refuses(one)]

    assert rule.inputs["destinationRanges"] == ["0.0.0.0/0"]
    assert rule.inputs["logConfig"] == {"metadata": "INCLUDE_ALL_METADATA"}


@pytest.mark.parametrize("egress", ["nat", "none"])
def test_nothing_is_refused_before_all_that_is_needed_is_let_out(egress: str) -> None:
    graph = built(NetworkSpec.model_validate({"egress": egress}))
    (refusal,) = [rule for rule in rules(graph, "EGRESS") if refuses(rule)]
    needed = {each.urn for each in (*rules(graph, "EGRESS"), *graph.of_type(RECORD))} - {refusal.urn}

    assert needed <= set(refusal.dependencies)


def test_without_egress_every_name_of_googles_has_an_address_that_is_let_out() -> None:
    graph = built(NetworkSpec(egress="none", tags={"owner": "ml"}))
    zones = {zone.inputs["dnsName"]: zone for zone in graph.of_type(ZONE)}
    records = {record.inputs["name"]: record.inputs for record in graph.of_type(RECORD)}
    (allowed,) = [IPv4Network(target) for target, protocol, _ in let_out(graph) if protocol == "tcp"]

    assert set(zones) == {"googleapis.com.", "gcr.io.", "pkg.dev."}
    assert {zone.inputs["visibility"] for zone in zones.values()} == {"private"}
    for domain in zones:
        (target,) = records[f"*.{domain}"]["rrdatas"]
        assert {IPv4Address(text) for text in records[target]["rrdatas"]} == set(allowed)


def test_with_egress_names_are_what_they_are_everywhere(graph: Graph) -> None:
    assert not graph.of_type(ZONE, RECORD)


def test_machines_and_pods_go_out_by_an_address_that_others_can_admit(graph: Graph) -> None:
    nat, address = one(graph, NAT), one(graph, ADDRESS)

    assert nat.inputs["sourceSubnetworkIpRangesToNat"] == "ALL_SUBNETWORKS_ALL_IP_RANGES"
    assert nat.inputs["natIpAllocateOption"] == "MANUAL_ONLY"
    assert nat.inputs["natIps"] == [address.outputs["selfLink"]]
    assert nat.inputs["logConfig"]["enable"] is True


def test_a_large_cluster_has_ports_for_all_its_machines_and_one_more_address_leaves_the_others() -> None:
    def addresses(machines: int) -> set[str]:
        graph = rehearse(
            lambda: Network(
                "net", NetworkSpec(), region="us-central1", project=PROJECT, peered=False, machines=machines
            )
        ).graph
        assert len(one(graph, NAT).inputs["natIps"]) == len(graph.of_type(ADDRESS))
        return {address.urn for address in graph.of_type(ADDRESS)}

    assert len(addresses(0)) == len(addresses(32)) == 1
    assert len(addresses(128)) == 4
    assert addresses(32) < addresses(33) < addresses(128)


def test_without_egress_nothing_leads_to_the_internet() -> None:
    handles: list[NetworkHandle] = []
    graph = built(NetworkSpec(egress="none"), handles=handles)

    assert not graph.of_type(NAT, ADDRESS, "gcp:compute/router:Router")
    assert handles[0].ready == ()


def test_the_network_is_peered_only_for_services_that_need_it(graph: Graph) -> None:
    peering, reserved = one(graph, PEERING), one(graph, RESERVED)

    assert peering.inputs["reservedPeeringRanges"] == [reserved.outputs["name"]]
    assert reserved.inputs["purpose"] == "VPC_PEERING"
    assert reserved.inputs["addressType"] == "INTERNAL"
    assert not built().of_type(PEERING, RESERVED)


def test_the_network_can_go_though_services_of_google_hold_on_to_it(graph: Graph) -> None:
    assert one(graph, PEERING).inputs["deletionPolicy"] == "REMOVE_PEERING"


def test_nodes_wait_for_their_way_out_and_file_systems_for_the_peering() -> None:
    handles: list[NetworkHandle] = []
    built(peered=True, handles=handles)

    assert [type(resource).__name__ for resource in handles[0].ready] == ["RouterNat"]
    assert [type(resource).__name__ for resource in handles[0].private_services] == ["Connection"]


def test_pods_and_services_find_their_ranges_by_name() -> None:
    handles: list[NetworkHandle] = []
    graph = built(handles=handles)

    named = {part["rangeName"] for part in one(graph, SUBNETWORK).inputs["secondaryIpRanges"]}
    assert named == {handles[0].pods_range, handles[0].services_range}


def test_everything_is_built_in_the_project(graph: Graph) -> None:
    in_projects = {one.inputs.get("project") for one in graph if one.type.startswith("gcp:compute/")}

    assert in_projects == {PROJECT.id}


def test_everything_that_takes_labels_carries_them(graph: Graph) -> None:
    labelled = [resource for resource in graph if resource.custom and "labels" in resource.inputs]

    assert {resource.type for resource in labelled} == {ADDRESS, RESERVED}
    assert all(resource.inputs["labels"] == {"owner": "ml"} for resource in labelled)


def test_the_way_out_waits_for_the_api_that_makes_its_address() -> None:
    spec = NetworkSpec()
    graph = rehearse(
        lambda: Network("net", spec, region="us-central1", project=project_with("compute"), peered=False)
    ).graph

    assert "api" in {graph[urn].name for urn in one(graph, ADDRESS).dependencies}


def test_an_adopted_network_is_left_as_it_is() -> None:
    existing = ExistingNetwork(
        id="projects/shared/global/networks/theirs",
        subnets={"us-central1": "projects/shared/regions/us-central1/subnetworks/theirs"},
        pods_range="their-pods",
        services_range="their-services",
    )
    handles: list[NetworkHandle] = []

    graph = rehearse(lambda: handles.append(adopt(existing, region="us-central1", project=PROJECT))).graph

    assert not [one for one in graph if one.type.startswith("gcp:")]
    assert handles[0].subnetwork == existing.subnets["us-central1"]
    assert (handles[0].pods_range, handles[0].services_range) == ("their-pods", "their-services")
    assert handles[0].private_services_cidr is None
