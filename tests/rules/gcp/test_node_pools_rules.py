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
    Case("gcp-gke-pool-fixed-or-autoscaled", PASS, pool(nodeCount=4)),
    Case("gcp-gke-pool-fixed-or-autoscaled", FAIL, scaled(nodeCount=4), path="nodeCount", says="initialNodeCount"),
    Case("gcp-gke-pool-fixed-or-autoscaled", CANNOT_TELL, {"it": (CLUSTER, {"nodePools": UNKNOWN})}),
    Case("gcp-gke-pool-fixed-or-autoscaled", NOT_APPLICABLE, scaled()),
    Case("gcp-gke-autoscaling-bounds-kind", PASS, scaled()),
    Case(
        "gcp-gke-autoscaling-bounds-kind",
        FAIL,
        pool(autoscaling={"minNodeCount": 0, "totalMaxNodeCount": 4}),
        path="autoscaling.totalMaxNodeCount",
        says="exclude",
    ),
    Case(
        "gcp-gke-autoscaling-bounds-kind",
        FAIL,
        inline("e2-standard-4", autoscaling={"maxNodeCount": 1, "totalMaxNodeCount": 4}),
        path="nodePools[0].autoscaling.totalMaxNodeCount",
    ),
    Case("gcp-gke-autoscaling-bounds-kind", CANNOT_TELL, pool(autoscaling=UNKNOWN)),
    Case("gcp-gke-autoscaling-bounds-kind", NOT_APPLICABLE, pool()),
    Case("gcp-gke-autoscaling-bounds-order", PASS, scaled()),
    Case("gcp-gke-autoscaling-bounds-order", PASS, scaled_in_total(4, 4)),
    Case("gcp-gke-autoscaling-bounds-order", FAIL, scaled(5), path="autoscaling.minNodeCount", says="Use 4 or less"),
    Case("gcp-gke-autoscaling-bounds-order", FAIL, scaled(-1), path="autoscaling.minNodeCount", says="0 or more"),
    Case(
        "gcp-gke-autoscaling-bounds-order",
        FAIL,
        scaled_in_total(0, 0),
        path="autoscaling.totalMaxNodeCount",
        says="1 or more",
    ),
    Case("gcp-gke-autoscaling-bounds-order", CANNOT_TELL, scaled(UNKNOWN)),
    Case("gcp-gke-autoscaling-bounds-order", NOT_APPLICABLE, pool()),
    Case("gcp-gke-pool-initial-node-count", PASS, scaled(initialNodeCount=2)),
    Case("gcp-gke-pool-initial-node-count", PASS, scaled_in_total(0, 3, initialNodeCount=1, nodeLocations=None)),
    Case("gcp-gke-pool-initial-node-count", FAIL, scaled(initialNodeCount=5), path="initialNodeCount", says="0 to 4"),
    Case(
        "gcp-gke-pool-initial-node-count",
        FAIL,
        scaled_in_total(0, 2, initialNodeCount=1, nodeLocations=None),
        path="initialNodeCount",
    ),
    Case("gcp-gke-pool-initial-node-count", CANNOT_TELL, scaled(initialNodeCount=UNKNOWN)),
    Case("gcp-gke-pool-initial-node-count", NOT_APPLICABLE, pool(initialNodeCount=5)),
    Case("gcp-gke-surge-upgrade", PASS, upgraded(maxSurge=0, maxUnavailable=1)),
    Case("gcp-gke-surge-upgrade", PASS, upgraded(maxSurge=1)),
    Case(
        "gcp-gke-surge-upgrade",
        FAIL,
        upgraded(maxSurge=0, maxUnavailable=0),
        path="upgradeSettings.maxSurge",
        says="to 1",
    ),
    Case(
        "gcp-gke-surge-upgrade",
        FAIL,
        upgraded(maxUnavailable=-1),
        path="upgradeSettings.maxUnavailable",
        says="negative",
    ),
    Case("gcp-gke-surge-upgrade", CANNOT_TELL, upgraded(maxSurge=UNKNOWN)),
    Case("gcp-gke-surge-upgrade", NOT_APPLICABLE, pool()),
    Case("gcp-gke-blue-green-upgrade", PASS, batches(batchPercentage=0.25, batchSoakDuration="60s")),
    Case(
        "gcp-gke-blue-green-upgrade",
        FAIL,
        batches(batchPercentage=0.25, batchNodeCount=1),
        path="upgradeSettings.blueGreenSettings.standardRolloutPolicy.batchPercentage",
        says="exclude",
    ),
    Case(
        "gcp-gke-blue-green-upgrade",
        FAIL,
        batches(batchPercentage=25),
        path="upgradeSettings.blueGreenSettings.standardRolloutPolicy.batchPercentage",
        says="0.25",
    ),
    Case(
        "gcp-gke-blue-green-upgrade",
        FAIL,
        batches(batchNodeCount=1, batchSoakDuration="1m"),
        path="upgradeSettings.blueGreenSettings.standardRolloutPolicy.batchSoakDuration",
    ),
    Case(
        "gcp-gke-blue-green-upgrade", FAIL, upgraded(blue_green={}), path="upgradeSettings.strategy", says="BLUE_GREEN"
    ),
    Case("gcp-gke-blue-green-upgrade", CANNOT_TELL, upgraded(UNKNOWN, {})),
    Case("gcp-gke-blue-green-upgrade", NOT_APPLICABLE, upgraded(maxSurge=1)),
    Case("gcp-gke-max-pods-range", PASS, pool(maxPodsPerNode=32)),
    Case("gcp-gke-max-pods-range", FAIL, pool(maxPodsPerNode=4), path="maxPodsPerNode", says="Use 8"),
    Case(
        "gcp-gke-max-pods-range",
        FAIL,
        {"it": (CLUSTER, {"defaultMaxPodsPerNode": 500})},
        path="defaultMaxPodsPerNode",
        says="Use 256",
    ),
    Case("gcp-gke-max-pods-range", CANNOT_TELL, pool(maxPodsPerNode=UNKNOWN)),
    Case("gcp-gke-max-pods-range", NOT_APPLICABLE, pool()),
    Case("gcp-gke-pool-name", PASS, named("train-1")),
    Case("gcp-gke-pool-name", FAIL, named("Train_1"), path="name", says="lower-case"),
    Case("gcp-gke-pool-name", FAIL, named("t" * 41), path="name", says="Shorten"),
    Case("gcp-gke-pool-name", CANNOT_TELL, named(UNKNOWN)),
    Case("gcp-gke-pool-name", NOT_APPLICABLE, pool()),
    Case("gcp-gke-pool-name-prefix", PASS, named(LONG, "serving")),
    Case("gcp-gke-pool-name-prefix", PASS, named(f"{LONG}-1", f"{LONG}-2")),
    Case("gcp-gke-pool-name-prefix", FAIL, named(f"{LONG}-spot", f"{LONG}-reserved"), path="name", says="first 16"),
    Case("gcp-gke-pool-name-prefix", CANNOT_TELL, named(LONG, UNKNOWN)),
    Case("gcp-gke-pool-name-prefix", NOT_APPLICABLE, named("train", "train")),
    Case("gcp-gke-pool-zones", PASS, pool()),
    Case("gcp-gke-pool-zones", FAIL, pool(nodeLocations=["us-east4-a"]), path="nodeLocations", says=REGION),
    Case("gcp-gke-pool-zones", FAIL, pool(nodeLocations=[REGION]), path="nodeLocations", says=ZONE),
    Case("gcp-gke-pool-zones", CANNOT_TELL, pool(nodeLocations=UNKNOWN)),
    Case("gcp-gke-pool-zones", NOT_APPLICABLE, pool(nodeLocations=None)),
    Case("gcp-gke-image-type", PASS, pool(config={"imageType": "cos_containerd"})),
    Case(
        "gcp-gke-image-type",
        FAIL,
        pool(config={"imageType": "UBUNTU"}),
        path="nodeConfig.imageType",
        says="UBUNTU_CONTAINERD",
    ),
    Case(
        "gcp-gke-image-type",
        FAIL,
        pool(config={"imageType": "DEBIAN"}),
        path="nodeConfig.imageType",
        says="COS_CONTAINERD",
    ),
    Case("gcp-gke-image-type", CANNOT_TELL, pool(config={"imageType": UNKNOWN})),
    Case("gcp-gke-image-type", NOT_APPLICABLE, pool()),
    Case("gcp-gke-taint-effect", PASS, pool(config={"taints": [{"key": "a", "effect": "NO_SCHEDULE"}]})),
    Case(
        "gcp-gke-taint-effect",
        FAIL,
        pool(config={"taints": [{"key": "a", "effect": "NoSchedule"}]}),
        path="nodeConfig.taints[0].effect",
        says="NO_SCHEDULE",
    ),
    Case("gcp-gke-taint-effect", CANNOT_TELL, pool(config={"taints": [{"key": "a", "effect": UNKNOWN}]})),
    Case("gcp-gke-taint-effect", NOT_APPLICABLE, pool()),
    Case("gcp-gke-boot-disk-size", PASS, pool(config={"diskSizeGb": 100})),
    Case("gcp-gke-boot-disk-size", FAIL, pool(config={"diskSizeGb": 8}), path="nodeConfig.diskSizeGb", says="12"),
    Case("gcp-gke-boot-disk-size", FAIL, pool(config={"bootDisk": {"sizeGb": 8}}), path="nodeConfig.bootDisk.sizeGb"),
    Case("gcp-gke-boot-disk-size", CANNOT_TELL, pool(config={"diskSizeGb": UNKNOWN})),
    Case("gcp-gke-boot-disk-size", NOT_APPLICABLE, pool()),
    Case("gcp-gke-channel-auto-upgrade", PASS, channel("UNSPECIFIED")),
    Case("gcp-gke-channel-auto-upgrade", FAIL, channel("REGULAR"), path="management.autoUpgrade", says="exclusion"),
    Case("gcp-gke-channel-auto-upgrade", FAIL, channel(None), path="management.autoUpgrade"),
    Case("gcp-gke-channel-auto-upgrade", CANNOT_TELL, channel("REGULAR", upgrades=UNKNOWN)),
    Case("gcp-gke-channel-auto-upgrade", NOT_APPLICABLE, channel("REGULAR", upgrades=True)),
    Case("gcp-gke-node-version-skew", PASS, versions("1.33", "1.34.1-gke.1829001")),
    Case(
        "gcp-gke-node-version-skew", FAIL, versions("1.35.2-gke.1", "1.34.1-gke.1829001"), path="version", says="newer"
    ),
    Case("gcp-gke-node-version-skew", FAIL, versions("1.30", "1.34"), path="version", says="behind"),
    Case("gcp-gke-node-version-skew", CANNOT_TELL, versions("1.33", None)),
    Case("gcp-gke-node-version-skew", CANNOT_TELL, versions("latest", "1.34")),
    Case("gcp-gke-node-version-skew", NOT_APPLICABLE, versions(None, "1.34")),
    Case("gcp-gke-machine-version", PASS, pool("tpu7x-standard-4t", version="1.35")),
    Case(
        "gcp-gke-machine-version",
        FAIL,
        pool("tpu7x-standard-4t", version="1.33"),
        path="version",
        says="1.34.0-gke.2201000",
    ),
    Case("gcp-gke-machine-version", CANNOT_TELL, pool("tpu7x-standard-4t", version=UNKNOWN)),
    Case("gcp-gke-machine-version", NOT_APPLICABLE, pool("a2-highgpu-8g", version="1.33")),
    Case("gcp-gke-pool-name-unique", PASS, described("train", "serve")),
    Case(
        "gcp-gke-pool-name-unique",
        FAIL,
        described("train", "serve", "train"),
        path="nodePools[2].name",
        says="called train",
    ),
    Case("gcp-gke-pool-name-unique", CANNOT_TELL, described("train", UNKNOWN)),
    Case("gcp-gke-pool-name-unique", NOT_APPLICABLE, described()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_node_pool_rule_tells(case: Case) -> None:
    check(case)
