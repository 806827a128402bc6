"""NVLink between machines: NVIDIA's driver starts on GKE, and leaves the GPUs to GKE's own plugin."""

from __future__ import annotations

from penstock.kubernetes import ComputeDomains
from penstock.kubernetes.facts import charts
from penstock.testing import rehearse


def test_gpus_stay_with_the_plugin_of_gke() -> None:
    (release,) = rehearse(lambda: ComputeDomains("it")).graph.of_type("kubernetes:helm.sh/v3:Release")

    assert release.inputs["version"] == charts.find_chart("nvidia-dra-driver-gpu").version
    assert release.inputs["values"]["resources"] == {"gpus": {"enabled": False}}
    assert release.inputs["values"]["nvidiaDriverRoot"] == "/home/kubernetes/bin/nvidia"


def test_the_namespace_takes_critical_pods_before_the_driver_comes() -> None:
    graph = rehearse(lambda: ComputeDomains("it")).graph
    (release,) = graph.of_type("kubernetes:helm.sh/v3:Release")
    (quota,) = graph.of_type("kubernetes:core/v1:ResourceQuota")

    assert quota.inputs["metadata"]["namespace"] == release.inputs["namespace"]
    assert quota.urn in release.dependencies


def test_only_pods_of_the_driver_itself_reach_it() -> None:
    (policy,) = rehearse(lambda: ComputeDomains("it")).graph.of_type("kubernetes:networking.k8s.io/v1:NetworkPolicy")

    assert policy.inputs["spec"]["podSelector"] == {}
    assert policy.inputs["spec"]["ingress"] == [{"from": [{"podSelector": {}}]}]


def test_no_rule_complains_of_the_driver() -> None:
    assert rehearse(lambda: ComputeDomains("it")).findings == ()
