"""How programs outside the cluster reach its API."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import pulumi

from penstock.azure.components.handles import ClusterHandle
from penstock.core.kubeconfig import entries, parsed, text_of

_SERVER = "6dae42f8-4368-4678-94ff-3960e28e3630"
"""The application that every AKS cluster with Entra ID is (AKS documentation, kubelogin)."""


def kubeconfig(cluster: ClusterHandle) -> pulumi.Output[str]:
    """A kubeconfig that holds no secret: each call gets a short-lived token from `kubelogin`, as `az` is signed in."""
    return pulumi.Output.from_input(cluster.credentials).apply(_render)


def certificate_authority(cluster: ClusterHandle) -> pulumi.Output[str]:
    """What tells the cluster from one that takes its place."""
    return pulumi.Output.from_input(cluster.credentials).apply(
        lambda text: str(_cluster(text)[1]["certificate-authority-data"])
    )


def decoded(value: str) -> str:
    """The text of a kubeconfig as Azure's API returns it."""
    return base64.b64decode(value).decode()


def _cluster(text: str) -> tuple[str, Mapping[str, Any]]:
    return entries(parsed(text), "clusters")[0]


def _render(text: str) -> str:
    name, cluster = _cluster(text)
    token = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": "kubelogin",
        "args": ["get-token", "--login", "azurecli", "--server-id", _SERVER],
        "installHint": "Install it with: az aks install-cli",
        "interactiveMode": "Never",
        "provideClusterInfo": False,
    }
    return text_of(name, cluster, {"exec": token})
