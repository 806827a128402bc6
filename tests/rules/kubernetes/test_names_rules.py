"""Names, labels and annotations: what an API server takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.manifests import deployment, namespace, pod, release
from tests.rulecases import Case, Program, check, graph_of

from penstock.resources.graph import Graph
from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.judge import judge
from penstock.rules.kubernetes.types import CLUSTER_ROLE, CONFIG_MAP, CRON_JOB, JOB, NAMESPACE, SERVICE
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings

PATCH = "kubernetes:core/v1:ConfigMapPatch"


def named(type_: str, **metadata: Any) -> Program:
    """An object with metadata."""
    return {"it": (type_, {"metadata": metadata})}


def labelled(key: str, value: Any) -> Program:
    """A pod template with a label."""
    return deployment({"metadata": {"labels": {"app": "it", key: value}}, "spec": {"containers": []}})


def two(first: Any = "one", second: Any = "two", type_: str = CONFIG_MAP) -> Program:
    """Two objects."""
    return {"a": (CONFIG_MAP, {"metadata": {"name": first}}), "b": (type_, {"metadata": {"name": second}})}


CASES = [
    Case("k8s-object-name-form", Outcome.PASS, named(CONFIG_MAP, name="model.config-1")),
    Case("k8s-object-name-form", Outcome.PASS, named(CLUSTER_ROLE, name="system:aggregate:Nodes")),
    Case("k8s-object-name-form", Outcome.PASS, named(JOB, name="j" * 63)),
    Case("k8s-object-name-form", Outcome.PASS, {"it": (CONFIG_MAP, {})}),
    Case(
        "k8s-object-name-form",
        Outcome.FAIL,
        named(CONFIG_MAP, name="My_Config"),
        path="metadata.name",
        says="My_Config",
    ),
    Case("k8s-object-name-form", Outcome.FAIL, named(SERVICE, name="1st"), path="metadata.name", says="a letter first"),
    Case("k8s-object-name-form", Outcome.FAIL, named(NAMESPACE, name="team.a"), path="metadata.name", says="63"),
    Case("k8s-object-name-form", Outcome.FAIL, named(CLUSTER_ROLE, name="a/b"), path="metadata.name"),
    Case("k8s-object-name-form", Outcome.FAIL, named(CRON_JOB, name="c" * 53), path="metadata.name", says="52"),
    Case("k8s-object-name-form", Outcome.UNKNOWN, named(CONFIG_MAP, name=UNKNOWN)),
    Case("k8s-object-name-form", Outcome.NOT_APPLICABLE, named(CONFIG_MAP, generateName="run-")),
    Case("k8s-object-name-form", Outcome.NOT_APPLICABLE, named(PATCH, name="My_Config")),
    Case("k8s-labels-valid", Outcome.PASS, labelled("example.com/team", "a.b_c-1")),
    Case("k8s-labels-valid", Outcome.PASS, labelled("team", "")),
    Case(
        "k8s-labels-valid", Outcome.FAIL, labelled("team", "a b"), path="spec.template.metadata.labels.team", says="a b"
    ),
    Case("k8s-labels-valid", Outcome.FAIL, labelled("a/b/c", "x"), path="spec.template.metadata.labels.a/b/c"),
    Case("k8s-labels-valid", Outcome.FAIL, labelled("team", "t" * 64), path="spec.template.metadata.labels.team"),
    Case("k8s-labels-valid", Outcome.UNKNOWN, labelled("team", UNKNOWN)),
    Case("k8s-labels-valid", Outcome.NOT_APPLICABLE, pod()),
    Case(
        "k8s-annotations-valid",
        Outcome.PASS,
        named(CONFIG_MAP, name="a", annotations={"example.com/Note": "any text at all"}),
    ),
    Case(
        "k8s-annotations-valid",
        Outcome.FAIL,
        named(CONFIG_MAP, annotations={"a b": "x"}),
        path="metadata.annotations.a b",
    ),
    Case(
        "k8s-annotations-valid",
        Outcome.FAIL,
        named(CONFIG_MAP, annotations={"a": "x" * 300_000}),
        path="metadata.annotations",
        says="262144",
    ),
    Case("k8s-annotations-valid", Outcome.UNKNOWN, named(CONFIG_MAP, annotations=UNKNOWN)),
    Case("k8s-annotations-valid", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-cluster-object-no-namespace", Outcome.PASS, named(CLUSTER_ROLE, name="a")),
    Case(
        "k8s-cluster-object-no-namespace",
        Outcome.FAIL,
        named(CLUSTER_ROLE, namespace="team"),
        path="metadata.namespace",
        says="team",
    ),
    Case("k8s-cluster-object-no-namespace", Outcome.UNKNOWN, named(CLUSTER_ROLE, namespace=UNKNOWN)),
    Case("k8s-cluster-object-no-namespace", Outcome.NOT_APPLICABLE, named(CONFIG_MAP, namespace="team")),
    Case("k8s-object-name-unique", Outcome.PASS, two()),
    Case("k8s-object-name-unique", Outcome.PASS, two("same", "same", SERVICE)),
    Case(
        "k8s-object-name-unique",
        Outcome.PASS,
        {
            "a": (CONFIG_MAP, {"metadata": {"name": "same", "namespace": "one"}}),
            "b": (CONFIG_MAP, {"metadata": {"name": "same", "namespace": "two"}}),
        },
    ),
    Case("k8s-object-name-unique", Outcome.FAIL, two("same", "same"), path="metadata.name", says="default"),
    Case(
        "k8s-object-name-unique",
        Outcome.FAIL,
        {**release(resource="a"), **release(resource="b")},
        path="name",
        says="nvidia-device-plugin",
    ),
    Case("k8s-object-name-unique", Outcome.UNKNOWN, two("one", UNKNOWN)),
    Case("k8s-object-name-unique", Outcome.NOT_APPLICABLE, {}),
    Case("k8s-object-name-unique", Outcome.PASS, namespace()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_names_says_what_an_api_server_would(case: Case) -> None:
    check(case)


def test_an_object_without_a_name_is_held_to_that_of_its_resource() -> None:
    (urn, resource), *_ = graph_of({"it": (CONFIG_MAP, {})}).resources.items()
    graph = Graph("project", "stack", {urn: replace(resource, name="myConfig")})

    (finding,) = judge(graph, Settings(), RuleKind.PROVIDER).findings

    assert finding.code == "k8s-object-name-form"
    assert "myConfig-" in finding.message
