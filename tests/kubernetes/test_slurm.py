"""Slurm: workers have what their nodes have, nothing secret is written down, and nobody else hands out its nodes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.descriptions import (
    AZURE_TRAINING,
    BEEGFS,
    GCP_TRAINING,
    ONPREM_NETWORKS,
    TRAINING,
    changed,
    complaints,
    findings,
)

from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

EVERYWHERE = pytest.mark.parametrize(
    "description", [TRAINING, GCP_TRAINING, ONPREM_NETWORKS], ids=["aws", "gcp", "kubernetes"]
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
    (fixed,) = values(slurm(ONPREM_NETWORKS))["nodesets"].values()
    (bound,) = values(slurm(TRAINING))["nodesets"].values()

    assert fixed["scalingMode"] == "DaemonSet"
    assert (bound["scalingMode"], bound["replicas"]) == ("StatefulSet", 16)


def test_charts_come_after_certificates_kinds_and_operator() -> None:
    graph = slurm(ONPREM_NETWORKS)

    kinds, operator = released(graph, "slurm-operator-crds"), released(graph, "slurm-operator")
    assert kinds.urn in operator.dependencies
    assert operator.urn in released(graph, "slurm").dependencies
    assert released(graph, "cert-manager").urn in operator.dependencies


def test_no_secret_is_in_values_and_no_ssh_is_on_the_internet() -> None:
    block = {"login_keys": [KEY], "accounting": {"host": "db.example.com", "password_from": "mariadb/password"}}

    made = values(slurm(ONPREM_NETWORKS, **block))

    assert made["slurmKey"] == made["jwtKey"] == {"create": True, "annotations": {"helm.sh/resource-policy": "keep"}}
    assert made["accounting"]["storageConfig"]["passwordKeyRef"] == {"name": "mariadb", "key": "password"}
    assert made["loginsets"]["ssh"]["service"] == {"spec": {"type": "ClusterIP"}}
    assert "latest" not in json.dumps(made)


def test_what_nobody_asks_for_is_not_there() -> None:
    made = values(slurm(ONPREM_NETWORKS))

    assert "loginsets" not in made
    assert "accounting" not in made


def test_claims_are_mounted_where_people_log_in_and_where_jobs_run() -> None:
    made = values(slurm(ONPREM_NETWORKS, login_keys=[KEY], claims={"home": "/home"}))

    for pod, container in (("nodesets", "slurmd"), ("loginsets", "login")):
        (each,) = made[pod].values()
        assert {"name": "claim-0", "mountPath": "/home"} in each[container]["volumeMounts"]
        assert {"name": "claim-0", "persistentVolumeClaim": {"claimName": "home"}} in each["podSpec"]["volumes"]


def test_the_webhook_is_never_alone_in_production() -> None:
    made = values(slurm(ONPREM_NETWORKS), "slurm-operator")
    dev = values(slurm(changed("environment", "dev", ONPREM_NETWORKS)), "slurm-operator")

    assert (made["webhook"]["replicas"], made["webhook"]["pdb"]) == (2, {"enabled": True})
    assert dev["webhook"]["replicas"] == 1
    assert made["webhook"]["securityContext"]["readOnlyRootFilesystem"] is True


def test_images_come_from_a_mirror() -> None:
    made = values(slurm(changed("network.image_mirror", "registry.example.com/m", ONPREM_NETWORKS)))

    assert made["controller"]["slurmctld"]["image"]["repository"] == "registry.example.com/m/slinkyproject/slurmctld"


def test_slurm_hands_out_gpus_and_holds_each_job_to_its_own() -> None:
    made = values(slurm(ONPREM_NETWORKS))

    conf = made["controller"]["extraConfMap"]
    assert (conf["GresTypes"], conf["ReturnToService"], conf["PrologFlags"]) == (["gpu"], "2", ["Contain"])
    assert conf["TaskPlugin"] == ["task/affinity", "task/cgroup"]
    assert made["configFiles"]["gres.conf"] == "AutoDetect=nvidia\n"
    # The file takes the place of the operator's, whose two lines are kept.
    cgroups = made["configFiles"]["cgroup.conf"].splitlines()
    assert {"CgroupPlugin=cgroup/v2", "IgnoreSystemd=yes", "ConstrainDevices=yes", "ConstrainCores=yes"} <= set(cgroups)


def test_slurm_without_gpus_names_none() -> None:
    made = values(slurm(changed("node_pools", [PLAIN], ONPREM_NETWORKS), pools=["plain"]))

    assert "GresTypes" not in made["controller"]["extraConfMap"]
    assert list(made["configFiles"]) == ["cgroup.conf"]


def test_finished_jobs_are_recorded_with_their_gpus() -> None:
    accounting = {"host": "db.example.com", "password_from": "mariadb/password"}

    recorded = values(slurm(ONPREM_NETWORKS, accounting=accounting))["controller"]["extraConfMap"]

    assert recorded["AccountingStorageTRES"] == ["gres/gpu"]
    assert "AccountingStorageTRES" not in values(slurm(ONPREM_NETWORKS))["controller"]["extraConfMap"]


def policies(graph: Graph, namespace: str) -> dict[str, Any]:
    found = (each.inputs for each in graph.of_type("kubernetes:networking.k8s.io/v1:NetworkPolicy"))
    return {each["metadata"]["name"]: each["spec"] for each in found if each["metadata"]["namespace"] == namespace}


def test_pods_of_slurm_reach_what_they_need_and_are_reached_where_people_log_in() -> None:
    accounting = {"host": "db.example.com", "port": 3307, "password_from": "mariadb/password"}

    found = policies(slurm(ONPREM_NETWORKS, login_keys=[KEY], accounting=accounting), "slurm")

    among, away = found["closed"]["egress"]
    assert among == {"to": [{"podSelector": {}}]}
    assert {each["port"] for each in away["ports"]} == {53, 443, 6443, 3307}
    assert found["open-22"]["podSelector"] == {"matchLabels": {"app.kubernetes.io/name": "login"}}
    assert found["open-6820"]["podSelector"] == {"matchLabels": {"app.kubernetes.io/name": "slurmrestd"}}


QUEUES = {"teams": [{"name": "vision"}]}
LIKE_TRAIN = {**ONPREM_NETWORKS["node_pools"][0], "name": "batch", "labels": {"example.com/batch": "true"}}
SIDE_BY_SIDE = changed(
    "addons",
    {"slurm": {"pools": ["batch"], "claims": {"data": "/data"}}, "queueing": QUEUES, "training": {}, "ray": {}},
    changed(
        "node_pools",
        [*ONPREM_NETWORKS["node_pools"], LIKE_TRAIN],
        changed(
            "storage", [BEEGFS], changed("cluster.existing", {"name": "dgx", "installed": ["beegfs"]}, ONPREM_NETWORKS)
        ),
    ),
)


@pytest.fixture(scope="module")
def beside() -> Graph:
    run = rehearse(SIDE_BY_SIDE)
    assert run.findings == ()
    return run.graph


def test_slurm_and_kueue_have_pools_of_their_own(beside: Graph) -> None:
    (flavor,) = beside.of_type("kubernetes:kueue.x-k8s.io/v1beta2:ResourceFlavor")
    (queue,) = beside.of_type("kubernetes:kueue.x-k8s.io/v1beta2:ClusterQueue")

    assert list(values(beside)["nodesets"]) == ["batch"]
    assert flavor.inputs["spec"]["nodeLabels"] == POOLS[0]["labels"]
    quotas = queue.inputs["spec"]["resourceGroups"][0]["flavors"][0]["resources"]
    assert {each["name"]: each["nominalQuota"] for each in quotas}["nvidia.com/gpu"] == "256"


def test_no_namespace_has_a_quota_of_the_others_accelerators(beside: Graph) -> None:
    quotas = {
        each.inputs["metadata"]["namespace"]: each.inputs["spec"]["hard"]
        for each in beside.of_type("kubernetes:core/v1:ResourceQuota")
        if each.inputs["metadata"]["name"] == "quota"
    }

    assert quotas["vision"]["requests.nvidia.com/gpu"] == quotas["slurm"]["requests.nvidia.com/gpu"] == "256"


def test_there_are_no_templates_for_nodes_that_slurm_holds(beside: Graph) -> None:
    runtimes = beside.of_type("kubernetes:trainer.kubeflow.org/v1alpha1:ClusterTrainingRuntime")
    maps = (each.inputs["metadata"] for each in beside.of_type("kubernetes:core/v1:ConfigMap"))

    assert [each.inputs["metadata"]["name"] for each in runtimes] == ["torch-train"]
    assert [each["name"] for each in maps if each["namespace"] == "ray-system"] == ["ray-train"]


def test_jobs_of_slurm_see_their_own_directory_beside_those_of_teams(beside: Graph) -> None:
    volumes = beside.of_type("kubernetes:core/v1:PersistentVolume")
    handles = {each.inputs["spec"]["csi"]["volumeHandle"] for each in volumes}

    assert {"beegfs://beegfs.lan/training/slurm", "beegfs://beegfs.lan/training/vision"} <= handles


@pytest.mark.parametrize(
    ("description", "machine"),
    [(TRAINING, "m7i.2xlarge"), (GCP_TRAINING, "e2-standard-8"), (AZURE_TRAINING, "Standard_D8ds_v5")],
    ids=["aws", "gcp", "azure"],
)
def test_a_taint_keeps_others_off_a_pool_that_slurm_has_to_itself(description: Any, machine: str) -> None:
    pools = [*description["node_pools"], {"name": "batch", "machine_type": machine, "nodes": 2}]
    run = rehearse(changed("node_pools", pools, changed("addons.slurm", {"pools": ["batch"]}, description)))

    (batch,) = values(run.graph)["nodesets"].values()
    assert run.findings == ()
    assert batch["podSpec"]["tolerations"] == [
        {"key": "penstock.dev/slurm", "effect": "NoSchedule", "operator": "Equal", "value": "present"}
    ]
    assert sum("penstock.dev/slurm" in json.dumps(each.inputs, default=str) for each in run.graph) >= 2


@pytest.mark.parametrize("addon", ["queueing", "training", "ray"])
def test_pools_are_left_to_whoever_needs_them(addon: str) -> None:
    block = QUEUES if addon == "queueing" else {}

    (found,) = findings(changed("addons", {"slurm": {}, addon: block}, ONPREM_NETWORKS))

    assert (found.code, found.path) == ("SPEC-175", "addons.slurm")
    assert found.message == f"Slurm holds the nodes of train for good, and {addon} would have none."
    assert "Describe another pool" in found.hint


def test_slurm_names_its_pools_where_others_need_some() -> None:
    description = changed("addons.slurm", {}, SIDE_BY_SIDE)

    (found,) = findings(description)

    assert (found.code, found.path) == ("SPEC-175", "addons.slurm")
    assert found.hint.startswith("Name some of train, batch in addons.slurm.pools")


def test_teams_are_guaranteed_nothing_of_slurms_pools() -> None:
    teams = [{"name": "vision", "accelerators": {"h100": 257}}]

    assert complaints(changed("addons.queueing.teams", teams, SIDE_BY_SIDE)) == [
        ("SPEC-161", "addons.queueing.teams[0].accelerators.h100")
    ]


POOLS = ONPREM_NETWORKS["node_pools"]
LONG = "a" * 38
AMD = {"name": "amd", "accelerator": "mi300x", "nodes": 4, "labels": {"amd.com/gpu.product-name": "MI300X"}}
GAUDI = {"name": "gaudi", "accelerator": "gaudi3", "nodes": 4, "labels": {"example.com/gaudi": "3"}}
PLAIN = {"name": "plain", "nodes": 4, "labels": {"example.com/plain": "yes"}}
SHARED = {**POOLS[0], "sharing": {"time_slicing": 4}}


@pytest.mark.parametrize(
    ("pools", "block", "path", "says"),
    [
        (POOLS, {"pools": ["trian"]}, "addons.slurm.pools[0]", "not a pool"),
        ([PLAIN], {}, "addons.slurm", "No pool has GPUs"),
        ([GAUDI], {"pools": ["gaudi"]}, "addons.slurm.pools[0]", "does not find the gaudi3"),
        ([{**PLAIN, "name": LONG}], {"pools": [LONG]}, "addons.slurm.pools[0]", "too long"),
        ([*POOLS, AMD], {}, "addons.slurm", "two makers"),
        (POOLS, {"pools": ["train", "train"]}, "addons.slurm.pools[1]", "named before"),
        ([SHARED], {"pools": ["train"]}, "addons.slurm.pools[0]", "sharing of pool train divides its GPUs"),
        ([SHARED], {}, "addons.slurm", "GPUs of train are shared"),
        ([{**POOLS[0], "name": "all"}], {}, "node_pools[0].name", "the partition of every node"),
        ([PLAIN, {**POOLS[0], "name": "default"}], {}, "node_pools[1].name", "a record of defaults"),
        ([{**PLAIN, "name": "system"}], {"pools": ["system"]}, "node_pools[0].name", "the cluster's own pods"),
    ],
)
def test_pools_that_slurm_cannot_use_are_reported(pools: Any, block: Any, path: str, says: str) -> None:
    (found,) = findings(changed("node_pools", pools, changed("addons.slurm", block, ONPREM_NETWORKS)))

    assert (found.code, found.path) == ("SPEC-176", path)
    assert says in found.message
    assert found.hint


@pytest.mark.parametrize("pools", [["amd"], ["train"], ["train", "plain"]])
def test_pools_of_one_maker_and_plain_ones_are_right(pools: list[str]) -> None:
    description = changed("node_pools", [*POOLS, AMD, PLAIN], ONPREM_NETWORKS)

    assert complaints(changed("addons.slurm", {"pools": pools}, description)) == []


def test_a_password_in_clear_is_refused() -> None:
    block = {"accounting": {"host": "db", "password_from": "hunter2"}}

    assert [path for _, path in complaints(changed("addons.slurm", block, ONPREM_NETWORKS))] == [
        "addons.slurm.accounting.password_from"
    ]


@pytest.mark.parametrize("path", ["/etc", "/usr/lib/slurm", "/var/log/", "/home/../etc", "/./home"])
def test_a_claim_hides_nothing_of_the_system(path: str) -> None:
    (found,) = findings(changed("addons.slurm", {"claims": {"data": path}}, ONPREM_NETWORKS))

    assert (found.code, found.path) == ("SPEC-197", "addons.slurm.claims.data")
    assert "/data" in found.hint


@pytest.mark.parametrize("path", ["/", "home", "/home//me", "/home:ro"])
def test_a_claim_is_mounted_at_a_plain_path(path: str) -> None:
    assert [place for _, place in complaints(changed("addons.slurm", {"claims": {"data": path}}, ONPREM_NETWORKS))] == [
        "addons.slurm.claims.data"
    ]


@pytest.mark.parametrize("path", ["/home", "/opt/software", "/variants", "/data/"])
def test_claims_go_where_the_system_has_nothing(path: str) -> None:
    assert complaints(changed("addons.slurm", {"claims": {"data": path}}, ONPREM_NETWORKS)) == []


def test_workers_on_roce_attach_the_networks_of_their_pool() -> None:
    (train,) = values(slurm(ONPREM_NETWORKS))["nodesets"].values()

    assert train["metadata"]["annotations"] == {"k8s.v1.cni.cncf.io/networks": ",".join(["default/roce"] * 8)}
    assert train["slurmd"]["resources"]["limits"]["rdma/roce"] == "8"


def test_workers_on_roce_need_a_network() -> None:
    without = changed("node_pools.0.fabric_networks", [], changed("addons.slurm", {}, ONPREM_NETWORKS))

    (found,) = findings(without)

    assert (found.code, found.path) == ("SPEC-176", "addons.slurm")
    assert "no network to use RoCE in" in found.message
    assert findings(changed("node_pools.0.fabric", "infiniband", without)) == []
