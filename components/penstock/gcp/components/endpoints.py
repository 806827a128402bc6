"""The ways in to a cluster's API: an address in the network, a public one, and a name that IAM guards."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network

import pulumi
from pulumi_gcp import container

from penstock.description.cluster import ClusterSpec
from penstock.description.offer import access_of


def private_cluster_config(spec: ClusterSpec) -> container.ClusterPrivateClusterConfigArgsDict:
    """Nodes without public addresses, and an endpoint in the network that its other regions and VPNs reach too."""
    return {
        "enable_private_nodes": True,
        "enable_private_endpoint": not is_public(spec),
        "master_global_access_config": {"enabled": True},
    }


def authorized_networks(
    spec: ClusterSpec, allowed_cidrs: Sequence[IPv4Network]
) -> container.ClusterMasterAuthorizedNetworksConfigArgsDict:
    """The ranges that addresses of the API answer. Without the list, they answer everybody; nodes are always in it."""
    cidrs = dict.fromkeys((*allowed_cidrs, *spec.deployer_cidrs))
    return {
        "cidr_blocks": [{"cidr_block": str(cidr)} for cidr in cidrs],
        "gcp_public_cidrs_access_enabled": False,
    }


def control_plane_endpoints(spec: ClusterSpec) -> container.ClusterControlPlaneEndpointsConfigArgsDict:
    """The endpoint by name: shut, or open to identities of Google's that may connect, and to no token of the cluster's.

    Service account tokens and client certificates pass no IAM: a stolen one would be good from anywhere.
    """
    return {
        "dns_endpoint_config": {
            "allow_external_traffic": by_name(spec),
            "enable_k8s_tokens_via_dns": False,
            "enable_k8s_certs_via_dns": False,
        }
    }


def is_public(spec: ClusterSpec) -> bool:
    """Return whether the API has an address on the internet, for named ranges."""
    return access_of(spec, "gcp") == "restricted" or bool(spec.deployer_cidrs)


def by_name(spec: ClusterSpec) -> bool:
    """Return whether the API answers by name, wherever a call comes from, once IAM lets it in."""
    return access_of(spec, "gcp") == "dns"


def dns_name(cluster: container.Cluster) -> pulumi.Output[str]:
    """The name of a cluster's API."""
    return cluster.control_plane_endpoints_config.dns_endpoint_config.endpoint.apply(str)
