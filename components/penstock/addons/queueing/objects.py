"""The kinds of Kueue: what goes into each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.meta import v1 as meta

from penstock.addons.queueing.flavors import Flavor, topology_name
from penstock.description.node_pool import Taint

API = "kueue.x-k8s.io/v1beta2"
COHORT = "teams"
QUEUED_CHECK = "queued-provisioning"
PROVISIONING_CLASS = "queued-provisioning.gke.io"
"""The class of requests for all nodes of a job together (GKE documentation, ProvisioningRequest)."""


Amounts = Mapping[str, Mapping[str, int]]
"""Of each resource, by flavor."""


def create(
    name: str, kind: str, called: str, spec: Mapping[str, Any], opts: pulumi.ResourceOptions, *, namespace: str = ""
) -> CustomResource:
    """Create an object of Kueue; with a namespace where its kind has one."""
    metadata = meta.ObjectMetaArgs(name=called, namespace=namespace or None)
    return CustomResource(name, API, kind, metadata=metadata, spec=dict(spec), opts=opts)


def create_priority(name: str, called: str, value: int, opts: pulumi.ResourceOptions) -> pulumi.CustomResource:
    """Create a WorkloadPriorityClass, whose value is outside of any spec: the SDK's class takes nothing but a spec."""
    kind = "WorkloadPriorityClass"
    properties = {"apiVersion": API, "kind": kind, "metadata": {"name": called}, "value": value}
    return pulumi.CustomResource(f"kubernetes:{API}:{kind}", name, properties, opts)


def topology(levels: Sequence[str]) -> dict[str, Any]:
    """A Topology, from the widest level of the network to the node."""
    return {"levels": [{"nodeLabel": label} for label in levels]}


def resource_flavor(flavor: Flavor) -> dict[str, Any]:
    """A ResourceFlavor: the labels that its jobs then select, and the taints that they have to tolerate."""
    tolerations = [
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in flavor.tolerated
    ]
    found = {
        "nodeLabels": dict(flavor.labels),
        "nodeTaints": [_taint(taint) for taint in flavor.taints],
        "tolerations": tolerations,
        "topologyName": topology_name(flavor.topology) if flavor.topology else None,
    }
    return {key: value for key, value in found.items() if value}


def cohort(left: Amounts) -> dict[str, Any]:
    """The Cohort of all teams, with what none of them has for certain."""
    return {"resourceGroups": resource_groups(left)}


def cluster_queue(namespace: str, share: int, quotas: Amounts, queued: Sequence[str]) -> dict[str, Any]:
    """The ClusterQueue of a team.

    It borrows before it takes a flavor that is preferred less, takes that before it preempts, and preempts jobs of
    others only while these borrow.
    """
    checks = [{"name": QUEUED_CHECK, "onFlavors": list(queued)}]
    return {
        "cohortName": COHORT,
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
        "resourceGroups": resource_groups(quotas),
        "flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"},
        "preemption": {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"},
        "fairSharing": {"weight": str(share)},
        **({"admissionChecksStrategy": {"admissionChecks": checks}} if queued else {}),
    }


def resource_groups(quotas: Amounts) -> list[dict[str, Any]]:
    """One group of all resources, so that a job gets its accelerators and its fabric of the same nodes."""
    covered = sorted({name for amounts in quotas.values() for name in amounts})
    flavors = [
        {
            "name": flavor,
            "resources": [{"name": name, "nominalQuota": str(amounts.get(name, 0))} for name in covered],
        }
        for flavor, amounts in quotas.items()
    ]
    return [{"coveredResources": covered, "flavors": flavors}]


def provisioning(resources: Sequence[str]) -> dict[str, Any]:
    """How GKE is asked to start all nodes of a job together (GKE documentation, Kueue with flex-start)."""
    return {
        "provisioningClassName": PROVISIONING_CLASS,
        "managedResources": list(resources),
        "podSetUpdates": {
            "nodeSelector": [
                {
                    "key": "autoscaling.gke.io/provisioning-request",
                    "valueFromProvisioningClassDetail": "ResizeRequestName",
                }
            ]
        },
    }


def admission_check() -> dict[str, Any]:
    """The check that holds jobs back until their nodes are there."""
    return {
        "controllerName": "kueue.x-k8s.io/provisioning-request",
        "parameters": {"apiGroup": "kueue.x-k8s.io", "kind": "ProvisioningRequestConfig", "name": QUEUED_CHECK},
    }


def _taint(taint: Taint) -> dict[str, str]:
    return {"key": taint.key, "value": taint.value, "effect": taint.effect}
