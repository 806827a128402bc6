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
    Case("gcp-gke-secondary-ranges", PASS, cluster(NAMED), preview=True),
    Case("gcp-gke-secondary-ranges", PASS, other_range("pods")),
    Case("gcp-gke-secondary-ranges", FAIL, other_range("pod"), path="networkConfig.podRange", says="pods, services"),
    Case(
        "gcp-gke-secondary-ranges",
        FAIL,
        cluster({**NAMED, "clusterSecondaryRangeName": "pod"}),
        path="ipAllocationPolicy.clusterSecondaryRangeName",
        says="pods, services",
    ),
    Case(
        "gcp-gke-secondary-ranges",
        FAIL,
        cluster({**NAMED, "servicesSecondaryRangeName": "pods"}),
        path="ipAllocationPolicy.servicesSecondaryRangeName",
        says="share the range",
    ),
    Case("gcp-gke-services-range-size", PASS, cluster(NAMED), preview=True),
    Case(
        "gcp-gke-services-range-size",
        FAIL,
        cluster({"clusterSecondaryRangeName": "services", "servicesSecondaryRangeName": "pods"}),
        path="ipAllocationPolicy.servicesSecondaryRangeName",
        says="/16",
    ),
    Case("gcp-gke-services-range-size", CANNOT_TELL, cluster(NAMED, subnetwork="made-elsewhere")),
    Case("gcp-gke-services-range-size", NOT_APPLICABLE, cluster({"clusterIpv4CidrBlock": "/14"})),
    Case("gcp-gke-secondary-ranges", CANNOT_TELL, cluster(NAMED, subnetwork="made-elsewhere")),
    Case("gcp-gke-secondary-ranges", NOT_APPLICABLE, cluster({"clusterIpv4CidrBlock": "/14"})),
    Case("gcp-gke-ranges-initial-nodes", PASS, pool({"nodeCount": 8}), preview=True),
    Case("gcp-gke-ranges-initial-nodes", PASS, pool({"nodeCount": 4, "maxPodsPerNode": 32, **ONE_ZONE}, "10.4.0.0/24")),
    Case(
        "gcp-gke-ranges-initial-nodes",
        FAIL,
        pool({"nodeCount": 5, "maxPodsPerNode": 32, **ONE_ZONE}, "10.4.0.0/24"),
        path="secondaryIpRanges[0].ipCidrRange",
        says="/23",
    ),
    Case(
        "gcp-gke-ranges-initial-nodes",
        FAIL,
        pool({"nodeCount": 2}, "10.4.0.0/22"),
        path="secondaryIpRanges[0].ipCidrRange",
        says="/21",
    ),
    Case(
        "gcp-gke-ranges-initial-nodes",
        FAIL,
        pool({"nodeCount": 5}, nodes="10.0.0.0/28"),
        path="ipCidrRange",
        says="/27",
    ),
    Case("gcp-gke-ranges-initial-nodes", CANNOT_TELL, pool({"nodeCount": UNKNOWN})),
    Case("gcp-gke-ranges-initial-nodes", NOT_APPLICABLE, {"it": (SUBNETWORK, {})}),
    Case("gcp-gke-ranges-max-nodes", PASS, pool({"autoscaling": {"minNodeCount": 0, "maxNodeCount": 8}})),
    Case(
        "gcp-gke-ranges-max-nodes",
        FAIL,
        pool({"autoscaling": {"minNodeCount": 0, "maxNodeCount": 8}}, "10.4.0.0/20"),
        path="secondaryIpRanges[0].ipCidrRange",
        says="may come",
    ),
    Case("gcp-gke-ranges-max-nodes", PASS, pool({"autoscaling": {"totalMaxNodeCount": 16}}, "10.4.0.0/20")),
    Case("gcp-gke-ranges-max-nodes", CANNOT_TELL, pool({"autoscaling": UNKNOWN})),
    Case("gcp-gke-ranges-max-nodes", NOT_APPLICABLE, {"it": (SUBNETWORK, {})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_addresses_says_what_google_would(case: Case) -> None:
    check(case)
