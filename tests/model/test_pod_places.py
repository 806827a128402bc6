"""Pods of kinds outside the table are found by their shape, and what is found nowhere is counted."""

from __future__ import annotations

from typing import Any

import pytest
from tests.model.test_pod_templates import placed
from tests.model.views import it

from penstock.graph.values import UNKNOWN
from penstock.kubernetes.facts import pod_homes
from penstock.kubernetes.facts.custom_kinds import is_custom, makes_no_pods
from penstock.kubernetes.facts.pod_homes import Homes
from penstock.kubernetes.model.pods.containers import containers
from penstock.kubernetes.model.pods.places import homes_of, is_unread
from penstock.kubernetes.model.pods.templates import templates

OTHER = "kubernetes:example.com/v1:Widget"
POD = {"containers": [{"name": "a", "image": "b"}]}


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({"template": {"spec": POD}}, "spec.template.spec"),
        ({"podSpec": POD}, "spec.podSpec"),
        ({"groups": [{}, {"podTemplate": {"spec": POD}}]}, "spec.groups[1].podTemplate.spec"),
        ({"roles": {"a.b": {"pod": POD}}}, 'spec.roles["a.b"].pod'),
        (POD, "spec"),
    ],
)
def test_a_pod_in_a_kind_outside_the_table_is_found_and_counts_as_a_part(spec: dict[str, Any], path: str) -> None:
    workload = it(OTHER, spec=spec)

    assert homes_of(workload) == Homes(parts=(path,))
    assert [container.at("") for container in containers(workload)] == [f"{path}.containers[0]."]
    assert not is_unread(workload.resource)


def test_a_template_in_a_kind_outside_the_table_is_read_by_provider_rules() -> None:
    (pods,) = templates(it(OTHER, spec={"template": {"metadata": {"labels": {"a": "b"}}, "spec": POD}}))

    assert pods.labels == {"a": "b"}


def test_a_whole_object_inside_another_is_read_as_its_kind() -> None:
    job = {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": {"spec": {"containers": []}}}}

    queued = it("kubernetes:workload.codeflare.dev/v1beta2:AppWrapper", spec={"components": [{"template": job}]})

    assert homes_of(queued) == Homes(("spec.components[0].template.spec.template.spec",))


@pytest.mark.parametrize(
    "spec",
    [
        {"containers": ["a"]},
        {"containers": [{"name": "a"}]},
        {"containers": []},
        {"containers": UNKNOWN},
        {"image": "a", "name": "b"},
        UNKNOWN,
    ],
)
def test_other_lists_of_containers_are_no_pods(spec: Any) -> None:
    workload = it(OTHER, spec=spec)

    assert homes_of(workload) == Homes()
    assert is_unread(workload.resource)


def test_a_policy_that_shows_a_pod_runs_none() -> None:
    policy = it("kubernetes:kyverno.io/v1:ClusterPolicy", spec={"rules": [{"validate": {"pattern": {"spec": POD}}}]})

    assert homes_of(policy) == Homes()
    assert not is_unread(policy.resource)


@pytest.mark.parametrize("version", ["v1alpha1", "v9"])
def test_another_version_of_a_listed_kind_keeps_its_pods_in_the_same_place(version: str) -> None:
    assert pod_homes.homes(f"kubernetes:ray.io/{version}:RayCluster") == pod_homes.homes(
        "kubernetes:ray.io/v1:RayCluster"
    )


def test_a_patch_of_a_listed_kind_is_a_part() -> None:
    patch = pod_homes.homes("kubernetes:jobset.x-k8s.io/v1alpha2:JobSetPatch")

    assert patch == Homes(parts=("spec.replicatedJobs[].template.spec.template.spec",))


def test_what_keeps_templates_in_another_version_runs_no_pods() -> None:
    path = "spec.template.spec.replicatedJobs[].template.spec.template.spec"

    assert templates(it("kubernetes:trainer.kubeflow.org/v9:ClusterTrainingRuntime", **placed(path, POD))) == []


@pytest.mark.parametrize(
    ("type_", "custom"),
    [
        ("kubernetes:ray.io/v1:RayCluster", True),
        ("kubernetes:sparkoperator.k8s.io/v1beta2:SparkApplication", True),
        ("kubernetes:gateway.networking.k8s.io/v1:Gateway", True),
        ("kubernetes:networking.k8s.io/v1:Ingress", False),
        ("kubernetes:apps/v1:Deployment", False),
        ("kubernetes:helm.sh/v3:Release", False),
        ("kubernetes:yaml:ConfigFile", False),
        ("aws:s3/bucket.Bucket:Bucket", False),
    ],
)
def test_custom_kinds_are_those_that_kubernetes_does_not_have_itself(type_: str, custom: bool) -> None:
    assert is_custom(type_) is custom


def test_no_kind_has_pods_and_has_none() -> None:
    listed = [*pod_homes.whole_specs(), *pod_homes.partial_specs(), *pod_homes.partial_containers()]

    assert [type_ for type_ in listed if makes_no_pods(type_)] == []
