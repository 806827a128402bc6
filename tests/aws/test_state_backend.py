"""What a state backend promises: private, versioned, encrypted with its own key, and open to named pipelines only."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from penstock.aws.components.access_logs import AccessLogs
from penstock.aws.components.state_backend import StateBackend
from penstock.description.block import HoldingSpec
from penstock.description.state import StateBackendSpec
from penstock.graph.graph import Graph
from penstock.testing import rehearse, violations

ACCOUNT, REGION = "123456789012", "us-east-1"
TAGS = {"owner": "ml", "environment": "prod", "cost-center": "42"}
PIPELINE = "repo:acme/platform:environment:prod"


def program(spec: StateBackendSpec) -> None:
    logs = AccessLogs("state-logs", HoldingSpec(protect=True, tags=TAGS), account=ACCOUNT).handle
    StateBackend("state", spec, region=REGION, account=ACCOUNT, logs=logs)


def built(**spec: Any) -> Graph:
    rehearsal = rehearse(lambda: program(StateBackendSpec(tags=TAGS, **spec)))
    assert rehearsal.findings == ()
    return rehearsal.graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return built(pipelines=(PIPELINE,))


def statements(graph: Graph, type_: str, field: str) -> list[dict[str, Any]]:
    (resource,) = graph.of_type(type_)
    found: list[dict[str, Any]] = json.loads(resource.inputs[field])["Statement"]
    return found


def test_the_outputs_are_what_the_cli_takes(graph: Graph) -> None:
    (component,) = graph.of_type("penstock:aws:StateBackend")
    (bucket,) = (each for each in graph.of_type("aws:s3/bucket:Bucket") if each.name == "state")
    (key,) = graph.of_type("aws:kms/key:Key")

    assert component.outputs["backend_url"] == f"s3://{bucket.outputs['bucket']}?region={REGION}"
    assert component.outputs["secrets_provider"] == f"awskms:///{key.outputs['arn']}?region={REGION}"
    assert component.outputs["login"] == f"pulumi login '{component.outputs['backend_url']}'"
    assert component.outputs["init"].startswith("pulumi stack init STACK --secrets-provider 'awskms:///arn:aws:kms:")


def test_earlier_versions_are_kept_and_encrypted_with_its_own_key(graph: Graph) -> None:
    (key,) = graph.of_type("aws:kms/key:Key")
    (versioning,) = graph.of_type("aws:s3/bucketVersioning:BucketVersioning")
    lifecycle = next(
        each
        for each in graph.of_type("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration")
        if each.name == "state-lifecycle"
    )
    encryption = next(
        each
        for each in graph.of_type(
            "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration"
        )
        if each.name == "state-encryption"
    )
    (rule,) = encryption.inputs["rules"]
    days = {each["id"]: each.get("noncurrentVersionExpiration") for each in lifecycle.inputs["rules"]}

    assert versioning.inputs["versioningConfiguration"] == {"status": "Enabled"}
    assert days["old-versions"] == {"noncurrentDays": 90}
    assert rule["applyServerSideEncryptionByDefault"]["kmsMasterKeyId"] == key.outputs["arn"]


def test_the_policy_has_what_pulumi_needs_and_cannot_delete_versions(graph: Graph) -> None:
    allowed = statements(graph, "aws:iam/policy:Policy", "policy")
    (bucket,) = (each for each in graph.of_type("aws:s3/bucket:Bucket") if each.name == "state")
    (key,) = graph.of_type("aws:kms/key:Key")

    assert [(each["Action"], each["Resource"]) for each in allowed] == [
        ("s3:ListBucket", bucket.outputs["arn"]),
        (["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], f"{bucket.outputs['arn']}/*"),
        (["kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey"], key.outputs["arn"]),
    ]


def test_only_the_named_pipelines_assume_the_role(graph: Graph) -> None:
    (trust,) = statements(graph, "aws:iam/role:Role", "assumeRolePolicy")
    host = "token.actions.githubusercontent.com"

    assert trust["Principal"] == {"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{host}"}
    assert trust["Action"] == "sts:AssumeRoleWithWebIdentity"
    assert trust["Condition"] == {"StringEquals": {f"{host}:aud": "sts.amazonaws.com", f"{host}:sub": [PIPELINE]}}


def test_without_pipelines_nothing_can_be_assumed() -> None:
    graph = built()

    assert not graph.of_type("aws:iam/role:Role")
    assert graph.of_type("aws:iam/policy:Policy")


@pytest.mark.parametrize("protect", [True, False])
def test_state_and_key_are_protected_unless_that_is_turned_off(protect: bool) -> None:
    graph = built(protect=protect)
    (key,) = graph.of_type("aws:kms/key:Key")
    (bucket,) = (each for each in graph.of_type("aws:s3/bucket:Bucket") if each.name == "state")

    assert [bool(each.options.protect) for each in (key, bucket)] == [protect, protect]
    assert StateBackendSpec().protect is True


@pytest.mark.parametrize("pack", ["strict", "regulated"])
def test_policies_have_nothing_to_object(pack: str) -> None:
    rehearsal = rehearse(lambda: program(StateBackendSpec(tags=TAGS, pipelines=(PIPELINE,))))

    assert violations(rehearsal, {"packs": [pack], "environment": "prod"}) == ()


@pytest.mark.parametrize("subject", ["repo:acme/*", "repo:acme/platform:ref:refs/heads/?", "", "a b"])
def test_a_pipeline_is_one_subject(subject: str) -> None:
    with pytest.raises(ValidationError, match="pipelines"):
        StateBackendSpec(pipelines=(subject,))


@pytest.mark.parametrize("issuer", ["http://ci.example.com", "https://ci.example.com/", "https://user@ci.example.com"])
def test_an_issuer_is_an_address_without_credentials_or_an_end_slash(issuer: str) -> None:
    with pytest.raises(ValidationError, match="issuer"):
        StateBackendSpec(issuer=issuer)
