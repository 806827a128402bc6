"""Secrets of a store outside of the cluster: who reads them there, and where they come into the cluster."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed
from tests.kubernetes.clusters import open_ports

from penstock.description import parse
from penstock.graph.graph import Graph, Resource
from penstock.platform import Platform
from penstock.testing import rehearse

RELEASE = "kubernetes:helm.sh/v3:Release"
STORE = "kubernetes:external-secrets.io/v1:ClusterSecretStore"
DELIVERY = "kubernetes:external-secrets.io/v1:ExternalSecret"
PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
VAULT = {"server": "https://vault.lan:8200", "path": "kv/ml", "role": "platform", "ca": PEM}
TEAMS = {"teams": [{"name": "language", "groups": ["language"]}, {"name": "vision", "namespace": "see"}]}


def graph_of(description: Mapping[str, Any], **secrets: object) -> Graph:
    addons = {"queueing": TEAMS, "secrets": {"names": ["token"], "delivered_to": ["language", "see"], **secrets}}
    rehearsal = rehearse(lambda: Platform(parse(changed("addons", addons, description))))
    assert rehearsal.findings == ()
    return rehearsal.graph


def the(graph: Graph, type_: str) -> Resource:
    (found,) = graph.of_type(type_)
    return found


def values(graph: Graph) -> dict[str, Any]:
    (found,) = (each.inputs["values"] for each in graph.of_type(RELEASE) if each.inputs["name"] == "external-secrets")
    return dict(found)


@pytest.mark.parametrize("description", [TRAINING, GCP_TRAINING, ONPREM_TRAINING], ids=["aws", "gcp", "kubernetes"])
def test_each_secret_comes_into_each_namespace_and_the_store_serves_no_other(description: Mapping[str, Any]) -> None:
    graph = graph_of(description, **({"vault": VAULT} if description is ONPREM_TRAINING else {}))
    store = the(graph, STORE)

    assert store.inputs["spec"]["conditions"] == [{"namespaces": ["language", "see"]}]
    found = [each.inputs for each in graph.of_type(DELIVERY)]
    assert [each["metadata"] for each in found] == [
        {"name": "token", "namespace": home} for home in ("language", "see")
    ]
    for each in found:
        assert each["spec"]["secretStoreRef"] == {
            "kind": "ClusterSecretStore",
            "name": store.inputs["metadata"]["name"],
        }
        assert each["spec"]["target"]["name"] == "token"


def test_on_aws_the_operator_reads_these_secrets_and_no_others() -> None:
    graph = graph_of(TRAINING)
    (bound,) = (
        each
        for each in graph.of_type("aws:eks/podIdentityAssociation:PodIdentityAssociation")
        if each.inputs["namespace"] == "external-secrets"
    )
    (secret,) = graph.of_type("aws:secretsmanager/secret:Secret")
    (rights,) = (
        each.inputs["policy"] for each in graph.of_type("aws:iam/rolePolicy:RolePolicy") if each.name == bound.name
    )

    assert bound.inputs["serviceAccount"] == "external-secrets"
    assert secret.outputs["arn"] in rights
    assert "secretsmanager:*" not in rights
    assert [each.inputs["spec"]["data"][0]["remoteRef"]["key"] for each in graph.of_type(DELIVERY)] == [
        secret.outputs["arn"]
    ] * 2
    assert the(graph, STORE).inputs["spec"]["provider"]["aws"]["service"] == "SecretsManager"


def test_on_google_cloud_the_operator_reads_by_its_own_identity() -> None:
    graph = graph_of(GCP_TRAINING)
    members = [each.inputs["member"] for each in graph.of_type("gcp:secretmanager/secretIamMember:SecretIamMember")]
    (secret,) = graph.of_type("gcp:secretmanager/secret:Secret")

    assert [each.rpartition("/subject/")[2] for each in members] == ["ns/external-secrets/sa/external-secrets"]
    assert "auth" not in the(graph, STORE).inputs["spec"]["provider"]["gcpsm"]
    key = graph.of_type(DELIVERY)[0].inputs["spec"]["data"][0]["remoteRef"]["key"]
    assert key == secret.inputs["secretId"]


def test_a_vault_is_asked_by_the_operators_service_account_over_its_own_port() -> None:
    graph = graph_of(ONPREM_TRAINING, vault=VAULT)
    provider = the(graph, STORE).inputs["spec"]["provider"]["vault"]

    assert (provider["server"], provider["path"], provider["version"]) == ("https://vault.lan:8200", "kv/ml", "v2")
    assert provider["auth"]["kubernetes"]["serviceAccountRef"]["namespace"] == "external-secrets"
    assert b64decode(provider["caBundle"]).decode() == PEM
    assert 8200 in open_ports(graph, "external-secrets")
    assert values(graph)["rbac"]["serviceAccountTokenCreate"] is True


def test_nobody_who_edits_a_namespace_has_secrets_delivered_there() -> None:
    chosen = values(graph_of(TRAINING))

    assert (chosen["rbac"]["aggregateToEdit"], chosen["rbac"]["aggregateToAdmin"]) == (False, False)
    assert chosen["rbac"]["serviceAccountTokenCreate"] is False
    assert chosen["processPushSecret"] is chosen["processClusterExternalSecret"] is False


def test_secrets_that_go_nowhere_need_no_operator() -> None:
    graph = graph_of(TRAINING, delivered_to=[], readers=["language/trainer"])

    assert not graph.of_type(STORE)
    assert "external-secrets" not in {each.inputs["name"] for each in graph.of_type(RELEASE)}
