"""The managed Kubernetes cluster."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from penstock.catalog import kubernetes_versions
from penstock.spec.block import Block, HoldingSpec

SERVICE_CIDR = IPv4Network("172.20.0.0/16")
"""Where Kubernetes services get their addresses; EKS's own choice for networks in 10.0.0.0/8, fixed at creation."""


class ExistingCluster(Block):
    """A cluster that is already there; node pools and plugins are added to it."""

    name: str = Field(description="Its name in the account and region of the platform.")


class ClusterSpec(HoldingSpec):
    """A private cluster whose control plane the cloud runs."""

    version: Annotated[str, StringConstraints(pattern=r"^1\.\d{2}$")] | None = Field(
        default=None,
        description='Of Kubernetes, such as "1.35", in quotes; by default the newest that is well known of the cloud.',
    )
    access: Literal["private", "restricted"] = Field(
        default="private",
        description="private: over private networks only; restricted: from network.allowed_cidrs on the internet too.",
    )
    admins: tuple[str, ...] = Field(
        default=(), description="Who administers the cluster: IAM ARNs on AWS, IAM members on Google Cloud."
    )
    existing: ExistingCluster | None = None
    kubeconfig: str | None = Field(default=None, description="Path or context, for provider kubernetes.")


def version_of(cluster: ClusterSpec, cloud: str) -> str:
    """The Kubernetes version of a cluster: the one it names, or the cloud's default."""
    return cluster.version or kubernetes_versions.default_version(cloud)
