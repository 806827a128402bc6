"""Clusters as add-ons see them, made from the descriptions of tests."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from penstock.description import parse
from penstock.description.nodes import nodes_of
from penstock.description.platform import full_name
from penstock.graph.graph import Graph
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.description import pools


def with_addons(description: Mapping[str, Any], addons: Mapping[str, Any], **changed: Any) -> dict[str, Any]:
    """A description with further add-ons."""
    copied = copy.deepcopy({**description, **changed})
    return {**copied, "addons": {**copied.get("addons", {}), **addons}}


def cluster_of(description: Mapping[str, Any], **beside: Any) -> InCluster:
    """What its add-ons know; `beside` are add-ons that it does not name, as others see them."""
    read = parse(description)
    on_existing = read.cloud.provider == "kubernetes"
    return InCluster(
        platform=full_name(read),
        provider=read.cloud.provider,
        region=read.cloud.region or "",
        environment=read.environment,
        profile=pools.profile(read) if on_existing else None,
        version=read.cluster.version,
        pools=nodes_of(read),
        storage=read.storage,
        addons=read.addons.model_copy(update=beside),
    )


def open_ports(graph: Graph, namespace: str) -> set[int]:
    """The ports by which pods of a namespace of ours leave it, to wherever."""
    (closed,) = (
        each
        for each in graph.of_type("kubernetes:networking.k8s.io/v1:NetworkPolicy")
        if each.inputs["metadata"] == {"name": "closed", "namespace": namespace}
    )
    return {port["port"] for rule in closed.inputs["spec"]["egress"] for port in rule.get("ports", ())}
