"""The kinds of Prometheus's operator, apart from what uses them."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.monitored import MONITORING
from penstock.kubernetes.components.namespace import Namespace, PortOpening
from penstock.kubernetes.components.release import release

_CHART = "prometheus-operator-crds"
NAMESPACE, AGENTS = MONITORING, "kube-system"
"""Where all of it runs, and where its node agents do, which are privileged."""

_WEBHOOK, _PROMETHEUS = 10250, 9090


class PrometheusCrds(pulumi.ComponentResource):
    """The namespace of monitoring, and the kinds by which other add-ons say what is to be watched.

    Node agents, which read the machine and its accelerators, run in kube-system: this namespace refuses such pods.
    """

    def __init__(
        self, name: str, _spec: None, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install them."""
        super().__init__("penstock:kubernetes:PrometheusCrds", name, None, opts)
        costed = [{"kubernetes.io/metadata.name": "opencost"}] if cluster.addons.has("cost") else []
        namespace = Namespace(
            name,
            namespace=NAMESPACE,
            pod_security="baseline",
            openings=[
                PortOpening(port=_WEBHOOK),
                *(PortOpening(port=_PROMETHEUS, namespaces=labels) for labels in costed),
            ],
            ways_out=None,  # Prometheus reads pods and nodes at ports that their makers chose
            opts=pulumi.ResourceOptions(parent=self),
        )
        release(name, _CHART, values={}, opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]))
        self.register_outputs({})
