"""Public addresses are billed, whether a program reserves them or machines get them by themselves."""

from __future__ import annotations

from typing import Any

import pytest
from tests.cost.reference_architectures import AWS
from tests.programs import IT, Program, Ref, graph_of

from penstock.cost import Cost, cost_of

_ADDRESS, _MACHINE = "gcp:compute/address:Address", "gcp:compute/instance:Instance"
_EC2: dict[str, Any] = {"instanceType": "t3.large"}
_GCE: dict[str, Any] = {"machineType": "n2-standard-4", "zone": "us-central1-a"}
_OPEN: dict[str, Any] = {"networkInterfaces": [{"accessConfigs": [{}]}]}
_SPOT: dict[str, Any] = {"scheduling": {"provisioningModel": "SPOT"}}
_PLACE: dict[str, Any] = {"location": "us-central1-a"}
_GKE_POOL = "gcp:container/nodePool:NodePool"


def _addresses(bill: Cost) -> dict[str, float]:
    return {line.what: line.monthly_usd for line in bill.lines if "address" in line.what}


def _bill(program: Program) -> Cost:
    return cost_of(graph_of({**AWS, **program}))


def _in_subnets(*public: bool) -> Program:
    subnets: Program = {
        f"subnet-{index}": ("aws:ec2/subnet:Subnet", {"mapPublicIpOnLaunch": given})
        for index, given in enumerate(public)
    }
    group = {
        "subnetIds": [Ref(name) for name in subnets],
        "scalingConfig": {"minSize": 2, "maxSize": 2, "desiredSize": 2},
    }
    return {**subnets, IT: ("aws:eks/nodeGroup:NodeGroup", group)}


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ({IT: ("aws:ec2/instance:Instance", {**_EC2, "associatePublicIpAddress": True})}, {"public address": 3.65}),
        ({IT: ("aws:ec2/instance:Instance", {**_EC2, "associatePublicIpAddress": False})}, {}),
        (_in_subnets(True, True), {"2 public addresses": 7.3}),
        (_in_subnets(False), {}),
        ({IT: (_MACHINE, {**_GCE, **_OPEN})}, {"public address": 3.65}),
        ({IT: (_MACHINE, {**_GCE, **_OPEN, **_SPOT})}, {"public address": 1.82}),
        ({IT: (_MACHINE, {**_GCE, "networkInterfaces": [{}]})}, {}),
    ],
)
def test_addresses_that_machines_get_are_billed(program: Program, expected: dict[str, float]) -> None:
    assert _addresses(_bill(program)) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(("private", "expected"), [(False, {"2 public addresses": 7.3}), (True, {})])
def test_nodes_of_gke_have_addresses_unless_they_are_private(private: bool, expected: dict[str, float]) -> None:
    cluster = {**_PLACE, "removeDefaultNodePool": True, "privateClusterConfig": {"enablePrivateNodes": private}}
    nodes = {**_PLACE, "cluster": Ref("main", "name"), "nodeCount": 2, "nodeConfig": {"machineType": "n2-standard-4"}}
    program: Program = {"main": ("gcp:container/cluster:Cluster", cluster), IT: (_GKE_POOL, nodes)}

    assert _addresses(_bill(program)) == pytest.approx(expected)


@pytest.mark.parametrize("program", [_in_subnets(True, False), {IT: ("aws:ec2/instance:Instance", _EC2)}])
def test_addresses_that_subnets_decide_on_are_named(program: Program) -> None:
    bill = _bill(program)

    assert not _addresses(bill)
    assert [each.unit_usd for each in bill.unpriced if each.why == "public addresses of its machines"] == [0.005]


def test_a_reserved_address_replaces_the_machines_own() -> None:
    program: Program = {
        IT: ("aws:ec2/instance:Instance", {**_EC2, "associatePublicIpAddress": True}),
        "eip": ("aws:ec2/eip:Eip", {"instance": Ref(IT)}),
    }

    assert _addresses(_bill(program)) == {"public address": pytest.approx(3.65)}
    assert [line.urn.rpartition("::")[2] for line in _bill(program).lines if "address" in line.what] == ["eip"]


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        (None, {"public address, not in use": 7.3}),
        ({}, {"public address": 3.65}),
        (_SPOT, {"public address": 1.82}),
    ],
)
def test_a_static_address_of_google_costs_by_what_uses_it(
    machine: dict[str, Any] | None, expected: dict[str, float]
) -> None:
    program: Program = {"address": (_ADDRESS, {"region": "us-central1"})}
    if machine is not None:
        interface = {"accessConfigs": [{"natIp": Ref("address", "address")}]}
        program = {**program, IT: (_MACHINE, {**_GCE, **machine, "networkInterfaces": [interface]})}

    assert _addresses(_bill(program)) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(("internal", "expected"), [(False, {"2 public addresses": 7.3}), (True, {})])
def test_a_load_balancer_of_the_internet_has_an_address_in_each_subnet(
    internal: bool, expected: dict[str, float]
) -> None:
    balancer = ("aws:lb/loadBalancer:LoadBalancer", {"internal": internal, "subnets": ["subnet-1", "subnet-2"]})

    assert _addresses(_bill({IT: balancer})) == pytest.approx(expected)
