"""What the kubeconfig promises."""

from __future__ import annotations

import json

import pulumi
from tests.handles import CLUSTER

from penstock.aws.components.kubeconfig import kubeconfig
from penstock.testing import rehearse


def test_the_kubeconfig_reaches_the_cluster_and_holds_no_secret() -> None:
    graph = rehearse(lambda: pulumi.export("kubeconfig", kubeconfig(CLUSTER, region="us-east-1"))).graph

    config = json.loads(graph.exports["kubeconfig"])

    (cluster,), (user,), (context,) = config["clusters"], config["users"], config["contexts"]
    assert cluster["cluster"]["server"] == CLUSTER.endpoint
    assert context["context"] == {"cluster": cluster["name"], "user": user["name"]}
    assert config["current-context"] == context["name"]
    assert set(user["user"]) == {"exec"}
    assert user["user"]["exec"]["args"][:4] == ["eks", "get-token", "--cluster-name", "main"]
