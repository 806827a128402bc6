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
    Case("GCP-LUSTRE-001", PASS, filesystem(perUnitStorageThroughput="1000")),
    Case("GCP-LUSTRE-001", PASS, filesystem(**DYNAMIC)),
    Case(
        "GCP-LUSTRE-001", FAIL, filesystem(perUnitStorageThroughput="300"), path="perUnitStorageThroughput", says="250"
    ),
    Case("GCP-LUSTRE-001", FAIL, filesystem(), path="perUnitStorageThroughput", says="dynamicTierOptions"),
    Case(
        "GCP-LUSTRE-001",
        FAIL,
        filesystem(perUnitStorageThroughput="500", **DYNAMIC),
        path="perUnitStorageThroughput",
        says="Leave",
    ),
    Case("GCP-LUSTRE-001", CANNOT_TELL, filesystem(perUnitStorageThroughput=UNKNOWN)),
    Case("GCP-LUSTRE-001", NOT_APPLICABLE, filesystem(perUnitStorageThroughput="fast")),
    Case("GCP-LUSTRE-002", PASS, sized("36000")),
    Case("GCP-LUSTRE-002", PASS, sized("472000", None, **DYNAMIC)),
    Case("GCP-LUSTRE-002", FAIL, sized("17000"), path="capacityGib", says="18000"),
    Case("GCP-LUSTRE-002", FAIL, sized("18000", "250"), path="capacityGib", says="36000"),
    Case("GCP-LUSTRE-002", FAIL, sized("3078000"), path="capacityGib", says="3060000"),
    Case("GCP-LUSTRE-002", FAIL, sized("36000", None, **DYNAMIC), path="capacityGib", says="472000"),
    Case("GCP-LUSTRE-002", CANNOT_TELL, sized(UNKNOWN)),
    Case("GCP-LUSTRE-002", NOT_APPLICABLE, sized("17000", "300")),
    Case("GCP-LUSTRE-003", PASS, filesystem(filesystem="scratch1")),
    Case("GCP-LUSTRE-003", FAIL, filesystem(filesystem="scratch-1"), path="filesystem", says="letters and digits"),
    Case("GCP-LUSTRE-003", FAIL, filesystem(filesystem="scratchpad"), path="filesystem", says="8"),
    Case("GCP-LUSTRE-003", CANNOT_TELL, filesystem(filesystem=UNKNOWN)),
    Case("GCP-LUSTRE-003", NOT_APPLICABLE, filesystem()),
    Case("GCP-LUSTRE-004", PASS, filesystem(network="projects/acme/global/networks/train")),
    Case("GCP-LUSTRE-004", FAIL, filesystem(network="train"), path="network", says="projects/PROJECT"),
    Case(
        "GCP-LUSTRE-004",
        FAIL,
        filesystem(network="https://www.googleapis.com/compute/v1/projects/acme/global/networks/train"),
        path="network",
        says="id",
    ),
    Case("GCP-LUSTRE-004", CANNOT_TELL, filesystem(network=UNKNOWN)),
    Case("GCP-LUSTRE-004", NOT_APPLICABLE, filesystem()),
    Case("GCP-LUSTRE-005", PASS, filesystem(location="us-south1-ai1b")),
    Case("GCP-LUSTRE-005", FAIL, filesystem(location="us-central1"), path="location", says="us-central1-b"),
    Case("GCP-LUSTRE-005", FAIL, filesystem(location="us-centre1-b"), path="location", says="no region"),
    Case("GCP-LUSTRE-005", CANNOT_TELL, filesystem(location=UNKNOWN)),
    Case("GCP-LUSTRE-005", NOT_APPLICABLE, filesystem()),
    Case("GCP-LUSTRE-006", PASS, trained("us-central1-b", IN_B), preview=True),
    Case("GCP-LUSTRE-006", FAIL, trained("us-central1-a", IN_B), path="location", says="us-central1-b", preview=True),
    Case("GCP-LUSTRE-006", CANNOT_TELL, trained("us-central1-a", {})),
    Case("GCP-LUSTRE-006", NOT_APPLICABLE, trained("us-central1-a", IN_B, "e2-standard-4")),
    Case("GCP-LUSTRE-006", NOT_APPLICABLE, trained("us-central1-a", IN_B, of="other")),
    Case("GCP-LUSTRE-007", PASS, trained("us-central1-b", IN_B), preview=True),
    Case("GCP-LUSTRE-007", FAIL, trained("us-central1-b", IN_B, of="other"), path="network", says="of the cluster"),
    Case(
        "GCP-LUSTRE-007",
        CANNOT_TELL,
        {**trained("us-central1-b", IN_B), "cluster": (CLUSTER, {"network": "made-elsewhere"})},
    ),
    Case("GCP-LUSTRE-007", NOT_APPLICABLE, filesystem(network="projects/acme/global/networks/train")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_lustre_rule_says_what_google_would(case: Case) -> None:
    check(case)
