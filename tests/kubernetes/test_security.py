"""Security: grave rules refuse in prod, a cluster without Kyverno still comes back, and scans read no secrets."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import GCP_TRAINING, GONE, ONPREM_TRAINING, SIGNER, TRAINING, changed, complaints, signed
from tests.kubernetes.clusters import open_ports

from penstock.addons.security.kyverno import spared_namespaces
from penstock.addons.security.policies import cluster_policies
from penstock.graph.graph import Graph
from penstock.testing import rehearse

POLICY = "kubernetes:kyverno.io/v1:ClusterPolicy"
KEY = "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n"
SIGNED = {"images": ["ghcr.io/acme/*"], "key": KEY}
KEYLESS = {"images": ["ghcr.io/acme/*"], **SIGNER}
CLOSED = changed("network.egress", "none", changed("storage.1.fabric", GONE))


def secured(description: Mapping[str, Any] = ONPREM_TRAINING, **block: Any) -> Graph:
    rehearsal = rehearse(changed("addons.security", block, description))
    assert rehearsal.findings == ()
    return rehearsal.graph


def values(graph: Graph, chart: str) -> Any:
    (found,) = (each for each in graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == chart)
    return found.inputs["values"]


def actions(graph: Graph) -> dict[str, set[str]]:
    return {
        policy.inputs["metadata"]["name"]: {
            rule["validate"]["failureAction"] for rule in policy.inputs["spec"]["rules"] if "validate" in rule
        }
        for policy in graph.of_type(POLICY)
    }


@pytest.mark.parametrize("description", [TRAINING, GCP_TRAINING, ONPREM_TRAINING], ids=["aws", "gcp", "kubernetes"])
def test_every_rule_that_kyverno_can_judge_is_a_policy_on_each_platform(description: Mapping[str, Any]) -> None:
    assert set(actions(secured(description))) == set(cluster_policies())


def test_kyverno_is_given_one_policy_at_a_time() -> None:
    graph = secured()
    policies = list(graph.of_type(POLICY))

    for before, policy in itertools.pairwise(policies):
        assert before.urn in policy.dependencies, policy.inputs["metadata"]["name"]


def test_grave_rules_refuse_in_prod_and_all_others_only_report() -> None:
    prod = actions(secured(changed("environment", "prod", ONPREM_TRAINING)))
    dev = actions(secured(changed("environment", "dev", ONPREM_TRAINING)))

    assert prod["k8s-pod-not-privileged"] == {"Enforce"}
    assert prod["k8s-ns-pss"] == {"Enforce"}
    assert prod["k8s-image-digest"] == {"Audit"}
    assert set().union(*dev.values()) == {"Audit"}


@pytest.mark.parametrize("environment", ["dev", "prod"])
def test_only_what_refuses_objects_holds_them_up_without_kyverno(environment: str) -> None:
    graph = secured(changed("environment", environment, ONPREM_TRAINING), signatures=[SIGNED])

    for policy in graph.of_type(POLICY):
        acts = {rule["validate"]["failureAction"] for rule in policy.inputs["spec"]["rules"] if "validate" in rule}
        acts |= {
            image["failureAction"] for rule in policy.inputs["spec"]["rules"] for image in rule.get("verifyImages", ())
        }
        held_up = policy.inputs["spec"]["webhookConfiguration"]["failurePolicy"] == "Fail"
        assert held_up == ("Enforce" in acts), policy.inputs["metadata"]["name"]


def test_no_pod_is_excused_because_its_image_is_called_as_an_agent_is() -> None:
    graph = secured()

    (policy,) = (each for each in graph.of_type(POLICY) if each.inputs["metadata"]["name"] == "k8s-pod-not-privileged")
    assert "k8s-device-plugin" not in str(policy.inputs["spec"])


def test_jobs_whose_fabric_is_a_directory_of_the_node_are_not_refused() -> None:
    mega = {"name": "mega", "accelerator": "h100", "nodes": 2, "capacity": "spot", "zone": "us-central1-a"}
    described = changed("node_pools.1", mega, changed("environment", "prod", changed("storage", [], GCP_TRAINING)))

    found = actions(secured(described))

    assert found["k8s-pod-no-hostpath"] == found["k8s-pod-not-privileged"] == {"Audit"}
    assert found["k8s-pv-no-hostpath"] == {"Enforce"}


def test_policies_come_once_somebody_serves_them() -> None:
    graph = secured()

    (kyverno,) = (each for each in graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == "kyverno")
    assert all(kyverno.urn in policy.dependencies for policy in graph.of_type(POLICY))


def test_a_cluster_without_kyverno_still_starts_what_brings_it_back() -> None:
    (chosen,) = values(secured(), "kyverno")["config"]["webhooks"]["namespaceSelector"]["matchExpressions"]

    assert chosen["operator"] == "NotIn"
    assert {"kube-system", "kyverno", "gpu-operator", "monitoring"} <= set(chosen["values"])
    assert not {"default", "vision"} & set(spared_namespaces())


def test_who_administers_a_namespace_makes_no_policy_and_no_exception() -> None:
    made = values(secured(), "kyverno")

    assert made["rbac"]["roles"]["aggregate"]["admin"] is False
    assert made["features"]["policyExceptions"]["enabled"] is False


def test_scans_read_no_secrets_and_have_room_for_images_of_cuda() -> None:
    made = values(secured(), "trivy-operator")

    assert made["operator"]["accessGlobalSecretsAndServiceAccount"] is False
    assert made["operator"]["scanJobTimeout"] == "30m"
    assert made["trivy"]["timeout"] == "30m0s"


def test_signatures_are_of_a_key_or_of_somebody_known() -> None:
    graph = secured(changed("environment", "prod", ONPREM_TRAINING), signatures=[SIGNED, KEYLESS])

    (policy,) = (each for each in graph.of_type(POLICY) if each.inputs["metadata"]["name"] == "signed-images")
    by_key, by_subject = (rule["verifyImages"][0] for rule in policy.inputs["spec"]["rules"])
    assert by_key["failureAction"] == "Enforce"
    assert by_key["attestors"][0]["entries"][0]["keys"]["publicKeys"] == KEY
    assert by_subject["attestors"][0]["entries"][0]["keyless"]["subject"] == KEYLESS["subject"]
    assert by_key["required"]
    assert by_key["verifyDigest"]


@pytest.mark.parametrize(
    "wrong",
    [{}, {"issuer": SIGNER["issuer"]}, {"subject": SIGNER["subject"]}, {"key": KEY, "issuer": SIGNER["issuer"]}],
)
def test_a_signature_of_nobody_is_refused(wrong: Mapping[str, Any]) -> None:
    assert [code for code, _ in complaints(signed(wrong, ONPREM_TRAINING))] == ["SPEC-174"]


def test_a_closed_network_looks_nobody_up() -> None:
    closed = changed("addons.security", {"signatures": [KEYLESS, SIGNED]}, CLOSED)

    assert ("SPEC-178", "addons.security.signatures[0]") in complaints(closed)
    assert ("SPEC-178", "addons.security.signatures[1]") not in complaints(closed)


def test_a_closed_network_takes_images_and_databases_of_the_mirror() -> None:
    made = values(
        secured(changed("network.image_mirror", "registry.example.com/all", ONPREM_TRAINING)), "trivy-operator"
    )

    assert made["image"]["registry"] == "registry.example.com/all"
    assert made["trivy"]["dbRegistry"] == "registry.example.com/all"


def test_scans_and_signatures_reach_registries_on_ports_of_their_own() -> None:
    mirrored = changed("network.image_mirror", "registry.example.com:5000/all", ONPREM_TRAINING)
    graph = secured(mirrored, signatures=[{"images": ["images.example.com:8443/train/*"], "key": KEY}])

    assert 5000 in open_ports(graph, "trivy-system")
    assert 8443 in open_ports(graph, "kyverno")
