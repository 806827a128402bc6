"""Node pools of GKE: sizes, names, images, upgrades."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gcp_pools import REGION, ZONE, inline, pool
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, NODE_POOL

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def scaled(low: Any = 0, high: Any = 4, **inputs: Any) -> Program:
    """A pool that is autoscaled in each zone."""
    return pool(autoscaling={"minNodeCount": low, "maxNodeCount": high}, **inputs)


def scaled_in_total(low: Any = 0, high: Any = 4, **inputs: Any) -> Program:
    """A pool that is autoscaled over all zones."""
    return pool(autoscaling={"totalMinNodeCount": low, "totalMaxNodeCount": high}, **inputs)


def upgraded(strategy: Any = None, blue_green: Any = None, **surge: Any) -> Program:
    """A pool with settings for upgrades."""
    settings = {"strategy": strategy, "blueGreenSettings": blue_green, **surge}
    return pool(upgradeSettings={key: value for key, value in settings.items() if value is not None})


def batches(**rollout: Any) -> Program:
    """A pool that is upgraded blue-green in batches."""
    return upgraded("BLUE_GREEN", {"standardRolloutPolicy": rollout, "nodePoolSoakDuration": "3600s"})


def named(*names: Any) -> Program:
    """Pools of one cluster; the first one is judged."""
    cluster = ("main", (CLUSTER, {"name": "main", "location": REGION}))
    pools = [(NODE_POOL, {"cluster": Ref("main", "name"), "name": name}) for name in names]
    return dict([cluster, *zip(("it", "second", "third"), pools, strict=False)])


def channel(name: str | None, *, upgrades: Any = False) -> Program:
    """A pool whose upgrades are on or off, in a cluster in a release channel."""
    cluster = {} if name is None else {"releaseChannel": {"channel": name}}
    return pool(cluster=cluster, management={"autoUpgrade": upgrades})


def versions(nodes: Any, master: Any) -> Program:
    """A pool and its cluster, each with a version."""
    return pool(cluster={} if master is None else {"minMasterVersion": master}, version=nodes)


LONG = "training-with-many-gpus"


def described(*names: Any) -> Program:
    """A cluster that describes its pools itself."""
    return {"it": (CLUSTER, {"nodePools": [{"name": name, "nodeCount": 1} for name in names]})}


CASES = [
    Case("GCP-POOL-001", PASS, pool(nodeCount=4)),
    Case("GCP-POOL-001", FAIL, scaled(nodeCount=4), path="nodeCount", says="initialNodeCount"),
    Case("GCP-POOL-001", CANNOT_TELL, {"it": (CLUSTER, {"nodePools": UNKNOWN})}),
    Case("GCP-POOL-001", NOT_APPLICABLE, scaled()),
    Case("GCP-POOL-002", PASS, scaled()),
    Case(
        "GCP-POOL-002",
        FAIL,
        pool(autoscaling={"minNodeCount": 0, "totalMaxNodeCount": 4}),
        path="autoscaling.totalMaxNodeCount",
        says="exclude",
    ),
    Case(
        "GCP-POOL-002",
        FAIL,
        inline("e2-standard-4", autoscaling={"maxNodeCount": 1, "totalMaxNodeCount": 4}),
        path="nodePools[0].autoscaling.totalMaxNodeCount",
    ),
    Case("GCP-POOL-002", CANNOT_TELL, pool(autoscaling=UNKNOWN)),
    Case("GCP-POOL-002", NOT_APPLICABLE, pool()),
    Case("GCP-POOL-003", PASS, scaled()),
    Case("GCP-POOL-003", PASS, scaled_in_total(4, 4)),
    Case("GCP-POOL-003", FAIL, scaled(5), path="autoscaling.minNodeCount", says="Use 4 or less"),
    Case("GCP-POOL-003", FAIL, scaled(-1), path="autoscaling.minNodeCount", says="0 or more"),
    Case("GCP-POOL-003", FAIL, scaled_in_total(0, 0), path="autoscaling.totalMaxNodeCount", says="1 or more"),
    Case("GCP-POOL-003", CANNOT_TELL, scaled(UNKNOWN)),
    Case("GCP-POOL-003", NOT_APPLICABLE, pool()),
    Case("GCP-POOL-004", PASS, scaled(initialNodeCount=2)),
    Case("GCP-POOL-004", PASS, scaled_in_total(0, 3, initialNodeCount=1, nodeLocations=None)),
    Case("GCP-POOL-004", FAIL, scaled(initialNodeCount=5), path="initialNodeCount", says="0 to 4"),
    Case("GCP-POOL-004", FAIL, scaled_in_total(0, 2, initialNodeCount=1, nodeLocations=None), path="initialNodeCount"),
    Case("GCP-POOL-004", CANNOT_TELL, scaled(initialNodeCount=UNKNOWN)),
    Case("GCP-POOL-004", NOT_APPLICABLE, pool(initialNodeCount=5)),
    Case("GCP-POOL-005", PASS, upgraded(maxSurge=0, maxUnavailable=1)),
    Case("GCP-POOL-005", PASS, upgraded(maxSurge=1)),
    Case("GCP-POOL-005", FAIL, upgraded(maxSurge=0, maxUnavailable=0), path="upgradeSettings.maxSurge", says="to 1"),
    Case("GCP-POOL-005", FAIL, upgraded(maxUnavailable=-1), path="upgradeSettings.maxUnavailable", says="negative"),
    Case("GCP-POOL-005", CANNOT_TELL, upgraded(maxSurge=UNKNOWN)),
    Case("GCP-POOL-005", NOT_APPLICABLE, pool()),
    Case("GCP-POOL-006", PASS, batches(batchPercentage=0.25, batchSoakDuration="60s")),
    Case(
        "GCP-POOL-006",
        FAIL,
        batches(batchPercentage=0.25, batchNodeCount=1),
        path="upgradeSettings.blueGreenSettings.standardRolloutPolicy.batchPercentage",
        says="exclude",
    ),
    Case(
        "GCP-POOL-006",
        FAIL,
        batches(batchPercentage=25),
        path="upgradeSettings.blueGreenSettings.standardRolloutPolicy.batchPercentage",
        says="0.25",
    ),
    Case(
        "GCP-POOL-006",
        FAIL,
        batches(batchNodeCount=1, batchSoakDuration="1m"),
        path="upgradeSettings.blueGreenSettings.standardRolloutPolicy.batchSoakDuration",
    ),
    Case("GCP-POOL-006", FAIL, upgraded(blue_green={}), path="upgradeSettings.strategy", says="BLUE_GREEN"),
    Case("GCP-POOL-006", CANNOT_TELL, upgraded(UNKNOWN, {})),
    Case("GCP-POOL-006", NOT_APPLICABLE, upgraded(maxSurge=1)),
    Case("GCP-POOL-007", PASS, pool(maxPodsPerNode=32)),
    Case("GCP-POOL-007", FAIL, pool(maxPodsPerNode=4), path="maxPodsPerNode", says="Use 8"),
    Case(
        "GCP-POOL-007",
        FAIL,
        {"it": (CLUSTER, {"defaultMaxPodsPerNode": 500})},
        path="defaultMaxPodsPerNode",
        says="Use 256",
    ),
    Case("GCP-POOL-007", CANNOT_TELL, pool(maxPodsPerNode=UNKNOWN)),
    Case("GCP-POOL-007", NOT_APPLICABLE, pool()),
    Case("GCP-POOL-008", PASS, named("train-1")),
    Case("GCP-POOL-008", FAIL, named("Train_1"), path="name", says="lower-case"),
    Case("GCP-POOL-008", FAIL, named("t" * 41), path="name", says="Shorten"),
    Case("GCP-POOL-008", CANNOT_TELL, named(UNKNOWN)),
    Case("GCP-POOL-008", NOT_APPLICABLE, pool()),
    Case("GCP-POOL-009", PASS, named(LONG, "serving")),
    Case("GCP-POOL-009", PASS, named(f"{LONG}-1", f"{LONG}-2")),
    Case("GCP-POOL-009", FAIL, named(f"{LONG}-spot", f"{LONG}-reserved"), path="name", says="first 16"),
    Case("GCP-POOL-009", CANNOT_TELL, named(LONG, UNKNOWN)),
    Case("GCP-POOL-009", NOT_APPLICABLE, named("train", "train")),
    Case("GCP-POOL-010", PASS, pool()),
    Case("GCP-POOL-010", FAIL, pool(nodeLocations=["us-east4-a"]), path="nodeLocations", says=REGION),
    Case("GCP-POOL-010", FAIL, pool(nodeLocations=[REGION]), path="nodeLocations", says=ZONE),
    Case("GCP-POOL-010", CANNOT_TELL, pool(nodeLocations=UNKNOWN)),
    Case("GCP-POOL-010", NOT_APPLICABLE, pool(nodeLocations=None)),
    Case("GCP-POOL-011", PASS, pool(config={"imageType": "cos_containerd"})),
    Case(
        "GCP-POOL-011",
        FAIL,
        pool(config={"imageType": "UBUNTU"}),
        path="nodeConfig.imageType",
        says="UBUNTU_CONTAINERD",
    ),
    Case(
        "GCP-POOL-011", FAIL, pool(config={"imageType": "DEBIAN"}), path="nodeConfig.imageType", says="COS_CONTAINERD"
    ),
    Case("GCP-POOL-011", CANNOT_TELL, pool(config={"imageType": UNKNOWN})),
    Case("GCP-POOL-011", NOT_APPLICABLE, pool()),
    Case("GCP-POOL-012", PASS, pool(config={"taints": [{"key": "a", "effect": "NO_SCHEDULE"}]})),
    Case(
        "GCP-POOL-012",
        FAIL,
        pool(config={"taints": [{"key": "a", "effect": "NoSchedule"}]}),
        path="nodeConfig.taints[0].effect",
        says="NO_SCHEDULE",
    ),
    Case("GCP-POOL-012", CANNOT_TELL, pool(config={"taints": [{"key": "a", "effect": UNKNOWN}]})),
    Case("GCP-POOL-012", NOT_APPLICABLE, pool()),
    Case("GCP-POOL-013", PASS, pool(config={"diskSizeGb": 100})),
    Case("GCP-POOL-013", FAIL, pool(config={"diskSizeGb": 8}), path="nodeConfig.diskSizeGb", says="12"),
    Case("GCP-POOL-013", FAIL, pool(config={"bootDisk": {"sizeGb": 8}}), path="nodeConfig.bootDisk.sizeGb"),
    Case("GCP-POOL-013", CANNOT_TELL, pool(config={"diskSizeGb": UNKNOWN})),
    Case("GCP-POOL-013", NOT_APPLICABLE, pool()),
    Case("GCP-POOL-014", PASS, channel("UNSPECIFIED")),
    Case("GCP-POOL-014", FAIL, channel("REGULAR"), path="management.autoUpgrade", says="exclusion"),
    Case("GCP-POOL-014", FAIL, channel(None), path="management.autoUpgrade"),
    Case("GCP-POOL-014", CANNOT_TELL, channel("REGULAR", upgrades=UNKNOWN)),
    Case("GCP-POOL-014", NOT_APPLICABLE, channel("REGULAR", upgrades=True)),
    Case("GCP-POOL-015", PASS, versions("1.33", "1.34.1-gke.1829001")),
    Case("GCP-POOL-015", FAIL, versions("1.35.2-gke.1", "1.34.1-gke.1829001"), path="version", says="newer"),
    Case("GCP-POOL-015", FAIL, versions("1.30", "1.34"), path="version", says="behind"),
    Case("GCP-POOL-015", CANNOT_TELL, versions("1.33", None)),
    Case("GCP-POOL-015", CANNOT_TELL, versions("latest", "1.34")),
    Case("GCP-POOL-015", NOT_APPLICABLE, versions(None, "1.34")),
    Case("GCP-POOL-016", PASS, pool("tpu7x-standard-4t", version="1.35")),
    Case("GCP-POOL-016", FAIL, pool("tpu7x-standard-4t", version="1.33"), path="version", says="1.34.0-gke.2201000"),
    Case("GCP-POOL-016", CANNOT_TELL, pool("tpu7x-standard-4t", version=UNKNOWN)),
    Case("GCP-POOL-016", NOT_APPLICABLE, pool("a2-highgpu-8g", version="1.33")),
    Case("GCP-POOL-019", PASS, described("train", "serve")),
    Case("GCP-POOL-019", FAIL, described("train", "serve", "train"), path="nodePools[2].name", says="called train"),
    Case("GCP-POOL-019", CANNOT_TELL, described("train", UNKNOWN)),
    Case("GCP-POOL-019", NOT_APPLICABLE, described()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_node_pool_rule_tells(case: Case) -> None:
    check(case)
