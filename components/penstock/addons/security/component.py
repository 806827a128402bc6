"""Security: Kyverno with the rules of this package, signatures of images, and Trivy's scans."""

from __future__ import annotations

import pulumi

from penstock.addons.security import kyverno, trivy
from penstock.addons.security.block import SecuritySpec
from penstock.addons.security.policies import hold_to_rules, trust_signatures
from penstock.kubernetes.components.in_cluster import InCluster


class Security(pulumi.ComponentResource):
    """What a cluster refuses to run, and what it reports of that which runs.

    In prod, grave rules and signatures refuse; elsewhere, and for all other rules, reports say what breaks them.
    """

    def __init__(
        self, name: str, spec: SecuritySpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install the controllers, then give them the policies."""
        super().__init__("penstock:kubernetes:Security", name, spec.inputs(), opts)
        enforced = cluster.environment == "prod"
        child = pulumi.ResourceOptions(parent=self)
        admission = kyverno.install(f"{name}-kyverno", cluster, child)
        trivy.install(f"{name}-trivy", cluster, child)
        served = pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[admission]))
        hold_to_rules(name, enforced=enforced, pools=cluster.pools, opts=served)
        trust_signatures(name, spec.signatures, enforced=enforced, opts=served)
        self.register_outputs({})
