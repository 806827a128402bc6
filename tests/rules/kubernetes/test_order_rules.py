"""What must be in a cluster first: versions, namespaces and definitions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.manifests import cluster, namespace, pod, release
from tests.rulecases import Case, Program, Ref, check, graph_of

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.judge import judge
from penstock.rules.kubernetes.types import CONFIG_MAP, DEFINITION, NAMESPACE
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings

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

CASES = [
    Case("k8s-api-version-served", Outcome.PASS, {**cluster("1.31"), "it": (FLOW, {})}),
    Case(
        "k8s-api-version-served",
        Outcome.FAIL,
        {**cluster("1.32"), "it": (FLOW, {})},
        path="apiVersion",
        says="apiserver.k8s.io/v1.",
    ),
    Case(
        "k8s-api-version-served",
        Outcome.FAIL,
        {"it": (OLD_INGRESS, {})},
        path="apiVersion",
        says="networking.k8s.io/v1.",
    ),
    Case("k8s-api-version-served", Outcome.UNKNOWN, {"it": (FLOW, {})}),
    Case("k8s-api-version-served", Outcome.NOT_APPLICABLE, pod()),
    Case(
        "k8s-namespace-created-first", Outcome.PASS, {**namespace(), **in_namespace(Ref("namespace", "metadata.name"))}
    ),
    Case(
        "k8s-namespace-created-first",
        Outcome.PASS,
        {**namespace(), **in_namespace(Ref("namespace", "metadata.name"))},
        preview=True,
    ),
    Case("k8s-namespace-created-first", Outcome.PASS, CHAIN),
    Case("k8s-namespace-created-first", Outcome.PASS, CHAIN, preview=True),
    Case("k8s-namespace-created-first", Outcome.PASS, in_namespace("default")),
    Case(
        "k8s-namespace-created-first", Outcome.PASS, {**namespace(), **release(namespace="team", createNamespace=True)}
    ),
    Case(
        "k8s-namespace-created-first",
        Outcome.FAIL,
        {**namespace(), **in_namespace("team")},
        path="metadata.namespace",
        says="depends_on",
    ),
    Case(
        "k8s-namespace-created-first",
        Outcome.FAIL,
        {**in_namespace("team"), **namespace()},
        path="metadata.namespace",
        says="team",
    ),
    Case(
        "k8s-namespace-created-first",
        Outcome.FAIL,
        {**namespace(), **release(namespace="team")},
        path="namespace",
        says="team",
    ),
    Case(
        "k8s-namespace-created-first",
        Outcome.FAIL,
        {**release(resource="operator", namespace="team", createNamespace=True), **in_namespace("team")},
        path="metadata.namespace",
        says="operator",
    ),
    Case("k8s-namespace-created-first", Outcome.UNKNOWN, in_namespace("elsewhere")),
    Case("k8s-namespace-created-first", Outcome.UNKNOWN, in_namespace(UNKNOWN)),
    Case("k8s-namespace-created-first", Outcome.NOT_APPLICABLE, {"it": (NAMESPACE, {"metadata": {"name": "team"}})}),
    Case(
        "k8s-crd-created-first",
        Outcome.PASS,
        {**release("kueue", "kueue"), "it": (QUEUE, {"metadata": {"annotations": {"after": Ref("kueue")}}})},
    ),
    Case(
        "k8s-crd-created-first",
        Outcome.FAIL,
        {**release("kueue", "kueue"), "it": (QUEUE, {})},
        path="kind",
        says="kueue",
    ),
    Case(
        "k8s-crd-created-first",
        Outcome.FAIL,
        {"crd": (DEFINITION, {"spec": {"group": "kueue.x-k8s.io"}}), "it": (QUEUE, {})},
        path="kind",
        says="crd",
    ),
    Case("k8s-crd-created-first", Outcome.UNKNOWN, {"it": (QUEUE, {})}),
    Case("k8s-crd-created-first", Outcome.NOT_APPLICABLE, pod()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_order_says_what_an_api_server_would(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(("from_one_file", "codes"), [(True, set()), (False, {"k8s-namespace-created-first"})])
def test_what_stands_in_one_manifest_with_its_namespace_is_left_to_the_sdk(
    from_one_file: bool, codes: set[str]
) -> None:
    graph = graph_of({**namespace(), **in_namespace("team"), "file": ("kubernetes:yaml:ConfigFile", {})})
    (file,) = graph.of_type("kubernetes:yaml:ConfigFile")
    inside = {urn: replace(one, parent=file.urn) for urn, one in graph.resources.items() if from_one_file}
    whole = replace(graph, resources={**graph.resources, **inside, file.urn: replace(file, custom=False)})

    assert {finding.code for finding in judge(whole, Settings(), RuleKind.PROVIDER).findings} == codes
