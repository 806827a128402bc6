"""The managed Kubernetes cluster."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StringConstraints

from penstock.catalog import kubernetes_versions
from penstock.description.block import HoldingSpec, SpecBlock
from penstock.description.network import Range

Installed = Literal[
    "nvidia",
    "gpu-operator",
    "network-operator",
    "nvidia-dra",
    "amd",
    "neuron",
    "efa",
    "efa-dra",
    "lustre",
    "nfs",
    "beegfs",
    "scale",
    "bucket",
]
"""What a cluster may have already; nvidia is NVIDIA's device plugin, nvidia-dra its driver for resource claims, efa-dra
that of AWS for EFA, and amd AMD's device plugin."""

Access = Literal["private", "restricted", "dns"]
"""The ways in to a cluster's API."""

Autoscaling = Literal["cluster-autoscaler", "karpenter"]
"""What starts and stops machines of pools with bounds."""

DeviceAllocation = Literal["plugins", "claims"]
"""The ways in which pods get devices: as extended resources of device plugins, or by resource claims (DRA)."""

SERVICE_CIDR = IPv4Network("172.20.0.0/16")
"""Where Kubernetes services get their addresses; EKS's own choice for networks in 10.0.0.0/8, fixed at creation."""


class ExistingCluster(SpecBlock):
    """An existing cluster, to which node pools and plugins are added."""

    name: str = Field(
        description="Name of the cluster in the account and region of the platform; for provider kubernetes any name."
    )
    installed: tuple[Installed, ...] = Field(
        default=(),
        description="Device plugins, operators and storage drivers that the cluster has already, from people or from "
        "another platform: they are not installed again. On AWS, and for provider kubernetes.",
    )


class ClusterSpec(HoldingSpec):
    """A private cluster with a managed control plane."""

    version: Annotated[str, StringConstraints(pattern=r"^1\.\d{2}$")] | None = Field(
        default=None,
        description='Kubernetes version in quotes, such as "1.35"; by default the newest well-known one, when the '
        "cluster is created.",
    )
    access: Access | None = Field(
        default=None,
        description=(
            "private: API endpoint on private networks only; restricted: also public, for network.allowed_cidrs; dns: "
            "GKE's DNS endpoint, reached from anywhere by whom IAM lets in, without a public IP endpoint. By default "
            "dns on Google Cloud, and private elsewhere."
        ),
    )
    deployer_cidrs: tuple[Range, ...] = Field(
        default=(),
        description="Ranges that Pulumi runs from; the public endpoint admits them, whatever access says. Leave it out "
        "once Pulumi runs inside the network.",
    )
    runner: StrictBool = Field(
        default=False,
        description="A small machine inside the network, without a public address, reached by SSM on AWS and by IAP on "
        "Google Cloud, from which Pulumi or a tunnel reaches a closed endpoint.",
    )
    autoscaling: Autoscaling = Field(
        default="cluster-autoscaler",
        description="What starts and stops the machines of pools with bounds. karpenter starts those of pools with "
        "nodes.min of 0, and the others stay managed node groups. AWS only.",
    )
    device_allocation: DeviceAllocation = Field(
        default="plugins",
        description="How pods get NVIDIA GPUs and EFA. plugins: they request nvidia.com/gpu and vpc.amazonaws.com/efa "
        "of device plugins; claims: they claim them by dynamic resource allocation (DRA), and no device plugin is "
        "installed. AWS only.",
    )
    node_upgrades: Literal["weekends", "by_hand"] | None = Field(
        default=None,
        description="When GKE upgrades nodes, and the cluster to another minor version, or AKS both to another patch: "
        "on weekends, or only by hand, which is the default with accelerators and on GKE ends with the support of the "
        "version. Not on AWS.",
    )
    admins: tuple[str, ...] = Field(
        default=(),
        description="Cluster administrators: IAM ARNs on AWS, IAM members on Google Cloud, on Azure group:, user: or "
        "app: with an object id of Entra ID. Without any, whoever runs the first pulumi up on AWS and Azure, and whom "
        "IAM lets in on Google Cloud.",
    )
    existing: ExistingCluster | None = None
    kubeconfig: str | None = Field(
        default=None,
        description="Path of the kubeconfig, such as ~/.kube/dgx.yaml, or a context of the one that kubectl uses; for "
        "provider kubernetes.",
    )
    context: str | None = Field(
        default=None,
        description="Context of the kubeconfig, where that is a path; by default its current one. For provider "
        "kubernetes.",
    )
    upgrade_policy: Literal["standard", "extended"] = Field(
        default="standard",
        description="When AWS upgrades Kubernetes by itself: at the end of standard support, or a year later, at the "
        "end of extended support, which costs more. AWS only.",
    )


def version_of(cluster: ClusterSpec, cloud: str) -> str:
    """The Kubernetes version of a cluster: the one it names, or the cloud's default."""
    return cluster.version or kubernetes_versions.default_version(cloud)
