"""Jobs of teams over pools of which some keep their nodes and others come and go, with Kueue itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest
from tests.cluster.control_plane import ControlPlane
from tests.cluster.controllers import KUEUE
from tests.cluster.nodes import join, machines

from penstock.addons.queueing import objects
from penstock.addons.queueing.flavors import flavors_of, topology_name
from penstock.description.node_pool import Nodes, Taint
from penstock.description.nodes import PoolNodes

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(KUEUE.missing()), reason=KUEUE.missing())]

GPU = "nvidia.com/gpu"
POOL = "penstock.dev/pool"
PATIENCE_S = 60


def pool(name: str, nodes: Nodes) -> PoolNodes:
    """A pool of machines with eight GPUs."""
    return PoolNodes(
        pool=name,
        machine_type=None,
        nodes=nodes,
        capacity="reserved" if nodes.min == nodes.max else "spot",
        selector={POOL: name},
        labels={POOL: name},
        taints=(Taint(key=GPU, value="present"),),
        accelerator="h100",
        accelerators=8,
        resource=GPU,
        devices={GPU: 8},
    )


def manifest(kind: str, name: str, spec: Mapping[str, Any], **metadata: str) -> dict[str, Any]:
    return {"apiVersion": objects.API, "kind": kind, "metadata": {"name": name, **metadata}, "spec": dict(spec)}


def test_a_plain_job_takes_reserved_nodes_beside_a_pool_that_grows(kueue: ControlPlane) -> None:
    join(kueue.api, machines("aws-train"))
    flavors = flavors_of([pool("train", Nodes(min=4, max=4)), pool("burst", Nodes(min=0, max=4))])
    quotas = {flavor.name: {GPU: 8} for flavor in flavors}
    queue = {"namespaceSelector": {}, "resourceGroups": objects.resource_groups(quotas)}
    for flavor in flavors:
        if flavor.topology:
            levels = objects.topology(flavor.topology)
            kueue.api.apply(manifest("Topology", topology_name(flavor.topology), levels))
        kueue.api.apply(manifest("ResourceFlavor", flavor.name, objects.resource_flavor(flavor)))
    kueue.api.apply(manifest("ClusterQueue", "vision", queue))
    kueue.api.apply(manifest("LocalQueue", "default", {"clusterQueue": "vision"}, namespace="default"))
    container = {"name": "main", "image": "busybox:1.37", "resources": {"limits": {GPU: 8}}}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "plain", "labels": {"kueue.x-k8s.io/queue-name": "default"}},
        "spec": {"suspend": True, "template": {"spec": {"restartPolicy": "Never", "containers": [container]}}},
    }

    kueue.api.create(job)

    assert pool_of(kueue, "plain") == "train"


def pool_of(cluster: ControlPlane, job: str) -> str:
    """The pool that Kueue sends the pods of a job to; empty where it does not within a minute."""
    for _ in range(PATIENCE_S * 2):
        found = cluster.api.get("batch/v1", "Job", job, "default")
        if found is not None and not found["spec"]["suspend"]:
            return str(found["spec"]["template"]["spec"]["nodeSelector"][POOL])
        time.sleep(0.5)
    return ""
