"""What the kubeconfig promises."""

from __future__ import annotations

import json

import pulumi

from penstock.aws.handles import ClusterHandle
from penstock.aws.kubeconfig import kubeconfig
from penstock.testing import rehearse

CLUSTER = ClusterHandle(
    name="main",
    security_group_id="sg-0c1c1c1c1c1c1c1c1",
    endpoint="https://0123.gr7.us-east-1.eks.amazonaws.com",
    certificate_authority="LS0tLS1CRUdJTi0tLS0t",
    version="1.33",
)


def test_the_kubeconfig_reaches_the_cluster_and_holds_no_secret() -> None:
    graph = rehearse(lambda: pulumi.export("kubeconfig", kubeconfig(CLUSTER, region="us-east-1"))).graph

    config = json.loads(graph.exports["kubeconfig"])

    (cluster,), (user,), (context,) = config["clusters"], config["users"], config["contexts"]
    assert cluster["cluster"]["server"] == CLUSTER.endpoint
    assert context["context"] == {"cluster": cluster["name"], "user": user["name"]}
    assert config["current-context"] == context["name"]
    assert set(user["user"]) == {"exec"}
    assert user["user"]["exec"]["args"][:4] == ["eks", "get-token", "--cluster-name", "main"]
