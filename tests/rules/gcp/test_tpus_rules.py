"""TPU slices: what holds of the pools that form them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gcp_pools import ZONE, placed, pool, workload
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import TPU_VM

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

SHAPE = "placementPolicy.tpuTopology"


def slice_(machine: str = "ct5p-hightpu-4t", topology: Any = "4x4x4", config: Any = None, **inputs: Any) -> Program:
    """A pool for a slice."""
    placement = {"placementPolicy": {"type": "COMPACT", "tpuTopology": topology}}
    return pool(machine, config, **{**placement, **inputs})


def scaled(**bounds: Any) -> Program:
    """A pool for a slice of 16 hosts that is autoscaled."""
    return slice_(autoscaling=bounds)


def ironwood(topology: Any = "4x4x4", others: Program | None = None, **inputs: Any) -> Program:
    """A pool for a slice of TPU7x, by a workload policy."""
    return pool("tpu7x-standard-4t", others=workload(topology) if others is None else others, **{**placed(), **inputs})


def tpu(type_: Any = "V5P", topology: Any = "4x4x4", **inputs: Any) -> Program:
    """A TPU without GKE."""
    return {"it": (TPU_VM, {"acceleratorConfig": {"type": type_, "topology": topology}, **inputs})}


CASES = [
    Case("GCP-TPU-001", PASS, slice_()),
    Case("GCP-TPU-001", PASS, slice_("ct6e-standard-4t", "4x8")),
    Case("GCP-TPU-001", PASS, ironwood("16x24x24")),
    Case("GCP-TPU-001", FAIL, slice_("ct6e-standard-4t", "4x6"), path=SHAPE, says="4x8"),
    Case("GCP-TPU-001", FAIL, slice_("ct6e-standard-8t", "4x4"), path=SHAPE, says="2x4"),
    Case("GCP-TPU-001", FAIL, ironwood("4x4x6"), path="placementPolicy.policyName", says="4x4x6"),
    Case("GCP-TPU-001", FAIL, slice_(topology="4x4"), path=SHAPE, says="2x2x1"),
    Case("GCP-TPU-001", FAIL, slice_("a3-megagpu-8g", "2x2x1"), path=SHAPE, says="no TPU chips"),
    Case("GCP-TPU-001", CANNOT_TELL, slice_(topology=UNKNOWN)),
    Case("GCP-TPU-001", NOT_APPLICABLE, pool("ct5p-hightpu-4t")),
    Case("GCP-TPU-002", PASS, slice_(nodeCount=16)),
    Case("GCP-TPU-002", FAIL, slice_(nodeCount=8), path="nodeCount", says="Set it to 16"),
    Case("GCP-TPU-002", FAIL, slice_(initialNodeCount=1), path="initialNodeCount", says="16 hosts"),
    Case("GCP-TPU-002", FAIL, ironwood(nodeCount=64), path="nodeCount"),
    Case("GCP-TPU-002", CANNOT_TELL, slice_(nodeCount=UNKNOWN)),
    Case("GCP-TPU-002", NOT_APPLICABLE, slice_("ct6e-standard-8t", "2x4", nodeCount=4)),
    Case("GCP-TPU-003", PASS, scaled(minNodeCount=0, maxNodeCount=16)),
    Case("GCP-TPU-003", FAIL, scaled(minNodeCount=0, maxNodeCount=20), path="autoscaling.maxNodeCount", says="16"),
    Case("GCP-TPU-003", FAIL, scaled(minNodeCount=4, maxNodeCount=16), path="autoscaling.minNodeCount", says="0 or 16"),
    Case("GCP-TPU-003", CANNOT_TELL, scaled(maxNodeCount=UNKNOWN)),
    Case("GCP-TPU-003", NOT_APPLICABLE, slice_(nodeCount=16)),
    Case("GCP-TPU-004", PASS, scaled(maxNodeCount=16)),
    Case(
        "GCP-TPU-004", FAIL, scaled(totalMaxNodeCount=16), path="autoscaling.totalMaxNodeCount", says="maxNodeCount 16"
    ),
    Case("GCP-TPU-004", CANNOT_TELL, slice_(autoscaling=UNKNOWN)),
    Case("GCP-TPU-004", NOT_APPLICABLE, slice_()),
    Case("GCP-TPU-005", PASS, slice_()),
    Case("GCP-TPU-005", FAIL, slice_("ct6e-standard-8t", "2x4"), path="placementPolicy", says="single machine"),
    Case("GCP-TPU-005", CANNOT_TELL, slice_(topology=UNKNOWN)),
    Case("GCP-TPU-005", NOT_APPLICABLE, pool("ct6e-standard-8t")),
    Case("GCP-TPU-006", PASS, slice_()),
    Case("GCP-TPU-006", PASS, ironwood()),
    Case("GCP-TPU-006", PASS, ironwood(**placed(tpuTopology="4x4x4")), preview=True),
    Case("GCP-TPU-006", FAIL, slice_("tpu7x-standard-4t"), path="placementPolicy.policyName", says="HIGH_THROUGHPUT"),
    Case(
        "GCP-TPU-006",
        FAIL,
        ironwood("2x2x2", **placed(tpuTopology="4x4x4")),
        path="workloadPolicy.acceleratorTopology",
        says="Set it to 4x4x4",
    ),
    Case(
        "GCP-TPU-006",
        FAIL,
        pool("ct5p-hightpu-4t", others=workload("4x4x4"), **placed()),
        path="placementPolicy.policyName",
        says="tpuTopology",
    ),
    Case("GCP-TPU-006", CANNOT_TELL, ironwood(UNKNOWN)),
    Case("GCP-TPU-006", NOT_APPLICABLE, pool("tpu7x-standard-1t")),
    Case("GCP-TPU-007", PASS, slice_()),
    Case("GCP-TPU-007", FAIL, slice_(nodeLocations=[ZONE, "us-central1-b"]), path="nodeLocations", says="one zone"),
    Case("GCP-TPU-007", FAIL, ironwood(nodeLocations=None), path="nodeLocations", says="three zones"),
    Case("GCP-TPU-007", CANNOT_TELL, slice_(nodeLocations=UNKNOWN)),
    Case("GCP-TPU-007", NOT_APPLICABLE, pool("ct6e-standard-8t", nodeLocations=[ZONE, "us-central1-b"])),
    Case("GCP-TPU-008", PASS, slice_(config={"imageType": "COS_CONTAINERD"})),
    Case(
        "GCP-TPU-008", FAIL, slice_(config={"imageType": "UBUNTU_CONTAINERD"}), path="nodeConfig.imageType", says="COS"
    ),
    Case("GCP-TPU-008", CANNOT_TELL, slice_(config={"imageType": UNKNOWN})),
    Case("GCP-TPU-008", NOT_APPLICABLE, slice_()),
    Case("GCP-TPU-009", PASS, tpu()),
    Case("GCP-TPU-009", FAIL, tpu("V6E", "4x6"), path="acceleratorConfig.topology", says="4x4"),
    Case("GCP-TPU-009", CANNOT_TELL, tpu(UNKNOWN)),
    Case("GCP-TPU-009", NOT_APPLICABLE, tpu("V2", "4x4")),
    Case("GCP-TPU-010", PASS, tpu()),
    Case("GCP-TPU-010", FAIL, tpu(acceleratorType="v5p-128"), path="acceleratorType", says="exclude"),
    Case("GCP-TPU-010", CANNOT_TELL, tpu(acceleratorType=UNKNOWN)),
    Case("GCP-TPU-010", NOT_APPLICABLE, {"it": (TPU_VM, {"runtimeVersion": "v2-alpha-tpuv5"})}),
    Case("GCP-TPU-011", PASS, slice_(nodeCount=16)),
    Case("GCP-TPU-011", FAIL, slice_(topology=None, nodeCount=8), path="placementPolicy", says="2x4x4"),
    Case("GCP-TPU-011", CANNOT_TELL, slice_(topology=None, nodeCount=UNKNOWN)),
    Case("GCP-TPU-011", CANNOT_TELL, slice_(topology=UNKNOWN, nodeCount=8)),
    Case("GCP-TPU-011", NOT_APPLICABLE, pool("ct5p-hightpu-4t", nodeCount=2)),
    Case("GCP-TPU-011", NOT_APPLICABLE, slice_("tpu7x-standard-1t", None, nodeCount=2)),
    Case("GCP-TPU-011", NOT_APPLICABLE, pool("ct6e-standard-4t", nodeCount=8)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_tpu_rule_tells(case: Case) -> None:
    check(case)
