"""Templates of resource claims, and how pods name them: devices that pods claim instead of requesting them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from penstock.description.nodes.claims import DeviceClaim

API = "resource.k8s.io/v1"
KIND = "ResourceClaimTemplate"


def claim_template(claim: DeviceClaim, *, name: str, namespace: str) -> dict[str, Any]:
    """The template of a claim, of a number and not of all: Kueue counts no others (0.19.2, limitations of DRA)."""
    exactly = {"deviceClassName": claim.device_class, "allocationMode": "ExactCount", "count": claim.devices}
    return {
        "apiVersion": API,
        "kind": KIND,
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"spec": {"devices": {"requests": [{"name": claim.name, "exactly": exactly}]}}},
    }


def template_names(job: str, claims: Iterable[DeviceClaim]) -> dict[str, str]:
    """The names of the templates of a job's claims, by what its pods call them."""
    return {claim.name: f"{job}-{claim.name}" for claim in claims}


def claim_manifests(job: str, namespace: str, claims: Iterable[DeviceClaim]) -> list[dict[str, Any]]:
    """The objects that the claims of a job come from."""
    return [
        _domain(job, namespace, f"{job}-{claim.name}")
        if claim.by_domain
        else claim_template(claim, name=f"{job}-{claim.name}", namespace=namespace)
        for claim in claims
    ]


def _domain(job: str, namespace: str, template: str) -> dict[str, Any]:
    """The domain within which pods reach the memory of all GPUs; NVIDIA's driver makes the template of its claims."""
    return {
        "apiVersion": "resource.nvidia.com/v1beta1",
        "kind": "ComputeDomain",
        "metadata": {"name": job, "namespace": namespace},
        # No number: it grows with its pods (NVIDIA DRA driver 25.8.0, definition of ComputeDomain).
        "spec": {"numNodes": 0, "channel": {"resourceClaimTemplate": {"name": template}}},
    }


def of_pod(templates: Mapping[str, str]) -> dict[str, Any]:
    """The claims of a pod, from the templates by what the pod calls them; nothing where there are none."""
    named = [{"name": name, "resourceClaimTemplateName": template} for name, template in templates.items()]
    return {"resourceClaims": named} if named else {}


def of_container(names: Iterable[str]) -> dict[str, Any]:
    """The claims of its pod that a container uses; nothing where it uses none."""
    used = [{"name": name} for name in names]
    return {"claims": used} if used else {}
