"""Providers that reach one cluster alike are one way to it, whoever made them."""

from __future__ import annotations

import pulumi
import pulumi_kubernetes as kubernetes
import pytest

from penstock.graph.graph import Graph
from penstock.graph.view import Site
from penstock.kubernetes.rules import inventory
from penstock.testing import rehearse

SECRET = "kubernetes:core/v1:Secret"


def graph(*kubeconfigs: str, preview: bool = False) -> Graph:
    """Programs with an object for each of these clusters, each by a provider of its own."""

    def program() -> None:
        for number, kubeconfig in enumerate(kubeconfigs):
            provider = kubernetes.Provider(f"provider-{number}", kubeconfig=kubeconfig)
            opts = pulumi.ResourceOptions(provider=provider)
            kubernetes.core.v1.Secret(f"secret-{number}", metadata={"name": "shared"}, opts=opts)

    return rehearse(program, preview=preview).graph


def servers(found: Graph) -> set[str]:
    return {inventory.server(view) for view in Site(found).of_type(SECRET)}


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_two_providers_of_one_cluster_are_one_server(preview: bool) -> None:
    assert len(servers(graph("first", "first", preview=preview))) == 1


@pytest.mark.parametrize("preview", [False, True], ids=["up", "preview"])
def test_providers_of_two_clusters_are_two_servers(preview: bool) -> None:
    assert len(servers(graph("first", "second", preview=preview))) == 2
