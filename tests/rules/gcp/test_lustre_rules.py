"""Managed Lustre: what Google sells and accepts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, LUSTRE, NETWORK, NODE_POOL

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

DYNAMIC = {"dynamicTierOptions": {"mode": "DEFAULT_CACHE"}}


def filesystem(**inputs: Any) -> Program:
    """A file system."""
    return {"it": (LUSTRE, inputs)}


def sized(capacity: Any, throughput: Any = 500, **inputs: Any) -> Program:
    """A file system of a capacity; Pulumi writes both numbers as text."""
    return filesystem(capacityGib=capacity, perUnitStorageThroughput=throughput, **inputs)


def trained(zone: Any, pool: dict[str, Any], machine: str = "a3-ultragpu-8g", of: str = "net") -> Program:
    """A file system in a zone, and a pool in the same network."""
    return {
        "net": (NETWORK, {}),
        "other": (NETWORK, {}),
        "cluster": (CLUSTER, {"network": Ref(of), "location": "us-central1"}),
        "pool": (NODE_POOL, {"cluster": Ref("cluster", "name"), "nodeConfig": {"machineType": machine}, **pool}),
        "it": (LUSTRE, {"network": Ref("net"), "location": zone, "gkeSupportEnabled": True}),
    }


IN_B = {"nodeLocations": ["us-central1-b"]}

CASES = [
    Case("gcp-lustre-throughput", PASS, filesystem(perUnitStorageThroughput="1000")),
    Case("gcp-lustre-throughput", PASS, filesystem(**DYNAMIC)),
    Case(
        "gcp-lustre-throughput",
        FAIL,
        filesystem(perUnitStorageThroughput="300"),
        path="perUnitStorageThroughput",
        says="250",
    ),
    Case("gcp-lustre-throughput", FAIL, filesystem(), path="perUnitStorageThroughput", says="dynamicTierOptions"),
    Case(
        "gcp-lustre-throughput",
        FAIL,
        filesystem(perUnitStorageThroughput="500", **DYNAMIC),
        path="perUnitStorageThroughput",
        says="Leave",
    ),
    Case("gcp-lustre-throughput", CANNOT_TELL, filesystem(perUnitStorageThroughput=UNKNOWN)),
    Case("gcp-lustre-throughput", NOT_APPLICABLE, filesystem(perUnitStorageThroughput="fast")),
    Case("gcp-lustre-capacity-step", PASS, sized("36000")),
    Case("gcp-lustre-capacity-step", PASS, sized("472000", None, **DYNAMIC)),
    Case("gcp-lustre-capacity-step", FAIL, sized("17000"), path="capacityGib", says="18000"),
    Case("gcp-lustre-capacity-step", FAIL, sized("18000", "250"), path="capacityGib", says="36000"),
    Case("gcp-lustre-capacity-step", FAIL, sized("3078000"), path="capacityGib", says="3060000"),
    Case("gcp-lustre-capacity-step", FAIL, sized("36000", None, **DYNAMIC), path="capacityGib", says="472000"),
    Case("gcp-lustre-capacity-step", CANNOT_TELL, sized(UNKNOWN)),
    Case("gcp-lustre-capacity-step", NOT_APPLICABLE, sized("17000", "300")),
    Case("gcp-lustre-filesystem-name", PASS, filesystem(filesystem="scratch1")),
    Case(
        "gcp-lustre-filesystem-name",
        FAIL,
        filesystem(filesystem="scratch-1"),
        path="filesystem",
        says="letters and digits",
    ),
    Case("gcp-lustre-filesystem-name", FAIL, filesystem(filesystem="scratchpad"), path="filesystem", says="8"),
    Case("gcp-lustre-filesystem-name", CANNOT_TELL, filesystem(filesystem=UNKNOWN)),
    Case("gcp-lustre-filesystem-name", NOT_APPLICABLE, filesystem()),
    Case("gcp-lustre-network-path", PASS, filesystem(network="projects/acme/global/networks/train")),
    Case("gcp-lustre-network-path", FAIL, filesystem(network="train"), path="network", says="projects/PROJECT"),
    Case(
        "gcp-lustre-network-path",
        FAIL,
        filesystem(network="https://www.googleapis.com/compute/v1/projects/acme/global/networks/train"),
        path="network",
        says="id",
    ),
    Case("gcp-lustre-network-path", CANNOT_TELL, filesystem(network=UNKNOWN)),
    Case("gcp-lustre-network-path", NOT_APPLICABLE, filesystem()),
    Case("gcp-lustre-zone", PASS, filesystem(location="us-south1-ai1b")),
    Case("gcp-lustre-zone", FAIL, filesystem(location="us-central1"), path="location", says="us-central1-b"),
    Case("gcp-lustre-zone", FAIL, filesystem(location="us-centre1-b"), path="location", says="no region"),
    Case("gcp-lustre-zone", CANNOT_TELL, filesystem(location=UNKNOWN)),
    Case("gcp-lustre-zone", NOT_APPLICABLE, filesystem()),
    Case("gcp-lustre-accelerator-zone", PASS, trained("us-central1-b", IN_B), preview=True),
    Case(
        "gcp-lustre-accelerator-zone",
        FAIL,
        trained("us-central1-a", IN_B),
        path="location",
        says="us-central1-b",
        preview=True,
    ),
    Case("gcp-lustre-accelerator-zone", CANNOT_TELL, trained("us-central1-a", {})),
    Case("gcp-lustre-accelerator-zone", NOT_APPLICABLE, trained("us-central1-a", IN_B, "e2-standard-4")),
    Case("gcp-lustre-accelerator-zone", NOT_APPLICABLE, trained("us-central1-a", IN_B, of="other")),
    Case("gcp-lustre-cluster-network", PASS, trained("us-central1-b", IN_B), preview=True),
    Case(
        "gcp-lustre-cluster-network",
        FAIL,
        trained("us-central1-b", IN_B, of="other"),
        path="network",
        says="of the cluster",
    ),
    Case(
        "gcp-lustre-cluster-network",
        CANNOT_TELL,
        {**trained("us-central1-b", IN_B), "cluster": (CLUSTER, {"network": "made-elsewhere"})},
    ),
    Case("gcp-lustre-cluster-network", NOT_APPLICABLE, filesystem(network="projects/acme/global/networks/train")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_lustre_rule_says_what_google_would(case: Case) -> None:
    check(case)
