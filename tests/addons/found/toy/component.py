"""The toy box."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import release

from .block import ToySpec


class Toy(pulumi.ComponentResource):
    """The toy box, with its blocks."""

    def __init__(
        self, name: str, spec: ToySpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Put it into the cluster."""
        super().__init__("penstock:kubernetes:Toy", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        namespace = Namespace(name, namespace="toy", pod_security="restricted", opts=child)
        release(
            name,
            "toy-box",
            values={"blocks": spec.blocks},
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[namespace])),
        )
        self.register_outputs({})
