"""What a registry promises: images that are encrypted, scanned, and never changed under their tag."""

from __future__ import annotations

import pytest
from tests.gcphandles import KEY, PROJECT, key_for, project_with

from penstock.addons.registry.block import RegistrySpec
from penstock.gcp.components.registry import Registry
from penstock.graph.graph import Graph
from penstock.testing import rehearse

REPOSITORY = "gcp:artifactregistry/repository:Repository"
SPEC = RegistrySpec(repositories=("trainer", "server"), protect=True, tags={"owner": "ml"})


@pytest.fixture
def graph() -> Graph:
    return rehearse(lambda: Registry("images", SPEC, project=PROJECT, region="us-central1", key=KEY)).graph


def test_images_are_encrypted_scanned_protected_and_never_change_under_their_tag(graph: Graph) -> None:
    repositories = graph.of_type(REPOSITORY)

    assert len(repositories) == 2
    for repository in repositories:
        assert repository.inputs["format"] == "DOCKER"
        assert repository.inputs["dockerConfig"] == {"immutableTags": True}
        assert repository.inputs["vulnerabilityScanningConfig"] == {"enablementConfig": "INHERITED"}
        assert repository.inputs["kmsKeyName"] == KEY.id
        assert repository.inputs["labels"] == {"owner": "ml"}
        assert repository.options.protect


def test_only_untagged_images_expire(graph: Graph) -> None:
    for repository in graph.of_type(REPOSITORY):
        (policy,) = repository.inputs["cleanupPolicies"]

        assert policy["action"] == "DELETE"
        assert policy["condition"] == {"tagState": "UNTAGGED", "olderThan": f"{14 * 24 * 3600}s"}
        assert not repository.inputs.get("cleanupPolicyDryRun")


def test_docker_is_reported_where_to_push(graph: Graph) -> None:
    (component,) = graph.of_type("penstock:gcp:Registry")

    assert component.outputs["urls"] == {
        "trainer": "us-central1-docker.pkg.dev/my-ai-project/images-trainer",
        "server": "us-central1-docker.pkg.dev/my-ai-project/images-server",
    }


def test_repositories_wait_for_their_api_and_their_right_to_the_key_and_for_nothing_else() -> None:
    def program() -> None:
        project, key = project_with("artifactregistry"), key_for("artifactregistry")
        Registry("images", SPEC, project=project, region="us-central1", key=key)

    graph = rehearse(program).graph
    for repository in graph.of_type(REPOSITORY):
        assert {graph[urn].name for urn in repository.dependencies if graph[urn].custom} == {"api", "grant"}


def test_the_cloud_has_nothing_to_object() -> None:
    def program() -> None:
        Registry("images", SPEC, project=PROJECT, region="us-central1", key=key_for("artifactregistry"))

    assert rehearse(program).findings == ()
