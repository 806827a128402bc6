"""Logs: each node's are sent on, nothing reads the cluster's Secrets, and they go after their days."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed

from penstock.graph.graph import Graph
from penstock.testing import rehearse


def logged(description: Any = ONPREM_TRAINING, **block: Any) -> Graph:
    rehearsal = rehearse(changed("addons.observability", {"logs": block}, description))
    assert rehearsal.findings == ()
    return rehearsal.graph


def loki(graph: Graph) -> Any:
    (found,) = (each for each in graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == "loki")
    return found.inputs["values"]


def collector(graph: Graph) -> Any:
    (found,) = (
        each
        for each in graph.of_type("kubernetes:apps/v1:DaemonSet")
        if each.inputs["metadata"]["name"] == "log-collector"
    )
    return found.inputs["spec"]["template"]["spec"]


@pytest.mark.parametrize("description", [TRAINING, GCP_TRAINING, ONPREM_TRAINING], ids=["aws", "gcp", "kubernetes"])
def test_logs_of_every_node_are_sent_on(description: Any) -> None:
    graph = logged(description)

    assert collector(graph)["tolerations"] == [{"operator": "Exists"}]
    (config,) = (
        each.inputs["data"]["config.yaml"]
        for each in graph.of_type("kubernetes:core/v1:ConfigMap")
        if each.inputs["metadata"]["name"] == "log-collector"
    )
    read = yaml.safe_load(config)
    assert read["exporters"]["otlphttp"]["endpoint"] == "http://loki.loki.svc:3100/otlp"
    assert read["service"]["pipelines"]["logs"]["exporters"] == ["otlphttp"]


def test_the_collector_reads_logs_and_changes_nothing_of_its_node() -> None:
    pod = collector(logged())

    (container,) = pod["containers"]
    writable = {mount["name"] for mount in container["volumeMounts"] if not mount.get("readOnly")}
    assert writable == {"place"}
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert not pod["automountServiceAccountToken"]


def test_logs_go_after_their_days() -> None:
    made = loki(logged(retention_days=7))["loki"]

    assert made["limits_config"]["retention_period"] == "168h"
    assert made["compactor"]["retention_enabled"] is True


def test_nothing_reads_the_secrets_of_the_cluster() -> None:
    assert loki(logged())["sidecar"] == {"rules": {"enabled": False}}


def test_without_the_block_there_are_no_logs() -> None:
    graph = rehearse(changed("addons.observability", {}, ONPREM_TRAINING)).graph

    assert not [each for each in graph.of_type("kubernetes:helm.sh/v3:Release") if each.inputs["name"] == "loki"]


def test_with_a_mirror_all_images_come_from_there() -> None:
    graph = logged(changed("network.image_mirror", "registry.example.com/all", ONPREM_TRAINING))

    assert loki(graph)["global"]["imageRegistry"] == "registry.example.com/all"
    (container,) = collector(graph)["containers"]
    assert container["image"].startswith("registry.example.com/all/otel/")
