"""Health: sick nodes are found, and the tests of nodes ask for what the nodes have."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING
from tests.kubernetes.clusters import cluster_of, with_addons

from penstock import spec
from penstock.catalog.kubernetes.xid_codes import HARDWARE, xid_codes
from penstock.kubernetes.health import floors, monitors
from penstock.kubernetes.health.smoke import script, smoke_tests
from penstock.platform import Platform
from penstock.testing import Rehearsal, rehearse

RELEASE = "kubernetes:helm.sh/v3:Release"


def built(description: Mapping[str, Any], health: Mapping[str, Any] | None = None) -> Rehearsal:
    return rehearse(lambda: Platform(spec.parse(with_addons(description, {"health": health or {}}))))


def detectors(run: Rehearsal) -> list[Mapping[str, Any]]:
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
    assert container["resources"]["limits"] | {"memory": ""} == {
        "memory": "",
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
    assert "rdma/roce" not in container["resources"]["limits"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}


def test_tests_are_in_the_cluster_and_the_outputs_say_how_to_start_them() -> None:
    run = built(ONPREM_TRAINING, {"line_rate_gbps": 3200.0})
    maps = {
        each.inputs["metadata"]["name"]: each.inputs["data"]
        for each in run.graph.of_type("kubernetes:core/v1:ConfigMap")
    }

    service, job = yaml.safe_load_all(maps["smoke-train"]["manifests.yaml"])
    mounted = job["spec"]["template"]["spec"]["volumes"][0]["configMap"]["name"]
    assert service["metadata"]["name"] == job["spec"]["template"]["spec"]["subdomain"]
    assert maps[mounted] == {"smoke_test.py": script()}
    compile(script(), "smoke_test.py", "exec")
    (health,) = run.graph.of_type("penstock:kubernetes:Health")
    assert "get configmap smoke-train" in str(health.outputs["train"])
