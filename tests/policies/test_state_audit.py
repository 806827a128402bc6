"""Secrets that a state holds in clear are found at their places, none is repeated, what looks like one is let be."""

from __future__ import annotations

import base64
import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.app.judge import judge_policies
from penstock.core.findings import Finding
from penstock.graph.graph import Graph
from penstock.policies import state_audit
from penstock.rules.judge import Report
from penstock.rules.levels import Category, Enforcement
from penstock.rules.settings import Settings

SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET = "1b47061264138c4ac30d75fd1eb44270"
SEALED = {SIGNATURE: SECRET, "ciphertext": "v1:jxWkn5Jz0pY5Yl2e:abc"}
HEAD = "urn:pulumi:prod::shop::"
TODAY = date(2026, 11, 22)
STACK = "pulumi:pulumi:Stack"

TOKEN = "hf_" + "aB3" * 12
RANDOM = "k7Qw2Zt9Lx4Vb8Nm"
PEM_KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\n"
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEbN1cCzANBgkqhkiG9w0\n-----END CERTIFICATE-----\n"


def kubeconfig(user: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "clusters": [{"name": "c", "cluster": {"certificate-authority-data": coded(CERTIFICATE)}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "users": [{"name": "u", "user": user}],
    }


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def state(*resources: dict[str, Any], provider: str = "awskms", **deployment: Any) -> dict[str, Any]:
    records = [{"urn": f"{HEAD}{each['type']}::it", "custom": True, **each} for each in resources]
    return {
        "version": 3,
        "deployment": {"secrets_providers": {"type": provider}, "resources": records, **deployment},
    }


def report(content: dict[str, Any], **settings: Any) -> Report:
    graph, asked = Graph("shop", "prod", {}), Settings.model_validate(settings)
    found = state_audit.answers(content, graph, asked)
    return judge_policies(graph, asked, today=TODAY, of_state=found)


def findings(content: dict[str, Any], **settings: Any) -> tuple[Finding, ...]:
    return report(content, **settings).findings


def places(content: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(each.code, each.path) for each in findings(content)]


LEAKS = {
    "a password": ("aws:rds/instance:Instance", {"password": "tr0ub4dor&3"}, "password"),
    "a token by its form": ("aws:ecs/taskDefinition:TaskDefinition", {"family": TOKEN}, "family"),
    "a token under its name": ("pulumi:providers:vault", {"token": RANDOM}, "token"),
    "a variable in JSON": (
        "aws:ecs/taskDefinition:TaskDefinition",
        {"containerDefinitions": json.dumps([{"environment": [{"name": "DB_PASSWORD", "value": "hunter2"}]}])},
        "containerDefinitions[0].environment[0].value",
    ),
    "a value of a chart": (
        "kubernetes:helm.sh/v3:Release",
        {"values": {"auth": {"adminPassword": "hunter2"}}},
        "values.auth.adminPassword",
    ),
    "user data": (
        "aws:ec2/launchTemplate:LaunchTemplate",
        {"userData": coded(f"#!/bin/sh\nexport API_TOKEN={RANDOM}\n")},
        "userData",
    ),
    "a Secret's data": ("kubernetes:core/v1:Secret", {"data": {"plain": coded("short")}}, "data.plain"),
    "a Secret in an annotation": (
        "kubernetes:core/v1:ConfigMap",
        {
            "metadata": {
                "annotations": {
                    "last.applied": json.dumps({"apiVersion": "v1", "kind": "Secret", "data": {"a": "eA=="}})
                }
            }
        },
        'metadata.annotations."last.applied".data.a',
    ),
    "a random password": ("random:index/randomPassword:RandomPassword", {"result": "correct horse"}, "result"),
    "what its SDK marks as secret": ("gcp:redis/instance:Instance", {"authString": "correct horse"}, "authString"),
    "a service account's key": (
        "gcp:serviceaccount/key:Key",
        {"privateKey": coded(json.dumps({"private_key": PEM_KEY}))},
        "privateKey",
    ),
    "a private key": ("tls:index/privateKey:PrivateKey", {"privateKeyPem": PEM_KEY}, "privateKeyPem"),
    "a provider's kubeconfig": (
        "pulumi:providers:kubernetes",
        {"kubeconfig": json.dumps(kubeconfig({"client-key-data": coded(PEM_KEY)}))},
        "kubeconfig.users[0].user.client-key-data",
    ),
}


@pytest.mark.parametrize(("type_", "properties", "path"), LEAKS.values(), ids=LEAKS)
@pytest.mark.parametrize("block", ["inputs", "outputs"])
def test_a_secret_in_clear_is_found_where_it_stands(
    type_: str, properties: dict[str, Any], path: str, block: str
) -> None:
    (finding,) = findings(state({"type": type_, block: properties}))

    assert (finding.code, finding.urn, finding.path) == ("state-secret-in-properties", f"{HEAD}{type_}::it", path)
    assert finding.blocks
    assert block in finding.message


@pytest.mark.parametrize(("type_", "properties", "path"), LEAKS.values(), ids=LEAKS)
def test_no_finding_repeats_a_secret(type_: str, properties: dict[str, Any], path: str) -> None:
    reported = str(findings(state({"type": type_, "inputs": properties})))

    assert path in reported or json.dumps(path)[1:-1] in reported
    for secret in ("tr0ub4dor", TOKEN, RANDOM, "hunter2", "correct horse", "MIIEow", coded("short"), "eA=="):
        assert secret not in reported


def test_a_key_that_is_a_secret_is_not_repeated_either() -> None:
    (finding,) = findings(state({"type": "aws:s3/bucket:Bucket", "inputs": {"tags": {TOKEN: TOKEN}}}))

    assert finding.path == "tags.(hidden)"


HARMLESS = {
    "sealed": ("aws:rds/instance:Instance", {"password": SEALED}),
    "a Secret that is sealed": ("kubernetes:core/v1:Secret", {"data": SEALED, "stringData": {"a": SEALED}}),
    "certificates": (
        "kubernetes:core/v1:Secret",
        {"data": {"ca.crt": coded(CERTIFICATE), "chain.pem": coded(2 * CERTIFICATE), "namespace": coded("default")}},
    ),
    "a public certificate": ("aws:acm/certificate:Certificate", {"certificateBody": CERTIFICATE}),
    "an ARN of a secret": (
        "aws:rds/instance:Instance",
        {
            "masterUserSecrets": [
                {
                    "secretArn": "arn:aws:secretsmanager:us-east-1:123456789012:secret:rds!db-1a2b3c4d-Ab12Cd",
                    "secretStatus": "active",
                    "kmsKeyId": "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab",
                }
            ]
        },
    ),
    "words about secrets": (
        "random:index/randomPassword:RandomPassword",
        {
            "length": 32,
            "passwordLength": "32",
            "tokenUrl": "https://login.example.com/oauth2/token",
            "secretName": "platform-token-a1b2c3d4e5f6",
            "kmsKeyId": "1234abcd-12ab-34cd-56ef-1234567890ab",
            "tokenTtl": "3600s",
            "passwordPolicy": "STRONG",
            "automountServiceAccountToken": True,
        },
    ),
    "a path to a secret": (
        "gcp:secretmanager/secretIamMember:SecretIamMember",
        {"secret": "projects/p/secrets/s-1a2b3c"},
    ),
    "a reference": (
        "kubernetes:apps/v1:Deployment",
        {"env": [{"name": "DB_PASSWORD", "valueFrom": {"secretKeyRef": {"name": "db", "key": "password"}}}]},
    ),
    "a placeholder": ("kubernetes:core/v1:ConfigMap", {"data": {"url": "postgres://$(USER):$(PASSWORD)@db/app"}}),
    "a kubeconfig that asks a command": (
        "pulumi:providers:kubernetes",
        {"kubeconfig": json.dumps(kubeconfig({"exec": {"command": "aws", "args": ["eks", "get-token"]}}))},
    ),
    "an access key's id": ("aws:iam/accessKey:AccessKey", {"id": "AKIAIOSFODNN7ABCDEFG", "secret": SEALED}),
    "a token of who was first": (
        "aws:wafv2/webAcl:WebAcl",
        {"lockToken": "f47ac10b-58cc-4372-a567-0e02b2c3d479"},
    ),
    "a public certificate that its SDK marks": ("aws:iot/certificate:Certificate", {"certificatePem": CERTIFICATE}),
    "a token of a request": ("aws:efs/fileSystem:FileSystem", {"creationToken": f"terraform-{RANDOM}"}),
    "what the provider keeps": ("aws:rds/instance:Instance", {"__meta": json.dumps({"token": RANDOM})}),
    "digests": (
        "aws:eks/cluster:Cluster",
        {
            "thumbprint": "9e99a48a9960b14926bb7f3b02e22da2b0ab7280",
            "image": "nvcr.io/nvidia/cuda@sha256:" + "0a1b" * 16,
        },
    ),
}


@pytest.mark.parametrize(("type_", "properties"), HARMLESS.values(), ids=HARMLESS)
def test_what_is_no_secret_is_let_be(type_: str, properties: dict[str, Any]) -> None:
    assert not findings(state({"type": type_, "outputs": properties}))


def test_a_secret_among_the_outputs_of_the_stack_is_another_finding() -> None:
    yaml = "apiVersion: v1\nclusters: []\ncontexts: []\nusers:\n- name: u\n  user:\n    token: {}\n"
    exports = {
        "kubeconfig": yaml.format("eyJhbGciOiJSUzI1NiIsImtpZCI6"),
        "open": yaml.format("REDACTED"),
        "endpoint": "https://api.example.com",
        "sealed": SEALED,
    }

    assert places(state({"type": STACK, "custom": False, "outputs": exports})) == [
        ("state-secret-in-outputs", "kubeconfig")
    ]


def test_what_stands_in_inputs_and_outputs_is_reported_once() -> None:
    password = {"password": "hunter2"}

    (finding,) = findings(state({"type": "aws:rds/instance:Instance", "inputs": password, "outputs": password}))

    assert "inputs and outputs" in finding.message


def test_outputs_that_the_state_itself_calls_secret_are_held_to_it() -> None:
    record = {"type": "aws:s3/bucket:Bucket", "outputs": {"bucket": "plain"}, "additionalSecretOutputs": ["bucket"]}

    assert places(state(record)) == [("state-secret-in-properties", "bucket")]


def test_operations_that_the_engine_left_pending_are_looked_at_too() -> None:
    pending = {"urn": f"{HEAD}aws:rds/instance:Instance::it", "type": "aws:rds/instance:Instance"}
    content = state(
        pending_operations=[{"resource": {**pending, "inputs": {"password": "hunter2"}}, "type": "creating"}]
    )

    assert places(content) == [("state-secret-in-properties", "password")]


@pytest.mark.parametrize("provider", ["b64", "none"])
def test_a_state_that_nothing_encrypts_is_reported(provider: str) -> None:
    assert places(state(provider=provider)) == [("state-secrets-encrypted", "secrets_providers.type")]


def test_a_passphrase_is_advised_against_in_production_only() -> None:
    (finding,) = findings(state(provider="passphrase"), environment="prod")

    assert finding.code == "state-secrets-key"
    assert not finding.blocks
    assert not findings(state(provider="passphrase"))


def test_an_export_that_shows_its_secrets_is_reported_and_so_are_their_copies() -> None:
    shown = {SIGNATURE: SECRET, "plaintext": json.dumps("tr0ub4dor&3")}
    content = state(
        {"type": "aws:rds/instance:Instance", "inputs": {"password": shown}},
        {"type": "aws:ec2/launchTemplate:LaunchTemplate", "inputs": {"userData": "join db tr0ub4dor&3"}},
    )

    assert places(content) == [("state-export-sealed", None), ("state-secret-copy", "userData")]
    assert "tr0ub4dor" not in str(findings(content))


def test_settings_soften_an_audit() -> None:
    content = state({"type": "aws:rds/instance:Instance", "inputs": {"password": "hunter2"}})

    (finding,) = findings(content, rules={"secrets": Enforcement.ADVISORY})

    assert not finding.blocks
    assert not findings(content, rules={"state-secret-in-properties": Enforcement.DISABLED})


def waiver(code: str, urn: str, **changes: str) -> dict[str, str]:
    return {"rule": code, "urn": urn, "reason": "a test database", "owner": "ml", "expires": "2027-01-31", **changes}


PASSWORD = {"type": "aws:rds/instance:Instance", "inputs": {"password": "hunter2", "masterPassword": "hunter2"}}


@pytest.mark.parametrize(
    ("content", "code", "urn"),
    [
        (state(PASSWORD), "state-secret-in-properties", "*::it"),
        (
            state({"type": STACK, "custom": False, "outputs": {"password": "hunter2"}}),
            "state-secret-in-outputs",
            "*::it",
        ),
        (state(provider="none"), "state-secrets-encrypted", "*:Stack::shop-prod"),
    ],
)
def test_a_waiver_excuses_what_stands_in_a_state(content: dict[str, Any], code: str, urn: str) -> None:
    waived = report(content, waivers=[waiver(code, urn)])

    assert waived.findings == ()
    (answer,) = waived.of("waived")
    assert (answer.rule.id, answer.resource.name) == (code, urn.rpartition("::")[2])
    assert waived.counts[Category.SECRETS, "waived"] == 1
    assert waived.counts[Category.SECRETS, "fail"] == 0


@pytest.mark.parametrize(
    ("changes", "reported"),
    [
        ({"expires": "2026-11-21"}, ["state-secret-in-properties", "state-secret-in-properties", "POLICY-002"]),
        ({"urn": "*::other"}, ["state-secret-in-properties", "state-secret-in-properties", "POLICY-003"]),
        ({"rule": "state-secret-copy"}, ["state-secret-in-properties", "state-secret-in-properties", "POLICY-003"]),
    ],
)
def test_one_that_excuses_nothing_there_is_reported(changes: dict[str, str], reported: list[str]) -> None:
    found = findings(state(PASSWORD), waivers=[{**waiver("state-secret-in-properties", "*::it"), **changes}])

    assert [each.code for each in found] == reported


def test_a_waiver_of_a_rule_may_be_for_what_the_program_is_yet_to_make() -> None:
    assert not findings(state(), waivers=[waiver("aws-ebs-encrypted", "*::data")])


def test_what_is_deleted_later_is_reported_by_its_own_name() -> None:
    (finding,) = findings(state({**PASSWORD, "urn": f"{HEAD}a:b:C::old", "inputs": {"token": TOKEN}, "delete": True}))

    assert finding.urn == f"{HEAD}a:b:C::old"


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)


@given(properties=JSON, rest=st.dictionaries(st.sampled_from(["secrets_providers", "pending_operations"]), JSON))
def test_no_odd_state_ends_an_audit(properties: Any, rest: dict[str, Any]) -> None:
    content = state({"type": "a:b:C", "outputs": properties})
    content["deployment"] |= rest

    assert isinstance(findings(content), tuple)


def test_a_value_nested_without_end_ends_no_audit() -> None:
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]

    assert not findings(state({"type": "a:b:C", "outputs": {"deep": deep}}))


SENTENCE = "Calling __str__ on an Output[T] is not supported.\n\nTo get the value of an Output[T] as an"
NODE_SENTENCE = "Calling [toString] on an [Output<T>] is not supported.\n\nTo get the value of an"


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (f"{SENTENCE}/logs", "an Output"),
        (f"arn:aws:s3:::{NODE_SENTENCE}", "an Output"),
        ("calling-str-on-an-output-t-is-not-supported", "an Output"),
        ("<pulumi.output.Output object at 0x7f1b2c3d4e50>-a", "an Output"),
        ("gs://<pulumi_gcp.storage.bucket.Bucket object at 0x7f1b2c3d4e50>/x", "pulumi_gcp.storage.bucket.Bucket"),
        (json.dumps({"Resource": f"{SENTENCE}/*"}), "an Output"),
    ],
)
def test_a_stored_text_of_an_object_is_reported_at_its_property(value: str, kind: str) -> None:
    found = findings(state({"type": "aws:s3/bucket:Bucket", "inputs": {"tags": {"from": value}}}))

    (finding,) = (each for each in found if each.code == "state-text-of-object")
    assert (finding.path or "").startswith("tags.from")
    assert kind in finding.message


def test_a_text_about_outputs_is_none_of_an_output() -> None:
    text = "The Output of the run is not supported before calling its function. See <a href='x'> at 0x10."
    found = findings(state({"type": "aws:s3/bucket:Bucket", "inputs": {"tags": {"note": text}}}))

    assert "state-text-of-object" not in {each.code for each in found}
