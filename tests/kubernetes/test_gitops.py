"""Delivery by pull: one repository, the namespaces of the description, and no way in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import ONPREM_TRAINING, changed, complaints
from tests.kubernetes.clusters import open_ports

from penstock.graph.graph import Graph
from penstock.testing import rehearse

GITOPS: Mapping[str, Any] = {
    "repository": "https://git.example.com/edge.git",
    "path": "serve",
    "namespaces": ["serving", "batch"],
}


def described(**changes: object) -> dict[str, Any]:
    return changed("addons", {"gitops": {**GITOPS, **changes}}, ONPREM_TRAINING)


@pytest.fixture(scope="module")
def graph() -> Graph:
    run = rehearse(described())
    assert run.findings == ()
    return run.graph


def values(graph: Graph) -> Any:
    (found,) = (each for each in graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == "argo-cd")
    return found.inputs["values"]


def custom(graph: Graph, kind: str) -> Any:
    (found,) = (each for each in graph if each.type == f"kubernetes:argoproj.io/v1alpha1:{kind}")
    return found.inputs["spec"]


def test_it_has_rights_in_its_namespaces_alone(graph: Graph) -> None:
    bound = {
        each.inputs["metadata"]["namespace"]: each.inputs["roleRef"]["name"]
        for each in graph.of_type("kubernetes:rbac.authorization.k8s.io/v1:RoleBinding")
        if each.inputs["subjects"][0]["name"] == "argocd-application-controller"
    }

    assert bound == {"serving": "edit", "batch": "edit"}
    assert values(graph)["createClusterRoles"] is False
    assert not list(graph.of_type("kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding"))


def test_its_project_takes_one_repository_into_its_namespaces(graph: Graph) -> None:
    project, application = custom(graph, "AppProject"), custom(graph, "Application")

    assert project["sourceRepos"] == [GITOPS["repository"]] == [application["source"]["repoURL"]]
    assert [each["namespace"] for each in project["destinations"]] == ["serving", "batch"]
    assert project["clusterResourceWhitelist"] == []
    assert application["syncPolicy"]["automated"] == {"prune": True, "selfHeal": True}


def test_nobody_logs_in(graph: Graph) -> None:
    found = values(graph)

    assert (found["server"]["replicas"], found["dex"]["enabled"]) == (0, False)
    assert found["configs"]["cm"]["admin.enabled"] is False


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("repository", "https://user:token@git.example.com/edge.git"),
        ("repository", "git.example.com/edge"),
        ("path", "../other"),
        ("path", "/etc"),
        ("namespaces", []),
        ("namespaces", ["Serving"]),
    ],
)
def test_what_cannot_be_followed_is_refused(field: str, value: object) -> None:
    found = complaints(described(**{field: value}))

    assert any(path is not None and path.startswith(f"addons.gitops.{field}") for _, path in found)


@pytest.mark.parametrize(
    ("repository", "port"),
    [
        ("https://git.example.com:8443/edge.git", 8443),
        ("ssh://git@git.example.com/edge.git", 22),
        ("ssh://git@git.example.com:2222/edge.git", 2222),
    ],
)
def test_the_network_policy_opens_the_port_of_the_repository(repository: str, port: int) -> None:
    run = rehearse(described(repository=repository))

    assert port in open_ports(run.graph, "argocd")
    assert 22 not in open_ports(run.graph, "argocd") - {port}
