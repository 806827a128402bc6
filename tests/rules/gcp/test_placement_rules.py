"""Placement: where the nodes of a pool stand, and what puts them there."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gcp_pools import COMPACT, REGION, ZONE, inline, placed, pool, reserved, unreserved, workload
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import RESOURCE_POLICY

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

ZONES = [ZONE, "us-central1-b"]
FLEX = {"flexStart": True, **unreserved()}
QUEUED: dict[str, Any] = {"queuedProvisioning": {"enabled": True}}
HIDDEN: dict[str, Any] = {"placementPolicy": UNKNOWN}


def compact(machine: str = "a3-highgpu-8g", config: Any = None, **inputs: Any) -> Program:
    """A pool in a compact placement."""
    return pool(machine, config, **{**COMPACT, **inputs})


def rack(policy: Program | None = None, machine: str = "a4x-highgpu-4g", config: Any = None, **inputs: Any) -> Program:
    """A pool in an NVLink rack."""
    return pool(machine, config, others=workload() if policy is None else policy, **{**placed(), **inputs})


def policy(**inputs: Any) -> Program:
    """A resource policy."""
    return {"it": (RESOURCE_POLICY, inputs)}


WIRED: dict[str, Any] = {"networkConfig": {"acceleratorNetworkProfile": "auto"}}
GROUP = {"groupPlacementPolicy": {"collocation": "COLLOCATED"}}
TOPOLOGY = {"type": "HIGH_THROUGHPUT", "acceleratorTopology": "1x72"}
UNCONNECTED = workload(acceleratorTopologyMode="PROVISION_ONLY")

CASES = [
    Case("GCP-PLACE-001", PASS, compact()),
    Case("GCP-PLACE-001", PASS, compact(nodeLocations=None, cluster={"location": ZONE})),
    Case("GCP-PLACE-001", FAIL, compact(nodeLocations=ZONES), path="nodeLocations", says=f"such as {ZONE}"),
    Case("GCP-PLACE-001", FAIL, compact(nodeLocations=None), path="nodeLocations", says="three zones"),
    Case("GCP-PLACE-001", FAIL, inline("a3-highgpu-8g", **COMPACT), path="nodePools[0].nodeLocations"),
    Case("GCP-PLACE-001", CANNOT_TELL, compact(nodeLocations=UNKNOWN)),
    Case("GCP-PLACE-001", NOT_APPLICABLE, pool("a3-highgpu-8g", nodeLocations=ZONES)),
    Case("GCP-PLACE-002", PASS, compact(upgradeSettings={"strategy": "SURGE"})),
    Case(
        "GCP-PLACE-002",
        FAIL,
        compact(upgradeSettings={"strategy": "BLUE_GREEN"}),
        path="upgradeSettings.strategy",
        says="SURGE",
    ),
    Case("GCP-PLACE-002", CANNOT_TELL, compact(upgradeSettings=UNKNOWN)),
    Case("GCP-PLACE-002", NOT_APPLICABLE, pool("a3-highgpu-8g", upgradeSettings={"strategy": "BLUE_GREEN"})),
    Case("GCP-PLACE-003", PASS, compact("ct6e-standard-4t", **QUEUED)),
    Case("GCP-PLACE-003", FAIL, compact(**QUEUED), path="placementPolicy", says="Leave"),
    Case("GCP-PLACE-003", CANNOT_TELL, compact(**{**QUEUED, **HIDDEN})),
    Case("GCP-PLACE-003", NOT_APPLICABLE, compact()),
    Case("GCP-PLACE-004", PASS, compact("a3-ultragpu-8g", FLEX)),
    Case("GCP-PLACE-004", PASS, compact("ct6e-standard-4t", FLEX)),
    Case("GCP-PLACE-004", FAIL, compact("a3-megagpu-8g", FLEX), path="placementPolicy", says="otherwise"),
    Case("GCP-PLACE-004", CANNOT_TELL, compact("a3-megagpu-8g", FLEX, **HIDDEN)),
    Case("GCP-PLACE-004", NOT_APPLICABLE, compact("a3-megagpu-8g")),
    Case("GCP-PLACE-005", PASS, rack()),
    Case("GCP-PLACE-005", FAIL, rack(workload("1x64")), path="workloadPolicy.acceleratorTopology", says="1x72"),
    Case("GCP-PLACE-005", FAIL, pool("a4x-highgpu-4g"), path="placementPolicy.policyName", says="HIGH_THROUGHPUT"),
    Case(
        "GCP-PLACE-005",
        FAIL,
        rack({"policy": (RESOURCE_POLICY, {"name": "policy", **GROUP})}),
        path="placementPolicy.policyName",
    ),
    Case("GCP-PLACE-005", CANNOT_TELL, rack(workload(UNKNOWN))),
    Case("GCP-PLACE-005", CANNOT_TELL, rack({}, placementPolicy={"type": "COMPACT", "policyName": "elsewhere"})),
    Case("GCP-PLACE-005", NOT_APPLICABLE, pool("a3-ultragpu-8g")),
    Case("GCP-PLACE-006", PASS, rack(nodeCount=18)),
    Case("GCP-PLACE-006", FAIL, rack(nodeCount=19), path="nodeCount", says="pool for each rack"),
    Case("GCP-PLACE-006", FAIL, rack(autoscaling={"maxNodeCount": 36}), path="autoscaling.maxNodeCount"),
    Case("GCP-PLACE-006", CANNOT_TELL, rack(nodeCount=UNKNOWN)),
    Case("GCP-PLACE-006", NOT_APPLICABLE, pool("a3-ultragpu-8g", nodeCount=36)),
    Case("GCP-PLACE-007", PASS, policy(workloadPolicy=TOPOLOGY)),
    Case(
        "GCP-PLACE-007",
        FAIL,
        policy(workloadPolicy={**TOPOLOGY, "type": "HIGH_AVAILABILITY"}),
        path="workloadPolicy.type",
        says="HIGH_THROUGHPUT",
    ),
    Case(
        "GCP-PLACE-007",
        FAIL,
        policy(workloadPolicy={**TOPOLOGY, "maxTopologyDistance": "BLOCK"}),
        path="workloadPolicy.maxTopologyDistance",
    ),
    Case("GCP-PLACE-007", CANNOT_TELL, policy(workloadPolicy={**TOPOLOGY, "type": UNKNOWN})),
    Case("GCP-PLACE-007", NOT_APPLICABLE, policy(**GROUP)),
    Case("GCP-PLACE-008", PASS, policy(**GROUP)),
    Case("GCP-PLACE-008", FAIL, policy(**GROUP, workloadPolicy=TOPOLOGY), path="groupPlacementPolicy", says="two"),
    Case("GCP-PLACE-008", CANNOT_TELL, policy(groupPlacementPolicy=UNKNOWN)),
    Case("GCP-PLACE-008", NOT_APPLICABLE, policy(snapshotSchedulePolicy={})),
    Case("GCP-PLACE-009", PASS, rack()),
    Case("GCP-PLACE-009", FAIL, rack(workload(region="us-east4")), path="placementPolicy.policyName", says=REGION),
    Case("GCP-PLACE-009", FAIL, rack(workload(region="us-east4")), path="placementPolicy.policyName", preview=True),
    Case("GCP-PLACE-009", CANNOT_TELL, rack(workload(region=None))),
    Case("GCP-PLACE-009", NOT_APPLICABLE, compact()),
    Case("GCP-PLACE-010", PASS, compact(nodeCount=96)),
    Case("GCP-PLACE-010", FAIL, compact(nodeCount=97), path="nodeCount", says="96"),
    Case("GCP-PLACE-010", FAIL, compact(autoscaling={"totalMaxNodeCount": 97}), path="autoscaling.totalMaxNodeCount"),
    Case("GCP-PLACE-010", CANNOT_TELL, compact(nodeCount=UNKNOWN)),
    Case("GCP-PLACE-010", NOT_APPLICABLE, compact("e2-standard-4", nodeCount=500)),
    Case("GCP-PLACE-011", PASS, compact(nodeCount=4, **WIRED)),
    Case("GCP-PLACE-011", PASS, pool("a3-ultragpu-8g", reserved(), nodeCount=4, **WIRED)),
    Case("GCP-PLACE-011", FAIL, pool("a3-megagpu-8g", nodeCount=4, **WIRED), path="placementPolicy", says="close"),
    Case(
        "GCP-PLACE-011",
        FAIL,
        pool("a3-ultragpu-8g", reserved(), nodeCount=4, nodeLocations=ZONES, **WIRED),
        path="nodeLocations",
    ),
    Case("GCP-PLACE-011", CANNOT_TELL, pool("a3-megagpu-8g", nodeCount=UNKNOWN)),
    Case("GCP-PLACE-011", CANNOT_TELL, pool("a3-megagpu-8g", nodeCount=4, networkConfig=UNKNOWN)),
    Case("GCP-PLACE-011", NOT_APPLICABLE, pool("a3-megagpu-8g", nodeCount=1, **WIRED)),
    Case("GCP-PLACE-011", NOT_APPLICABLE, pool("a3-megagpu-8g", nodeCount=4)),
    Case("GCP-PLACE-011", NOT_APPLICABLE, pool("g2-standard-48", nodeCount=4, nodeLocations=ZONES)),
    Case("GCP-PLACE-012", PASS, rack(UNCONNECTED, config=reserved())),
    Case("GCP-PLACE-012", FAIL, rack(UNCONNECTED), path="nodeConfig.reservationAffinity", says="AUTO_CONNECT"),
    Case(
        "GCP-PLACE-012",
        FAIL,
        rack(UNCONNECTED, config={**reserved(), "flexStart": True}),
        path="nodeConfig.reservationAffinity",
    ),
    Case("GCP-PLACE-012", CANNOT_TELL, rack(UNCONNECTED, config=reserved(kind=UNKNOWN))),
    Case("GCP-PLACE-012", NOT_APPLICABLE, rack()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_placement_rule_tells(case: Case) -> None:
    check(case)
