"""Addresses of nodes and pods."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, NETWORK, NODE_POOL, SUBNETWORK

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

NAMED = {"clusterSecondaryRangeName": "pods", "servicesSecondaryRangeName": "services"}


def subnetwork(nodes: Any = "10.0.0.0/20", pods: Any = "10.4.0.0/14") -> dict[str, Any]:
    """A subnetwork with ranges for pods and services."""
    ranges = [{"rangeName": "pods", "ipCidrRange": pods}, {"rangeName": "services", "ipCidrRange": "10.1.0.0/20"}]
    return {"network": Ref("net"), "ipCidrRange": nodes, "secondaryIpRanges": ranges}


def cluster(policy: dict[str, Any] | None, **inputs: Any) -> Program:
    """A cluster in a subnetwork."""
    made = {"subnetwork": Ref("sub"), "ipAllocationPolicy": policy, **inputs}
    return {"net": (NETWORK, {}), "sub": (SUBNETWORK, subnetwork()), "it": (CLUSTER, made)}


def pool(inputs: dict[str, Any], pods: Any = "10.4.0.0/14", **subnetworks: Any) -> Program:
    """A pool in a regional cluster; without named zones it is in three."""
    made = {"subnetwork": Ref("it"), "ipAllocationPolicy": NAMED, "location": "us-central1"}
    return {
        "net": (NETWORK, {}),
        "it": (SUBNETWORK, subnetwork(pods=pods, **subnetworks)),
        "cluster": (CLUSTER, made),
        "pool": (NODE_POOL, {"cluster": Ref("cluster", "name"), **inputs}),
    }


def other_range(name: str) -> Program:
    """A pool whose pods take a range of their own."""
    network = {"networkConfig": {"podRange": name}}
    return {
        **cluster(NAMED),
        "c": (CLUSTER, {"subnetwork": Ref("sub")}),
        "it": (NODE_POOL, {"cluster": Ref("c"), **network}),
    }


ONE_ZONE = {"nodeLocations": ["us-central1-b"]}

CASES = [
    Case("GCP-IP-001", PASS, cluster(NAMED), preview=True),
    Case("GCP-IP-001", PASS, other_range("pods")),
    Case("GCP-IP-001", FAIL, other_range("pod"), path="networkConfig.podRange", says="pods, services"),
    Case(
        "GCP-IP-001",
        FAIL,
        cluster({**NAMED, "clusterSecondaryRangeName": "pod"}),
        path="ipAllocationPolicy.clusterSecondaryRangeName",
        says="pods, services",
    ),
    Case(
        "GCP-IP-001",
        FAIL,
        cluster({**NAMED, "servicesSecondaryRangeName": "pods"}),
        path="ipAllocationPolicy.servicesSecondaryRangeName",
        says="share the range",
    ),
    Case("GCP-IP-004", PASS, cluster(NAMED), preview=True),
    Case(
        "GCP-IP-004",
        FAIL,
        cluster({"clusterSecondaryRangeName": "services", "servicesSecondaryRangeName": "pods"}),
        path="ipAllocationPolicy.servicesSecondaryRangeName",
        says="/16",
    ),
    Case("GCP-IP-004", CANNOT_TELL, cluster(NAMED, subnetwork="made-elsewhere")),
    Case("GCP-IP-004", NOT_APPLICABLE, cluster({"clusterIpv4CidrBlock": "/14"})),
    Case("GCP-IP-001", CANNOT_TELL, cluster(NAMED, subnetwork="made-elsewhere")),
    Case("GCP-IP-001", NOT_APPLICABLE, cluster({"clusterIpv4CidrBlock": "/14"})),
    Case("GCP-IP-002", PASS, pool({"nodeCount": 8}), preview=True),
    Case("GCP-IP-002", PASS, pool({"nodeCount": 4, "maxPodsPerNode": 32, **ONE_ZONE}, "10.4.0.0/24")),
    Case(
        "GCP-IP-002",
        FAIL,
        pool({"nodeCount": 5, "maxPodsPerNode": 32, **ONE_ZONE}, "10.4.0.0/24"),
        path="secondaryIpRanges[0].ipCidrRange",
        says="/23",
    ),
    Case(
        "GCP-IP-002", FAIL, pool({"nodeCount": 2}, "10.4.0.0/22"), path="secondaryIpRanges[0].ipCidrRange", says="/21"
    ),
    Case("GCP-IP-002", FAIL, pool({"nodeCount": 5}, nodes="10.0.0.0/28"), path="ipCidrRange", says="/27"),
    Case("GCP-IP-002", CANNOT_TELL, pool({"nodeCount": UNKNOWN})),
    Case("GCP-IP-002", NOT_APPLICABLE, {"it": (SUBNETWORK, {})}),
    Case("GCP-IP-003", PASS, pool({"autoscaling": {"minNodeCount": 0, "maxNodeCount": 8}})),
    Case(
        "GCP-IP-003",
        FAIL,
        pool({"autoscaling": {"minNodeCount": 0, "maxNodeCount": 8}}, "10.4.0.0/20"),
        path="secondaryIpRanges[0].ipCidrRange",
        says="may come",
    ),
    Case("GCP-IP-003", PASS, pool({"autoscaling": {"totalMaxNodeCount": 16}}, "10.4.0.0/20")),
    Case("GCP-IP-003", CANNOT_TELL, pool({"autoscaling": UNKNOWN})),
    Case("GCP-IP-003", NOT_APPLICABLE, {"it": (SUBNETWORK, {})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_addresses_says_what_google_would(case: Case) -> None:
    check(case)
