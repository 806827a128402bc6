"""The job of `penstock jobs`, performed on `onprem-train`: Kueue, Trainer and JobSet as the platform sets them.

Network policies are objects here: no pod sends anything, so nothing shows that they close.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tests.cluster import binaries
from tests.cluster.api import Object
from tests.cluster.control_plane import ControlPlane
from tests.cluster.controllers import JOB_SET, KUEUE, TRAINER
from tests.cluster.nodes import described_nodes, join
from tests.cluster.objects import manifests
from tests.cluster.test_pods_of_teams import words_on
from tests.environments import PROJECT, rehearsed

from penstock import description
from penstock.addons.training.component import API
from penstock.description.nodes import PoolNodes, nodes_of
from penstock.kubernetes.components.job_pods import PodParts, pod_template
from penstock.kubernetes.facts.charts import RELEASE

STACK = "onprem-train"
IMAGE = "registry.example.com/trainer:1"
GPU = "nvidia.com/gpu"
PATIENCE_S = 120

LACKING = next(filter(None, (each.missing() for each in (JOB_SET, TRAINER, KUEUE))), "") or (
    "" if binaries.find("kubectl") else "kubectl is not on the PATH"
)
pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(LACKING), reason=LACKING)]


@pytest.fixture(scope="module")
def pool() -> PoolNodes:
    return next(each for each in nodes_of(description.load(PROJECT.stack_file(STACK))) if each.pool == "train")


@pytest.fixture(scope="module")
def platform(asked_cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> ControlPlane:
    """All machines of the environment, the controllers with the values of its releases, and the objects of its own."""
    api = asked_cluster.api
    graph = rehearsed(STACK).graph
    join(api, described_nodes(nodes_of(description.load(PROJECT.stack_file(STACK))), most=32))
    values = {
        release.inputs["chart"].rpartition("/")[2]: release.inputs["values"] for release in graph.of_type(RELEASE)
    }
    for controller in (JOB_SET, TRAINER, KUEUE):
        controller.start(asked_cluster, tmp_path_factory.mktemp(controller.program), values=values[controller.chart])
    for _, manifest in manifests(graph):
        if api.serves(manifest):
            api.ensure_namespace(manifest)
            api.apply(manifest)
    return asked_cluster


@pytest.fixture
def jobs(platform: ControlPlane) -> Iterator[ControlPlane]:
    """The platform, whose jobs leave with the test."""
    yield platform
    for job in platform.api.objects(API, "TrainJob"):
        platform.api.delete(job_of(job["metadata"]["name"], job["metadata"]["namespace"]))
    assert soon(lambda: not platform.api.objects("v1", "Pod"))


def test_a_member_submits_a_job_that_runs_on_the_machines_of_its_pool(jobs: ControlPlane, pool: PoolNodes) -> None:
    done = penstock_jobs(jobs, "language", nodes=2)

    assert done.returncode == 0, done.stderr
    assert soon(lambda: len(machines_of(jobs, "language")) == 2)
    for name in machines_of(jobs, "language"):
        node = jobs.api.get("v1", "Node", name)
        assert node is not None
        assert pool.selector.items() <= node["metadata"]["labels"].items()


def test_the_trainer_makes_pods_of_the_template_of_the_pool(jobs: ControlPlane, pool: PoolNodes) -> None:
    penstock_jobs(jobs, "language", nodes=2)

    assert soon(lambda: machines_of(jobs, "language"))
    pod = pods(jobs, "language")[0]["spec"]
    (container,) = pod["containers"]
    promised = pod_template(pool, PodParts(image=IMAGE))["spec"]
    (expected,) = promised["containers"]
    assert promised["nodeSelector"].items() <= pod["nodeSelector"].items()
    assert container["resources"]["limits"] == expected["resources"]["limits"]
    assert container["securityContext"] == expected["securityContext"]
    assert (container["image"], container["command"]) == (
        IMAGE,
        ["torchrun", "train.py", "--checkpoint-dir=/checkpoints/train"],
    )
    env = {each["name"]: each.get("value") for each in container["env"]}
    assert {each["name"]: each["value"] for each in expected["env"]}.items() <= env.items()
    assert (env["PET_NNODES"], env["PET_NPROC_PER_NODE"]) == ("2", "8")
    assert pod["terminationGracePeriodSeconds"] == promised["terminationGracePeriodSeconds"]


def test_a_team_takes_its_machines_back_and_the_job_that_borrowed_them_returns(jobs: ControlPlane) -> None:
    penstock_jobs(jobs, "research", nodes=32)
    assert soon(lambda: len(machines_of(jobs, "research")) == 32)

    penstock_jobs(jobs, "language", nodes=16)

    assert soon(lambda: len(machines_of(jobs, "language")) == 16 and not machines_of(jobs, "research"))
    jobs.api.delete(job_of("train", "language"))
    assert soon(lambda: len(machines_of(jobs, "research")) == 32)


def test_a_member_of_another_team_may_not_submit(jobs: ControlPlane) -> None:
    done = penstock_jobs(jobs, "language", nodes=1, group="ml-vision")

    assert done.returncode == 2
    assert 'is forbidden: User "ada"' in done.stderr
    assert jobs.api.objects(API, "TrainJob") == []


@pytest.mark.parametrize(
    ("group", "asked", "answer"),
    [
        ("ml-language", "create trainjobs.trainer.kubeflow.org --namespace=language", "yes"),
        ("ml-language", "create trainjobs.trainer.kubeflow.org --namespace=vision", "no"),
        ("ml-language", "get pods/log --namespace=language", "yes"),
        ("ml-language", "create pods --namespace=language", "no"),
        ("ml-language", "get secrets --namespace=language", "no"),
        ("ml-language", "update resourcequotas --namespace=language", "no"),
        ("ml-language", "create clusterqueues.kueue.x-k8s.io --namespace=language", "no"),
        ("ml-vision", "list pods --namespace=language", "no"),
    ],
)
def test_the_cluster_gives_members_the_rights_of_the_docs(
    group: str, asked: str, answer: str, platform: ControlPlane
) -> None:
    command = [str(binaries.find("kubectl")), "auth", "can-i", *asked.split(), "--as=ada", f"--as-group={group}"]
    environment = {**os.environ, "KUBECONFIG": str(platform.kubeconfig)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert done.stdout.strip() == answer


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hostNetwork": True}, "in no namespace of their node"),
        ({"securityContext": {"sysctls": [{"name": "kernel.msgmax", "value": "1"}]}}, "only sysctls that are safe"),
        ({"containers": [{"name": "main", "image": IMAGE, "resources": {"limits": {GPU: 257}}}]}, "exceeded quota"),
    ],
)
def test_a_pod_that_a_team_may_not_have_is_refused(
    change: Mapping[str, Any], words: str, platform: ControlPlane
) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "it", "namespace": "language"},
        "spec": {"containers": [{"name": "main", "image": IMAGE}], **change},
    }

    assert soon(lambda: words in words_on(platform, pod))


def test_a_job_of_a_higher_priority_than_its_team_has_is_refused(platform: ControlPlane) -> None:
    labels = {"kueue.x-k8s.io/priority-class": "high"}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "it", "namespace": "research", "labels": labels},
    }
    pod = {"restartPolicy": "Never", "containers": [{"name": "main", "image": IMAGE}]}

    assert soon(
        lambda: "may name the priority classes low" in words_on(platform, {**job, "spec": {"template": {"spec": pod}}})
    )


def penstock_jobs(cluster: ControlPlane, team: str, *, nodes: int, group: str = "") -> subprocess.CompletedProcess[str]:
    """Submit a job to the queue of a team, as a member of it or of another."""
    kubectl = binaries.find("kubectl")
    assert kubectl is not None
    environment = {
        **os.environ,
        "KUBECONFIG": str(cluster.kubeconfig_for("dgx", group=group or f"ml-{team}")),
        "PATH": os.pathsep.join((str(kubectl.parent), os.environ["PATH"])),
    }
    command = [sys.executable, "-m", "penstock", "jobs", str(PROJECT.stack_file(STACK)), "--team", team]
    command += ["--nodes", str(nodes), "--image", IMAGE, "--submit"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def job_of(name: str, namespace: str) -> Object:
    return {"apiVersion": API, "kind": "TrainJob", "metadata": {"name": name, "namespace": namespace}}


def pods(cluster: ControlPlane, namespace: str) -> list[Object]:
    """The pods of a namespace that nothing is about to take away."""
    return [each for each in cluster.api.objects("v1", "Pod", namespace) if "deletionTimestamp" not in each["metadata"]]


def machines_of(cluster: ControlPlane, namespace: str) -> set[str]:
    """The machines that the pods of a namespace run on."""
    return {each["spec"]["nodeName"] for each in pods(cluster, namespace) if each["spec"].get("nodeName")}


def soon(holds: Callable[[], object]) -> bool:
    """Return whether something holds before long."""
    for _ in range(PATIENCE_S * 2):
        if holds():
            return True
        time.sleep(0.5)
    return False
