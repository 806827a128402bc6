"""Machines that no pod starts: those of queued pools come for a request of the job, all that it asks for or none."""

from __future__ import annotations

from typing import Any

from penstock.addons.queueing.objects import PROVISIONING_CLASS
from penstock.description.nodes import PoolNodes
from penstock.jobs.request import JobRequest
from penstock.kubernetes.components.job_pods import PodParts, pod_template

_GROUP = "autoscaling.x-k8s.io"
_SECONDS_OF_AN_HOUR = 3600


def of_pods(request: JobRequest) -> dict[str, str]:
    """What the pods of a job say to run on the machines that came for its request (GKE documentation)."""
    return {
        f"{_GROUP}/consume-provisioning-request": request.name,
        f"{_GROUP}/provisioning-class-name": PROVISIONING_CLASS,
    }


def manifests(request: JobRequest, pool: PoolNodes, pods: int, parts: PodParts, hours: int) -> list[dict[str, Any]]:
    """A request for the machines of a job, which run so many hours at most, and the pod that each is for."""
    metadata = {"name": request.name, "namespace": request.namespace}
    return [
        {"apiVersion": "v1", "kind": "PodTemplate", "metadata": metadata, "template": pod_template(pool, parts)},
        {
            "apiVersion": f"{_GROUP}/v1",
            "kind": "ProvisioningRequest",
            "metadata": dict(metadata),
            "spec": {
                "provisioningClassName": PROVISIONING_CLASS,
                "parameters": {"maxRunDurationSeconds": str(hours * _SECONDS_OF_AN_HOUR)},
                "podSets": [{"count": pods, "podTemplateRef": {"name": request.name}}],
            },
        },
    ]
