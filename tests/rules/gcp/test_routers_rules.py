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
    Case("gcp-nat-listed-resources", PASS, gateway(**ALL, natIpAllocateOption="AUTO_ONLY")),
    Case("gcp-nat-listed-resources", PASS, gateway(**LISTED, subnetworks=[{"name": UNKNOWN}]), preview=True),
    Case("gcp-nat-listed-resources", FAIL, gateway(**LISTED), path="subnetworks", says="List them"),
    Case(
        "gcp-nat-listed-resources",
        FAIL,
        gateway(**ALL, subnetworks=[{"name": "sub"}]),
        path="subnetworks",
        says="LIST_OF",
    ),
    Case(
        "gcp-nat-listed-resources",
        FAIL,
        gateway(**ALL, natIpAllocateOption="MANUAL_ONLY"),
        path="natIps",
        says="natIps",
    ),
    Case("gcp-nat-listed-resources", FAIL, gateway(**ALL, natIps=["address"]), path="natIps", says="MANUAL_ONLY"),
    Case("gcp-nat-listed-resources", CANNOT_TELL, gateway(sourceSubnetworkIpRangesToNat=UNKNOWN)),
    Case("gcp-nat-listed-resources", NOT_APPLICABLE, gateway()),
    Case(
        "gcp-nat-dynamic-ports", PASS, gateway(enableDynamicPortAllocation=True, minPortsPerVm=64, maxPortsPerVm=4096)
    ),
    Case(
        "gcp-nat-dynamic-ports",
        FAIL,
        gateway(enableDynamicPortAllocation=True, minPortsPerVm=100),
        path="minPortsPerVm",
    ),
    Case(
        "gcp-nat-dynamic-ports",
        FAIL,
        gateway(enableDynamicPortAllocation=True, minPortsPerVm=64, maxPortsPerVm=64),
        path="maxPortsPerVm",
        says="65",
    ),
    Case(
        "gcp-nat-dynamic-ports",
        FAIL,
        gateway(maxPortsPerVm=4096),
        path="maxPortsPerVm",
        says="enableDynamicPortAllocation",
    ),
    Case(
        "gcp-nat-dynamic-ports",
        FAIL,
        gateway(enableDynamicPortAllocation=True, enableEndpointIndependentMapping=True),
        path="enableEndpointIndependentMapping",
        says="false",
    ),
    Case("gcp-nat-dynamic-ports", CANNOT_TELL, gateway(enableDynamicPortAllocation=UNKNOWN)),
    Case("gcp-nat-dynamic-ports", NOT_APPLICABLE, gateway()),
    Case("gcp-nat-router-region", PASS, routed({}), preview=True),
    Case("gcp-nat-router-region", FAIL, routed({"region": "us-east1"}), path="region", says="us-east1"),
    Case("gcp-nat-router-region", CANNOT_TELL, gateway(router="made-elsewhere")),
    Case("gcp-nat-router-region", NOT_APPLICABLE, gateway()),
    Case("gcp-nat-subnetworks", PASS, listing(Ref("near"))),
    Case("gcp-nat-subnetworks", FAIL, listing(Ref("far")), path="subnetworks[0].name", says="us-central1"),
    Case("gcp-nat-subnetworks", FAIL, listing(Ref("foreign")), path="subnetworks[0].name", says="of net"),
    Case("gcp-nat-subnetworks", CANNOT_TELL, listing("made-elsewhere")),
    Case("gcp-nat-subnetworks", NOT_APPLICABLE, routed({})),
    Case("gcp-nat-single-gateway", PASS, routed({}, **ALL)),
    Case("gcp-nat-single-gateway", FAIL, two(**ALL), path="sourceSubnetworkIpRangesToNat", says="beside"),
    Case("gcp-nat-single-gateway", CANNOT_TELL, routed({}, sourceSubnetworkIpRangesToNat=UNKNOWN)),
    Case("gcp-nat-single-gateway", NOT_APPLICABLE, routed({}, **LISTED)),
    Case("gcp-gke-private-nodes-egress", PASS, private({}, ALL), preview=True),
    Case("gcp-gke-private-nodes-egress", PASS, private({"privateIpGoogleAccess": True})),
    Case("gcp-gke-private-nodes-egress", PASS, private({}, {**LISTED, "subnetworks": [{"name": Ref("sub")}]})),
    Case("gcp-gke-private-nodes-egress", FAIL, private({}), path="subnetwork", says="privateIpGoogleAccess"),
    Case(
        "gcp-gke-private-nodes-egress",
        FAIL,
        private({}, {**ALL, "router": "made-elsewhere"}),
        path="subnetwork",
        says="NAT",
    ),
    Case("gcp-gke-private-nodes-egress", CANNOT_TELL, {"it": (CLUSTER, {"subnetwork": "made-elsewhere", **PRIVATE})}),
    Case("gcp-gke-private-nodes-egress", NOT_APPLICABLE, private({}, privateClusterConfig=None)),
    Case("gcp-gke-private-nodes-egress", NOT_APPLICABLE, {"it": (NODE_POOL, {"cluster": "made-elsewhere"})}),
    Case(
        "gcp-nat-no-rdma", PASS, {"net": (NETWORK, {"networkProfile": ROCE}), "it": (ROUTER, {"network": Ref("net")})}
    ),
    Case("gcp-nat-no-rdma", FAIL, rdma(networkProfile=ROCE), path="network", says="first interface"),
    Case("gcp-nat-no-rdma", CANNOT_TELL, rdma(networkProfile=UNKNOWN)),
    Case("gcp-nat-no-rdma", NOT_APPLICABLE, rdma()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_router_rule_says_what_google_would(case: Case) -> None:
    check(case)
