"""Who administers a cluster: the members of its description, as GKE knows them."""

from __future__ import annotations

from penstock.kubernetes import Administrators
from penstock.testing import rehearse


def test_members_of_iam_are_subjects_of_the_cluster() -> None:
    members = ["group:ml@example.com", "user:ada@example.com", "serviceAccount:ci@p.iam.gserviceaccount.com"]

    graph = rehearse(lambda: Administrators("it", members=members)).graph

    (binding,) = graph.of_type("kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding")
    assert binding.inputs["roleRef"]["name"] == "cluster-admin"
    assert [(each["kind"], each["name"]) for each in binding.inputs["subjects"]] == [
        ("Group", "ml@example.com"),
        ("User", "ada@example.com"),
        ("User", "ci@p.iam.gserviceaccount.com"),
    ]
