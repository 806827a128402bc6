"""Policies with Kyverno itself: what a platform refuses, and how Kyverno decides the cases of the rules behind them."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.cluster.agreement import explained
from tests.cluster.api import Object, Refused
from tests.cluster.control_plane import ControlPlane, free_port
from tests.cluster.controllers import install, lacking, rendered
from tests.cluster.deployed import start_deployment
from tests.cluster.objects import manifests
from tests.cluster.policy_cases import policy_cases
from tests.descriptions import ONPREM_TRAINING, changed

from penstock import description
from penstock.addons.security.policies import cluster_policies
from penstock.graph.graph import Graph
from penstock.graph.verdict import Outcome
from penstock.jobs import JobRequest, job_manifests
from penstock.kubernetes.facts.charts import RELEASE
from penstock.testing import rehearse

PROGRAM = CHART = NAMESPACE = "kyverno"
DEPLOYMENT = "kyverno-admission-controller"
LACKING = lacking(PROGRAM, CHART)

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

TEAMS = {"teams": [{"name": "vision", "groups": ["ml-vision"]}]}
DESCRIPTION = changed("addons", {"queueing": TEAMS, "security": {}}, ONPREM_TRAINING)
POLICIES = "kyverno.io/v1", "ClusterPolicy"
HELD = {
    "penstock.dev/pod-security": "baseline",
    "data-class": "internal",
    "resource.kubernetes.io/admin-access": "true",
}
"""Labels by which a namespace keeps the policies on namespaces, and the server refuses nothing in it by itself."""

OLDER: Object = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "older"}}
"""A namespace from before the policies, which breaks that on the level of its pods."""

WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
UNANSWERED = "failed calling webhook"
REFUSAL = "blocked due to the following policies"
PATIENCE_S = 120


@pytest.fixture(scope="module")
def graph() -> Graph:
    """A platform in production with one team and the add-on."""
    return rehearse(DESCRIPTION).graph


@pytest.fixture(scope="module")
def kyverno(asked_cluster: ControlPlane, graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> ControlPlane:
    """A control plane with Kyverno and the policies as the platform has them, and namespaces of teams and of cases."""
    (release,) = (each for each in graph.of_type(RELEASE) if each.inputs["name"] == CHART)
    of_chart = rendered(CHART, NAMESPACE, release.inputs["values"], tmp_path_factory.mktemp("kyverno"))
    install(asked_cluster, of_chart, "", "")
    for manifest in of_kind(graph, "Namespace"):
        asked_cluster.api.apply(manifest)
    for name in {manifest["metadata"].get("namespace", "default") for *_, manifest in policy_cases()}:
        metadata = {"name": name, "labels": HELD}
        asked_cluster.api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
    asked_cluster.api.apply(OLDER)
    port = free_port()
    start_deployment(
        asked_cluster,
        of_chart,
        DEPLOYMENT,
        PROGRAM,
        {
            "--kubeconfig": str(asked_cluster.kubeconfig_of(NAMESPACE, DEPLOYMENT)),
            "--serverIP": f"127.0.0.1:{port}",
            "--webhookServerHost": "127.0.0.1",
            "--webhookServerPort": str(port),
            "--disableMetrics": "true",
            "--metricsPort": str(free_port()),  # which it listens on all the same
            "--controllerRuntimeMetricsAddress": "0",
        },
    )
    asked_cluster.await_(DEPLOYMENT, f"{WEBHOOKS}/kyverno-policy-validating-webhook-cfg")
    for policy in of_kind(graph, "ClusterPolicy"):
        give(asked_cluster, policy)
    await_policies(asked_cluster)
    return asked_cluster


@pytest.fixture(scope="module")
def strict(kyverno: ControlPlane) -> ControlPlane:
    """The same, with each policy refusing what breaks it."""
    for policy in cluster_policies().values():
        rules = [
            {**rule, "validate": {**rule["validate"], "failureAction": "Enforce"}} for rule in policy["spec"]["rules"]
        ]
        give(kyverno, {**policy, "spec": {**policy["spec"], "rules": rules}})
    await_policies(kyverno)
    return kyverno


def of_kind(graph: Graph, kind: str) -> list[Object]:
    return [dict(manifest) for _, manifest in manifests(graph) if manifest["kind"] == kind]


def give(cluster: ControlPlane, policy: Object) -> None:
    """Apply a policy once Kyverno answers, which takes it long on a busy machine."""
    last = time.monotonic() + PATIENCE_S
    while True:
        try:
            cluster.api.apply(policy)
        except Refused as refused:
            if UNANSWERED not in str(refused) or time.monotonic() > last:
                raise AssertionError(f"{refused}\n{cluster.log(DEPLOYMENT)}") from refused
            time.sleep(1)
        else:
            return


def await_policies(cluster: ControlPlane) -> None:
    """Wait until Kyverno serves all policies that it has."""
    for _ in range(PATIENCE_S):
        found = cluster.api.objects(*POLICIES)
        if all(is_served(each) for each in found):
            return
        time.sleep(1)
    raise AssertionError(cluster.log(DEPLOYMENT))


def is_served(policy: Object) -> bool:
    conditions = policy.get("status", {}).get("conditions", ())
    return any((each["type"], each["status"]) == ("Ready", "True") for each in conditions)


def words_on(cluster: ControlPlane, manifest: Object) -> str:
    """Why the server does not take an object, once Kyverno answers; empty where it does."""
    last, words = time.monotonic() + PATIENCE_S, UNANSWERED
    while UNANSWERED in words and time.monotonic() < last:
        try:
            cluster.api.create(manifest, dry_run=True)
        except Refused as refused:
            words = str(refused)
        else:
            return ""
    return words


def pod(namespace: str, *, container: Object | None = None, **said: Any) -> Object:
    containers = [{"name": "main", "image": "busybox:1.37", **(container or {})}]
    metadata = {"name": "it", "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": containers, **said}}


BREAKING = {
    "k8s-pod-not-privileged": pod("vision", container={"securityContext": {"privileged": True}}),
    "k8s-pod-no-hostpath": pod("vision", volumes=[{"name": "node", "hostPath": {"path": "/"}}]),
    "k8s-pod-no-hostns": pod("vision", hostNetwork=True),
    "k8s-pod-no-added-caps": pod("vision", container={"securityContext": {"capabilities": {"add": ["SYS_ADMIN"]}}}),
}


@pytest.mark.parametrize("policy", BREAKING)
def test_a_pod_of_a_team_that_breaks_a_grave_policy_is_refused(policy: str, kyverno: ControlPlane) -> None:
    words = words_on(kyverno, BREAKING[policy])

    assert REFUSAL in words
    assert f"\n{policy}:\n" in words


def test_a_job_that_penstock_prints_is_admitted(kyverno: ControlPlane) -> None:
    printed = job_manifests(description.parse(DESCRIPTION), JobRequest(name="train", namespace="vision", nodes=2))

    assert [words_on(kyverno, each) for each in printed] == [""] * len(printed)


def test_what_only_reports_refuses_nothing(kyverno: ControlPlane) -> None:
    assert words_on(kyverno, pod("vision")) == ""


def test_no_policy_stands_in_the_way_of_the_cluster_itself(kyverno: ControlPlane) -> None:
    assert words_on(kyverno, pod("kube-system", hostNetwork=True)) == ""


def test_a_namespace_without_a_pod_security_level_is_refused(kyverno: ControlPlane) -> None:
    assert "k8s-ns-pss" in words_on(kyverno, {**OLDER, "metadata": {"name": "newer"}})


def test_what_breaks_a_policy_can_still_be_deleted(kyverno: ControlPlane) -> None:
    kyverno.api.delete(OLDER)


def test_kyverno_admits_the_platform_itself(kyverno: ControlPlane, graph: Graph) -> None:
    refused = {}
    for _, manifest in manifests(graph):
        try:
            kyverno.api.apply(manifest, dry_run=True)
        except Refused as words:
            if REFUSAL in str(words):
                refused[manifest["metadata"]["name"]] = str(words)

    assert refused == {}


def test_kyverno_decides_the_cases_of_rules_as_the_rules_do(
    strict: ControlPlane, capsys: pytest.CaptureFixture[str]
) -> None:
    agree, differ, undecided = 0, {}, {}
    for name, case, manifest in policy_cases():
        if not strict.api.serves(manifest):
            undecided[name] = f"the server has no {manifest['kind']} of {manifest['apiVersion']}"
            continue
        words = words_on(strict, manifest)
        if words and REFUSAL not in words:
            undecided[name] = words.partition("\n")[0]
        elif (f"\n{case.rule}:\n" in words) == (case.outcome == Outcome.FAIL):
            agree += 1
        else:
            differ[name] = words or "Kyverno has no trouble with it"

    with capsys.disabled():
        print(f"\nKyverno: {agree} agree, {len(differ)} differ, {len(undecided)} undecided")  # noqa: T201 - the figure
        for name, words in {**undecided, **differ}.items():
            if name not in explained():
                print(f"{name}: {words}")  # noqa: T201
    assert set(differ) - set(explained()) == set()
