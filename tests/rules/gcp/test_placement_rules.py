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
    Case("gcp-placement-one-zone", PASS, compact()),
    Case("gcp-placement-one-zone", PASS, compact(nodeLocations=None, cluster={"location": ZONE})),
    Case("gcp-placement-one-zone", FAIL, compact(nodeLocations=ZONES), path="nodeLocations", says=f"such as {ZONE}"),
    Case("gcp-placement-one-zone", FAIL, compact(nodeLocations=None), path="nodeLocations", says="three zones"),
    Case("gcp-placement-one-zone", FAIL, inline("a3-highgpu-8g", **COMPACT), path="nodePools[0].nodeLocations"),
    Case("gcp-placement-one-zone", CANNOT_TELL, compact(nodeLocations=UNKNOWN)),
    Case("gcp-placement-one-zone", NOT_APPLICABLE, pool("a3-highgpu-8g", nodeLocations=ZONES)),
    Case("gcp-placement-surge-upgrade", PASS, compact(upgradeSettings={"strategy": "SURGE"})),
    Case(
        "gcp-placement-surge-upgrade",
        FAIL,
        compact(upgradeSettings={"strategy": "BLUE_GREEN"}),
        path="upgradeSettings.strategy",
        says="SURGE",
    ),
    Case("gcp-placement-surge-upgrade", CANNOT_TELL, compact(upgradeSettings=UNKNOWN)),
    Case(
        "gcp-placement-surge-upgrade", NOT_APPLICABLE, pool("a3-highgpu-8g", upgradeSettings={"strategy": "BLUE_GREEN"})
    ),
    Case("gcp-placement-no-queued", PASS, compact("ct6e-standard-4t", **QUEUED)),
    Case("gcp-placement-no-queued", FAIL, compact(**QUEUED), path="placementPolicy", says="Leave"),
    Case("gcp-placement-no-queued", CANNOT_TELL, compact(**{**QUEUED, **HIDDEN})),
    Case("gcp-placement-no-queued", NOT_APPLICABLE, compact()),
    Case("gcp-placement-flex-start", PASS, compact("a3-ultragpu-8g", FLEX)),
    Case("gcp-placement-flex-start", PASS, compact("ct6e-standard-4t", FLEX)),
    Case("gcp-placement-flex-start", FAIL, compact("a3-megagpu-8g", FLEX), path="placementPolicy", says="otherwise"),
    Case("gcp-placement-flex-start", CANNOT_TELL, compact("a3-megagpu-8g", FLEX, **HIDDEN)),
    Case("gcp-placement-flex-start", NOT_APPLICABLE, compact("a3-megagpu-8g")),
    Case("gcp-placement-nvlink-policy", PASS, rack()),
    Case(
        "gcp-placement-nvlink-policy",
        FAIL,
        rack(workload("1x64")),
        path="workloadPolicy.acceleratorTopology",
        says="1x72",
    ),
    Case(
        "gcp-placement-nvlink-policy",
        FAIL,
        pool("a4x-highgpu-4g"),
        path="placementPolicy.policyName",
        says="HIGH_THROUGHPUT",
    ),
    Case(
        "gcp-placement-nvlink-policy",
        FAIL,
        rack({"policy": (RESOURCE_POLICY, {"name": "policy", **GROUP})}),
        path="placementPolicy.policyName",
    ),
    Case("gcp-placement-nvlink-policy", CANNOT_TELL, rack(workload(UNKNOWN))),
    Case(
        "gcp-placement-nvlink-policy",
        CANNOT_TELL,
        rack({}, placementPolicy={"type": "COMPACT", "policyName": "elsewhere"}),
    ),
    Case("gcp-placement-nvlink-policy", NOT_APPLICABLE, pool("a3-ultragpu-8g")),
    Case("gcp-placement-nvlink-size", PASS, rack(nodeCount=18)),
    Case("gcp-placement-nvlink-size", FAIL, rack(nodeCount=19), path="nodeCount", says="pool for each rack"),
    Case("gcp-placement-nvlink-size", FAIL, rack(autoscaling={"maxNodeCount": 36}), path="autoscaling.maxNodeCount"),
    Case("gcp-placement-nvlink-size", CANNOT_TELL, rack(nodeCount=UNKNOWN)),
    Case("gcp-placement-nvlink-size", NOT_APPLICABLE, pool("a3-ultragpu-8g", nodeCount=36)),
    Case("gcp-placement-workload-policy", PASS, policy(workloadPolicy=TOPOLOGY)),
    Case(
        "gcp-placement-workload-policy",
        FAIL,
        policy(workloadPolicy={**TOPOLOGY, "type": "HIGH_AVAILABILITY"}),
        path="workloadPolicy.type",
        says="HIGH_THROUGHPUT",
    ),
    Case(
        "gcp-placement-workload-policy",
        FAIL,
        policy(workloadPolicy={**TOPOLOGY, "maxTopologyDistance": "BLOCK"}),
        path="workloadPolicy.maxTopologyDistance",
    ),
    Case("gcp-placement-workload-policy", CANNOT_TELL, policy(workloadPolicy={**TOPOLOGY, "type": UNKNOWN})),
    Case("gcp-placement-workload-policy", NOT_APPLICABLE, policy(**GROUP)),
    Case("gcp-placement-policy-kind", PASS, policy(**GROUP)),
    Case(
        "gcp-placement-policy-kind",
        FAIL,
        policy(**GROUP, workloadPolicy=TOPOLOGY),
        path="groupPlacementPolicy",
        says="two",
    ),
    Case("gcp-placement-policy-kind", CANNOT_TELL, policy(groupPlacementPolicy=UNKNOWN)),
    Case("gcp-placement-policy-kind", NOT_APPLICABLE, policy(snapshotSchedulePolicy={})),
    Case("gcp-placement-policy-region", PASS, rack()),
    Case(
        "gcp-placement-policy-region",
        FAIL,
        rack(workload(region="us-east4")),
        path="placementPolicy.policyName",
        says=REGION,
    ),
    Case(
        "gcp-placement-policy-region",
        FAIL,
        rack(workload(region="us-east4")),
        path="placementPolicy.policyName",
        preview=True,
    ),
    Case("gcp-placement-policy-region", CANNOT_TELL, rack(workload(region=None))),
    Case("gcp-placement-policy-region", NOT_APPLICABLE, compact()),
    Case("gcp-placement-compact-size", PASS, compact(nodeCount=96)),
    Case("gcp-placement-compact-size", FAIL, compact(nodeCount=97), path="nodeCount", says="96"),
    Case(
        "gcp-placement-compact-size",
        FAIL,
        compact(autoscaling={"totalMaxNodeCount": 97}),
        path="autoscaling.totalMaxNodeCount",
    ),
    Case("gcp-placement-compact-size", CANNOT_TELL, compact(nodeCount=UNKNOWN)),
    Case("gcp-placement-compact-size", NOT_APPLICABLE, compact("e2-standard-4", nodeCount=500)),
    Case("gcp-placement-fabric-close", PASS, compact(nodeCount=4, **WIRED)),
    Case("gcp-placement-fabric-close", PASS, pool("a3-ultragpu-8g", reserved(), nodeCount=4, **WIRED)),
    Case(
        "gcp-placement-fabric-close",
        FAIL,
        pool("a3-megagpu-8g", nodeCount=4, **WIRED),
        path="placementPolicy",
        says="close",
    ),
    Case(
        "gcp-placement-fabric-close",
        FAIL,
        pool("a3-ultragpu-8g", reserved(), nodeCount=4, nodeLocations=ZONES, **WIRED),
        path="nodeLocations",
    ),
    Case("gcp-placement-fabric-close", CANNOT_TELL, pool("a3-megagpu-8g", nodeCount=UNKNOWN)),
    Case("gcp-placement-fabric-close", CANNOT_TELL, pool("a3-megagpu-8g", nodeCount=4, networkConfig=UNKNOWN)),
    Case("gcp-placement-fabric-close", NOT_APPLICABLE, pool("a3-megagpu-8g", nodeCount=1, **WIRED)),
    Case("gcp-placement-fabric-close", NOT_APPLICABLE, pool("a3-megagpu-8g", nodeCount=4)),
    Case("gcp-placement-fabric-close", NOT_APPLICABLE, pool("g2-standard-48", nodeCount=4, nodeLocations=ZONES)),
    Case("gcp-placement-provision-only", PASS, rack(UNCONNECTED, config=reserved())),
    Case(
        "gcp-placement-provision-only",
        FAIL,
        rack(UNCONNECTED),
        path="nodeConfig.reservationAffinity",
        says="AUTO_CONNECT",
    ),
    Case(
        "gcp-placement-provision-only",
        FAIL,
        rack(UNCONNECTED, config={**reserved(), "flexStart": True}),
        path="nodeConfig.reservationAffinity",
    ),
    Case("gcp-placement-provision-only", CANNOT_TELL, rack(UNCONNECTED, config=reserved(kind=UNKNOWN))),
    Case("gcp-placement-provision-only", NOT_APPLICABLE, rack()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_placement_rule_tells(case: Case) -> None:
    check(case)
