"""Notebooks: nobody is let in without a login, and no accelerator is taken unless somebody chooses it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed, complaints

from penstock.addons.notebooks.profiles import profiles
from penstock.description import parse
from penstock.description.nodes import nodes_of
from penstock.testing import RehearsalResult, rehearse

EVERYWHERE = pytest.mark.parametrize(
    "description", [TRAINING, GCP_TRAINING, ONPREM_TRAINING], ids=["aws", "gcp", "kubernetes"]
)
BLOCK = {
    "login": {
        "client_id": "hub",
        "client_from": "oidc/client",
        "authorize_url": "https://idp.example.com/authorize",
        "token_url": "https://idp.example.com/token",
        "userdata_url": "https://idp.example.com/userinfo",
    },
    "users": ["me@example.com"],
}


def notebooks(description: Any = ONPREM_TRAINING, **block: Any) -> RehearsalResult:
    return rehearse(changed("addons.notebooks", {**BLOCK, **block}, description))


def values(run: RehearsalResult) -> Any:
    (hub,) = (
        each for each in run.graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == "jupyterhub"
    )
    return hub.inputs["values"]


@EVERYWHERE
def test_the_hub_runs_on_each_platform(description: Any) -> None:
    run = notebooks(description)

    assert run.findings == ()
    assert [each["slug"] for each in values(run)["singleuser"]["profileList"]] == [
        "plain",
        *(["train-gpu"]),
    ]


def test_people_log_in_by_their_provider_and_its_secret_is_elsewhere() -> None:
    hub = values(notebooks())["hub"]

    assert hub["config"]["JupyterHub"]["authenticator_class"] == "generic-oauth"
    assert hub["config"]["GenericOAuthenticator"]["allowed_users"] == ["me@example.com"]
    assert "allow_all" not in hub["config"]["GenericOAuthenticator"]
    assert hub["extraEnv"]["OAUTH_CLIENT_SECRET"] == {"valueFrom": {"secretKeyRef": {"name": "oidc", "key": "client"}}}
    assert values(notebooks(users="all"))["hub"]["config"]["GenericOAuthenticator"]["allow_all"] is True


@pytest.mark.parametrize("field", ["login", "users"])
def test_a_hub_without_a_login_is_refused(field: str) -> None:
    block = {name: value for name, value in BLOCK.items() if name != field}

    assert [path for _, path in complaints(changed("addons.notebooks", block, ONPREM_TRAINING))] == [
        f"addons.notebooks.{field}"
    ]


def test_no_accelerator_is_taken_unless_chosen() -> None:
    made = values(notebooks(TRAINING))["singleuser"]

    plain, gpu = made["profileList"]
    assert plain["default"] is True
    assert "extra_resource_limits" not in plain["kubespawner_override"]
    assert values(notebooks())["singleuser"]["extraNodeAffinity"]["preferred"]  # no taint keeps them off there
    override = gpu["kubespawner_override"]
    assert override["extra_resource_limits"] == {"nvidia.com/gpu": "1"}
    assert override["node_selector"] == {"penstock.dev/pool": "train"}
    assert [each["key"] for each in override["tolerations"]] == ["nvidia.com/gpu"]
    assert override["cpu_limit"] * 8 <= 192


def test_slices_of_an_accelerator_are_choices_of_their_own() -> None:
    (pool,) = nodes_of(parse(ONPREM_TRAINING))
    shared = replace(pool, devices={"nvidia.com/mig-1g.10gb": 56, "rdma/roce": 8}, runtime_class="nvidia")

    _, slice_ = profiles([shared])

    assert slice_["slug"] == "train-mig-1g-10gb"
    assert slice_["kubespawner_override"]["extra_resource_limits"] == {"nvidia.com/mig-1g.10gb": "1"}
    assert slice_["kubespawner_override"]["extra_pod_config"] == {"runtimeClassName": "nvidia"}


def test_a_tpu_goes_to_one_server_as_a_whole() -> None:
    pools = [{"name": "tpu", "accelerator": "tpu-v5e", "nodes": {"min": 0, "max": 1}, "zone": "us-central1-a"}]
    found = nodes_of(parse(changed("node_pools", pools, changed("storage", [], GCP_TRAINING))))
    (tpu,) = (pool for pool in found if pool.accelerators)

    _, choice = profiles([tpu])

    assert choice["kubespawner_override"]["extra_resource_limits"] == {"google.com/tpu": str(tpu.accelerators)}


def test_servers_reach_neither_each_other_nor_metadata_and_need_no_privilege() -> None:
    run = notebooks()

    policies = run.graph.of_type("kubernetes:networking.k8s.io/v1:NetworkPolicy")
    (closed,) = (
        each.inputs["spec"]
        for each in policies
        if each.inputs["metadata"]["name"] == "closed" and "notebooks" in each.name
    )
    assert closed["ingress"] == []
    assert all("to" not in rule for rule in closed["egress"])
    assert values(run)["singleuser"]["cloudMetadata"] == {"blockWithIptables": False}
    assert values(run)["proxy"]["chp"]["networkPolicy"] == {"allowedIngressPorts": []}
    (namespace,) = (each for each in run.graph.of_type("kubernetes:core/v1:Namespace") if "notebooks" in each.name)
    assert namespace.inputs["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "baseline"


def test_nothing_leads_in_from_the_internet_but_an_ingress_with_tls() -> None:
    closed = values(notebooks())
    ingress = {"host": "notebooks.example.com", "class_name": "nginx", "certificate_from": "notebooks-tls"}
    opened = values(notebooks(ingress=ingress))

    assert closed["proxy"]["service"] == {"type": "ClusterIP"}
    assert "ingress" not in closed
    assert opened["ingress"]["tls"] == [{"hosts": ["notebooks.example.com"], "secretName": "notebooks-tls"}]
    callback = opened["hub"]["config"]["GenericOAuthenticator"]["oauth_callback_url"]
    assert callback == "https://notebooks.example.com/hub/oauth_callback"


def test_idle_servers_stop_and_homes_are_of_the_platforms_class() -> None:
    made = values(notebooks(changed("cloud.profile", "oke", changed("node_pools.0.fabric", "none", ONPREM_TRAINING))))

    assert made["cull"] == {"enabled": True, "timeout": 3600, "every": 600}
    assert made["singleuser"]["storage"]["dynamic"]["storageClass"] == "oci-bv"


def test_no_image_is_pulled_onto_nodes_that_nobody_chose() -> None:
    made = values(notebooks())

    assert made["prePuller"] == {"hook": {"enabled": False}, "continuous": {"enabled": False}}
    assert json.dumps(made["scheduling"]).count("false") == 2
