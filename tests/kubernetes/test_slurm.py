"""Slurm: workers have what their nodes have, nothing secret is written down, and nobody else hands out its nodes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed, complaints, findings

from penstock.resources.graph import Graph, Resource
from penstock.testing import rehearse

EVERYWHERE = pytest.mark.parametrize(
    "description", [TRAINING, GCP_TRAINING, ONPREM_TRAINING], ids=["aws", "gcp", "kubernetes"]
)
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample me@example.com"


def slurm(description: Any, **block: Any) -> Graph:
    run = rehearse(changed("addons.slurm", block, description))
    assert run.findings == ()
    return run.graph


def released(graph: Graph, chart: str) -> Resource:
    (found,) = (each for each in graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == chart)
    return found


def values(graph: Graph, chart: str = "slurm") -> Any:
    return released(graph, chart).inputs["values"]


@EVERYWHERE
def test_a_worker_has_what_its_node_has(description: Any) -> None:
    (train,) = values(slurm(description))["nodesets"].values()

    limits = train["slurmd"]["resources"]["limits"]
    assert limits["nvidia.com/gpu"] == "8"
    assert train["extraConfMap"]["Gres"][0].startswith("gpu:h")
    assert train["extraConfMap"]["Gres"][0].endswith(":8")
    assert train["partition"]["enabled"] is True
    assert train["podSpec"]["volumes"][0]["emptyDir"]["medium"] == "Memory"


def test_a_file_system_of_the_description_is_claimed_where_slurm_is() -> None:
    graph = slurm(TRAINING, claims={"scratch": "/scratch", "elsewhere": "/data"})

    claims = [each.inputs["metadata"] for each in graph.of_type("kubernetes:core/v1:PersistentVolumeClaim")]
    assert [each["name"] for each in claims if each["namespace"] == "slurm"] == ["scratch"]


def test_workers_find_their_nodes_past_taints_and_with_the_fabric() -> None:
    (train,) = values(slurm(TRAINING))["nodesets"].values()

    assert train["podSpec"]["nodeSelector"]["penstock.dev/pool"] == "train"
    assert [each["key"] for each in train["podSpec"]["tolerations"]] == ["nvidia.com/gpu"]
    assert train["slurmd"]["resources"]["limits"]["vpc.amazonaws.com/efa"] == "32"


def test_a_fixed_pool_has_a_worker_wherever_a_node_is() -> None:
    (fixed,) = values(slurm(ONPREM_TRAINING))["nodesets"].values()
    (bound,) = values(slurm(TRAINING))["nodesets"].values()

    assert fixed["scalingMode"] == "DaemonSet"
    assert (bound["scalingMode"], bound["replicas"]) == ("StatefulSet", 16)


def test_charts_come_after_certificates_kinds_and_operator() -> None:
    graph = slurm(ONPREM_TRAINING)

    kinds, operator = released(graph, "slurm-operator-crds"), released(graph, "slurm-operator")
    assert kinds.urn in operator.dependencies
    assert operator.urn in released(graph, "slurm").dependencies
    assert released(graph, "cert-manager").urn in operator.dependencies


def test_no_secret_is_in_values_and_no_ssh_is_on_the_internet() -> None:
    block = {"login_keys": [KEY], "accounting": {"host": "db.example.com", "password_from": "mariadb/password"}}

    made = values(slurm(ONPREM_TRAINING, **block))

    assert made["slurmKey"] == made["jwtKey"] == {"create": True, "annotations": {"helm.sh/resource-policy": "keep"}}
    assert made["accounting"]["storageConfig"]["passwordKeyRef"] == {"name": "mariadb", "key": "password"}
    assert made["loginsets"]["ssh"]["service"] == {"spec": {"type": "ClusterIP"}}
    assert "latest" not in json.dumps(made)


def test_what_nobody_asks_for_is_not_there() -> None:
    made = values(slurm(ONPREM_TRAINING))

    assert "loginsets" not in made
    assert "accounting" not in made


def test_claims_are_mounted_where_people_log_in_and_where_jobs_run() -> None:
    made = values(slurm(ONPREM_TRAINING, login_keys=[KEY], claims={"home": "/home"}))

    for pod, container in (("nodesets", "slurmd"), ("loginsets", "login")):
        (each,) = made[pod].values()
        assert {"name": "claim-0", "mountPath": "/home"} in each[container]["volumeMounts"]
        assert {"name": "claim-0", "persistentVolumeClaim": {"claimName": "home"}} in each["podSpec"]["volumes"]


def test_the_webhook_is_never_alone_in_production() -> None:
    made = values(slurm(ONPREM_TRAINING), "slurm-operator")
    dev = values(slurm(changed("environment", "dev", ONPREM_TRAINING)), "slurm-operator")

    assert (made["webhook"]["replicas"], made["webhook"]["pdb"]) == (2, {"enabled": True})
    assert dev["webhook"]["replicas"] == 1
    assert made["webhook"]["securityContext"]["readOnlyRootFilesystem"] is True


def test_images_come_from_a_mirror() -> None:
    made = values(slurm(changed("network.image_mirror", "registry.example.com/m", ONPREM_TRAINING)))

    assert made["controller"]["slurmctld"]["image"]["repository"] == "registry.example.com/m/slinkyproject/slurmctld"


def test_no_pool_belongs_to_slurm_and_kueue() -> None:
    description = changed(
        "addons.queueing", {"teams": [{"name": "vision"}]}, changed("addons.slurm", {}, ONPREM_TRAINING)
    )

    (found,) = (each for each in findings(description) if each.code == "SPEC-175")

    assert found.path == "addons.slurm"
    assert "Slurm and Kueue would both hand out the nodes of train" in found.message
    assert "addons.queueing" in found.hint


POOLS = ONPREM_TRAINING["node_pools"]
LONG = "a" * 38
AMD = {"name": "amd", "accelerator": "mi300x", "nodes": 4, "labels": {"amd.com/gpu.product-name": "MI300X"}}
GAUDI = {"name": "gaudi", "accelerator": "gaudi3", "nodes": 4, "labels": {"example.com/gaudi": "3"}}
PLAIN = {"name": "plain", "nodes": 4, "labels": {"example.com/plain": "yes"}}


@pytest.mark.parametrize(
    ("pools", "block", "path", "says"),
    [
        (POOLS, {"pools": ["trian"]}, "addons.slurm.pools[0]", "not a pool"),
        ([PLAIN], {}, "addons.slurm", "No pool has GPUs"),
        ([GAUDI], {"pools": ["gaudi"]}, "addons.slurm.pools[0]", "does not find the gaudi3"),
        ([{**PLAIN, "name": LONG}], {"pools": [LONG]}, "addons.slurm.pools[0]", "too long"),
        ([*POOLS, AMD], {}, "addons.slurm", "two makers"),
    ],
)
def test_pools_that_slurm_cannot_use_are_reported(pools: Any, block: Any, path: str, says: str) -> None:
    (found,) = findings(changed("node_pools", pools, changed("addons.slurm", block, ONPREM_TRAINING)))

    assert (found.code, found.path) == ("SPEC-176", path)
    assert says in found.message
    assert found.hint


@pytest.mark.parametrize("pools", [["amd"], ["train"], ["train", "plain"]])
def test_pools_of_one_maker_and_plain_ones_are_right(pools: list[str]) -> None:
    description = changed("node_pools", [*POOLS, AMD, PLAIN], ONPREM_TRAINING)

    assert complaints(changed("addons.slurm", {"pools": pools}, description)) == []


def test_a_password_in_clear_is_refused() -> None:
    block = {"accounting": {"host": "db", "password_from": "hunter2"}}

    assert [path for _, path in complaints(changed("addons.slurm", block, ONPREM_TRAINING))] == [
        "addons.slurm.accounting.password_from"
    ]
