"""Routers and Cloud NAT."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, NETWORK, NODE_POOL, ROUTER, ROUTER_NAT, SUBNETWORK

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

ALL = {"sourceSubnetworkIpRangesToNat": "ALL_SUBNETWORKS_ALL_IP_RANGES"}
LISTED = {"sourceSubnetworkIpRangesToNat": "LIST_OF_SUBNETWORKS"}
ROCE = "projects/acme/global/networkProfiles/us-central1-b-vpc-roce"
PRIVATE = {"privateClusterConfig": {"enablePrivateNodes": True}}


def gateway(**inputs: Any) -> Program:
    """A gateway alone."""
    return {"it": (ROUTER_NAT, inputs)}


def routed(router: dict[str, Any], **inputs: Any) -> Program:
    """A gateway on a router of a network in us-central1, with a subnetwork there, one in us-east1 and one elsewhere."""
    return {
        "net": (NETWORK, {}),
        "other": (NETWORK, {}),
        "near": (SUBNETWORK, {"network": Ref("net"), "region": "us-central1"}),
        "far": (SUBNETWORK, {"network": Ref("net"), "region": "us-east1"}),
        "foreign": (SUBNETWORK, {"network": Ref("other"), "region": "us-central1"}),
        "router": (ROUTER, {"network": Ref("net"), "region": "us-central1", **router}),
        "it": (ROUTER_NAT, {"router": Ref("router", "name"), "region": "us-central1", **inputs}),
    }


def listing(name: Any) -> Program:
    """A gateway that lists a subnetwork."""
    return routed({}, **LISTED, subnetworks=[{"name": name, "sourceIpRangesToNats": ["ALL_IP_RANGES"]}])


def two(**second: Any) -> Program:
    """Two gateways on one router."""
    beside = {"router": Ref("router", "name"), "region": "us-central1", **second}
    return {**routed({}, **ALL), "beside": (ROUTER_NAT, beside)}


def private(subnetwork: dict[str, Any], nat: dict[str, Any] | None = None, **cluster: Any) -> Program:
    """A cluster whose nodes have no addresses of their own, with or without a gateway."""
    way: Program = (
        {
            "router": (ROUTER, {"network": Ref("net"), "region": "us-central1"}),
            "nat": (ROUTER_NAT, {"router": Ref("router", "name"), "region": "us-central1", **nat}),
        }
        if nat is not None
        else {}
    )
    return {
        "net": (NETWORK, {}),
        "sub": (SUBNETWORK, {"network": Ref("net"), "region": "us-central1", **subnetwork}),
        **way,
        "it": (CLUSTER, {"subnetwork": Ref("sub"), **PRIVATE, **cluster}),
    }


def rdma(**network: Any) -> Program:
    """A gateway in a network for RDMA."""
    return {
        "net": (NETWORK, network),
        "it": (ROUTER, {"network": Ref("net")}),
        "nat": (ROUTER_NAT, {"router": Ref("it", "name")}),
    }


CASES = [
    Case("GCP-NAT-001", PASS, gateway(**ALL, natIpAllocateOption="AUTO_ONLY")),
    Case("GCP-NAT-001", PASS, gateway(**LISTED, subnetworks=[{"name": UNKNOWN}]), preview=True),
    Case("GCP-NAT-001", FAIL, gateway(**LISTED), path="subnetworks", says="List them"),
    Case("GCP-NAT-001", FAIL, gateway(**ALL, subnetworks=[{"name": "sub"}]), path="subnetworks", says="LIST_OF"),
    Case("GCP-NAT-001", FAIL, gateway(**ALL, natIpAllocateOption="MANUAL_ONLY"), path="natIps", says="natIps"),
    Case("GCP-NAT-001", FAIL, gateway(**ALL, natIps=["address"]), path="natIps", says="MANUAL_ONLY"),
    Case("GCP-NAT-001", CANNOT_TELL, gateway(sourceSubnetworkIpRangesToNat=UNKNOWN)),
    Case("GCP-NAT-001", NOT_APPLICABLE, gateway()),
    Case("GCP-NAT-002", PASS, gateway(enableDynamicPortAllocation=True, minPortsPerVm=64, maxPortsPerVm=4096)),
    Case("GCP-NAT-002", FAIL, gateway(enableDynamicPortAllocation=True, minPortsPerVm=100), path="minPortsPerVm"),
    Case(
        "GCP-NAT-002",
        FAIL,
        gateway(enableDynamicPortAllocation=True, minPortsPerVm=64, maxPortsPerVm=64),
        path="maxPortsPerVm",
        says="65",
    ),
    Case("GCP-NAT-002", FAIL, gateway(maxPortsPerVm=4096), path="maxPortsPerVm", says="enableDynamicPortAllocation"),
    Case(
        "GCP-NAT-002",
        FAIL,
        gateway(enableDynamicPortAllocation=True, enableEndpointIndependentMapping=True),
        path="enableEndpointIndependentMapping",
        says="false",
    ),
    Case("GCP-NAT-002", CANNOT_TELL, gateway(enableDynamicPortAllocation=UNKNOWN)),
    Case("GCP-NAT-002", NOT_APPLICABLE, gateway()),
    Case("GCP-NAT-003", PASS, routed({}), preview=True),
    Case("GCP-NAT-003", FAIL, routed({"region": "us-east1"}), path="region", says="us-east1"),
    Case("GCP-NAT-003", CANNOT_TELL, gateway(router="made-elsewhere")),
    Case("GCP-NAT-003", NOT_APPLICABLE, gateway()),
    Case("GCP-NAT-004", PASS, listing(Ref("near"))),
    Case("GCP-NAT-004", FAIL, listing(Ref("far")), path="subnetworks[0].name", says="us-central1"),
    Case("GCP-NAT-004", FAIL, listing(Ref("foreign")), path="subnetworks[0].name", says="of net"),
    Case("GCP-NAT-004", CANNOT_TELL, listing("made-elsewhere")),
    Case("GCP-NAT-004", NOT_APPLICABLE, routed({})),
    Case("GCP-NAT-005", PASS, routed({}, **ALL)),
    Case("GCP-NAT-005", FAIL, two(**ALL), path="sourceSubnetworkIpRangesToNat", says="beside"),
    Case("GCP-NAT-005", CANNOT_TELL, routed({}, sourceSubnetworkIpRangesToNat=UNKNOWN)),
    Case("GCP-NAT-005", NOT_APPLICABLE, routed({}, **LISTED)),
    Case("GCP-NAT-006", PASS, private({}, ALL), preview=True),
    Case("GCP-NAT-006", PASS, private({"privateIpGoogleAccess": True})),
    Case("GCP-NAT-006", PASS, private({}, {**LISTED, "subnetworks": [{"name": Ref("sub")}]})),
    Case("GCP-NAT-006", FAIL, private({}), path="subnetwork", says="privateIpGoogleAccess"),
    Case("GCP-NAT-006", FAIL, private({}, {**ALL, "router": "made-elsewhere"}), path="subnetwork", says="NAT"),
    Case("GCP-NAT-006", CANNOT_TELL, {"it": (CLUSTER, {"subnetwork": "made-elsewhere", **PRIVATE})}),
    Case("GCP-NAT-006", NOT_APPLICABLE, private({}, privateClusterConfig=None)),
    Case("GCP-NAT-006", NOT_APPLICABLE, {"it": (NODE_POOL, {"cluster": "made-elsewhere"})}),
    Case("GCP-NAT-007", PASS, {"net": (NETWORK, {"networkProfile": ROCE}), "it": (ROUTER, {"network": Ref("net")})}),
    Case("GCP-NAT-007", FAIL, rdma(networkProfile=ROCE), path="network", says="first interface"),
    Case("GCP-NAT-007", CANNOT_TELL, rdma(networkProfile=UNKNOWN)),
    Case("GCP-NAT-007", NOT_APPLICABLE, rdma()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_router_rule_says_what_google_would(case: Case) -> None:
    check(case)
