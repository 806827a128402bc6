"""What a secret store promises: no value in any state, and no reader from elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.addons.secrets.block import SecretStoreSpec
from penstock.aws.components.handles import KeyHandle
from penstock.aws.components.secret_store import SecretStore
from penstock.graph.graph import Graph, Resource
from penstock.testing import RehearsalResult, rehearse

SECRET = "aws:secretsmanager/secret:Secret"
POLICY = "aws:secretsmanager/secretPolicy:SecretPolicy"
ACCOUNT = "123456789012"


def built(key: KeyHandle, *names: str) -> RehearsalResult:
    spec = SecretStoreSpec(names=names, protect=True, tags={"owner": "ml"})
    return rehearse(lambda: SecretStore("secrets", spec, key=key, account=ACCOUNT))


@pytest.fixture
def graph(key: KeyHandle) -> Graph:
    return built(key, "hugging-face", "wandb").graph


def statements(resource: Resource, document: str = "policy") -> dict[str, dict[str, Any]]:
    return {statement["Sid"]: statement for statement in json.loads(resource.inputs[document])["Statement"]}


def test_no_value_of_a_secret_is_ever_registered(graph: Graph) -> None:
    assert not any("secretVersion" in resource.type for resource in graph)


def test_secrets_are_encrypted_recoverable_protected_and_tagged(graph: Graph, key: KeyHandle) -> None:
    secrets = graph.of_type(SECRET)

    assert [secret.name for secret in secrets] == ["secrets-hugging-face", "secrets-wandb"]
    for secret in secrets:
        assert (secret.inputs["kmsKeyId"], secret.inputs["recoveryWindowInDays"]) == (key.arn, 30)
        assert secret.inputs["tags"] == {"owner": "ml"}
        assert secret.options.protect


def test_secrets_refuse_plain_text_and_other_accounts(graph: Graph) -> None:
    for policy in graph.of_type(POLICY):
        denied = statements(policy)

        assert policy.inputs["blockPublicPolicy"] is True
        assert {statement["Effect"] for statement in denied.values()} == {"Deny"}
        assert denied["DenyWithoutTls"]["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
        assert denied["DenyOtherAccounts"]["Condition"]["StringNotEquals"] == {"aws:PrincipalAccount": ACCOUNT}


def test_each_policy_names_its_own_secret(graph: Graph) -> None:
    arns = {secret.outputs["arn"] for secret in graph.of_type(SECRET)}

    assert {policy.inputs["secretArn"] for policy in graph.of_type(POLICY)} == arns


def test_adding_a_secret_leaves_the_others_alone(key: KeyHandle) -> None:
    before = {secret.urn: secret.inputs for secret in built(key, "wandb").graph.of_type(SECRET)}
    after = {secret.urn: secret.inputs for secret in built(key, "hugging-face", "wandb").graph.of_type(SECRET)}

    assert before.items() <= after.items()


def test_the_cloud_has_nothing_to_object(key: KeyHandle) -> None:
    assert built(key, "wandb").findings == ()
