"""Ray."""

from __future__ import annotations

from pydantic import Field

from penstock.description.addon_block import AddonBlock
from penstock.description.forms import Image, NamespaceName


class RaySpec(AddonBlock):
    """KubeRay: clusters, jobs and services of Ray as objects of Kubernetes."""

    namespaces: tuple[NamespaceName, ...] = Field(
        default=(), description="Namespaces whose Ray clusters the operator runs; by default those of all namespaces."
    )
    image: Image | None = Field(
        default=None,
        description="Image of heads and workers in the templates, with Ray and what the jobs import; by default Ray "
        "alone.",
    )
