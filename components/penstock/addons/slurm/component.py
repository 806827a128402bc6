"""Slurm in Kubernetes, by Slinky."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi

from penstock.addons.slurm import values
from penstock.addons.slurm.block import SlurmSpec
from penstock.addons.slurm.pools import slurm_pools
from penstock.description.storage import BucketSpec
from penstock.kubernetes.components import storage_claims
from penstock.kubernetes.components.in_cluster import InCluster, device_quota
from penstock.kubernetes.components.namespace import Namespace, PortOpening
from penstock.kubernetes.components.release import release

_OPERATOR, _CLUSTER = "slinky", "slurm"
_APP = "app.kubernetes.io/name"
"""The label by which the operator names the program of a pod."""

_WEBHOOK, _REST, _SSH = 9443, 6820, 22


class Slurm(pulumi.ComponentResource):
    """Slinky's operator, and a Slurm cluster with a partition for each of its pools and one for all.

    Workers are privileged, as Slurm divides a node itself: their namespace is for Slurm alone, whose pods reach each
    other, DNS, port 443 and the database of accounting. Kubernetes sees nodes that are taken, whatever Slurm does with
    them, so no other queue counts on these nodes.
    """

    offers: Mapping[str, pulumi.Input[object]]

    def __init__(
        self, name: str, spec: SlurmSpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it; cert-manager is there before."""
        super().__init__("penstock:kubernetes:Slurm", name, None, opts)
        # Pulumi lets the children of a component not wait for what the component waits for.
        child = pulumi.ResourceOptions(parent=self, depends_on=opts.depends_on if opts is not None else None)
        mirrored = cluster.image_mirror is not None
        pools = slurm_pools(spec, cluster.pools)
        # Workers are root: where teams have directories of their own, jobs of Slurm have one, too.
        directory = "" if not cluster.addons.has("queueing") else _CLUSTER
        system = Namespace(
            f"{name}-operator",
            namespace=_OPERATOR,
            pod_security="restricted",
            openings=[PortOpening(port=_WEBHOOK)],
            ways_out=(_REST,),
            critical_pods=True,
            opts=child,
        )
        namespace = Namespace(
            name,
            namespace=_CLUSTER,
            pod_security="privileged",
            openings=[
                PortOpening(
                    port=_REST, pods={_APP: "slurmrestd"}, namespaces={"kubernetes.io/metadata.name": _OPERATOR}
                ),
                *([PortOpening(port=_SSH, pods={_APP: "login"})] if spec.login_keys else []),
            ],
            ways_out=() if spec.accounting is None else (spec.accounting.port,),
            critical_pods=True,
            quota=device_quota(pools),
            opts=child,
        )
        for item in cluster.storage:
            if item.name in spec.claims and not isinstance(item, BucketSpec):  # pods of Slurm have no identity
                storage_claims.claim(
                    f"{name}--{item.name}",
                    item,
                    cluster=cluster,
                    namespace=namespace,
                    directory=directory,
                    opts=child,
                )
        kinds = release(
            f"{name}-crds",
            "slurm-operator-crds",
            values={},
            opts=_after(child, system),
        )
        operator = release(
            f"{name}-operator",
            "slurm-operator",
            values=values.operator(cluster),
            mirrored=mirrored,
            opts=_after(child, system, kinds),
        )
        release(
            name,
            "slurm",
            values=values.slurm(spec, cluster),
            mirrored=mirrored,
            opts=_after(child, namespace, operator),
        )
        self.offers = {
            "namespace": namespace.name,
            "partitions": [pool.pool for pool in pools],
        }
        self.register_outputs({})


def _after(child: pulumi.ResourceOptions, *others: pulumi.Resource) -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=list(others)))
