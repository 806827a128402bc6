"""The simulated API server: what it reads from manifests, and what it knows of objects that are there already."""

from __future__ import annotations

from typing import Any

import pulumi
import pulumi_kubernetes as k8s
import pytest

from penstock.errors import ProgramFailed
from penstock.rehearsal.clouds import CreateRequest, simulated
from penstock.rehearsal.run import rehearse

MANIFEST = """
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {since: 2026-01-01}
---
---
apiVersion: v1
kind: Service
metadata: {name: s, namespace: n}
"""


def test_the_objects_of_a_manifest_are_registered() -> None:
    def program() -> None:
        k8s.yaml.ConfigGroup("g", yaml=[MANIFEST])

    objects = {resource.type: resource for resource in rehearse(program).graph if resource.provider}

    assert set(objects) == {"kubernetes:core/v1:ConfigMap", "kubernetes:core/v1:Service"}
    assert objects["kubernetes:core/v1:Service"].id == "n/s"
    assert objects["kubernetes:core/v1:ConfigMap"].inputs["data"] == {"since": "2026-01-01"}


def test_a_chart_that_the_provider_renders_holds_nothing_here_and_says_so() -> None:
    def program() -> None:
        repository = k8s.helm.v3.FetchOpts(repo="https://charts.example")
        k8s.helm.v3.Chart("c", k8s.helm.v3.ChartOpts(chart="nginx", fetch_opts=repository))

    rehearsal = rehearse(program)

    assert not [resource for resource in rehearsal.graph if resource.type.startswith("kubernetes:core")]
    assert [finding.code for finding in rehearsal.findings] == ["PROGRAM-004"]


def test_an_object_that_is_there_has_the_name_of_its_id() -> None:
    type_ = "kubernetes:core/v1:ConfigMap"
    outputs: Any = simulated("kubernetes").create(CreateRequest("urn", type_, "mine", {}, {}, id="n/s")).outputs

    assert (outputs["metadata"]["namespace"], outputs["metadata"]["name"]) == ("n", "s")


def test_the_id_of_an_object_of_the_whole_cluster_names_no_namespace() -> None:
    inputs = {"metadata": {"name": "team"}}

    made = simulated("kubernetes").create(CreateRequest("urn", "kubernetes:core/v1:Namespace", "mine", inputs, {}))

    assert made.id == "team"


def test_manifests_that_are_no_yaml_are_reported_without_what_they_hold() -> None:
    def program() -> None:
        pulumi.runtime.invoke("kubernetes:yaml:decode", {"text": "kind: Secret\ndata: [hunter2"})

    with pytest.raises(ProgramFailed, match="not YAML") as failed:
        rehearse(program)
    assert "hunter2" not in str(failed.value)
