"""Pods are found wherever a kind of workload keeps them, by provider rules as by policies."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from tests.model.views import it, view_of

from penstock.graph.values import UNKNOWN
from penstock.graph.verdict import NotKnown
from penstock.kubernetes.facts import pod_homes
from penstock.kubernetes.model.pods.containers import WORKLOADS, annotation_paths, containers
from penstock.kubernetes.model.pods.places import homes_of
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, replicas, template_paths, templates

SPEC = {"containers": [{"name": "a", "resources": {"limits": {"nvidia.com/gpu": "8"}}}]}
VOLCANO = "kubernetes:batch.volcano.sh/v1alpha1:Job"
PYTORCH = "kubernetes:kubeflow.org/v1:PyTorchJob"
JOB_SET = "kubernetes:jobset.x-k8s.io/v1alpha2:JobSet"


def placed(path: str, value: Any) -> dict[str, Any]:
    """An object with a value at a path."""
    for key in reversed(path.split(".")):
        value = {key.removesuffix("[]"): [value] if key.endswith("[]") else value}
    found: dict[str, Any] = value
    return found


@pytest.mark.parametrize("type_", [type_ for type_ in RUNNING_WORKLOADS if type_ != pod_homes.UNLISTED])
def test_rules_and_policies_see_the_same_containers(type_: str) -> None:
    for path in pod_homes.whole_specs()[type_]:
        workload = it(type_, **placed(path, SPEC))

        by_rules = [container.at("") for pod in templates(workload) for container in pod.containers]
        by_policies = [container.at("") for container in containers(workload)]

        assert by_rules == by_policies
        assert len(by_rules) == 1


@pytest.mark.parametrize("type_", [VOLCANO, PYTORCH, "kubernetes:serving.knative.dev/v1:Service"])
def test_what_operators_run_asks_for_nodes(type_: str) -> None:
    assert type_ in RUNNING_WORKLOADS

    (pod,) = templates(it(type_, **placed(pod_homes.whole_specs()[type_][0], SPEC)))

    assert pod.requests == {"nvidia.com/gpu": Decimal(8)}


def test_what_only_keeps_templates_runs_no_pods() -> None:
    kept = "kubernetes:core/v1:PodTemplate"

    assert kept not in RUNNING_WORKLOADS
    assert kept in WORKLOADS


def test_annotations_stand_beside_the_spec_of_a_template() -> None:
    service = it("kubernetes:serving.kserve.io/v1beta1:InferenceService")

    assert list(annotation_paths(it("kubernetes:core/v1:Pod"))) == ["metadata.annotations"]
    assert list(annotation_paths(it("kubernetes:apps/v1:Deployment"))) == ["spec.template.metadata.annotations"]
    assert template_paths(service.type, homes_of(service)) == ()


def test_a_container_has_what_its_pod_says_for_all() -> None:
    spec = {"securityContext": {"runAsNonRoot": True}, "containers": [{"securityContext": {"runAsUser": 1}}]}

    (container,) = containers(it("kubernetes:core/v1:Pod", spec=spec))
    context = container.block("securityContext")

    assert context is not None
    assert (context.flag("runAsNonRoot"), context.integer("runAsUser")) == (True, 1)


def test_templates_that_are_not_known_are_reported() -> None:
    with pytest.raises(NotKnown):
        templates(it("kubernetes:apps/v1:Deployment", spec=UNKNOWN))


def test_a_part_of_a_set_of_jobs_runs_its_own_number_of_pods() -> None:
    jobs = [
        {"replicas": count, "template": {"spec": {"parallelism": 4, "template": {"spec": SPEC}}}} for count in (2, 3)
    ]
    workload = view_of({"it": (JOB_SET, {"spec": {"replicatedJobs": jobs}})})

    assert [replicas(workload, pod.template) for pod in templates(workload)] == [8, 12]
