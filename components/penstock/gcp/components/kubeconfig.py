"""How programs outside the cluster reach its API."""

from __future__ import annotations

import pulumi

from penstock.core.kubeconfig import text_of
from penstock.gcp.components.handles import ClusterHandle


def kubeconfig(cluster: ClusterHandle) -> pulumi.Output[str]:
    """A kubeconfig that holds no secret: each call gets a short-lived token from `gke-gcloud-auth-plugin`."""
    return pulumi.Output.all(cluster.name, cluster.endpoint, cluster.certificate_authority).apply(
        lambda known: _render(*known)
    )


def _render(name: str, endpoint: str, certificate_authority: str | None) -> str:
    trust = {} if certificate_authority is None else {"certificate-authority-data": certificate_authority}
    token = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": "gke-gcloud-auth-plugin",
        "installHint": "Install it with: gcloud components install gke-gcloud-auth-plugin",
        "interactiveMode": "Never",
        "provideClusterInfo": True,
    }
    return text_of(name, {"server": f"https://{endpoint}", **trust}, {"exec": token})
