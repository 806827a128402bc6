"""Observability: what is installed, by which values, and who reads GPUs where."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import AZURE_TRAINING, GCP_TRAINING, ONPREM_TRAINING, TRAINING
from tests.kubernetes.clusters import cluster_of, with_addons

from penstock.addons.observability import monitors
from penstock.addons.observability.stack_values import memory_gib
from penstock.description import parse
from penstock.kubernetes.facts.gpu_counters import counter_file
from penstock.platform import Platform
from penstock.testing import RehearsalResult, rehearse, violations

RELEASE = "kubernetes:helm.sh/v3:Release"
POD_MONITOR = "kubernetes:monitoring.coreos.com/v1:PodMonitor"


def built(description: Mapping[str, Any], addons: Mapping[str, Any] | None = None, **changed: Any) -> RehearsalResult:
    described = with_addons(description, addons or {"observability": {}}, **changed)
    return rehearse(lambda: Platform(parse(described)))


def values_of(run: RehearsalResult, chart: str) -> Mapping[str, Any] | None:
    found = [each.inputs["values"] for each in run.graph.of_type(RELEASE) if each.inputs["name"] == chart]
    return found[0] if found else None


@pytest.fixture(scope="module")
def onprem() -> RehearsalResult:
    return built(ONPREM_TRAINING)


@pytest.mark.parametrize("description", [TRAINING, GCP_TRAINING, ONPREM_TRAINING])
def test_it_runs_on_any_platform_without_a_finding(description: Mapping[str, Any]) -> None:
    run = built(description)

    assert [each for each in run.findings if "monitoring" in str(each) or "observability" in str(each)] == []
    assert values_of(run, "kube-prometheus-stack") is not None


def test_each_kind_is_there_before_what_is_of_it(onprem: RehearsalResult) -> None:
    (crds,) = [each for each in onprem.graph.of_type(RELEASE) if each.inputs["name"] == "prometheus-operator-crds"]
    stack = values_of(onprem, "kube-prometheus-stack")

    assert stack is not None
    assert stack["crds"] == {"enabled": False}
    order = list(onprem.graph.resources)
    (rules,) = onprem.graph.of_type("kubernetes:monitoring.coreos.com/v1:PrometheusRule")
    assert order.index(crds.urn) < order.index(rules.urn)


def test_what_watches_nothing_is_off_and_what_others_bring_is_read(onprem: RehearsalResult) -> None:
    stack = values_of(onprem, "kube-prometheus-stack")
    assert stack is not None

    for each in ("kubeEtcd", "kubeScheduler", "kubeControllerManager", "kubeProxy"):
        assert stack[each] == {"enabled": False}
    selectors = {key: value for key, value in stack["prometheus"]["prometheusSpec"].items() if "NilUses" in key}
    assert len(selectors) == 5
    assert not any(selectors.values())


def test_nobody_reads_secrets_to_show_dashboards(onprem: RehearsalResult) -> None:
    stack = values_of(onprem, "kube-prometheus-stack")
    assert stack is not None

    (role,) = onprem.graph.of_type("kubernetes:rbac.authorization.k8s.io/v1:Role")
    assert stack["grafana"]["rbac"] == {"namespaced": True, "useExistingRole": role.inputs["metadata"]["name"]}
    assert [each["resources"] for each in role.inputs["rules"]] == [["configmaps"]]
    assert stack["kube-state-metrics"]["collectorsExclude"] == ["secrets"]


def test_no_value_holds_the_password_of_grafana(onprem: RehearsalResult) -> None:
    stack = values_of(onprem, "kube-prometheus-stack")
    (password,) = onprem.graph.of_type("random:index/randomPassword:RandomPassword")
    assert stack is not None

    assert stack["grafana"]["admin"] == {"existingSecret": "grafana-admin"}
    assert password.inputs["length"] >= 32


def test_prod_survives_a_node_and_dev_is_small() -> None:
    def of(environment: str) -> Mapping[str, Any]:
        found = values_of(built(ONPREM_TRAINING, environment=environment), "kube-prometheus-stack")
        assert found is not None
        return found

    prod, dev = of("prod"), of("dev")
    assert prod["prometheus"]["prometheusSpec"]["replicas"] == 2
    assert prod["prometheus"]["podDisruptionBudget"] == {"enabled": True}
    assert dev["prometheus"]["prometheusSpec"]["replicas"] == 1
    assert "podDisruptionBudget" not in dev["prometheus"]


def test_memory_grows_with_the_nodes_that_the_pools_may_have() -> None:
    (pool,) = ONPREM_TRAINING["node_pools"]
    few, many = (cluster_of(with_addons(ONPREM_TRAINING, {}, node_pools=[{**pool, "nodes": n}])) for n in (2, 1000))

    assert memory_gib(few) == 3
    assert memory_gib(many) == 52


def test_storage_is_of_the_class_of_the_cluster() -> None:
    described = {**ONPREM_TRAINING, "cloud": {"provider": "kubernetes", "profile": "k3s"}}
    (pool,) = described["node_pools"]
    unwired = {key: value for key, value in pool.items() if key != "fabric"} | {"labels": {"example.com/gpu": "h100"}}
    stack = values_of(
        built(described, {"observability": {"storage_gib": 50}}, node_pools=[unwired]), "kube-prometheus-stack"
    )
    assert stack is not None

    claim = stack["prometheus"]["prometheusSpec"]["storageSpec"]["volumeClaimTemplate"]["spec"]
    assert claim["storageClassName"] == "local-path"
    assert claim["resources"] == {"requests": {"storage": "50Gi"}}
    assert stack["prometheus"]["prometheusSpec"]["retentionSize"] == "45GB"


def test_gpus_on_eks_are_read_by_an_exporter_with_counters_of_ours() -> None:
    run = built(TRAINING)
    exporter = values_of(run, "dcgm-exporter")
    assert exporter is not None

    (counters,) = [
        each
        for each in run.graph.of_type("kubernetes:core/v1:ConfigMap")
        if each.inputs["metadata"]["name"] == "dcgm-counters"
    ]
    (name, text) = next(iter(counters.inputs["data"].items()))
    (volume,), (mount,) = exporter["extraConfigMapVolumes"], exporter["extraVolumeMounts"]
    assert text == counter_file()
    assert volume["configMap"] == {"name": "dcgm-counters"}
    assert exporter["arguments"] == ["-f", f"{mount['mountPath']}/{name}"]
    terms = exporter["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert [each["matchExpressions"] for each in terms] == [
        [{"key": "penstock.dev/pool", "operator": "In", "values": ["train"]}]
    ]
    assert {"operator": "Exists"} in exporter["tolerations"]


def test_an_exporter_that_is_there_is_read_and_gets_no_second_one(onprem: RehearsalResult) -> None:
    monitors = [each.inputs for each in onprem.graph.of_type(POD_MONITOR)]
    read = [each["spec"] for each in monitors if each["metadata"]["name"] != "jobs"]

    assert values_of(onprem, "dcgm-exporter") is None
    assert [each["namespaceSelector"] for each in read] == [{"matchNames": ["gpu-operator"]}]
    assert [each["podMetricsEndpoints"][0]["honorLabels"] for each in read] == [True]


def test_on_gke_the_exporter_gets_the_driver_that_only_containers_with_gpus_get() -> None:
    exporter = values_of(built(GCP_TRAINING), "dcgm-exporter")
    assert exporter is not None

    (volume,) = exporter["extraHostVolumes"]
    (mount,) = (each for each in exporter["extraVolumeMounts"] if each["name"] == volume["name"])
    env = {each["name"]: each["value"] for each in exporter["extraEnv"]}
    assert volume["hostPath"] == "/home/kubernetes/bin/nvidia"
    assert (mount["mountPath"], mount["readOnly"]) == ("/usr/local/nvidia", True)
    assert env["LD_LIBRARY_PATH"] == "/usr/local/nvidia/lib64"
    assert env["DCGM_EXPORTER_KUBERNETES_GPU_ID_TYPE"] == "device-name"
    assert exporter["securityContext"] == {"privileged": True, "allowPrivilegeEscalation": True}


@pytest.mark.parametrize("watched", [True, False])
def test_gke_runs_its_exporter_of_gpus_where_there_is_none_of_ours(watched: bool) -> None:
    run = built(GCP_TRAINING) if watched else rehearse(lambda: Platform(parse(GCP_TRAINING)))

    (cluster,) = run.graph.of_type("gcp:container/cluster:Cluster")
    assert ("DCGM" in cluster.inputs["monitoringConfig"]["enableComponents"]) is not watched


def test_the_exporter_of_the_operator_exports_what_alerts_read(onprem: RehearsalResult) -> None:
    operator = values_of(onprem, "gpu-operator")
    unwatched = values_of(built(ONPREM_TRAINING, {"health": {}}), "gpu-operator")
    assert operator is not None
    assert unwatched is not None

    config = operator["dcgmExporter"]["config"]
    assert (config["create"], config["data"]) == (True, counter_file())
    assert "config" not in unwatched["dcgmExporter"]


def test_an_operator_beside_an_exporter_of_ours_has_none_of_its_own() -> None:
    run = built(AZURE_TRAINING)
    operator = values_of(run, "gpu-operator")

    assert operator is not None
    assert values_of(run, "dcgm-exporter") is not None
    assert operator["dcgmExporter"]["enabled"] is False


def test_nobody_looks_for_gpus_where_there_are_none() -> None:
    run = built(TRAINING, node_pools=TRAINING["node_pools"][:1], storage=[])

    assert values_of(run, "dcgm-exporter") is None


def test_pods_stay_off_accelerators_that_no_taint_protects(onprem: RehearsalResult) -> None:
    stack = values_of(onprem, "kube-prometheus-stack")
    assert stack is not None

    (away,) = stack["grafana"]["affinity"]["nodeAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"]
    assert away["preference"]["matchExpressions"] == [
        {"key": "nvidia.com/gpu.product", "operator": "NotIn", "values": ["NVIDIA-H100-80GB-HBM3"]}
    ]


def test_labels_that_find_pools_and_teams_are_exported(onprem: RehearsalResult) -> None:
    stack = values_of(onprem, "kube-prometheus-stack")
    assert stack is not None

    nodes, namespaces, pods = stack["kube-state-metrics"]["metricLabelsAllowlist"]
    assert nodes == "nodes=[nvidia.com/gpu.product]"
    assert "penstock.dev/team" in namespaces
    assert "kueue.x-k8s.io/queue-name" in pods


def test_images_come_from_the_mirror() -> None:
    mirrored = {"cidr": "10.40.0.0/16", "image_mirror": "registry.example.com/mirror"}
    stack = values_of(built(TRAINING, network=mirrored), "kube-prometheus-stack")

    assert stack is not None
    assert stack["global"] == {"imageRegistry": "registry.example.com/mirror"}


def test_controllers_are_read_where_their_addon_is_enabled() -> None:
    import pulumi

    cluster = cluster_of(ONPREM_TRAINING, queueing={})
    run = rehearse(lambda: monitors.monitor_controllers("watch", cluster, pulumi.ResourceOptions()))

    (monitor,) = run.graph.of_type("kubernetes:monitoring.coreos.com/v1:ServiceMonitor")
    assert monitor.inputs["spec"]["namespaceSelector"] == {"matchNames": ["kueue-system"]}


def test_dashboards_are_found_by_their_label(onprem: RehearsalResult) -> None:
    shown = [
        each
        for each in onprem.graph.of_type("kubernetes:core/v1:ConfigMap")
        if each.inputs["metadata"].get("labels", {}).get("grafana_dashboard") == "1"
    ]

    assert {each.inputs["metadata"]["name"] for each in shown} == {"dashboard-cluster", "dashboard-gpus"}
    for each in shown:
        ((_, text),) = each.inputs["data"].items()
        places = [tuple(panel["gridPos"].values()) for panel in json.loads(text)["panels"]]
        assert len(set(places)) == len(places)


@pytest.mark.parametrize("description", [TRAINING, GCP_TRAINING, ONPREM_TRAINING])
def test_the_policies_find_nothing(description: Mapping[str, Any]) -> None:
    priced = {"accelerator_hour_usd": 2.5} if description is ONPREM_TRAINING else {}
    everything = {"observability": {}, "health": {}, "cost": priced}
    before = violations(rehearse(lambda: Platform(parse(description))))
    after = violations(built(description, everything))

    assert {(each.code, each.urn) for each in after} - {(each.code, each.urn) for each in before} == set()
