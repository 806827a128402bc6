"""What a secret store promises: no value in any state, and nobody who reads without being let in."""

from __future__ import annotations

import pytest
from tests.gcphandles import CLUSTER, KEY, PROJECT, TRAINER, key_for, project_with

from penstock.addons.secrets.block import SecretStoreSpec
from penstock.gcp.components.secret_store import SecretStore
from penstock.graph.graph import Graph
from penstock.testing import rehearse

SECRET = "gcp:secretmanager/secret:Secret"
SPEC = SecretStoreSpec(names=("hugging-face", "wandb"), protect=True, tags={"owner": "ml"})


@pytest.fixture
def graph() -> Graph:
    return rehearse(lambda: SecretStore("secrets", SPEC, project=PROJECT, region="us-central1", key=KEY)).graph


def test_no_value_of_a_secret_is_ever_registered(graph: Graph) -> None:
    assert not any("secretVersion" in resource.type for resource in graph)


def test_nobody_is_let_in_who_was_not_asked_for(graph: Graph) -> None:
    assert not [resource for resource in graph if "iAM" in resource.type or "IAM" in resource.type]


def test_secrets_are_recoverable_protected_and_labelled(graph: Graph) -> None:
    secrets = graph.of_type(SECRET)

    assert [secret.inputs["secretId"] for secret in secrets] == [
        "secrets-hugging-face-us-central1",
        "secrets-wandb-us-central1",
    ]
    for secret in secrets:
        assert secret.inputs["versionDestroyTtl"] == f"{30 * 24 * 3600}s"
        assert secret.inputs["labels"] == {"owner": "ml"}
        assert secret.inputs["deletionProtection"] is True
        assert secret.options.protect


def test_only_the_pods_that_are_named_read_them() -> None:
    spec = SPEC.model_copy(update={"readers": ("research/trainer",)})
    graph = rehearse(
        lambda: SecretStore("secrets", spec, project=PROJECT, region="us-central1", key=KEY, cluster=CLUSTER)
    ).graph
    grants = graph.of_type("gcp:secretmanager/secretIamMember:SecretIamMember")

    assert {grant.inputs["secretId"] for grant in grants} == {secret.id for secret in graph.of_type(SECRET)}
    assert {grant.inputs["role"] for grant in grants} == {"roles/secretmanager.secretAccessor"}
    assert {grant.inputs["member"] for grant in grants} == {TRAINER}


def test_values_stay_in_the_region_under_the_given_key(graph: Graph) -> None:
    for secret in graph.of_type(SECRET):
        assert secret.inputs["replication"] == {
            "userManaged": {
                "replicas": [{"location": "us-central1", "customerManagedEncryption": {"kmsKeyName": KEY.id}}]
            }
        }


def test_readers_find_each_secret_by_the_name_of_the_description(graph: Graph) -> None:
    (component,) = graph.of_type("penstock:gcp:SecretStore")

    assert component.outputs["ids"] == {
        name: secret.id for name, secret in zip(SPEC.names, graph.of_type(SECRET), strict=True)
    }


def test_secrets_wait_for_their_api_and_their_right_to_the_key_and_for_nothing_else() -> None:
    def program() -> None:
        project, key = project_with("secretmanager"), key_for("secretmanager")
        SecretStore("secrets", SPEC, project=project, region="us-central1", key=key)

    graph = rehearse(program).graph
    for secret in graph.of_type(SECRET):
        assert {graph[urn].name for urn in secret.dependencies if graph[urn].custom} == {"api", "grant"}


def test_the_cloud_has_nothing_to_object() -> None:
    def program() -> None:
        SecretStore("secrets", SPEC, project=PROJECT, region="us-central1", key=key_for("secretmanager"))

    assert rehearse(program).findings == ()
