"""What a registry promises: images that are scanned, encrypted, and never changed under their tag."""

from __future__ import annotations

import json

import pytest

from penstock.addons.registry.block import RegistrySpec
from penstock.aws.components.handles import KeyHandle
from penstock.aws.components.registry import Registry
from penstock.graph.graph import Graph
from penstock.testing import RehearsalResult, rehearse

REPOSITORY = "aws:ecr/repository:Repository"


def built(key: KeyHandle, *repositories: str) -> RehearsalResult:
    spec = RegistrySpec(repositories=repositories, protect=True, tags={"owner": "ml"})
    return rehearse(lambda: Registry("images", spec, key=key))


@pytest.fixture
def graph(key: KeyHandle) -> Graph:
    return built(key, "trainer", "server").graph


def test_images_are_scanned_encrypted_protected_and_never_change_under_their_tag(graph: Graph, key: KeyHandle) -> None:
    for repository in graph.of_type(REPOSITORY):
        assert repository.inputs["imageTagMutability"] == "IMMUTABLE"
        assert repository.inputs["imageScanningConfiguration"] == {"scanOnPush": True}
        assert repository.inputs["encryptionConfigurations"] == [{"encryptionType": "KMS", "kmsKey": key.arn}]
        assert repository.inputs["tags"] == {"owner": "ml"}
        assert repository.options.protect


def test_only_untagged_images_expire(graph: Graph) -> None:
    repositories = {repository.outputs["name"] for repository in graph.of_type(REPOSITORY)}
    policies = graph.of_type("aws:ecr/lifecyclePolicy:LifecyclePolicy")

    assert {policy.inputs["repository"] for policy in policies} == repositories
    for policy in policies:
        (rule,) = json.loads(policy.inputs["policy"])["rules"]
        assert rule["selection"]["tagStatus"] == "untagged"
        assert rule["action"] == {"type": "expire"}


def test_who_pushes_is_reported_the_url_of_each_repository(graph: Graph) -> None:
    (component,) = graph.of_type("penstock:aws:Registry")
    urls = {repository.name: repository.outputs["repositoryUrl"] for repository in graph.of_type(REPOSITORY)}

    assert component.outputs["urls"] == {"trainer": urls["images-trainer"], "server": urls["images-server"]}


def test_adding_a_repository_leaves_the_others_alone(key: KeyHandle) -> None:
    before = {resource.urn: resource.inputs for resource in built(key, "trainer").graph.of_type(REPOSITORY)}
    after = {resource.urn: resource.inputs for resource in built(key, "server", "trainer").graph.of_type(REPOSITORY)}

    assert before.items() <= after.items()


def test_the_cloud_has_nothing_to_object(key: KeyHandle) -> None:
    assert built(key, "trainer").findings == ()
