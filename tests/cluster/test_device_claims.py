"""Jobs whose pods claim devices beside those that they request, with Kueue as a platform of racks configures it."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.cluster.control_plane import ControlPlane
from tests.cluster.controllers import KUEUE
from tests.cluster.nodes import join, machines
from tests.descriptions import ONPREM_TRAINING, changed

from penstock import description
from penstock.addons.queueing import objects
from penstock.addons.queueing.flavors import flavors_of
from penstock.description.nodes import nodes_of
from penstock.jobs import JobRequest, job_manifests
from penstock.testing import rehearse

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(KUEUE.missing()), reason=KUEUE.missing())]

RACK = {"name": "rack", "accelerator": "gb200", "nodes": 18, "labels": {"example.com/rack": "1"}}
QUEUES = {"teams": [{"name": "language", "groups": ["ml-language"]}]}
DESCRIPTION = changed("addons.queueing", QUEUES, changed("node_pools", [RACK], ONPREM_TRAINING))
GPU = "nvidia.com/gpu"
PATIENCE_S = 60


@pytest.fixture(scope="module")
def racks(asked_cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> ControlPlane:
    """A control plane with Kueue as the platform has it, and a queue of 72 GPUs."""
    (kueue,) = (
        each
        for each in rehearse(DESCRIPTION).graph.of_type("kubernetes:helm.sh/v3:Release")
        if each.inputs["name"] == "kueue"
    )
    KUEUE.start(asked_cluster, tmp_path_factory.mktemp("kueue"), values=kueue.inputs["values"])
    (flavor,) = flavors_of(nodes_of(description.parse(DESCRIPTION)))
    queue = {"namespaceSelector": {}, "resourceGroups": objects.resource_groups({flavor.name: {GPU: 72}})}
    flat = {**objects.resource_flavor(flavor)}
    flat.pop("topologyName", None)
    join(asked_cluster.api, machines("onprem-train"))
    asked_cluster.api.apply(manifest("ResourceFlavor", flavor.name, flat))
    asked_cluster.api.apply(manifest("ClusterQueue", "language", queue))
    namespace = {"name": "language", "labels": {"penstock.dev/team": "language"}}
    asked_cluster.api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": namespace})
    asked_cluster.api.apply(manifest("LocalQueue", "default", {"clusterQueue": "language"}, namespace="language"))
    return asked_cluster


def manifest(kind: str, name: str, said: dict[str, Any], **metadata: str) -> dict[str, Any]:
    return {"apiVersion": objects.API, "kind": kind, "metadata": {"name": name, **metadata}, "spec": said}


def printed(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A job on the rack, and the template that NVIDIA's driver makes for its domain."""
    request = JobRequest(name=name, namespace="language", nodes=2)
    found = {each["kind"]: each for each in job_manifests(description.parse(DESCRIPTION), request)}
    channel = found["ComputeDomain"]["spec"]["channel"]["resourceClaimTemplate"]["name"]
    asked = {"name": "channel", "exactly": {"deviceClassName": "compute-domain-default-channel.nvidia.com"}}
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": channel, "namespace": "language"},
        "spec": {"spec": {"devices": {"requests": [asked]}}},
    }
    return found["Job"], template


def test_a_job_that_claims_a_channel_is_admitted(racks: ControlPlane) -> None:
    job, template = printed("claims")
    racks.api.apply(template)

    racks.api.create(job)

    assert admitted(racks, "claims")


def test_a_job_may_come_before_the_template_of_its_claims(racks: ControlPlane) -> None:
    job, template = printed("early")

    racks.api.create(job)
    time.sleep(2)
    racks.api.apply(template)

    assert admitted(racks, "early")


def admitted(cluster: ControlPlane, job: str) -> bool:
    """Whether Kueue lets the pods of a job start within a minute."""
    for _ in range(PATIENCE_S * 2):
        found = cluster.api.get("batch/v1", "Job", job, "language")
        if found is not None and not found["spec"]["suspend"]:
            return True
        time.sleep(0.5)
    return False
