"""Endpoints of Kubernetes APIs: who reaches each of them, and what lets a machine into the network of a closed one."""

from __future__ import annotations

from penstock.model.endpoints.clusters import (
    cluster_api,
    cluster_types,
    clusters_behind,
    network_types,
    uses_name,
)
from penstock.model.endpoints.endpoint import ClusterApi, Endpoint
from penstock.model.endpoints.enforcement import PolicyEngine
from penstock.model.endpoints.policy_engines import policy_clusters, policy_engine
from penstock.model.endpoints.ways_in import WayIn, ways_in

__all__ = [
    "ClusterApi",
    "Endpoint",
    "PolicyEngine",
    "WayIn",
    "cluster_api",
    "cluster_types",
    "clusters_behind",
    "network_types",
    "policy_clusters",
    "policy_engine",
    "uses_name",
    "ways_in",
]
