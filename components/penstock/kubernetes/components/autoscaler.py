"""The cluster autoscaler: starts machines for pods that wait, and stops those that nothing runs on."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.release import image, release

_CHART = "cluster-autoscaler"

_LONGEST_START = "25m0s"
"""A machine with accelerators may take 20 minutes to join; by default the autoscaler gives it up after 15."""


class ClusterAutoscaler(pulumi.ComponentResource):
    """Moves each pool of a cluster on EKS between its bounds, from and to zero; GKE brings its own.

    It finds the groups that EKS has tagged for it. It keeps nodes whose pods have local data, belong to no controller,
    or say `cluster-autoscaler.kubernetes.io/safe-to-evict: "false"`. Its service account is called as the chart.
    """

    def __init__(
        self,
        name: str,
        *,
        cluster_name: pulumi.Input[str],
        region: str,
        image_mirror: pulumi.Input[str] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install the autoscaler; `image_mirror` is the registry that a network without a way out pulls from."""
        super().__init__("penstock:kubernetes:ClusterAutoscaler", name, None, opts)
        release(
            name,
            _CHART,
            values={
                "autoDiscovery": {"clusterName": cluster_name},
                "awsRegion": region,
                "image": {"repository": image(_CHART, image_mirror)},
                "rbac": {"serviceAccount": {"name": _CHART}},
                "extraArgs": {"expander": "least-waste", "max-node-provision-time": _LONGEST_START},
            },
            mirrored=image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=opts.depends_on if opts is not None else None),
        )
        self.register_outputs({})
