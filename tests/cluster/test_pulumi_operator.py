"""Stacks that the cluster deploys, with the operator itself: as far as it goes where no workspace runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.cluster.control_plane import ControlPlane, free_port
from tests.cluster.controllers import install, lacking, rendered
from tests.cluster.deployed import start_deployment
from tests.cluster.objects import manifests
from tests.descriptions import ONPREM_TRAINING, changed

from penstock.kubernetes.facts.charts import RELEASE
from penstock.testing import rehearse

PROGRAM = "pulumi-operator"
CHART = HOME = "pulumi-kubernetes-operator"
LACKING = lacking(PROGRAM, CHART)

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

STACKS, WORKSPACES = ("pulumi.com/v1", "Stack"), ("auto.pulumi.com/v1alpha1", "Workspace")
ELSEWHERE = "vision"
PATIENCE_S = 60

INSTALLED = ("Namespace", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "ResourceQuota", "Stack")
"""What the platform brings beside the chart, in the order in which the API server takes it."""


def description() -> dict[str, Any]:
    stack = {
        "name": "platform",
        "stack": "organization/platform/prod",
        "repository": "https://git.invalid/platform.git",
        "commit": "0123456789abcdef0123456789abcdef01234567",
    }
    operator = {"backend": "gs://state", "secrets_provider": "gcpkms://projects/p/locations/l/keyRings/r/cryptoKeys/k"}
    return changed("addons", {"pulumi": {**operator, "stacks": [stack]}}, ONPREM_TRAINING)


@pytest.fixture(scope="module")
def operator(asked_cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> ControlPlane:
    """A control plane with the operator, as the rights of a platform bound it, and the platform's Stack objects."""
    folder = tmp_path_factory.mktemp("pulumi-operator")
    graph = rehearse(description()).graph
    (release,) = (each for each in graph.of_type(RELEASE) if each.inputs["name"] == CHART)
    of_chart = rendered(CHART, HOME, release.inputs["values"], folder)
    install(asked_cluster, of_chart, "", "")
    own = [dict(manifest) for _, manifest in manifests(graph)]
    for kind in INSTALLED:
        for each in (manifest for manifest in own if manifest["kind"] == kind):
            asked_cluster.api.ensure_namespace(each)
            asked_cluster.api.apply(each)
    (deployment,) = (each for each in of_chart if each["kind"] == "Deployment")
    container = deployment["spec"]["template"]["spec"]["containers"][0]
    container["args"] = [each for each in container["args"] if each.startswith("--")]  # the first is the program
    served, health = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
    arguments = {
        "--leader-elect": "false",
        "--metrics-bind-address": "0",
        "--health-probe-bind-address": health,
        "--program-fs-addr": served,
        "--program-fs-adv-addr": served,
    }
    start_deployment(asked_cluster, of_chart, deployment["metadata"]["name"], PROGRAM, arguments)
    asked_cluster.await_address(deployment["metadata"]["name"], f"http://{health}/readyz")
    return asked_cluster


def test_the_api_server_takes_the_stacks_of_a_platform(operator: ControlPlane) -> None:
    found = operator.api.get(*STACKS, "platform", HOME)

    assert found is not None
    assert found["spec"]["workspaceTemplate"]["spec"]["securityProfile"] == "restricted"


def test_a_stack_gets_a_workspace_that_the_namespace_admits(operator: ControlPlane) -> None:
    for each in program_and_stack(HOME):
        operator.api.apply(each)

    assert soon(lambda: bool(operator.api.objects(*WORKSPACES, HOME))), log(operator)
    assert soon(lambda: bool(operator.api.objects("v1", "Pod", HOME))), log(operator)
    pod = operator.api.objects("v1", "Pod", HOME)[0]
    assert pod["spec"]["serviceAccountName"] == "deployer"
    assert pod["spec"]["automountServiceAccountToken"] is True


def test_the_operator_builds_nothing_in_other_namespaces(operator: ControlPlane) -> None:
    for each in program_and_stack(ELSEWHERE):
        operator.api.ensure_namespace(each)
        operator.api.apply(each)

    assert soon(lambda: "forbidden" in log(operator)), log(operator)
    assert operator.api.objects(*WORKSPACES, ELSEWHERE) == []


def program_and_stack(namespace: str) -> list[dict[str, Any]]:
    """A program without resources in the cluster, and a stack of it with the workspace of a platform's stacks."""
    metadata = {"name": "inline", "namespace": namespace}
    program = {"resources": {}, "outputs": {"answer": "42"}}
    spec = {
        "stack": "organization/inline/dev",
        "programRef": {"name": "inline"},
        "backend": "file:///tmp",
        "serviceAccountName": "deployer",
        "workspaceTemplate": {
            "spec": {
                "securityProfile": "restricted",
                "podTemplate": {"spec": {"automountServiceAccountToken": True, "containers": [{"name": "pulumi"}]}},
            }
        },
    }
    return [
        {"apiVersion": "pulumi.com/v1", "kind": "Program", "metadata": metadata, "program": program},
        {"apiVersion": "pulumi.com/v1", "kind": "Stack", "metadata": metadata, "spec": spec},
    ]


def log(cluster: ControlPlane) -> str:
    return cluster.log(f"{CHART}-controller-manager")


def soon(holds: Callable[[], bool]) -> bool:
    """Return whether something holds within a minute."""
    for _ in range(PATIENCE_S * 2):
        if holds():
            return True
        time.sleep(0.5)
    return False
