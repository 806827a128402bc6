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
from penstock.rules import judge
from penstock.rules.kubernetes.types import CLUSTER_ROLE, CONFIG_MAP, CRON_JOB, JOB, NAMESPACE, SERVICE

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
    Case("K8S-NAME-001", Outcome.PASS, named(CONFIG_MAP, name="model.config-1")),
    Case("K8S-NAME-001", Outcome.PASS, named(CLUSTER_ROLE, name="system:aggregate:Nodes")),
    Case("K8S-NAME-001", Outcome.PASS, named(JOB, name="j" * 63)),
    Case("K8S-NAME-001", Outcome.PASS, {"it": (CONFIG_MAP, {})}),
    Case("K8S-NAME-001", Outcome.FAIL, named(CONFIG_MAP, name="My_Config"), path="metadata.name", says="My_Config"),
    Case("K8S-NAME-001", Outcome.FAIL, named(SERVICE, name="1st"), path="metadata.name", says="a letter first"),
    Case("K8S-NAME-001", Outcome.FAIL, named(NAMESPACE, name="team.a"), path="metadata.name", says="63"),
    Case("K8S-NAME-001", Outcome.FAIL, named(CLUSTER_ROLE, name="a/b"), path="metadata.name"),
    Case("K8S-NAME-001", Outcome.FAIL, named(CRON_JOB, name="c" * 53), path="metadata.name", says="52"),
    Case("K8S-NAME-001", Outcome.UNKNOWN, named(CONFIG_MAP, name=UNKNOWN)),
    Case("K8S-NAME-001", Outcome.NOT_APPLICABLE, named(CONFIG_MAP, generateName="run-")),
    Case("K8S-NAME-001", Outcome.NOT_APPLICABLE, named(PATCH, name="My_Config")),
    Case("K8S-NAME-002", Outcome.PASS, labelled("example.com/team", "a.b_c-1")),
    Case("K8S-NAME-002", Outcome.PASS, labelled("team", "")),
    Case("K8S-NAME-002", Outcome.FAIL, labelled("team", "a b"), path="spec.template.metadata.labels.team", says="a b"),
    Case("K8S-NAME-002", Outcome.FAIL, labelled("a/b/c", "x"), path="spec.template.metadata.labels.a/b/c"),
    Case("K8S-NAME-002", Outcome.FAIL, labelled("team", "t" * 64), path="spec.template.metadata.labels.team"),
    Case("K8S-NAME-002", Outcome.UNKNOWN, labelled("team", UNKNOWN)),
    Case("K8S-NAME-002", Outcome.NOT_APPLICABLE, pod()),
    Case(
        "K8S-NAME-003", Outcome.PASS, named(CONFIG_MAP, name="a", annotations={"example.com/Note": "any text at all"})
    ),
    Case("K8S-NAME-003", Outcome.FAIL, named(CONFIG_MAP, annotations={"a b": "x"}), path="metadata.annotations.a b"),
    Case(
        "K8S-NAME-003",
        Outcome.FAIL,
        named(CONFIG_MAP, annotations={"a": "x" * 300_000}),
        path="metadata.annotations",
        says="262144",
    ),
    Case("K8S-NAME-003", Outcome.UNKNOWN, named(CONFIG_MAP, annotations=UNKNOWN)),
    Case("K8S-NAME-003", Outcome.NOT_APPLICABLE, pod()),
    Case("K8S-NAME-004", Outcome.PASS, named(CLUSTER_ROLE, name="a")),
    Case("K8S-NAME-004", Outcome.FAIL, named(CLUSTER_ROLE, namespace="team"), path="metadata.namespace", says="team"),
    Case("K8S-NAME-004", Outcome.UNKNOWN, named(CLUSTER_ROLE, namespace=UNKNOWN)),
    Case("K8S-NAME-004", Outcome.NOT_APPLICABLE, named(CONFIG_MAP, namespace="team")),
    Case("K8S-NAME-005", Outcome.PASS, two()),
    Case("K8S-NAME-005", Outcome.PASS, two("same", "same", SERVICE)),
    Case(
        "K8S-NAME-005",
        Outcome.PASS,
        {
            "a": (CONFIG_MAP, {"metadata": {"name": "same", "namespace": "one"}}),
            "b": (CONFIG_MAP, {"metadata": {"name": "same", "namespace": "two"}}),
        },
    ),
    Case("K8S-NAME-005", Outcome.FAIL, two("same", "same"), path="metadata.name", says="default"),
    Case(
        "K8S-NAME-005",
        Outcome.FAIL,
        {**release(resource="a"), **release(resource="b")},
        path="name",
        says="nvidia-device-plugin",
    ),
    Case("K8S-NAME-005", Outcome.UNKNOWN, two("one", UNKNOWN)),
    Case("K8S-NAME-005", Outcome.NOT_APPLICABLE, {}),
    Case("K8S-NAME-005", Outcome.PASS, namespace()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_names_says_what_an_api_server_would(case: Case) -> None:
    check(case)


def test_an_object_without_a_name_is_held_to_that_of_its_resource() -> None:
    (urn, resource), *_ = graph_of({"it": (CONFIG_MAP, {})}).resources.items()
    graph = Graph("project", "stack", {urn: replace(resource, name="myConfig")})

    (finding,) = judge(graph).findings

    assert finding.code == "K8S-NAME-001"
    assert "myConfig-" in finding.message
