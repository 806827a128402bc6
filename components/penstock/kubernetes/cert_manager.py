"""cert-manager: certificates for the webhooks of other add-ons."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.in_cluster import InCluster
from penstock.kubernetes.namespace import Namespace, PortOpening
from penstock.kubernetes.release import release
from penstock.kubernetes.system_nodes import without_accelerators

_CHART = "cert-manager"
_WEBHOOK = 10250


class CertManager(pulumi.ComponentResource):
    """cert-manager with its own resource types, which stay when it goes: certificates are not lost with it."""

    def __init__(
        self, name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it."""
        super().__init__("penstock:kubernetes:CertManager", name, None, opts)
        namespace = Namespace(
            name,
            namespace=_CHART,
            pod_security="restricted",
            openings=[PortOpening(port=_WEBHOOK)],
            opts=pulumi.ResourceOptions(parent=self),
        )
        affinity = without_accelerators(cluster.pools)
        release(
            name,
            _CHART,
            values={
                "affinity": affinity,
                "webhook": {"affinity": affinity},
                "cainjector": {"affinity": affinity},
                "startupapicheck": {"affinity": affinity},
                "crds": {"enabled": True, "keep": True},
                # GKE lets nobody write leases into kube-system on Autopilot, and its own place serves everywhere.
                "global": {"leaderElection": {"namespace": _CHART}},
                **({"imageRegistry": cluster.image_mirror} if cluster.image_mirror is not None else {}),
            },
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        self.register_outputs({})
