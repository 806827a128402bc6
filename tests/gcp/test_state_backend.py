"""What a state backend promises: private, versioned, encrypted with its own key, and open to named users only."""

from __future__ import annotations

from typing import Any

import pytest
from tests import gcpdiscovery
from tests.gcp.test_request_bodies import WITHOUT_DOCUMENT
from tests.gcphandles import PROJECT

from penstock.description.state import StateBackendSpec
from penstock.gcp.components.access_logs import AccessLogs
from penstock.gcp.components.state_backend import StateBackend
from penstock.graph.graph import Graph, Resource
from penstock.simulate.run import Rehearsal
from penstock.testing import rehearse, violations

TAGS = {"owner": "ml", "environment": "prod", "cost-center": "42"}
PIPELINES = ("repo:acme/platform:environment:prod", "repo:acme/platform:ref:refs/heads/main")
PEOPLE = "group:platform@example.com"


def rehearsed(**spec: Any) -> Rehearsal:
    def program() -> None:
        AccessLogs("access-logs", project=PROJECT)
        StateBackend(
            "state", StateBackendSpec(tags=TAGS, **spec), region="us-central1", project=PROJECT, members=[PEOPLE]
        )

    return rehearse(program)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return rehearsed(pipelines=PIPELINES).graph


def only(graph: Graph, type_: str) -> Resource:
    (found,) = graph.of_type(type_)
    return found


def test_the_outputs_are_what_the_cli_takes(graph: Graph) -> None:
    outputs = only(graph, "penstock:gcp:StateBackend").outputs
    key = only(graph, "gcp:kms/cryptoKey:CryptoKey")

    assert outputs["backend_url"] == f"gs://{only(graph, 'gcp:storage/bucket:Bucket').outputs['name']}"
    assert outputs["secrets_provider"] == f"gcpkms://{key.id}"
    assert key.id.startswith("projects/my-ai-project/locations/us-central1/keyRings/")
    assert outputs["login"] == f"pulumi login {outputs['backend_url']}"
    assert outputs["init"] == f"pulumi stack init STACK --secrets-provider {outputs['secrets_provider']}"


def test_earlier_versions_are_kept_and_encrypted_with_its_own_key(graph: Graph) -> None:
    inputs = only(graph, "gcp:storage/bucket:Bucket").inputs

    assert inputs["versioning"] == {"enabled": True}
    assert inputs["softDeletePolicy"] == {"retentionDurationSeconds": 7 * 86_400}
    assert inputs["lifecycleRules"][1] == {
        "action": {"type": "Delete"},
        "condition": {"daysSinceNoncurrentTime": 90},
    }
    assert inputs["encryption"] == {"defaultKmsKeyName": only(graph, "gcp:kms/cryptoKey:CryptoKey").id}
    assert (inputs["publicAccessPrevention"], inputs["uniformBucketLevelAccess"]) == ("enforced", True)


def test_members_and_pipelines_use_the_state_and_its_key_and_nobody_else_does(graph: Graph) -> None:
    pool = only(graph, "gcp:iam/workloadIdentityPool:WorkloadIdentityPool").outputs["name"]
    principals = {f"principal://iam.googleapis.com/{pool}/subject/{each}" for each in PIPELINES}
    agent = "serviceAccount:service-123456789012@gs-project-accounts.iam.gserviceaccount.com"
    state = graph.of_type("gcp:storage/bucketIAMMember:BucketIAMMember")
    secrets = graph.of_type("gcp:kms/cryptoKeyIAMMember:CryptoKeyIAMMember")

    assert {each.inputs["member"] for each in state} == {PEOPLE, *principals}
    assert {each.inputs["role"] for each in state} == {"roles/storage.objectUser"}
    assert {each.inputs["member"] for each in secrets} == {PEOPLE, agent, *principals}
    assert {each.inputs["role"] for each in secrets} == {"roles/cloudkms.cryptoKeyEncrypterDecrypter"}


def test_the_pool_takes_tokens_of_the_pipelines_only(graph: Graph) -> None:
    inputs = only(graph, "gcp:iam/workloadIdentityPoolProvider:WorkloadIdentityPoolProvider").inputs

    assert inputs["oidc"] == {"issuerUri": "https://token.actions.githubusercontent.com"}
    assert inputs["attributeMapping"] == {"google.subject": "assertion.sub"}
    assert inputs["attributeCondition"] == (
        "assertion.sub in ['repo:acme/platform:environment:prod', 'repo:acme/platform:ref:refs/heads/main']"
    )


def test_without_pipelines_there_is_no_pool() -> None:
    assert not rehearsed().graph.of_type("gcp:iam/workloadIdentityPool:WorkloadIdentityPool")


def test_every_request_has_the_fields_words_and_types_of_its_api(graph: Graph) -> None:
    asked = [
        each for each in graph if each.custom and each.type.startswith("gcp:") and each.type not in WITHOUT_DOCUMENT
    ]

    assert len(asked) > 5
    assert [complaint for each in asked for complaint in gcpdiscovery.complaints(each.type, dict(each.inputs))] == []


@pytest.mark.parametrize("protect", [True, False])
def test_state_and_key_are_protected_unless_that_is_turned_off(protect: bool) -> None:
    graph = rehearsed(protect=protect).graph

    for type_ in ("gcp:storage/bucket:Bucket", "gcp:kms/cryptoKey:CryptoKey"):
        assert bool(only(graph, type_).options.protect) is protect


@pytest.mark.parametrize("pack", ["strict", "regulated"])
def test_neither_the_cloud_nor_policies_have_anything_to_object(pack: str) -> None:
    rehearsal = rehearsed(pipelines=PIPELINES)

    assert rehearsal.findings == ()
    assert violations(rehearsal, {"packs": [pack], "environment": "prod"}) == ()
