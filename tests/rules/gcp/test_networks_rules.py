"""Networks of Google Cloud: packets, profiles, subnetworks and their ranges."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import GLOBAL_ADDRESS, NETWORK, NETWORK_PEERING, SUBNETWORK

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

ROCE = "projects/acme/global/networkProfiles/us-central1-b-vpc-roce"
METAL = f"{ROCE}-metal"
FALCON = "projects/acme/global/networkProfiles/us-central1-b-vpc-falcon"


def network(**inputs: Any) -> Program:
    """A network."""
    return {"it": (NETWORK, inputs)}


def subnetwork(of: dict[str, Any], **inputs: Any) -> Program:
    """A subnetwork of a network."""
    return {"net": (NETWORK, of), "it": (SUBNETWORK, {"network": Ref("net"), **inputs})}


def holding(*cidrs: Any, **kept: Any) -> Program:
    """A network with subnetworks of these ranges, and one that is kept for services."""
    subnetworks: Program = {
        f"sub{rank}": (SUBNETWORK, {"network": Ref("it"), "ipCidrRange": cidr}) for rank, cidr in enumerate(cidrs)
    }
    address: Program = {"kept": (GLOBAL_ADDRESS, {"network": Ref("it"), **kept})} if kept else {}
    return {"it": (NETWORK, {}), **subnetworks, **address}


def peered(first: Any, second: Any) -> Program:
    """Two networks with a subnetwork each, and one peering of both."""
    return {
        "a": (NETWORK, {}),
        "b": (NETWORK, {}),
        "sub-a": (SUBNETWORK, {"network": Ref("a"), "ipCidrRange": first}),
        "sub-b": (SUBNETWORK, {"network": Ref("b"), "ipCidrRange": second}),
        "it": (NETWORK_PEERING, {"network": Ref("a"), "peerNetwork": Ref("b")}),
    }


def pods(cidr: Any) -> list[dict[str, Any]]:
    """The secondary range of pods."""
    return [{"rangeName": "pods", "ipCidrRange": cidr}]


CASES = [
    Case("GCP-NET-001", PASS, network(mtu=8896)),
    Case("GCP-NET-001", PASS, network(mtu=8244)),
    Case("GCP-NET-001", FAIL, network(mtu=9000), path="mtu", says="8896"),
    Case("GCP-NET-001", FAIL, network(mtu=1200), path="mtu", says="1300"),
    Case("GCP-NET-001", CANNOT_TELL, network(mtu=UNKNOWN)),
    Case("GCP-NET-001", NOT_APPLICABLE, network()),
    Case("GCP-NET-002", PASS, network(networkProfile=ROCE)),
    Case("GCP-NET-002", PASS, network(networkProfile=f"https://www.googleapis.com/compute/v1/{METAL}")),
    Case("GCP-NET-002", PASS, network(networkProfile=ROCE.replace("us-central1-b", "us-south1-ai1b"))),
    Case(
        "GCP-NET-002", FAIL, network(networkProfile="us-central1-b-vpc-roce"), path="networkProfile", says="projects/"
    ),
    Case("GCP-NET-002", FAIL, network(networkProfile=ROCE.replace("-b-", "-")), path="networkProfile", says="zone"),
    Case("GCP-NET-002", FAIL, network(networkProfile=ROCE.replace("us-central1", "us-center1")), path="networkProfile"),
    Case("GCP-NET-002", CANNOT_TELL, network(networkProfile=UNKNOWN)),
    Case("GCP-NET-002", NOT_APPLICABLE, network()),
    Case("GCP-NET-003", PASS, network(networkProfile=FALCON)),
    Case("GCP-NET-003", FAIL, network(networkProfile=f"{ROCE}e"), path="networkProfile", says="vpc-roce-metal"),
    Case("GCP-NET-003", CANNOT_TELL, network(networkProfile=UNKNOWN)),
    Case("GCP-NET-003", NOT_APPLICABLE, network()),
    Case("GCP-NET-004", PASS, network(networkProfile=ROCE, autoCreateSubnetworks=False)),
    Case("GCP-NET-004", FAIL, network(networkProfile=ROCE), path="autoCreateSubnetworks", says="false"),
    Case("GCP-NET-004", CANNOT_TELL, network(networkProfile=ROCE, autoCreateSubnetworks=UNKNOWN)),
    Case("GCP-NET-004", NOT_APPLICABLE, network(autoCreateSubnetworks=True)),
    Case("GCP-NET-005", PASS, subnetwork({"networkProfile": ROCE}, region="us-central1"), preview=True),
    Case(
        "GCP-NET-005", FAIL, subnetwork({"networkProfile": ROCE}, region="us-east1"), path="region", says="us-central1"
    ),
    Case("GCP-NET-005", CANNOT_TELL, subnetwork({"networkProfile": ROCE})),
    Case("GCP-NET-005", NOT_APPLICABLE, subnetwork({}, region="us-east1")),
    Case("GCP-NET-006", PASS, subnetwork({"networkProfile": ROCE}, secondaryIpRanges=pods("10.0.0.0/20"))),
    Case("GCP-NET-006", FAIL, subnetwork({"networkProfile": METAL}), path="network", says="default-subnet-1"),
    Case(
        "GCP-NET-006",
        FAIL,
        subnetwork({"networkProfile": ROCE}, stackType="IPV4_IPV6"),
        path="stackType",
        says="IPV4_ONLY",
        preview=True,
    ),
    Case("GCP-NET-006", CANNOT_TELL, subnetwork({"networkProfile": ROCE}, stackType=UNKNOWN)),
    Case("GCP-NET-006", NOT_APPLICABLE, subnetwork({}, stackType="IPV4_IPV6")),
    Case("GCP-NET-007", PASS, subnetwork({}, ipCidrRange="10.0.0.0/20", secondaryIpRanges=pods("100.64.0.0/14"))),
    Case("GCP-NET-007", FAIL, subnetwork({}, ipCidrRange="10.0.0.0/30"), path="ipCidrRange", says="/29"),
    Case("GCP-NET-007", FAIL, subnetwork({}, ipCidrRange="10.0.1.0/20"), path="ipCidrRange", says="10.0.0.0/20"),
    Case("GCP-NET-007", FAIL, subnetwork({}, ipCidrRange="10.0.0.0"), path="ipCidrRange", says="10.0.0.0/20"),
    Case("GCP-NET-007", FAIL, subnetwork({}, ipCidrRange="nodes"), path="ipCidrRange", says="10.0.0.0/20"),
    Case("GCP-NET-007", FAIL, subnetwork({}, ipCidrRange="169.254.8.0/24"), path="ipCidrRange", says="private"),
    Case(
        "GCP-NET-007",
        FAIL,
        subnetwork({}, secondaryIpRanges=pods("10.0.0.0/31")),
        path="secondaryIpRanges[0].ipCidrRange",
        says="/29",
    ),
    Case(
        "GCP-NET-007",
        NOT_APPLICABLE,
        subnetwork({}, secondaryIpRanges=[{"ipCidrRange": "2001:db8:0:2::/64", "ipVersion": "IPV6"}]),
    ),
    Case("GCP-NET-007", CANNOT_TELL, subnetwork({}, ipCidrRange=UNKNOWN)),
    Case("GCP-NET-007", NOT_APPLICABLE, subnetwork({}, ipv6AccessType="INTERNAL")),
    Case(
        "GCP-NET-008", PASS, holding("10.0.0.0/20", "10.0.16.0/20", address="10.1.0.0", prefixLength=16), preview=True
    ),
    Case("GCP-NET-008", PASS, holding("10.0.0.0/20", prefixLength=16)),
    Case("GCP-NET-008", FAIL, holding("10.0.0.0/20", "10.0.8.0/24"), path="ipCidrRange", says="beside 10.0.0.0/20"),
    Case("GCP-NET-008", FAIL, holding("10.0.0.0/20", address="10.0.0.0", prefixLength=16), path="address", says="sub0"),
    Case("GCP-NET-008", CANNOT_TELL, holding("10.0.0.0/20", UNKNOWN)),
    Case("GCP-NET-008", NOT_APPLICABLE, network()),
    Case("GCP-NET-009", PASS, subnetwork({}, ipCidrRange="10.0.0.0/20")),
    Case(
        "GCP-NET-009",
        FAIL,
        subnetwork({}, ipCidrRange="10.130.0.0/20"),
        path="ipCidrRange",
        says="autoCreateSubnetworks",
    ),
    Case("GCP-NET-009", CANNOT_TELL, subnetwork({"autoCreateSubnetworks": UNKNOWN}, ipCidrRange="10.130.0.0/20")),
    Case("GCP-NET-009", NOT_APPLICABLE, subnetwork({"autoCreateSubnetworks": False}, ipCidrRange="10.130.0.0/20")),
    Case("GCP-NET-010", PASS, peered("10.0.0.0/20", "10.1.0.0/20")),
    Case("GCP-NET-010", FAIL, peered("10.0.0.0/20", "10.0.8.0/24"), path="peerNetwork", says="10.0.0.0/20"),
    Case("GCP-NET-010", CANNOT_TELL, peered("10.0.0.0/20", UNKNOWN)),
    Case("GCP-NET-010", NOT_APPLICABLE, {"it": (NETWORK_PEERING, {})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_network_rule_says_what_google_would(case: Case) -> None:
    check(case)
