"""Secrets of a store outside of the cluster, with External Secrets itself: where they arrive, and where they do not."""

from __future__ import annotations

import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.cluster.api import Object
from tests.cluster.control_plane import ControlPlane, free_port
from tests.cluster.controllers import install, lacking, make_certificate, rendered
from tests.cluster.deployed import start_deployment
from tests.cluster.objects import manifests
from tests.cluster.vault import Vault, vault
from tests.descriptions import ONPREM_TRAINING, changed

from penstock.graph.graph import Graph
from penstock.kubernetes.facts.charts import RELEASE
from penstock.testing import rehearse

PROGRAM = CHART = NAMESPACE = "external-secrets"
LACKING = lacking(PROGRAM, CHART)

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

API = "external-secrets.io/v1"
TEAMS = {"teams": [{"name": "language", "groups": ["ml-language"]}, {"name": "vision", "groups": ["ml-vision"]}]}
ROLE, ACCOUNT = "platform", f"system:serviceaccount:{NAMESPACE}:{CHART}"
OF_A_TEAM = "system:serviceaccount:vision:default"
PATIENCE_S = 60


@pytest.fixture(scope="module")
def store(asked_cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    """A Vault's protocol, with External Secrets and all that a platform has it deliver."""
    folder = tmp_path_factory.mktemp("external-secrets")
    with vault(asked_cluster, folder / "vault", ROLE, ACCOUNT, OF_A_TEAM) as found:
        found.values["secret/data/token"] = "first"
        graph = rehearse(description(found)).graph
        start(asked_cluster, graph, folder)
        for kind in ("Namespace", "ClusterSecretStore", "ExternalSecret"):
            for each in (manifest for _, manifest in manifests(graph) if manifest["kind"] == kind):
                asked_cluster.api.apply(dict(each))
        yield found


def description(store: Vault) -> dict[str, Any]:
    secrets = {
        "names": ["token"],
        "delivered_to": ["language"],
        "vault": {"server": store.server, "role": store.role, "ca": store.ca},
    }
    return changed("addons", {"queueing": TEAMS, "secrets": secrets}, ONPREM_TRAINING)


def start(cluster: ControlPlane, graph: Graph, folder: Any) -> None:
    """Start the operator and its webhook as the platform has them."""
    (release,) = (each for each in graph.of_type(RELEASE) if each.inputs["name"] == CHART)
    of_chart = rendered(CHART, NAMESPACE, release.inputs["values"], folder)
    port, health = free_port(), free_port()
    certificate = make_certificate(folder, "external-secrets-webhook.external-secrets.svc")
    (folder / "ca.crt").write_bytes((folder / "tls.crt").read_bytes())
    install(cluster, of_chart, f"https://127.0.0.1:{port}", certificate)
    webhook = {
        "--port": str(port),
        "--cert-dir": str(folder),
        "--metrics-addr": "0",
        "--healthz-addr": f"127.0.0.1:{health}",
    }
    start_deployment(cluster, of_chart, f"{CHART}-webhook", PROGRAM, webhook)
    operator = {"--metrics-addr": "0", "--live-addr": f"127.0.0.1:{free_port()}", "--enable-leader-election": "false"}
    start_deployment(cluster, of_chart, CHART, PROGRAM, operator)
    cluster.await_address(f"{CHART}-webhook", f"http://127.0.0.1:{health}/readyz")


@pytest.mark.usefixtures("store")
def test_a_secret_of_the_store_becomes_one_of_each_namespace_that_it_is_for(asked_cluster: ControlPlane) -> None:
    assert soon(lambda: value(asked_cluster, "language") == "first"), asked_cluster.log(CHART)


@pytest.mark.usefixtures("store")
def test_a_namespace_that_is_not_named_gets_nothing(asked_cluster: ControlPlane) -> None:
    asked_cluster.api.apply({**delivery(asked_cluster), "metadata": {"name": "token", "namespace": "vision"}})

    assert soon(lambda: "not allowed from namespace" in events(asked_cluster, "vision")), asked_cluster.log(CHART)
    assert value(asked_cluster, "vision") is None


@pytest.mark.usefixtures("store")
def test_a_store_of_a_team_delivers_nothing_though_vault_lets_the_team_in(asked_cluster: ControlPlane) -> None:
    platform = asked_cluster.api.get(API, "ClusterSecretStore", "platform")
    assert platform is not None
    provider = {"vault": {**platform["spec"]["provider"]["vault"]}}
    login = {**provider["vault"]["auth"]["kubernetes"], "serviceAccountRef": {"name": "default"}}
    provider["vault"]["auth"] = {"kubernetes": login}
    metadata = {"name": "own", "namespace": "vision"}
    asked_cluster.api.apply(
        {"apiVersion": API, "kind": "SecretStore", "metadata": metadata, "spec": {"provider": provider}}
    )
    target = {"name": "own", "creationPolicy": "Owner"}
    said = {
        **delivery(asked_cluster)["spec"],
        "secretStoreRef": {"kind": "SecretStore", "name": "own"},
        "target": target,
    }
    asked_cluster.api.apply({"apiVersion": API, "kind": "ExternalSecret", "metadata": metadata, "spec": said})

    time.sleep(15)

    assert asked_cluster.api.get("v1", "Secret", "own", "vision") is None


def test_a_secret_stays_when_its_value_cannot_be_read(store: Vault, asked_cluster: ControlPlane) -> None:
    assert soon(lambda: value(asked_cluster, "language") == "first")

    store.values.clear()
    read_again(asked_cluster)
    assert soon(lambda: "SecretSyncedError" in words_on(asked_cluster, "language"))
    assert value(asked_cluster, "language") == "first"

    store.values["secret/data/token"] = "second"
    read_again(asked_cluster)
    assert soon(lambda: value(asked_cluster, "language") == "second")


def delivery(cluster: ControlPlane) -> dict[str, Any]:
    found = cluster.api.get(API, "ExternalSecret", "token", "language")
    assert found is not None
    return {"apiVersion": API, "kind": "ExternalSecret", "spec": found["spec"]}


def read_again(cluster: ControlPlane) -> None:
    """Have the operator read a secret now: it does so where its annotations change."""
    found = delivery(cluster)
    metadata = {"name": "token", "namespace": "language", "annotations": {"read": str(time.monotonic())}}
    cluster.api.apply({**found, "metadata": metadata})


def value(cluster: ControlPlane, namespace: str) -> str | None:
    found: Object | None = cluster.api.get("v1", "Secret", "token", namespace)
    return None if found is None else b64decode(found["data"]["value"]).decode()


def words_on(cluster: ControlPlane, namespace: str) -> str:
    """What the operator says of the secret of a namespace."""
    found = cluster.api.get(API, "ExternalSecret", "token", namespace)
    conditions = (found or {}).get("status", {}).get("conditions", ())
    return " ".join(f"{each['reason']}: {each['message']}" for each in conditions)


def events(cluster: ControlPlane, namespace: str) -> str:
    """What happened to objects of a namespace, in the words of those that did it."""
    return " ".join(str(each.get("message")) for each in cluster.api.objects("v1", "Event", namespace))


def soon(holds: Callable[[], object]) -> bool:
    """Return whether something holds within a minute."""
    for _ in range(PATIENCE_S * 2):
        if holds():
            return True
        time.sleep(0.5)
    return False
