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
    Case("gcp-net-mtu", PASS, network(mtu=8896)),
    Case("gcp-net-mtu", PASS, network(mtu=8244)),
    Case("gcp-net-mtu", FAIL, network(mtu=9000), path="mtu", says="8896"),
    Case("gcp-net-mtu", FAIL, network(mtu=1200), path="mtu", says="1300"),
    Case("gcp-net-mtu", CANNOT_TELL, network(mtu=UNKNOWN)),
    Case("gcp-net-mtu", NOT_APPLICABLE, network()),
    Case("gcp-net-profile-path", PASS, network(networkProfile=ROCE)),
    Case("gcp-net-profile-path", PASS, network(networkProfile=f"https://www.googleapis.com/compute/v1/{METAL}")),
    Case("gcp-net-profile-path", PASS, network(networkProfile=ROCE.replace("us-central1-b", "us-south1-ai1b"))),
    Case(
        "gcp-net-profile-path",
        FAIL,
        network(networkProfile="us-central1-b-vpc-roce"),
        path="networkProfile",
        says="projects/",
    ),
    Case(
        "gcp-net-profile-path",
        FAIL,
        network(networkProfile=ROCE.replace("-b-", "-")),
        path="networkProfile",
        says="zone",
    ),
    Case(
        "gcp-net-profile-path",
        FAIL,
        network(networkProfile=ROCE.replace("us-central1", "us-center1")),
        path="networkProfile",
    ),
    Case("gcp-net-profile-path", CANNOT_TELL, network(networkProfile=UNKNOWN)),
    Case("gcp-net-profile-path", NOT_APPLICABLE, network()),
    Case("gcp-net-profile-known", PASS, network(networkProfile=FALCON)),
    Case(
        "gcp-net-profile-known", FAIL, network(networkProfile=f"{ROCE}e"), path="networkProfile", says="vpc-roce-metal"
    ),
    Case("gcp-net-profile-known", CANNOT_TELL, network(networkProfile=UNKNOWN)),
    Case("gcp-net-profile-known", NOT_APPLICABLE, network()),
    Case("gcp-net-rdma-custom-mode", PASS, network(networkProfile=ROCE, autoCreateSubnetworks=False)),
    Case("gcp-net-rdma-custom-mode", FAIL, network(networkProfile=ROCE), path="autoCreateSubnetworks", says="false"),
    Case("gcp-net-rdma-custom-mode", CANNOT_TELL, network(networkProfile=ROCE, autoCreateSubnetworks=UNKNOWN)),
    Case("gcp-net-rdma-custom-mode", NOT_APPLICABLE, network(autoCreateSubnetworks=True)),
    Case("gcp-subnet-rdma-region", PASS, subnetwork({"networkProfile": ROCE}, region="us-central1"), preview=True),
    Case(
        "gcp-subnet-rdma-region",
        FAIL,
        subnetwork({"networkProfile": ROCE}, region="us-east1"),
        path="region",
        says="us-central1",
    ),
    Case("gcp-subnet-rdma-region", CANNOT_TELL, subnetwork({"networkProfile": ROCE})),
    Case("gcp-subnet-rdma-region", NOT_APPLICABLE, subnetwork({}, region="us-east1")),
    Case("gcp-subnet-rdma-settings", PASS, subnetwork({"networkProfile": ROCE}, secondaryIpRanges=pods("10.0.0.0/20"))),
    Case(
        "gcp-subnet-rdma-settings", FAIL, subnetwork({"networkProfile": METAL}), path="network", says="default-subnet-1"
    ),
    Case(
        "gcp-subnet-rdma-settings",
        FAIL,
        subnetwork({"networkProfile": ROCE}, stackType="IPV4_IPV6"),
        path="stackType",
        says="IPV4_ONLY",
        preview=True,
    ),
    Case("gcp-subnet-rdma-settings", CANNOT_TELL, subnetwork({"networkProfile": ROCE}, stackType=UNKNOWN)),
    Case("gcp-subnet-rdma-settings", NOT_APPLICABLE, subnetwork({}, stackType="IPV4_IPV6")),
    Case(
        "gcp-subnet-range-valid",
        PASS,
        subnetwork({}, ipCidrRange="10.0.0.0/20", secondaryIpRanges=pods("100.64.0.0/14")),
    ),
    Case("gcp-subnet-range-valid", FAIL, subnetwork({}, ipCidrRange="10.0.0.0/30"), path="ipCidrRange", says="/29"),
    Case(
        "gcp-subnet-range-valid",
        FAIL,
        subnetwork({}, ipCidrRange="10.0.1.0/20"),
        path="ipCidrRange",
        says="10.0.0.0/20",
    ),
    Case(
        "gcp-subnet-range-valid", FAIL, subnetwork({}, ipCidrRange="10.0.0.0"), path="ipCidrRange", says="10.0.0.0/20"
    ),
    Case("gcp-subnet-range-valid", FAIL, subnetwork({}, ipCidrRange="nodes"), path="ipCidrRange", says="10.0.0.0/20"),
    Case(
        "gcp-subnet-range-valid", FAIL, subnetwork({}, ipCidrRange="169.254.8.0/24"), path="ipCidrRange", says="private"
    ),
    Case(
        "gcp-subnet-range-valid",
        FAIL,
        subnetwork({}, secondaryIpRanges=pods("10.0.0.0/31")),
        path="secondaryIpRanges[0].ipCidrRange",
        says="/29",
    ),
    Case(
        "gcp-subnet-range-valid",
        NOT_APPLICABLE,
        subnetwork({}, secondaryIpRanges=[{"ipCidrRange": "2001:db8:0:2::/64", "ipVersion": "IPV6"}]),
    ),
    Case("gcp-subnet-range-valid", CANNOT_TELL, subnetwork({}, ipCidrRange=UNKNOWN)),
    Case("gcp-subnet-range-valid", NOT_APPLICABLE, subnetwork({}, ipv6AccessType="INTERNAL")),
    Case(
        "gcp-net-ranges-overlap",
        PASS,
        holding("10.0.0.0/20", "10.0.16.0/20", address="10.1.0.0", prefixLength=16),
        preview=True,
    ),
    Case("gcp-net-ranges-overlap", PASS, holding("10.0.0.0/20", prefixLength=16)),
    Case(
        "gcp-net-ranges-overlap",
        FAIL,
        holding("10.0.0.0/20", "10.0.8.0/24"),
        path="ipCidrRange",
        says="beside 10.0.0.0/20",
    ),
    Case(
        "gcp-net-ranges-overlap",
        FAIL,
        holding("10.0.0.0/20", address="10.0.0.0", prefixLength=16),
        path="address",
        says="sub0",
    ),
    Case("gcp-net-ranges-overlap", CANNOT_TELL, holding("10.0.0.0/20", UNKNOWN)),
    Case("gcp-net-ranges-overlap", NOT_APPLICABLE, network()),
    Case("gcp-subnet-auto-range", PASS, subnetwork({}, ipCidrRange="10.0.0.0/20")),
    Case(
        "gcp-subnet-auto-range",
        FAIL,
        subnetwork({}, ipCidrRange="10.130.0.0/20"),
        path="ipCidrRange",
        says="autoCreateSubnetworks",
    ),
    Case(
        "gcp-subnet-auto-range",
        CANNOT_TELL,
        subnetwork({"autoCreateSubnetworks": UNKNOWN}, ipCidrRange="10.130.0.0/20"),
    ),
    Case(
        "gcp-subnet-auto-range",
        NOT_APPLICABLE,
        subnetwork({"autoCreateSubnetworks": False}, ipCidrRange="10.130.0.0/20"),
    ),
    Case("gcp-net-peering-overlap", PASS, peered("10.0.0.0/20", "10.1.0.0/20")),
    Case("gcp-net-peering-overlap", FAIL, peered("10.0.0.0/20", "10.0.8.0/24"), path="peerNetwork", says="10.0.0.0/20"),
    Case("gcp-net-peering-overlap", CANNOT_TELL, peered("10.0.0.0/20", UNKNOWN)),
    Case("gcp-net-peering-overlap", NOT_APPLICABLE, {"it": (NETWORK_PEERING, {})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_network_rule_says_what_google_would(case: Case) -> None:
    check(case)
