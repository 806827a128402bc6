"""Jobs that claim GPUs and EFA: Kueue counts the claims, and the scheduler allocates what drivers have published."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tests.cluster.api import Refused
from tests.cluster.control_plane import STAYS, ControlPlane
from tests.cluster.controllers import KUEUE
from tests.cluster.device_slices import CLASSES, PCIE_ROOT, slices_of_p5
from tests.cluster.nodes import described_nodes, join
from tests.cluster.objects import manifests
from tests.descriptions import TRAINING, changed

from penstock import description
from penstock.description.nodes import nodes_of
from penstock.jobs import JobRequest, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(KUEUE.missing()), reason=KUEUE.missing())]

TEAM = "language"
ADDONS = {"queueing": {"teams": [{"name": TEAM, "groups": ["ml-language"]}]}}
TWO_NODES = changed("node_pools.1.nodes", 2, changed("storage", [], changed("addons", ADDONS, TRAINING)))
DESCRIPTION = changed("cluster.device_allocation", "claims", TWO_NODES)
OURS = ("Namespace", "ResourceQuota", "ResourceFlavor", "Cohort", "ClusterQueue", "LocalQueue")
CLAIM = "resource.k8s.io/v1", "ResourceClaim"
PATIENCE_S = 60


@pytest.fixture(scope="module")
def claiming(asked_cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> ControlPlane:
    """A control plane with two machines whose drivers have published their devices, and Kueue with a team's queue."""
    described = description.parse(DESCRIPTION)
    graph = rehearse(lambda: Platform(described)).graph
    (kueue,) = (each for each in graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == "kueue")
    api = asked_cluster.api
    KUEUE.start(asked_cluster, tmp_path_factory.mktemp("kueue"), values=kueue.inputs["values"])
    (pool,) = (each for each in nodes_of(described) if each.pool == "train")
    nodes = list(described_nodes([pool]))
    join(api, nodes)
    for each in (*CLASSES, *(each for node in nodes for each in slices_of_p5(node["metadata"]["name"]))):
        api.apply(each)
    for _, each in manifests(graph):
        if each["kind"] in OURS and TEAM in (each["metadata"].get("namespace", TEAM), each["metadata"]["name"]):
            api.apply(each)
    return asked_cluster


@pytest.fixture
def team(claiming: ControlPlane) -> Iterator[ControlPlane]:
    """The same, without the jobs of a test once that is over."""
    yield claiming
    for kind in (("batch/v1", "Job"), ("resource.k8s.io/v1", "ResourceClaimTemplate")):
        for each in claiming.api.objects(*kind, namespace=TEAM):
            claiming.api.delete({**each, "apiVersion": kind[0], "kind": kind[1]})
    assert soon(lambda: not claiming.api.objects(*CLAIM, namespace=TEAM))


def test_a_printed_job_gets_all_devices_of_its_nodes(team: ControlPlane) -> None:
    submit(team, "whole", nodes=2)

    assert soon(lambda: len(placed(team, "whole")) == 2)
    devices = allocated(team)
    assert {node: len(names) for node, names in devices.items()} == {"train-0": 40, "train-1": 40}


def test_claims_count_against_the_quota_of_the_team(team: ControlPlane) -> None:
    submit(team, "first", nodes=2)
    assert soon(lambda: len(placed(team, "first")) == 2)
    assert soon(lambda: usage(team) == {"nvidia.com/gpu": "16", "vpc.amazonaws.com/efa": "64"})

    submit(team, "second", nodes=1)
    assert soon(lambda: "insufficient unused quota" in waiting(team, "second"))
    team.api.delete(job("first"))

    assert soon(lambda: len(placed(team, "second")) == 1)


def test_a_gpu_comes_with_the_adapters_at_its_root_where_a_claim_says_so(team: ControlPlane) -> None:
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "pair", "namespace": TEAM},
        "spec": {
            "spec": {
                "devices": {
                    "requests": [
                        {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 1}},
                        {"name": "efa", "exactly": {"deviceClassName": "efa.networking.k8s.aws", "count": 4}},
                    ],
                    "constraints": [{"requests": ["gpu", "efa"], "matchAttribute": PCIE_ROOT}],
                }
            }
        },
    }
    team.api.apply(template)

    team.api.create(of_pairs("pairs", pods=8))

    assert soon(lambda: len(placed(team, "pairs", pods=8)) == 8)
    claims = [each["status"]["allocation"] for each in team.api.objects(*CLAIM, namespace=TEAM)]
    assert len(claims) == 8
    assert all(len(roots(each)) == 1 for each in claims)


def test_a_namespace_claims_no_more_devices_than_it_is_bounded_to(team: ControlPlane) -> None:
    asked = {"deviceClassName": "gpu.nvidia.com", "count": 17}
    claim = {
        "apiVersion": CLAIM[0],
        "kind": CLAIM[1],
        "metadata": {"name": "too-many", "namespace": TEAM},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": asked}]}},
    }

    with pytest.raises(Refused, match=r"gpu\.nvidia\.com\.deviceclass\.resource\.k8s\.io/devices=17.*limited.*16"):
        team.api.create(claim)


def submit(cluster: ControlPlane, name: str, *, nodes: int) -> None:
    """Create what `penstock jobs` prints, but that its pods stay until somebody deletes them."""
    for each in job_manifests(description.parse(DESCRIPTION), JobRequest(name=name, namespace=TEAM, nodes=nodes)):
        if each["kind"] == "Job":
            each["spec"]["template"].setdefault("metadata", {}).setdefault("labels", {})[STAYS] = "on"
        cluster.api.create(each)


def job(name: str) -> dict[str, Any]:
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "namespace": TEAM}}


def of_pairs(name: str, *, pods: int) -> dict[str, Any]:
    container = {"name": "main", "image": "busybox", "resources": {"claims": [{"name": "pair"}]}}
    pod = {
        "restartPolicy": "Never",
        "tolerations": [{"operator": "Exists"}],
        "resourceClaims": [{"name": "pair", "resourceClaimTemplateName": "pair"}],
        "containers": [container],
    }
    template = {"metadata": {"labels": {STAYS: "on"}}, "spec": pod}
    queued = {"labels": {"kueue.x-k8s.io/queue-name": "default"}}
    metadata = job(name)["metadata"] | queued
    return {**job(name), "metadata": metadata, "spec": {"parallelism": pods, "completions": pods, "template": template}}


def placed(cluster: ControlPlane, name: str, *, pods: int = 0) -> set[str]:
    """The nodes of the pods of a job; the pods themselves where several may share a node."""
    found = [
        each
        for each in cluster.api.objects("v1", "Pod", namespace=TEAM)
        if each["metadata"]["labels"].get("batch.kubernetes.io/job-name") == name and each["spec"].get("nodeName")
    ]
    return {each["metadata"]["name"] if pods else each["spec"]["nodeName"] for each in found}


def allocated(cluster: ControlPlane) -> dict[str, set[tuple[str, str]]]:
    """The devices that claims have, by node."""
    found: dict[str, set[tuple[str, str]]] = {}
    for claim in cluster.api.objects(*CLAIM, namespace=TEAM):
        for each in claim["status"]["allocation"]["devices"]["results"]:
            found.setdefault(each["pool"], set()).add((each["driver"], each["device"]))
    return found


def roots(allocation: Mapping[str, Any]) -> set[str]:
    """The roots of PCIe at which the devices of an allocation are."""
    found = set()
    for each in allocation["devices"]["results"]:
        for published in slices_of_p5(each["pool"]):
            for device in published["spec"]["devices"]:
                if (published["spec"]["driver"], device["name"]) == (each["driver"], each["device"]):
                    found.add(device["attributes"][PCIE_ROOT]["string"])
    return found


def usage(cluster: ControlPlane) -> dict[str, str]:
    """What the jobs of the team have of its quota."""
    queue = cluster.api.get("kueue.x-k8s.io/v1beta2", "ClusterQueue", TEAM)
    flavors = (queue or {}).get("status", {}).get("flavorsUsage") or ()
    return {each["name"]: each["total"] for flavor in flavors for each in flavor["resources"]}


def waiting(cluster: ControlPlane, name: str) -> str:
    """Why a job waits."""
    for each in cluster.api.objects("kueue.x-k8s.io/v1beta2", "Workload", namespace=TEAM):
        if each["metadata"]["ownerReferences"][0]["name"] == name:
            return " ".join(condition["message"] for condition in each.get("status", {}).get("conditions", ()))
    return ""


def soon(holds: Callable[[], object]) -> bool:
    """Whether something holds within a minute."""
    for _ in range(PATIENCE_S * 2):
        if holds():
            return True
        time.sleep(0.5)
    return False
