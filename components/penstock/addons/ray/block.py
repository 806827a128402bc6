"""Ray."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from penstock.description.block import SpecBlock
from penstock.description.forms import Image

NamespaceName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")]
"""What Kubernetes accepts as the name of a namespace."""


class RaySpec(SpecBlock):
    """KubeRay: clusters, jobs and services of Ray as objects of Kubernetes."""

    namespaces: tuple[NamespaceName, ...] = Field(
        default=(), description="Namespaces whose Ray clusters the operator runs; by default those of all namespaces."
    )
    image: Image | None = Field(
        default=None,
        description="Image of heads and workers in the templates, with Ray and what the jobs import; by default Ray "
        "alone.",
    )
