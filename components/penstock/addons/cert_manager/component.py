"""cert-manager: certificates for the webhooks of other add-ons."""

from __future__ import annotations

from typing import Final

import pulumi

from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.namespace import Namespace, PortOpening
from penstock.kubernetes.components.release import release
from penstock.kubernetes.components.system_nodes import without_accelerators

_CHART = "cert-manager"
_WEBHOOK = 10250
_KEEPER: Final = {"requests": {"cpu": "20m", "memory": "128Mi"}, "limits": {"memory": "1Gi"}}
"""For the controller, which keeps the Secrets of certificates in memory (Scaling cert-manager), and the injector."""
_SMALL: Final = {"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "256Mi"}}
"""For what keeps nothing. CPU has no limit: while a webhook is throttled, objects of other add-ons are refused."""


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
                "resources": _KEEPER,
                "webhook": {"affinity": affinity, "resources": _SMALL},
                "cainjector": {"affinity": affinity, "resources": _KEEPER},
                "startupapicheck": {"affinity": affinity, "resources": _SMALL},
                "crds": {"enabled": True, "keep": True},
                # GKE lets nobody write leases into kube-system on Autopilot, and its own place serves everywhere.
                "global": {"leaderElection": {"namespace": _CHART}},
                **({"imageRegistry": cluster.image_mirror} if cluster.image_mirror is not None else {}),
            },
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        self.register_outputs({})
