"""Stacks that the cluster deploys: one namespace, no keys in clear, no rights beyond it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.descriptions import ONPREM_TRAINING, changed, findings

from penstock.graph.graph import Graph
from penstock.testing import rehearse, violations

HOME = "pulumi-kubernetes-operator"
REPOSITORY = "https://git.example.com/ai/platform.git"
STACK: dict[str, Any] = {"name": "platform", "stack": "organization/platform/prod", "repository": REPOSITORY}
OPERATOR: dict[str, Any] = {
    "backend": "s3://state-1a2b3c4?region=us-east-1",
    "secrets_provider": "awskms:///arn:aws:kms:us-east-1:123456789012:key/1234?region=us-east-1",
    "stacks": [STACK],
}
RBAC = "kubernetes:rbac.authorization.k8s.io/v1"


def described(**changes: object) -> dict[str, Any]:
    """The platform with the operator; a field that is None is left out."""
    block = {key: value for key, value in {**OPERATOR, **changes}.items() if value is not None}
    return changed("addons", {"pulumi": block}, ONPREM_TRAINING)


def rehearsed(**changes: object) -> Graph:
    run = rehearse(described(**changes))
    assert run.findings == ()
    return run.graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return rehearsed()


def stack(graph: Graph) -> Any:
    (found,) = (each for each in graph if each.type == "kubernetes:pulumi.com/v1:Stack")
    assert found.inputs["metadata"]["namespace"] == HOME
    return found.inputs["spec"]


def watched(graph: Graph) -> dict[str, list[str]]:
    """What the operator reads in all namespaces, by group, with no verb that changes anything."""
    (role,) = (
        each
        for each in graph.of_type(f"{RBAC}:ClusterRole")
        if each.inputs["metadata"]["name"] == "pulumi-kubernetes-operator-watch"
    )
    rules = role.inputs["rules"]
    assert {tuple(each["verbs"]) for each in rules} == {("get", "list", "watch")}
    return {each["apiGroups"][0]: each["resources"] for each in rules}


def test_a_stack_follows_its_branch_and_is_not_destroyed_with_its_object(graph: Graph) -> None:
    spec = stack(graph)

    assert (spec["projectRepo"], spec["branch"], spec["repoDir"]) == (REPOSITORY, "main", ".")
    assert (spec["backend"], spec["secretsProvider"]) == (OPERATOR["backend"], OPERATOR["secrets_provider"])
    assert spec["refresh"] is True
    assert "destroyOnFinalize" not in spec


def test_workspaces_are_restricted_and_bounded_and_go_after_an_update(graph: Graph) -> None:
    spec = stack(graph)
    workspace = spec["workspaceTemplate"]["spec"]

    assert workspace["securityProfile"] == "restricted"
    assert workspace["image"].endswith("-nonroot")
    assert workspace["resources"]["limits"]["memory"] == "4Gi"
    assert (spec["serviceAccountName"], spec["workspaceReclaimPolicy"]) == ("deployer", "Delete")


def test_the_operator_changes_objects_of_its_own_namespace_only(graph: Graph) -> None:
    (release,) = (each for each in graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == HOME)

    assert release.inputs["values"]["rbac"]["createClusterRole"] is False
    assert release.inputs["values"]["rbac"]["createRole"] is True
    assert watched(graph)[""] == ["pods", "secrets"]


def test_a_login_for_git_is_a_reference() -> None:
    graph = rehearsed(stacks=[{**STACK, "login_from": "git/token"}])

    assert stack(graph)["gitAuth"] == {"accessToken": {"type": "Secret", "secret": {"name": "git", "key": "token"}}}


def test_a_key_for_git_over_ssh_opens_its_port() -> None:
    repository = "ssh://git@git.example.com:7999/ai/platform.git"
    graph = rehearsed(stacks=[{**STACK, "repository": repository, "login_from": "git/key"}])
    (closed,) = (
        each
        for each in graph.of_type("kubernetes:networking.k8s.io/v1:NetworkPolicy")
        if each.inputs["metadata"] == {"name": "closed", "namespace": HOME}
    )
    ports = {port["port"] for rule in closed.inputs["spec"]["egress"] for port in rule.get("ports", ())}

    assert "sshPrivateKey" in stack(graph)["gitAuth"]["sshAuth"]
    assert ports == {53, 80, 443, 6443, 7999}


def test_a_source_of_flux_takes_the_place_of_a_repository() -> None:
    graph = rehearsed(stacks=[{"name": "platform", "stack": "organization/platform/prod", "flux": "platform"}])
    spec = stack(graph)

    assert spec["fluxSource"]["sourceRef"] == {
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "GitRepository",
        "name": "platform",
    }
    assert "projectRepo" not in spec


def test_the_token_of_pulumi_cloud_is_a_reference() -> None:
    graph = rehearsed(backend="https://api.pulumi.com", secrets_provider=None, token_from="pulumi/token")

    assert stack(graph)["envRefs"] == {
        "PULUMI_ACCESS_TOKEN": {"type": "Secret", "secret": {"name": "pulumi", "key": "token"}}
    }


def test_the_cloud_knows_what_deploys_by_the_annotations_of_its_account() -> None:
    graph = rehearsed(account={"azure.workload.identity/client-id": "00000000-0000-0000-0000-000000000000"})
    (account,) = (
        each
        for each in graph.of_type("kubernetes:core/v1:ServiceAccount")
        if each.inputs["metadata"]["name"] == "deployer"
    )
    labels = stack(graph)["workspaceTemplate"]["spec"]["podTemplate"]["metadata"]["labels"]

    assert account.inputs["metadata"]["annotations"].keys() == {"azure.workload.identity/client-id"}
    assert labels == {"azure.workload.identity/use": "true"}


def test_argo_cd_delivers_stack_objects_into_the_namespace_of_the_operator() -> None:
    block = {"pulumi": {**OPERATOR, "stacks": []}, "gitops": {"repository": REPOSITORY, "namespaces": [HOME]}}
    run = rehearse(changed("addons", block, ONPREM_TRAINING))

    assert run.findings == ()
    bound = [each for each in run.graph.of_type(f"{RBAC}:RoleBinding") if each.inputs["metadata"]["namespace"] == HOME]
    assert [each.inputs["roleRef"]["name"] for each in bound] == ["edit"]


def test_strict_policies_have_nothing_to_object() -> None:
    settings = {"packs": ["strict"], "environment": "prod"}
    before = {(each.code, each.message) for each in violations(rehearse(ONPREM_TRAINING), settings)}
    after = {(each.code, each.message) for each in violations(rehearse(described()), settings)}

    assert after - before == set()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"stacks": [{**STACK, "flux": "platform"}]}, "has two sources"),
        ({"stacks": [{"name": "platform", "stack": "prod"}]}, "has no source"),
        ({"stacks": [{**STACK, "branch": "main", "commit": "a" * 40}]}, "has a branch and a commit"),
        ({"stacks": [{"name": "p", "stack": "prod", "flux": "p", "branch": "main"}]}, "the GitRepository p decides"),
        ({"stacks": [STACK, STACK]}, "platform"),
        ({"stacks": [{**STACK, "name": "a" * 43}]}, "42"),
        ({"stacks": [{**STACK, "repository": "https://me:secret@git.example.com/ai/p.git"}]}, "repository"),
        ({"stacks": [{**STACK, "repository": "https://git.example.com/p.git"}]}, "repository"),
        ({"secrets_provider": None}, "Nothing encrypts the secrets"),
        ({"backend": "https://api.pulumi.com"}, "without an access token"),
        ({"token_from": "pulumi/token"}, "the state is in a bucket"),
        ({"backend": "file:///state"}, "backend"),
    ],
)
def test_mistakes_are_named(changes: dict[str, Any], says: str) -> None:
    assert any(says in f"{each.path} {each.message}" for each in findings(described(**changes)))
