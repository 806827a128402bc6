"""How programs outside the cluster reach its API."""

from __future__ import annotations

import pulumi

from penstock.aws.components.handles import ClusterHandle
from penstock.core.kubeconfig import text_of

TUNNEL_PORT = 8443
"""The local end of a tunnel to the API."""


def kubeconfig(cluster: ClusterHandle, *, region: str, tunnel: bool = False) -> pulumi.Output[str]:
    """A kubeconfig that holds no secret: each call gets a short-lived token from `aws eks get-token`.

    With `tunnel` it goes to the near end of a tunnel, and still checks the certificate of the far one.
    """
    return pulumi.Output.all(cluster.name, cluster.endpoint, cluster.certificate_authority).apply(
        lambda known: _render(known[0], _server(known[1], known[2], tunnel=tunnel), region)
    )


def _server(endpoint: str, certificate_authority: str, *, tunnel: bool) -> dict[str, str]:
    verified = {"certificate-authority-data": certificate_authority}
    if not tunnel:
        return {"server": endpoint, **verified}
    host = endpoint.removeprefix("https://")
    return {"server": f"https://127.0.0.1:{TUNNEL_PORT}", "tls-server-name": host, **verified}


def _render(name: str, server: dict[str, str], region: str) -> str:
    token = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "command": "aws",
        "args": ["eks", "get-token", "--cluster-name", name, "--region", region, "--output", "json"],
        "interactiveMode": "Never",
    }
    return text_of(name, server, {"exec": token})
