"""How programs outside the cluster reach its API."""

from __future__ import annotations

import json

import pulumi

from penstock.aws.handles import ClusterHandle


def kubeconfig(cluster: ClusterHandle, *, region: str) -> pulumi.Output[str]:
    """A kubeconfig that holds no secret: each call gets a short-lived token from `aws eks get-token`."""
    return pulumi.Output.all(cluster.name, cluster.endpoint, cluster.certificate_authority).apply(
        lambda known: _render(known[0], known[1], known[2], region)
    )


def _render(name: str, endpoint: str, certificate_authority: str, region: str) -> str:
    token = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "command": "aws",
        "args": ["eks", "get-token", "--cluster-name", name, "--region", region, "--output", "json"],
        "interactiveMode": "Never",
    }
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [
                {"name": name, "cluster": {"server": endpoint, "certificate-authority-data": certificate_authority}}
            ],
            "users": [{"name": name, "user": {"exec": token}}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
        }
    )
