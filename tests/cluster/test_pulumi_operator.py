"""Stacks that the cluster deploys, with the operator itself and its agent, which runs beside the simulated pod."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cluster import binaries
from tests.cluster.api import Object
from tests.cluster.contents import Held, held, left
from tests.cluster.control_plane import ControlPlane, free_port
from tests.cluster.controllers import install, lacking, rendered
from tests.cluster.deployed import start_deployment
from tests.cluster.nodes import join
from tests.cluster.objects import manifests
from tests.descriptions import ONPREM_TRAINING, changed

from penstock.graph.graph import Graph
from penstock.kubernetes.facts.charts import RELEASE
from penstock.testing import rehearse

PROGRAM = "pulumi-operator"
CHART = HOME = "pulumi-kubernetes-operator"
OPERATOR = f"{CHART}-controller-manager"
LACKING = lacking(PROGRAM, CHART)

AGENT = "pulumi-agent"
NOT_RUN = [each for each in (AGENT, "pulumi", "pulumi-language-yaml") if binaries.find(each) is None]

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

STACKS, WORKSPACES, UPDATES = (
    ("pulumi.com/v1", "Stack"),
    ("auto.pulumi.com/v1alpha1", "Workspace"),
    ("auto.pulumi.com/v1alpha1", "Update"),
)
STACK = "platform"
ELSEWHERE = "vision"
PATIENCE_S = 90

PROJECT = """\
name: platform
runtime: yaml
outputs:
  answer: "42"
  key: {fn::secret: hidden}
"""
"""What the workspace would clone."""


def description() -> dict[str, Any]:
    stack = {
        "name": STACK,
        "stack": "organization/platform/prod",
        "repository": "https://git.invalid/ai/platform.git",
        "commit": "0123456789abcdef0123456789abcdef01234567",
    }
    operator = {"backend": "https://api.pulumi.com", "token_from": "pulumi/token", "stacks": [stack]}
    return changed("addons", {"pulumi": operator}, ONPREM_TRAINING)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return rehearse(description()).graph


@pytest.fixture(scope="module")
def own(graph: Graph) -> list[Object]:
    """What the platform brings for the operator beside the chart."""
    found = [dict(manifest) for _, manifest in manifests(graph)]
    return [each for each in found if HOME in f"{each['metadata'].get('namespace')}/{each['metadata']['name']}"]


@pytest.fixture(scope="module")
def of_chart(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> list[Object]:
    (release,) = (each for each in graph.of_type(RELEASE) if each.inputs["name"] == CHART)
    return rendered(CHART, HOME, release.inputs["values"], tmp_path_factory.mktemp("chart"))


@pytest.fixture(scope="module", autouse=True)
def before(asked_cluster: ControlPlane) -> frozenset[Held]:
    """What the cluster holds before anything is installed."""
    return held(asked_cluster.api)


@pytest.fixture(scope="module")
def operator(
    asked_cluster: ControlPlane,
    own: list[Object],
    of_chart: list[Object],
    tmp_path_factory: pytest.TempPathFactory,
) -> ControlPlane:
    """A control plane with the operator, as the rights of a platform bound it, and the platform's Stack objects."""
    capacity = {"cpu": "8", "memory": "32Gi", "pods": "110"}
    machine = {"metadata": {"name": "system-0"}, "status": {"capacity": capacity, "allocatable": capacity}}
    join(asked_cluster.api, [{"apiVersion": "v1", "kind": "Node", **machine}])
    install(asked_cluster, of_chart, "", "")
    stacks = [each for each in own if each["kind"] == "Stack"]
    for each in own:
        if each not in stacks:
            asked_cluster.api.apply(each)
    served = f"127.0.0.1:{free_port()}"
    if not NOT_RUN:
        start_agent(asked_cluster, served, tmp_path_factory.mktemp("workspace"))
    start_operator(asked_cluster, of_chart, served)
    for each in stacks:
        asked_cluster.api.apply(each)
    return asked_cluster


def start_operator(cluster: ControlPlane, of_chart: list[Object], workspace: str) -> None:
    """Start the operator, which reaches every workspace at one address."""
    (deployment,) = (each for each in of_chart if each["kind"] == "Deployment")
    container = deployment["spec"]["template"]["spec"]["containers"][0]
    container["args"] = [each for each in container["args"] if each.startswith("--")]  # the first is the program
    container["env"].append({"name": "WORKSPACE_LOCALHOST", "value": workspace})
    files, health = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
    arguments = {
        "--leader-elect": "false",
        "--metrics-bind-address": "0",
        "--health-probe-bind-address": health,
        "--program-fs-addr": files,
        "--program-fs-adv-addr": files,
    }
    start_deployment(cluster, of_chart, OPERATOR, PROGRAM, arguments)
    cluster.await_address(OPERATOR, f"http://{health}/readyz")


def start_agent(cluster: ControlPlane, address: str, folder: Path) -> None:
    """Start what the pod of the workspace would run, as the account of the pod; its state is in a folder."""
    host, _, port = address.partition(":")
    project, state = folder / "project", folder / "state"
    project.mkdir()
    state.mkdir()
    (project / "Pulumi.yaml").write_text(PROJECT, encoding="utf-8")
    cluster.start(
        AGENT,
        "serve",
        f"--workspace={project}",
        "--skip-install",
        f"--host={host}",
        f"--port={port}",
        "--auth-mode=kube",
        f"--kube-audience={STACK}.{HOME}",
        f"--kube-workspace-namespace={HOME}",
        f"--kube-workspace-name={STACK}",
        variables={
            "KUBECONFIG": str(cluster.kubeconfig_of(HOME, "deployer")),
            "PULUMI_BACKEND_URL": state.as_uri(),
            "PULUMI_CONFIG_PASSPHRASE": "of a test",
            "PULUMI_HOME": str(folder / "home"),
            "PULUMI_SKIP_UPDATE_CHECK": "true",
        },
    )


def test_a_stack_gets_a_workspace_that_the_namespace_admits(operator: ControlPlane) -> None:
    assert soon(lambda: bool(operator.api.objects("v1", "Pod", HOME))), operator.log(OPERATOR)

    (pod,) = operator.api.objects("v1", "Pod", HOME)
    container = pod["spec"]["containers"][0]
    assert (pod["spec"]["serviceAccountName"], pod["spec"]["automountServiceAccountToken"]) == ("deployer", True)
    assert container["resources"]["limits"]["memory"] == "4Gi"
    assert {"name": "PULUMI_BACKEND_URL", "value": "https://api.pulumi.com"} in container["env"]


@pytest.mark.skipif(bool(NOT_RUN), reason=f"not on the PATH: {', '.join(NOT_RUN)}")
def test_a_stack_is_deployed_and_its_workspace_goes(operator: ControlPlane) -> None:
    assert soon(lambda: last_update(operator).get("state") == "succeeded"), words(operator)

    (update,) = operator.api.objects(*UPDATES, HOME)
    assert update["spec"]["type"] == "up"
    assert stack(operator)["status"]["outputs"] == {"answer": "42", "key": "[secret]"}
    assert soon(lambda: not operator.api.objects("v1", "Pod", HOME)), words(operator)


def test_a_second_apply_changes_nothing(operator: ControlPlane, own: list[Object]) -> None:
    for each in own:
        found = operator.api.find(each)
        assert found is not None
        applied = operator.api.apply(each)
        assert revision(applied) == revision(found), each


def test_the_operator_builds_nothing_in_other_namespaces(operator: ControlPlane) -> None:
    metadata = {"name": "inline", "namespace": ELSEWHERE}
    spec = {"stack": "organization/inline/dev", "programRef": {"name": "inline"}, "backend": "file:///tmp"}
    program = {"resources": {}, "outputs": {"answer": "42"}}
    for each in (
        {"apiVersion": "pulumi.com/v1", "kind": "Program", "metadata": metadata, "program": program},
        {"apiVersion": "pulumi.com/v1", "kind": "Stack", "metadata": metadata, "spec": spec},
    ):
        operator.api.ensure_namespace(each)
        operator.api.apply(each)

    assert soon(lambda: "forbidden" in operator.log(OPERATOR)), operator.log(OPERATOR)
    assert operator.api.objects(*WORKSPACES, ELSEWHERE) == []


def test_deletion_leaves_nothing(
    operator: ControlPlane, before: frozenset[Held], own: list[Object], of_chart: list[Object]
) -> None:
    of_others = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": ELSEWHERE}}
    stacks = [each for each in own if each["kind"] == "Stack"]
    for each in (of_others, *stacks):
        operator.api.delete(each)
    assert soon(lambda: not operator.api.objects(*STACKS)), operator.log(OPERATOR)

    for each in (*reversed(of_chart), *reversed(own)):
        operator.api.delete(each)
    assert left(operator.api, before) == []


def stack(cluster: ControlPlane) -> Object:
    found = cluster.api.get(*STACKS, STACK, HOME)
    assert found is not None
    return found


def last_update(cluster: ControlPlane) -> Object:
    found: Object = stack(cluster).get("status", {}).get("lastUpdate", {})
    return found


def revision(found: Object) -> Any:
    """What changes with an object; of one with a status, what changes with what is asked for."""
    return found["metadata"].get("generation", found["metadata"]["resourceVersion"])


def words(cluster: ControlPlane) -> str:
    """What the operator and the agent wrote, and what they know of the stack."""
    return f"{cluster.log(OPERATOR)}\n{cluster.log(AGENT)}\n{stack(cluster).get('status')}"


def soon(holds: Callable[[], bool]) -> bool:
    """Return whether something holds before patience ends."""
    for _ in range(PATIENCE_S * 2):
        if holds():
            return True
        time.sleep(0.5)
    return False
