"""What the pods of a job claim, beside what they request: objects of the job's own."""

from __future__ import annotations

from typing import Any

from penstock.jobs.request import JobRequest
from penstock.kubernetes.claim_templates import claim_template
from penstock.spec.nodes import PoolNodes


def templates(request: JobRequest, pool: PoolNodes) -> dict[str, str]:
    """The templates of the claims, by what the pods call them."""
    return {claim.name: f"{request.name}-{claim.name}" for claim in pool.claims}


def manifests(request: JobRequest, pool: PoolNodes) -> list[dict[str, Any]]:
    """The objects that the claims of the job come from."""
    called = templates(request, pool)
    return [
        _domain(request, called[claim.name])
        if claim.by_domain
        else claim_template(claim, name=called[claim.name], namespace=request.namespace)
        for claim in pool.claims
    ]


def _domain(request: JobRequest, template: str) -> dict[str, Any]:
    """The domain within which pods reach the memory of all GPUs; NVIDIA's driver makes the template of its claims."""
    return {
        "apiVersion": "resource.nvidia.com/v1beta1",
        "kind": "ComputeDomain",
        "metadata": {"name": request.name, "namespace": request.namespace},
        # No number: it grows with its pods (NVIDIA DRA driver 25.8.0, definition of ComputeDomain).
        "spec": {"numNodes": 0, "channel": {"resourceClaimTemplate": {"name": template}}},
    }
