"""The cache of jobs: local NVMe at /mnt/cache, on pools whose nodes hand it to the kubelet."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed

from penstock.description import parse
from penstock.jobs import JobRequest, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse

LABELLED = changed("node_pools.0.labels", {"penstock.dev/local-nvme": "true"}, ONPREM_TRAINING)
NO_FABRIC = changed("storage.1.fabric", "none", changed("node_pools.1.fabric", "none", TRAINING))


def on_aws(accelerator: str, **pool: Any) -> dict[str, Any]:
    small = {"name": "train", "accelerator": accelerator, "nodes": 1, **pool}
    return changed("node_pools.1", small, NO_FABRIC)


def caches(description: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The volumes that the pods of a job mount at /mnt/cache."""
    printed = job_manifests(parse(description), JobRequest())
    (pod,) = (each["spec"]["template"]["spec"] for each in printed if each["kind"] == "Job")
    (container,) = pod["containers"]
    named = {each["name"] for each in container["volumeMounts"] if each["mountPath"] == "/mnt/cache"}
    return [each for each in pod["volumes"] if each["name"] in named]


def test_a_job_gets_most_of_the_local_disks_and_not_all() -> None:
    (cache,) = caches(TRAINING)

    # p5.48xlarge has 30.4 TB, which are 28312 GiB.
    assert 20_000 < int(cache["emptyDir"]["sizeLimit"].removesuffix("Gi")) < 28_312


def test_local_ssds_that_are_chosen_are_a_cache_and_none_are_none() -> None:
    chosen = {"name": "train", "accelerator": "l4", "nodes": 1, "machine_type": "g2-standard-48"}
    described = changed("node_pools.1", chosen, GCP_TRAINING)

    assert caches(described) == []
    (cache,) = caches(changed("node_pools.1.gcp", {"local_ssds": 4}, described))
    assert cache["emptyDir"] == {"sizeLimit": "1125Gi"}


def test_nodes_that_exist_say_by_a_label_that_they_have_one() -> None:
    assert caches(ONPREM_TRAINING) == []
    (cache,) = caches(LABELLED)
    assert cache["emptyDir"] == {}


def test_storage_called_cache_is_another_volume() -> None:
    nfs = {"name": "cache", "kind": "nfs", "server": "nfs.lan", "path": "/exports/cache"}
    printed = job_manifests(parse(changed("storage", [nfs], LABELLED)), JobRequest())

    (pod,) = (each["spec"]["template"]["spec"] for each in printed if each["kind"] == "Job")
    names = [each["name"] for each in pod["volumes"]]
    assert len(set(names)) == len(names)
    assert {each["mountPath"] for each in pod["containers"][0]["volumeMounts"]} > {"/cache", "/mnt/cache"}


@pytest.mark.parametrize("accelerator", ["h100", "l4", "t4"])
def test_nodes_on_aws_make_one_array_of_the_disks_that_jobs_are_promised(accelerator: str) -> None:
    described = on_aws(accelerator, capacity="on_demand")
    graph = rehearse(lambda: Platform(parse(described))).graph

    told = [
        base64.b64decode(each.inputs["userData"]).decode()
        for each in graph.of_type("aws:ec2/launchTemplate:LaunchTemplate")
        if each.name.endswith("train") and "userData" in each.inputs
    ]
    assert any("RAID0" in each for each in told) is bool(caches(described))


def test_nodes_on_google_cloud_keep_what_pods_write_on_the_disks_that_jobs_are_promised() -> None:
    graph = rehearse(lambda: Platform(parse(GCP_TRAINING))).graph

    promised = bool(caches(GCP_TRAINING))
    configs = [each.inputs.get("nodeConfig", {}) for each in graph.of_type("gcp:container/nodePool:NodePool")]
    assert promised
    assert any(each.get("ephemeralStorageLocalSsdConfig", {}).get("localSsdCount") for each in configs)
