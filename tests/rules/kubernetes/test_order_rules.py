"""What must be in a cluster first: versions, namespaces and definitions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.manifests import cluster, namespace, pod, release
from tests.rulecases import Case, Program, Ref, check, graph_of

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules import judge
from penstock.rules.kubernetes.types import CONFIG_MAP, DEFINITION, NAMESPACE, PROVIDER

OLD_INGRESS = "kubernetes:networking.k8s.io/v1beta1:Ingress"
FLOW = "kubernetes:flowcontrol.apiserver.k8s.io/v1beta3:FlowSchema"
QUEUE = "kubernetes:kueue.x-k8s.io/v1beta1:ClusterQueue"


def in_namespace(there: Any, **more: Any) -> Program:
    """A config map in a namespace."""
    return {"it": (CONFIG_MAP, {"metadata": {"name": "it", "namespace": there, **more}})}


CHAIN = {
    **namespace(),
    "between": (CONFIG_MAP, {"metadata": {"name": "between", "namespace": Ref("namespace", "metadata.name")}}),
    "it": (CONFIG_MAP, {"metadata": {"name": "it", "namespace": "team"}, "data": {"of": Ref("between")}}),
}

ON_GKE: Program = {
    "cluster": ("gcp:container/cluster:Cluster", {"name": "cluster", "location": "us-central1"}),
    "provider": (PROVIDER, {"kubeconfig": Ref("cluster", "endpoint")}),
}
"""A cluster whose version Google chooses, of those that it offers: none is as old as the oldest that AWS does."""

CASES = [
    Case("K8S-ORDER-001", Outcome.PASS, {**cluster("1.31"), "it": (FLOW, {})}),
    Case(
        "K8S-ORDER-001",
        Outcome.FAIL,
        {**cluster("1.32"), "it": (FLOW, {})},
        path="apiVersion",
        says="apiserver.k8s.io/v1.",
    ),
    Case("K8S-ORDER-001", Outcome.FAIL, {"it": (OLD_INGRESS, {})}, path="apiVersion", says="networking.k8s.io/v1."),
    Case("K8S-ORDER-001", Outcome.UNKNOWN, {"it": (FLOW, {})}),
    Case("K8S-ORDER-001", Outcome.FAIL, {**ON_GKE, "it": (FLOW, {})}, path="apiVersion"),
    Case("K8S-ORDER-001", Outcome.NOT_APPLICABLE, pod()),
    Case("K8S-ORDER-002", Outcome.PASS, {**namespace(), **in_namespace(Ref("namespace", "metadata.name"))}),
    Case(
        "K8S-ORDER-002", Outcome.PASS, {**namespace(), **in_namespace(Ref("namespace", "metadata.name"))}, preview=True
    ),
    Case("K8S-ORDER-002", Outcome.PASS, CHAIN),
    Case("K8S-ORDER-002", Outcome.PASS, CHAIN, preview=True),
    Case("K8S-ORDER-002", Outcome.PASS, in_namespace("default")),
    Case("K8S-ORDER-002", Outcome.PASS, {**namespace(), **release(namespace="team", createNamespace=True)}),
    Case(
        "K8S-ORDER-002",
        Outcome.FAIL,
        {**namespace(), **in_namespace("team")},
        path="metadata.namespace",
        says="depends_on",
    ),
    Case(
        "K8S-ORDER-002", Outcome.FAIL, {**in_namespace("team"), **namespace()}, path="metadata.namespace", says="team"
    ),
    Case("K8S-ORDER-002", Outcome.FAIL, {**namespace(), **release(namespace="team")}, path="namespace", says="team"),
    Case(
        "K8S-ORDER-002",
        Outcome.FAIL,
        {**release(resource="operator", namespace="team", createNamespace=True), **in_namespace("team")},
        path="metadata.namespace",
        says="operator",
    ),
    Case("K8S-ORDER-002", Outcome.UNKNOWN, in_namespace("elsewhere")),
    Case("K8S-ORDER-002", Outcome.UNKNOWN, in_namespace(UNKNOWN)),
    Case("K8S-ORDER-002", Outcome.NOT_APPLICABLE, {"it": (NAMESPACE, {"metadata": {"name": "team"}})}),
    Case(
        "K8S-ORDER-003",
        Outcome.PASS,
        {**release("kueue", "kueue"), "it": (QUEUE, {"metadata": {"annotations": {"after": Ref("kueue")}}})},
    ),
    Case("K8S-ORDER-003", Outcome.FAIL, {**release("kueue", "kueue"), "it": (QUEUE, {})}, path="kind", says="kueue"),
    Case(
        "K8S-ORDER-003",
        Outcome.FAIL,
        {"crd": (DEFINITION, {"spec": {"group": "kueue.x-k8s.io"}}), "it": (QUEUE, {})},
        path="kind",
        says="crd",
    ),
    Case("K8S-ORDER-003", Outcome.UNKNOWN, {"it": (QUEUE, {})}),
    Case("K8S-ORDER-003", Outcome.NOT_APPLICABLE, pod()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_order_says_what_an_api_server_would(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(("from_one_file", "codes"), [(True, set()), (False, {"K8S-ORDER-002"})])
def test_what_stands_in_one_manifest_with_its_namespace_is_left_to_the_sdk(
    from_one_file: bool, codes: set[str]
) -> None:
    graph = graph_of({**namespace(), **in_namespace("team"), "file": ("kubernetes:yaml:ConfigFile", {})})
    (file,) = graph.of_type("kubernetes:yaml:ConfigFile")
    inside = {urn: replace(one, parent=file.urn) for urn, one in graph.resources.items() if from_one_file}
    whole = replace(graph, resources={**graph.resources, **inside, file.urn: replace(file, custom=False)})

    assert {finding.code for finding in judge(whole).findings} == codes
