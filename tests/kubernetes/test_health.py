"""Health: sick nodes are found, and the tests of nodes ask for what the nodes have."""

from __future__ import annotations

import base64
import email
import email.policy
import json
import re
import subprocess
from collections.abc import Mapping
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.descriptions import AZURE_TRAINING, GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed, findings
from tests.kubernetes.clusters import cluster_of, with_addons

from penstock.addons.health import floors, monitors, node_check, storage
from penstock.addons.health.smoke import script, smoke_tests
from penstock.addons.health.storage import storage_tests
from penstock.description import parse
from penstock.description.nodes.startup import UNCHECKED
from penstock.description.storage import LustreSpec, SharedFilesSpec
from penstock.kubernetes.components.release import EVERYWHERE
from penstock.kubernetes.facts.device_plugins import plugin_of_chart
from penstock.kubernetes.facts.xid_codes import HARDWARE, xid_codes
from penstock.platform import Platform
from penstock.testing import RehearsalResult, rehearse

RELEASE = "kubernetes:helm.sh/v3:Release"
DAEMON_SET = "kubernetes:apps/v1:DaemonSet"
GATE: Mapping[str, Any] = {"gate": True}
IGNORED = "startup-taint.cluster-autoscaler.kubernetes.io/penstock-unchecked"
KARPENTER = changed("cluster.autoscaling", "karpenter")


def built(description: Mapping[str, Any], health: Mapping[str, Any] | None = None) -> RehearsalResult:
    return rehearse(lambda: Platform(parse(with_addons(description, {"health": health or {}}))))


def detectors(run: RehearsalResult) -> list[Mapping[str, Any]]:
    return [
        each.inputs["values"] for each in run.graph.of_type(RELEASE) if each.inputs["name"] == "node-problem-detector"
    ]


def test_nodes_are_watched_where_no_cloud_does_it() -> None:
    (values,) = detectors(built(ONPREM_TRAINING))

    definitions = values["settings"]["custom_monitor_definitions"]
    named = [*values["settings"]["log_monitors"], *values["settings"]["custom_plugin_monitors"]]
    assert {name.rpartition("/")[2] for name in named if name.startswith("/custom-config/")} < set(definitions)
    assert not any("docker" in name for name in named)
    assert detectors(built(TRAINING)) == []
    assert detectors(built(GCP_TRAINING)) == []


def test_eks_and_gke_detect_and_repair_by_themselves() -> None:
    eks, gke = built(TRAINING), built(GCP_TRAINING)

    addons = {each.inputs["addonName"] for each in eks.graph.of_type("aws:eks/addon:Addon")}
    assert "eks-node-monitoring-agent" in addons
    pools = gke.graph.of_type("gcp:container/nodePool:NodePool")
    assert all(each.inputs["management"]["autoRepair"] for each in pools)


@pytest.mark.parametrize("code", [each.code for each in xid_codes(*HARDWARE) if each.models is None])
def test_the_kernel_log_shows_what_a_machine_is_drained_for(code: int) -> None:
    line = f"NVRM: Xid (PCI:0000:3b:00): {code}, pid='<unknown>', name=<unknown>, GPU has fallen off the bus."
    found = [each for each in json.loads(monitors.gpu_monitor())["rules"] if re.search(each["pattern"], line)]

    assert len(found) == 1
    assert found[0]["condition"] == "GpuUnhealthy"


@pytest.mark.parametrize("code", [13, 31, 43, 1, 7])
def test_errors_of_programs_drain_no_machine(code: int) -> None:
    line = f"NVRM: Xid (PCI:0000:3b:00): {code}, pid=1234, name=python"

    assert not any(re.search(each["pattern"], line) for each in json.loads(monitors.gpu_monitor())["rules"])


def test_a_link_that_goes_down_is_reported_until_it_is_back(tmp_path: Path) -> None:
    program = tmp_path / "links.sh"
    program.write_text(monitors.links_script())
    states = [tmp_path / f"class/infiniband/mlx5_{index}/ports/1/state" for index in range(3)]
    for state in states:
        state.parent.mkdir(parents=True)

    def report(*lines: str) -> tuple[int, str]:
        for state, line in zip(states, lines, strict=True):
            state.write_text(f"{line}\n")
        env = {"SYS": str(tmp_path), "MOST": str(tmp_path / "most")}
        done = subprocess.run(["/bin/sh", str(program)], env=env, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.strip()

    up, down = "4: ACTIVE", "1: DOWN"
    assert report(up, up, down) == (0, "2 links are up")
    assert report(up, down, down) == (1, "1 of 2 links are up, down: mlx5_1 mlx5_2")
    assert report(up, up, down) == (0, "2 links are up")
    assert report(up, up, up) == (0, "3 links are up")


@pytest.mark.parametrize(
    ("line_rate", "nodes", "floor"), [(3200, 4, 280.0), (3200, 2, None), (400, 8, 35.0), (None, 4, None)]
)
def test_floors_follow_from_the_line_rate(line_rate: float | None, nodes: int, floor: float | None) -> None:
    assert floors.bus_bandwidth_floor_gbs(line_rate, nodes) == floor


def smoke_tests_of(description: Mapping[str, Any], line_rate: float | None = None) -> Mapping[str, Any]:
    return {each.pool.pool: each for each in smoke_tests(cluster_of(description), line_rate)}


def test_a_test_asks_for_all_that_a_node_has() -> None:
    tests = smoke_tests_of(TRAINING)
    _, job = tests["train"].manifests()
    pod = job["spec"]["template"]["spec"]
    (container,) = pod["containers"]

    assert set(tests) == {"train"}
    assert job["spec"]["completions"] == job["spec"]["parallelism"] == 4
    assert {
        name: count for name, count in container["resources"]["limits"].items() if name not in ("cpu", "memory")
    } == {
        "nvidia.com/gpu": "8",
        "vpc.amazonaws.com/efa": "32",
        "hugepages-2Mi": "5120Mi",
    }
    assert {"name": "FLOOR_GBS", "value": "280.0"} in container["env"]
    assert pod["nodeSelector"] == {"penstock.dev/pool": "train"}
    assert pod["tolerations"] == [
        {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"}
    ]


def test_a_cluster_that_exists_says_what_its_fabric_carries() -> None:
    assert smoke_tests_of(ONPREM_TRAINING, 3200.0)["train"].floor_gbs == 280.0
    assert smoke_tests_of(ONPREM_TRAINING)["train"].floor_gbs is None


def test_a_small_pool_is_tested_node_by_node() -> None:
    (pool,) = ONPREM_TRAINING["node_pools"]
    single = with_addons(ONPREM_TRAINING, {}, node_pools=[{**pool, "nodes": 1}])
    _, job = smoke_tests_of(single, 3200.0)["train"].manifests()
    (container,) = job["spec"]["template"]["spec"]["containers"]

    assert job["spec"]["completions"] == 1
    assert "--master-addr=localhost" in container["command"]


def test_tests_are_in_the_cluster_and_the_outputs_say_how_to_start_them() -> None:
    run = built(ONPREM_TRAINING, {"line_rate_gbps": 3200.0})
    maps = {
        each.inputs["metadata"]["name"]: each.inputs["data"]
        for each in run.graph.of_type("kubernetes:core/v1:ConfigMap")
    }

    service, job = yaml.safe_load_all(maps["smoke-train"]["manifests.yaml"])
    mounted = next(
        each["configMap"]["name"] for each in job["spec"]["template"]["spec"]["volumes"] if each["name"] == "script"
    )
    assert service["metadata"]["name"] == job["spec"]["template"]["spec"]["subdomain"]
    assert maps[mounted] == {"smoke_test.py": script()}
    compile(script(), "smoke_test.py", "exec")
    (health,) = run.graph.of_type("penstock:kubernetes:Health")
    assert "get configmap smoke-train" in str(health.outputs["train"])


@pytest.mark.parametrize(
    ("capacity_tib", "throughput", "nodes", "floor"), [(1.2, 125, 4, 26), (1.2, 1000, 1, 840), (48.0, 500, 4, 875)]
)
def test_nodes_together_reach_what_the_file_system_is_described_with(
    capacity_tib: float, throughput: int, nodes: int, floor: int
) -> None:
    item = LustreSpec(name="scratch", capacity_tib=capacity_tib, throughput_mbps_per_tib=throughput)

    assert floors.storage_floor_mbps(item, nodes) == floor
    assert floors.storage_floor_mbps(SharedFilesSpec(name="home"), nodes) is None


def test_the_storage_test_writes_every_file_system_and_local_nvme_and_no_more() -> None:
    (test,) = storage_tests(cluster_of(TRAINING))
    (job,) = test.manifests()
    pod = job["spec"]["template"]["spec"]
    (container,) = pod["containers"]

    assert test.pool.pool == "train"
    assert dict(test.floors) == {"/storage/scratch": 840, "/storage/home": 0, "/mnt/cache": 250}
    mounted = {each["mountPath"]: each["name"] for each in container["volumeMounts"]}
    volumes = {each["name"]: each for each in pod["volumes"]}
    assert set(mounted) == set(test.floors)
    assert volumes[mounted["/storage/scratch"]]["persistentVolumeClaim"] == {"claimName": "scratch"}
    assert "emptyDir" in volumes[mounted["/mnt/cache"]]
    assert job["metadata"]["namespace"] == "default"
    assert "nvidia.com/gpu" not in container["resources"]["limits"]
    assert pod["tolerations"] == [
        {"key": "nvidia.com/gpu", "effect": "NoSchedule", "operator": "Equal", "value": "present"}
    ]
    assert [each.floors for each in storage_tests(cluster_of(ONPREM_TRAINING))] == []


def test_slow_storage_fails_and_is_named(tmp_path: Path) -> None:
    """`fio` reports columns as its terse form has them: 7 for reads, 48 for writes, in KiB/s."""
    fio = tmp_path / "fio"
    columns = ";".join({0: "3", 6: "$READ", 47: "$WRITTEN"}.get(column, "0") for column in range(48))
    fio.write_text(f'#!/bin/sh\ncase "$*" in *broken*) echo "no such directory"; exit 1;; esac\necho "{columns}"\n')
    fio.chmod(0o755)

    def run(targets: str, *, read: int, written: int) -> tuple[int, str]:
        kib = {"READ": str(read * 1_000_000 // 1024 + 1), "WRITTEN": str(written * 1_000_000 // 1024 + 1)}
        env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "TARGETS": targets, **kib}
        command = ["/bin/sh", "-c", storage.script()]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, cwd=tmp_path)
        return done.returncode, done.stdout

    assert run("/a 300\n/b 0", read=500, written=400) == (
        0,
        (
            "/a: 400 MB/s written, 500 MB/s read, at least 300 expected\n"
            "/b: 400 MB/s written, 500 MB/s read, at least 0 expected\n"
        ),
    )
    assert run("/a 300", read=500, written=299)[0] == 1
    assert run("/a 300", read=299, written=500)[0] == 1
    failed, words = run("/broken 0\n/b 0", read=1, written=1)
    assert failed == 1
    assert "/broken: cannot be written and read: no such directory" in words
    assert "/b: 1 MB/s written" in words


@pytest.mark.parametrize(
    ("accelerator", "count", "floor"), [("h100", 8, 315.0), ("h100", 1, None), ("a100", 8, 210.0), ("l40s", 8, None)]
)
def test_gpus_of_one_node_reach_what_their_nvlink_is_sold_with(
    accelerator: str, count: int, floor: float | None
) -> None:
    (pool,) = ONPREM_TRAINING["node_pools"]
    other = {"accelerator": accelerator, "count": count, "labels": {"example.com/pool": "train"}}
    described = with_addons(ONPREM_TRAINING, {}, node_pools=[{**pool, **other}])
    (nodes,) = cluster_of(described).pools

    assert floors.node_bandwidth_floor_gbs(nodes) == floor


def gates(run: RehearsalResult) -> list[Mapping[str, Any]]:
    """The pods that test new nodes."""
    sets = run.graph.of_type(DAEMON_SET)
    return [each.inputs["spec"]["template"]["spec"] for each in sets if "node-check" in each.inputs["metadata"]["name"]]


def test_without_a_gate_nodes_take_work_at_once() -> None:
    run = built(TRAINING)

    assert gates(run) == []
    assert not any("unchecked" in str(each.inputs) for each in run.graph)


def test_new_nodes_of_eks_join_with_the_taint_that_its_autoscaler_ignores() -> None:
    run = built(TRAINING, GATE)

    configs = {}
    for each in run.graph.of_type("aws:ec2/launchTemplate:LaunchTemplate"):
        text = base64.b64decode(each.inputs.get("userData") or "")
        message = email.message_from_bytes(text, policy=email.policy.default)
        parts = {part.get_content_type(): part.get_content() for part in message.walk() if not part.is_multipart()}
        config = parts.get("application/node.eks.aws", b"{}")
        configs[each.name] = json.loads(config)
    flags = [each.get("spec", {}).get("kubelet", {}).get("flags", []) for each in configs.values()]
    # Of taints the kubelet takes the last flag alone: it has those of the pool, too.
    assert sorted(flags) == [
        [],
        [
            f"--node-labels={UNCHECKED}=true",
            f"--register-with-taints=nvidia.com/gpu=present:NoSchedule,{IGNORED}=true:NoSchedule",
        ],
    ]
    groups = run.graph.of_type("aws:eks/nodeGroup:NodeGroup")
    assert not any("unchecked" in str(each.inputs) for each in groups)
    (pod,) = gates(run)
    assert {"name": "TAINT", "value": IGNORED} in pod["containers"][0]["env"]


def test_karpenter_knows_the_taint_that_goes_and_not_the_label_of_the_test() -> None:
    run = built(KARPENTER, GATE)
    custom = (each for each in run.graph if each.type.endswith((":NodePool", ":EC2NodeClass")))
    made = {each.inputs["kind"]: each.inputs["spec"] for each in custom if "kind" in each.inputs}

    template = made["NodePool"]["template"]
    assert template["spec"]["startupTaints"] == [{"key": UNCHECKED, "value": "true", "effect": "NoSchedule"}]
    assert UNCHECKED not in template["metadata"]["labels"]
    assert f"--node-labels={UNCHECKED}=true" in made["EC2NodeClass"]["userData"]
    assert "register-with-taints" not in made["EC2NodeClass"]["userData"]


def test_new_nodes_of_gke_have_the_taint_that_its_autoscaler_ignores_and_no_label_that_gke_would_put_back() -> None:
    run = built(GCP_TRAINING, GATE)

    system, train = (each.inputs["nodeConfig"] for each in run.graph.of_type("gcp:container/nodePool:NodePool"))
    taints = [(taint["key"], taint["value"], taint["effect"]) for taint in train["taints"]]
    assert taints == [("nvidia.com/gpu", "present", "NO_SCHEDULE"), (IGNORED, "true", "NO_SCHEDULE")]
    assert "taints" not in system
    # By a label of the pool its autoscaler would count the pod of the test, and its GPUs, for every node to come.
    assert "unchecked" not in str(train["labels"])


def test_a_pod_labels_nodes_of_gke_and_holds_no_device() -> None:
    run = built(GCP_TRAINING, GATE)
    (check,) = gates(run)
    sets = {each.inputs["metadata"]["name"]: each for each in run.graph.of_type(DAEMON_SET)}
    mark = sets["node-mark-train"].inputs["spec"]["template"]["spec"]
    (container,) = mark["containers"]

    assert mark["nodeSelector"] == {"penstock.dev/pool": "train"}
    assert mark["tolerations"] == EVERYWHERE
    assert set(container["resources"]["requests"]) == {"cpu", "memory"}
    assert container["image"] == check["containers"][0]["image"]
    assert {"name": "TAINT", "value": IGNORED} in container["env"]
    assert mark["serviceAccountName"] == check["serviceAccountName"]
    assert any("ClusterRoleBinding" in str(urn) for urn in sets["node-mark-train"].dependencies)


@pytest.mark.parametrize(
    ("fields", "taints"),
    [
        ({"capacity": "flex_start", "gcp": {"queued": True}}, False),
        ({"capacity": "flex_start"}, True),
        ({"sharing": {"time_slicing": 2}}, False),
        ({}, True),
    ],
)
def test_nodes_of_gke_that_queue_for_a_job_or_share_gpus_take_work_at_once(
    fields: Mapping[str, Any], taints: bool
) -> None:
    more = {"name": "more", "accelerator": "l4", "nodes": {"min": 0, "max": 2}, **fields}
    described = changed("node_pools.2", more, with_addons(GCP_TRAINING, {"health": GATE}, budget={"monthly_usd": 1}))
    nodes = cluster_of(described).pools[2]

    assert (nodes.startup_taint is not None) is taints


def test_pods_of_jobs_do_not_tolerate_what_keeps_them_off_untested_nodes() -> None:
    run = built(changed("addons.queueing", {"teams": [{"name": "vision"}]}, GCP_TRAINING), GATE)

    flavors = [each.inputs["spec"] for each in run.graph if each.inputs.get("kind") == "ResourceFlavor"]
    assert flavors
    assert "unchecked" not in str(flavors)
    assert [each for each in run.findings if each.code == "k8s-pod-tolerates-pool-taints"] == []


@pytest.mark.parametrize("description", [TRAINING, ONPREM_TRAINING, KARPENTER, GCP_TRAINING])
def test_the_test_of_a_node_has_all_its_gpus_until_it_lets_work_in(description: Mapping[str, Any]) -> None:
    run = built(description, GATE)
    (pod,) = gates(run)
    (container,) = pod["containers"]

    assert container["resources"]["limits"]["nvidia.com/gpu"] == "8"
    assert {"name": "FLOOR_GBS", "value": "315.0"} in container["env"]
    # The label goes with the taint: the daemon set takes its pod away then, and with it what holds the GPUs.
    assert pod["nodeSelector"][UNCHECKED] == "true"
    assert pod["tolerations"] == EVERYWHERE
    (scripts,) = (
        each.inputs["data"]
        for each in run.graph.of_type("kubernetes:core/v1:ConfigMap")
        if each.inputs["metadata"]["name"] == node_check.SCRIPTS
    )
    marked = {"mark_node.py"} if description is GCP_TRAINING else set()
    assert set(scripts) == {"check_node.py", "smoke_test.py"} | marked
    for name, text in scripts.items():
        compile(text, name, "exec")


@pytest.mark.parametrize("description", [TRAINING, ONPREM_TRAINING, KARPENTER])
def test_devices_are_offered_before_a_node_is_tested(description: Mapping[str, Any]) -> None:
    plugins = [
        (plugin, each.inputs["values"])
        for each in built(description, GATE).graph.of_type(RELEASE)
        if (plugin := plugin_of_chart(each.inputs["name"])) is not None
    ]

    assert plugins
    for plugin, values in plugins:
        assert reduce(getitem, plugin.tolerations_at.split("."), values) == EVERYWHERE


def test_slow_local_nvme_fails_the_node_and_not_the_container(tmp_path: Path) -> None:
    (pod,) = gates(built(TRAINING, GATE))
    (disks,) = pod["initContainers"]
    assert gates(built(ONPREM_TRAINING, GATE))[0].get("initContainers") is None

    *shell, script = disks["command"]
    (tmp_path / "fio").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "fio").chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "TARGETS": "/mnt/cache 250"}
    here = script.replace("/state", str(tmp_path))
    done = subprocess.run([*shell, here], env=env, capture_output=True, text=True, check=False)

    assert done.returncode == 0
    assert (tmp_path / "failed").read_text().strip() == "local NVMe is slow or broken"


def test_rights_come_after_what_bounds_them() -> None:
    run = built(ONPREM_TRAINING, GATE)
    (role,) = (
        each
        for each in run.graph.of_type("kubernetes:rbac.authorization.k8s.io/v1:ClusterRole")
        if each.inputs["metadata"]["name"] == "node-check"
    )

    assert [(rule["resources"], rule["verbs"]) for rule in role.inputs["rules"]] == [(["nodes"], ["get", "patch"])]
    assert any("ValidatingAdmissionPolicyBinding" in str(urn) for urn in role.dependencies)


def test_aks_has_no_gate_and_the_refusal_says_why_and_where_that_is_written() -> None:
    (found,) = findings(with_addons(AZURE_TRAINING, {"health": GATE}))

    assert (str(found.code), found.path) == ("SPEC-020", "addons.health.gate")
    assert "nodeInitializationTaints are in preview" in found.message
    assert "learn.microsoft.com/azure/aks/use-node-taints" in (found.hint or "")
