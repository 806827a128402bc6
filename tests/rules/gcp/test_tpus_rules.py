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
    Case("gcp-tpu-topology-machine", PASS, slice_()),
    Case("gcp-tpu-topology-machine", PASS, slice_("ct6e-standard-4t", "4x8")),
    Case("gcp-tpu-topology-machine", PASS, ironwood("16x24x24")),
    Case("gcp-tpu-topology-machine", FAIL, slice_("ct6e-standard-4t", "4x6"), path=SHAPE, says="4x8"),
    Case("gcp-tpu-topology-machine", FAIL, slice_("ct6e-standard-8t", "4x4"), path=SHAPE, says="2x4"),
    Case("gcp-tpu-topology-machine", FAIL, ironwood("4x4x6"), path="placementPolicy.policyName", says="4x4x6"),
    Case("gcp-tpu-topology-machine", FAIL, slice_(topology="4x4"), path=SHAPE, says="2x2x1"),
    Case("gcp-tpu-topology-machine", FAIL, slice_("a3-megagpu-8g", "2x2x1"), path=SHAPE, says="no TPU chips"),
    Case("gcp-tpu-topology-machine", CANNOT_TELL, slice_(topology=UNKNOWN)),
    Case("gcp-tpu-topology-machine", NOT_APPLICABLE, pool("ct5p-hightpu-4t")),
    Case("gcp-tpu-slice-hosts", PASS, slice_(nodeCount=16)),
    Case("gcp-tpu-slice-hosts", FAIL, slice_(nodeCount=8), path="nodeCount", says="Set it to 16"),
    Case("gcp-tpu-slice-hosts", FAIL, slice_(initialNodeCount=1), path="initialNodeCount", says="16 hosts"),
    Case("gcp-tpu-slice-hosts", FAIL, ironwood(nodeCount=64), path="nodeCount"),
    Case("gcp-tpu-slice-hosts", CANNOT_TELL, slice_(nodeCount=UNKNOWN)),
    Case("gcp-tpu-slice-hosts", NOT_APPLICABLE, slice_("ct6e-standard-8t", "2x4", nodeCount=4)),
    Case("gcp-tpu-slice-autoscaling", PASS, scaled(minNodeCount=0, maxNodeCount=16)),
    Case(
        "gcp-tpu-slice-autoscaling",
        FAIL,
        scaled(minNodeCount=0, maxNodeCount=20),
        path="autoscaling.maxNodeCount",
        says="16",
    ),
    Case(
        "gcp-tpu-slice-autoscaling",
        FAIL,
        scaled(minNodeCount=4, maxNodeCount=16),
        path="autoscaling.minNodeCount",
        says="0 or 16",
    ),
    Case("gcp-tpu-slice-autoscaling", CANNOT_TELL, scaled(maxNodeCount=UNKNOWN)),
    Case("gcp-tpu-slice-autoscaling", NOT_APPLICABLE, slice_(nodeCount=16)),
    Case("gcp-tpu-autoscaling-per-zone", PASS, scaled(maxNodeCount=16)),
    Case(
        "gcp-tpu-autoscaling-per-zone",
        FAIL,
        scaled(totalMaxNodeCount=16),
        path="autoscaling.totalMaxNodeCount",
        says="maxNodeCount 16",
    ),
    Case("gcp-tpu-autoscaling-per-zone", CANNOT_TELL, slice_(autoscaling=UNKNOWN)),
    Case("gcp-tpu-autoscaling-per-zone", NOT_APPLICABLE, slice_()),
    Case("gcp-tpu-single-host-placement", PASS, slice_()),
    Case(
        "gcp-tpu-single-host-placement",
        FAIL,
        slice_("ct6e-standard-8t", "2x4"),
        path="placementPolicy",
        says="single machine",
    ),
    Case("gcp-tpu-single-host-placement", CANNOT_TELL, slice_(topology=UNKNOWN)),
    Case("gcp-tpu-single-host-placement", NOT_APPLICABLE, pool("ct6e-standard-8t")),
    Case("gcp-tpu-slice-placement", PASS, slice_()),
    Case("gcp-tpu-slice-placement", PASS, ironwood()),
    Case("gcp-tpu-slice-placement", PASS, ironwood(**placed(tpuTopology="4x4x4")), preview=True),
    Case(
        "gcp-tpu-slice-placement",
        FAIL,
        slice_("tpu7x-standard-4t"),
        path="placementPolicy.policyName",
        says="HIGH_THROUGHPUT",
    ),
    Case(
        "gcp-tpu-slice-placement",
        FAIL,
        ironwood("2x2x2", **placed(tpuTopology="4x4x4")),
        path="workloadPolicy.acceleratorTopology",
        says="Set it to 4x4x4",
    ),
    Case(
        "gcp-tpu-slice-placement",
        FAIL,
        pool("ct5p-hightpu-4t", others=workload("4x4x4"), **placed()),
        path="placementPolicy.policyName",
        says="tpuTopology",
    ),
    Case("gcp-tpu-slice-placement", CANNOT_TELL, ironwood(UNKNOWN)),
    Case("gcp-tpu-slice-placement", NOT_APPLICABLE, pool("tpu7x-standard-1t")),
    Case("gcp-tpu-slice-one-zone", PASS, slice_()),
    Case(
        "gcp-tpu-slice-one-zone",
        FAIL,
        slice_(nodeLocations=[ZONE, "us-central1-b"]),
        path="nodeLocations",
        says="one zone",
    ),
    Case("gcp-tpu-slice-one-zone", FAIL, ironwood(nodeLocations=None), path="nodeLocations", says="three zones"),
    Case("gcp-tpu-slice-one-zone", CANNOT_TELL, slice_(nodeLocations=UNKNOWN)),
    Case("gcp-tpu-slice-one-zone", NOT_APPLICABLE, pool("ct6e-standard-8t", nodeLocations=[ZONE, "us-central1-b"])),
    Case("gcp-tpu-cos-image", PASS, slice_(config={"imageType": "COS_CONTAINERD"})),
    Case(
        "gcp-tpu-cos-image",
        FAIL,
        slice_(config={"imageType": "UBUNTU_CONTAINERD"}),
        path="nodeConfig.imageType",
        says="COS",
    ),
    Case("gcp-tpu-cos-image", CANNOT_TELL, slice_(config={"imageType": UNKNOWN})),
    Case("gcp-tpu-cos-image", NOT_APPLICABLE, slice_()),
    Case("gcp-tpu-vm-topology", PASS, tpu()),
    Case("gcp-tpu-vm-topology", FAIL, tpu("V6E", "4x6"), path="acceleratorConfig.topology", says="4x4"),
    Case("gcp-tpu-vm-topology", CANNOT_TELL, tpu(UNKNOWN)),
    Case("gcp-tpu-vm-topology", NOT_APPLICABLE, tpu("V2", "4x4")),
    Case("gcp-tpu-vm-accelerator", PASS, tpu()),
    Case("gcp-tpu-vm-accelerator", FAIL, tpu(acceleratorType="v5p-128"), path="acceleratorType", says="exclude"),
    Case("gcp-tpu-vm-accelerator", CANNOT_TELL, tpu(acceleratorType=UNKNOWN)),
    Case("gcp-tpu-vm-accelerator", NOT_APPLICABLE, {"it": (TPU_VM, {"runtimeVersion": "v2-alpha-tpuv5"})}),
    Case("gcp-tpu-slice-topology", PASS, slice_(nodeCount=16)),
    Case("gcp-tpu-slice-topology", FAIL, slice_(topology=None, nodeCount=8), path="placementPolicy", says="2x4x4"),
    Case("gcp-tpu-slice-topology", CANNOT_TELL, slice_(topology=None, nodeCount=UNKNOWN)),
    Case("gcp-tpu-slice-topology", CANNOT_TELL, slice_(topology=UNKNOWN, nodeCount=8)),
    Case("gcp-tpu-slice-topology", NOT_APPLICABLE, pool("ct5p-hightpu-4t", nodeCount=2)),
    Case("gcp-tpu-slice-topology", NOT_APPLICABLE, slice_("tpu7x-standard-1t", None, nodeCount=2)),
    Case("gcp-tpu-slice-topology", NOT_APPLICABLE, pool("ct6e-standard-4t", nodeCount=8)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_tpu_rule_tells(case: Case) -> None:
    check(case)
