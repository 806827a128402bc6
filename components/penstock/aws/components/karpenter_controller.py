"""Karpenter on EKS: starts machines for pods that wait, pool by pool, without Auto Scaling groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.meta import v1 as meta

from penstock.description.node_pool import Taint
from penstock.description.nodes import PoolNodes
from penstock.graph.source_block import Path, carried
from penstock.kubernetes.components.release import image, release

_CHART = "karpenter"

_IDLE = "10m"
"""Machines with accelerators take as long to start; the next job of a queue often comes sooner."""

_PLAIN_IDLE = "5m"


class Karpenter(pulumi.ComponentResource):
    """Karpenter's kinds and its controller, which runs on nodes that it did not start itself.

    Its service account is called as the chart. It keeps nodes with pods that say
    `karpenter.sh/do-not-disrupt: "true"`.
    """

    ready: tuple[pulumi.Resource, ...]

    def __init__(
        self,
        name: str,
        *,
        cluster_name: pulumi.Input[str],
        queue: pulumi.Input[str],
        replicas: int,
        image_mirror: pulumi.Input[str] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install it.

        Args:
            name: The start of every name in it.
            cluster_name: The cluster whose pods it starts machines for.
            queue: The name of the queue that it hears of interruptions from.
            replicas: Each needs a node of its own.
            image_mirror: The registry that stands in for public ones.
            opts: Pulumi's options.
        """
        super().__init__("penstock:kubernetes:Karpenter", name, None, opts)
        kinds = release(f"{name}-crd", "karpenter-crd", values={}, opts=pulumi.ResourceOptions(parent=self))
        after = opts.depends_on if opts is not None else None
        controller = release(
            name,
            _CHART,
            values={
                "replicas": replicas,
                "serviceAccount": {"name": _CHART},
                "settings": {
                    "clusterName": cluster_name,
                    "interruptionQueue": queue,
                    "eksControlPlane": True,
                    # Karpenter knows neither the huge pages that EFA takes, nor gives a pod that requests them a node.
                    "featureGates": {"nodeOverlay": True},
                },
                "controller": {
                    "image": {"repository": image(_CHART, image_mirror)},
                    "resources": {
                        "requests": {"cpu": "500m", "memory": "1Gi"},
                        "limits": {"cpu": "2", "memory": "1Gi"},
                    },
                },
            },
            mirrored=image_mirror is not None,
            opts=pulumi.ResourceOptions.merge(
                pulumi.ResourceOptions(parent=self, depends_on=after), pulumi.ResourceOptions(depends_on=[kinds])
            ),
        )
        self.ready = (kinds, controller)
        self.register_outputs({})


class ScaledPool(pulumi.ComponentResource):
    """A pool of Karpenter: its node class, its bounds, and what of its nodes Karpenter would not know.

    Nodes with accelerators stop only when they are empty: neither a cheaper machine, nor a newer image, nor their age
    takes one from a job. Empty ones make place for nodes of the newest image. Plain nodes are moved together and
    renewed, a tenth at once.
    """

    def __init__(
        self,
        name: str,
        nodes: PoolNodes,
        *,
        node_class: Mapping[str, Any],
        labels: Mapping[str, str],
        requirements: Mapping[str, Sequence[str]],
        unseen: Mapping[str, str],
        described_at: Path | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Describe the pool to Karpenter.

        Args:
            name: The start of every name in it; in the cluster the pool is called as in the description.
            nodes: What its nodes have.
            node_class: The spec of its EC2NodeClass.
            labels: The labels that it gives its nodes, beside those of Karpenter.
            requirements: The values of labels that a machine must have.
            unseen: What its nodes offer and Karpenter does not know of.
            described_at: The path of the pool in a description.
            opts: Pulumi's options.
        """
        super().__init__("penstock:kubernetes:ScaledPool", name, carried(described_at, {}), opts)
        after = pulumi.ResourceOptions(parent=self, depends_on=opts.depends_on if opts is not None else None)
        named = meta.ObjectMetaArgs(name=nodes.pool)
        machine = CustomResource(
            f"{name}-class",
            api_version="karpenter.k8s.aws/v1",
            kind="EC2NodeClass",
            metadata=named,
            spec=dict(node_class),
            opts=after,
        )
        first = [machine]
        if unseen:
            first.append(
                CustomResource(
                    f"{name}-overlay",
                    api_version="karpenter.sh/v1alpha1",
                    kind="NodeOverlay",
                    metadata=named,
                    spec={"requirements": _requirements(requirements), "capacity": dict(unseen)},
                    opts=after,
                )
            )
        CustomResource(
            name,
            api_version="karpenter.sh/v1",
            kind="NodePool",
            metadata=named,
            spec={
                "template": {
                    "metadata": {"labels": dict(labels)},
                    "spec": {
                        "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": nodes.pool},
                        "requirements": _requirements(requirements),
                        "taints": [_taint(taint) for taint in nodes.taints],
                        **({"startupTaints": [_taint(nodes.startup_taint)]} if nodes.startup_taint else {}),
                        **({"expireAfter": "Never"} if nodes.accelerators else {}),
                    },
                },
                "disruption": _disruption(nodes),
                "limits": _limits(nodes),
            },
            opts=pulumi.ResourceOptions.merge(after, pulumi.ResourceOptions(depends_on=first)),
        )
        self.register_outputs({})


def _taint(taint: Taint) -> dict[str, str]:
    return {"key": taint.key, "value": taint.value, "effect": taint.effect}


def _requirements(wanted: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    return [{"key": key, "operator": "In", "values": list(values)} for key, values in wanted.items()]


def _limits(nodes: PoolNodes) -> dict[str, str]:
    """The most that the pool has: nodes, and what they have.

    Karpenter counts nodes once they are there, so that pods which come together start more of them; what nodes have,
    it also counts of those that it is about to start.
    """
    most = nodes.nodes.max
    if nodes.resource is not None:
        return {"nodes": str(most), nodes.resource: str(most * nodes.accelerators)}
    return {"nodes": str(most), **({"cpu": str(most * nodes.vcpu)} if nodes.vcpu else {})}


def _disruption(nodes: PoolNodes) -> dict[str, Any]:
    if not nodes.accelerators:
        return {
            "consolidationPolicy": "WhenEmptyOrUnderutilized",
            "consolidateAfter": _PLAIN_IDLE,
            "budgets": [{"nodes": "10%"}],
        }
    return {
        "consolidationPolicy": "WhenEmpty",
        "consolidateAfter": _IDLE,
        "budgets": [
            {"nodes": "100%", "reasons": ["Empty"]},
            {"nodes": "0", "reasons": ["Drifted", "Underutilized"]},
        ],
    }
