"""Jobs on GPUs that pods share: one share and one process for a pod."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import ONPREM_TRAINING, changed

from penstock import description
from penstock.core.errors import ImpossibleJob
from penstock.jobs import JobRequest, job_manifests
from penstock.platform import Platform
from penstock.testing import rehearse

WAYS = [{"mig": "1g.10gb"}, {"time_slicing": 4}, {"mps": 4}]


def sharing(way: Mapping[str, object], **fields: object) -> dict[str, Any]:
    """The platform on premises, with one pool of GPUs, which pods share."""
    pool = {"name": "shares", "accelerator": "h100", "nodes": 2, "labels": {"example.com/pool": "shares"}}
    only = changed("node_pools", [{**pool, "sharing": dict(way)}], changed("storage", [], ONPREM_TRAINING))
    return changed("addons", fields, only)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_pod_takes_one_share_and_runs_one_process(way: Mapping[str, object]) -> None:
    manifests = job_manifests(description.parse(sharing(way)), JobRequest())

    (job,) = (each for each in manifests if each["kind"] == "Job")
    (container,) = job["spec"]["template"]["spec"]["containers"]
    shares = {name: count for name, count in container["resources"]["limits"].items() if name.startswith("nvidia.com/")}
    assert list(shares.values()) == ["1"]
    assert "--nproc-per-node=1" in " ".join(container["command"])


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_runtimes_and_templates_take_one_share(way: Mapping[str, object]) -> None:
    run = rehearse(lambda: Platform(description.parse(sharing(way, training={}, ray={}))))

    (runtime,) = run.graph.of_type("kubernetes:trainer.kubeflow.org/v1alpha1:ClusterTrainingRuntime")
    (part,) = runtime.inputs["spec"]["template"]["spec"]["replicatedJobs"]
    limits = part["template"]["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]
    maps = run.graph.of_type("kubernetes:core/v1:ConfigMap")
    (ray,) = (each.inputs["data"]["raycluster.json"] for each in maps if "raycluster.json" in each.inputs["data"])
    assert [count for name, count in limits.items() if name.startswith("nvidia.com/")] == ["1"]
    assert '"nvidia.com/' in ray
    assert [line for line in ray.splitlines() if '"nvidia.com/' in line and '"1"' not in line] == []


def test_pods_that_share_gpus_do_not_train_together() -> None:
    with pytest.raises(ImpossibleJob, match="neither over NVLink nor over the fabric"):
        job_manifests(description.parse(sharing({"time_slicing": 4})), JobRequest(nodes=2))
