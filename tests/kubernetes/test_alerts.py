"""The alerts of a platform: what they read is exported, and each fires when it should and not before."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.descriptions import AZURE_TRAINING, GCP_TRAINING, ONPREM_TRAINING, TRAINING
from tests.kubernetes.clusters import cluster_of, with_addons
from tests.kubernetes.promql import names

from penstock.addons.observability.alert_rules import expression, groups
from penstock.addons.observability.dashboards import dashboards
from penstock.kubernetes.facts.alerts import alerts, panels
from penstock.kubernetes.facts.exporter_metrics import find_metric
from penstock.kubernetes.facts.gpu_counters import counter_file, gpu_counters
from penstock.kubernetes.facts.xid_codes import HARDWARE, xid_codes

ALERTS = Path(__file__).parent / "alerts"
EVERYTHING = with_addons(
    TRAINING, {"observability": {"logs": {}}, "cost": {}, "security": {}}, node_pools=[*TRAINING["node_pools"][:1], {
        "name": "train", "accelerator": "h100", "nodes": {"min": 2, "max": 16}, "capacity": "reserved",
        "reservation": "cr-0123456789abcdef0",
    }],
)  # fmt: skip
"""A platform that every alert is about."""

AZURE_SERVING = {
    **AZURE_TRAINING,
    "node_pools": [AZURE_TRAINING["node_pools"][0], {"name": "serve", "accelerator": "t4", "nodes": 2}],
}
"""GPUs whose driver AKS installs."""

OF_GPUS = frozenset(["gpu", "UUID", "device", "modelName", "Hostname", "namespace", "pod", "container"])
OF_XIDS = OF_GPUS | {"xid", "window_size_in_ms"}


def rules_of(description: dict[str, Any], **beside: Any) -> list[dict[str, Any]]:
    return [rule for group in groups(cluster_of(description, **beside)) for rule in group["rules"]]


def labels_of(metric: str) -> frozenset[str] | None:
    """The labels of a metric's series; None where nobody exports it."""
    if metric == "DCGM_EXP_XID_ERRORS_COUNT":
        return OF_XIDS
    if metric in {each.field for each in gpu_counters()}:
        return OF_GPUS
    if metric.startswith("penstock:"):
        return frozenset({"pool", "resource"})
    found = find_metric(metric)
    return frozenset(found.labels) if found is not None else None


def knows(labels: frozenset[str], wanted: str) -> bool:
    return wanted in labels or ("label_*" in labels and wanted.startswith("label_"))


WHOLE = cluster_of(EVERYTHING, queueing={})
EVERY_RULE = [rule for group in groups(WHOLE) for rule in group["rules"]]

EXPRESSIONS = [
    *((rule.get("alert") or rule["record"], rule["expr"], str(rule.get("annotations"))) for rule in EVERY_RULE),
    *(
        (panel.title, expression(panel, WHOLE), re.sub(r"\{\{(\w+)\}\}", r"$labels.\1", panel.legend or ""))
        for panel in panels()
    ),
]


@pytest.mark.parametrize(("title", "expr", "texts"), EXPRESSIONS, ids=[title for title, _, _ in EXPRESSIONS])
def test_somebody_exports_what_a_rule_or_a_panel_reads(title: str, expr: str, texts: str) -> None:
    found = names(expr)
    there = set(found.made)
    for metric, chosen in found.read:
        labels = labels_of(metric)
        assert labels is not None, f"{title} reads {metric}, which no exporter has"
        assert all(knows(labels, each) for each in chosen), f"{title} chooses {metric} by {set(chosen)}"
        there |= labels
    shown = set(re.findall(r"\$labels\.(\w+)", texts))
    assert all(knows(frozenset(there), each) for each in found.grouped | shown)


def test_the_exporter_is_given_each_counter_once() -> None:
    fields = [line.split(",")[0] for line in counter_file().splitlines()]

    assert len(fields) == len(set(fields))
    assert all(
        re.fullmatch(r"DCGM_(FI|EXP)_\w+, (gauge|counter), \S[^,]*.*", line) for line in counter_file().splitlines()
    )


def test_an_error_calls_for_one_action_on_each_model() -> None:
    codes = [(each.code, each.models, each.not_models) for each in xid_codes(*HARDWARE, "application", "ignore")]
    everywhere = [code for code, models, others in codes if models is None and others is None]

    assert len(codes) == len(set(codes))
    assert len(everywhere) == len(set(everywhere))
    assert not {code for code, models, others in codes if models or others} & set(everywhere)


def test_rules_promise_what_the_pools_have() -> None:
    missing = {rule["labels"]["resource"]: rule["expr"] for rule in EVERY_RULE if rule.get("alert") == "DevicesMissing"}

    nodes = 'kube_node_labels{label_penstock_dev_pool="train"}'
    offered = "unless on (node) kube_node_status_allocatable"
    assert missing == {
        "nvidia.com/gpu": f'{nodes} {offered}{{resource="nvidia_com_gpu"}} >= 8',
        "vpc.amazonaws.com/efa": f'{nodes} {offered}{{resource="vpc_amazonaws_com_efa"}} >= 32',
    }


def test_a_pool_is_found_by_all_of_its_labels() -> None:
    pool = {"name": "odd", "accelerator": "h100", "nodes": 1, "labels": {"b.example/x": "one", "a": "1"}}
    expressions = [rule["expr"] for rule in rules_of(with_addons(ONPREM_TRAINING, {}, node_pools=[pool]))]

    assert any('kube_node_labels{label_a="1",label_b_example_x="one"}' in each for each in expressions)


def test_there_are_no_alerts_on_what_a_platform_does_not_have() -> None:
    without = with_addons(TRAINING, {"observability": {}}, node_pools=TRAINING["node_pools"][:1], storage=[])

    assert {rule["alert"] for rule in rules_of(without)} == {
        "CheckpointLate", "ClaimNearlyFull", "NodeDiskNearlyFull",
    }  # fmt: skip
    assert set(dashboards(cluster_of(without))) == {"cluster"}


def test_gpus_have_the_same_alerts_on_every_cluster() -> None:
    of_gpus = {each.alert for each in alerts() if each.needs == "gpu"}

    for description in (TRAINING, GCP_TRAINING, AZURE_TRAINING, ONPREM_TRAINING):
        assert of_gpus <= {rule.get("alert") for rule in rules_of(with_addons(description, {}))}


@pytest.mark.parametrize(
    ("description", "addons", "conditions"),
    [
        (TRAINING, {}, {"AcceleratedHardwareReady"}),
        (GCP_TRAINING, {"health": {}}, set()),
        (AZURE_TRAINING, {"health": {}}, set()),
        (AZURE_SERVING, {}, {"GPUMissing", "NVLinkStatusInactive"}),
        (ONPREM_TRAINING, {}, set()),
        (ONPREM_TRAINING, {"health": {}}, {"GpuUnhealthy", "FabricUnhealthy"}),
    ],
    ids=["eks", "gke", "aks-driver-of-the-operator", "aks-driver-of-the-image", "onprem", "onprem-detector"],
)
def test_an_alert_reads_the_conditions_that_something_sets(
    description: dict[str, Any], addons: dict[str, Any], conditions: set[str]
) -> None:
    rules = rules_of(with_addons(description, addons))

    read = {rule["expr"] for rule in rules if rule.get("alert") == "NodeUnhealthy"}
    found = {each for expr in read for group in re.findall(r'condition=~"([^"]*)"', expr) for each in group.split("|")}
    assert found == conditions


def test_each_alert_has_a_test_in_which_it_fires_and_one_in_which_it_does_not() -> None:
    fires, silent = set[str](), set[str]()
    for path in ALERTS.glob("*.yaml"):
        for case in yaml.safe_load(path.read_text())["tests"]:
            for tried in case.get("alert_rule_test", ()):
                (fires if tried["exp_alerts"] else silent).add(tried["alertname"])

    every = {rule["alert"] for rule in EVERY_RULE if "alert" in rule}
    assert fires == every
    assert silent == every


@pytest.fixture(scope="session")
def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("promtool, which comes with Prometheus, is not on PATH")
    return found


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.yaml"
    path.write_text(yaml.safe_dump({"groups": groups(WHOLE)}))
    return path


def test_prometheus_takes_the_rules(promtool: str, rules: Path) -> None:
    done = subprocess.run([promtool, "check", "rules", str(rules)], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", sorted(ALERTS.glob("*.yaml")), ids=lambda path: path.stem)
def test_alerts_fire_as_they_should(path: Path, promtool: str, rules: Path) -> None:
    shutil.copy(path, rules.parent)
    tests = rules.parent / path.name
    done = subprocess.run([promtool, "test", "rules", str(tests)], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
