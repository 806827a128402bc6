"""Device plugins: one advertiser for each device, on every node that has it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import ANYWHERE, GPU, cluster, container, gpus, plain, release, with_efa
from tests.rulecases import Case, Program, check

from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import CONFIG_MAP, DAEMON_SET

OTHER: Program = {"it": (CONFIG_MAP, {})}
OPERATOR = release("gpu-operator", "a-operator")
EFA_PLUGIN = "aws-efa-k8s-device-plugin"
LABEL = {"nvidia.com/gpu.present": "true"}
BOTTLEROCKET = gpus(amiType="BOTTLEROCKET_x86_64_NVIDIA")
TRAINIUM = {
    "amiType": "AL2023_x86_64_NEURON",
    "instanceTypes": ["trn2.48xlarge"],
    "taints": [{"key": "aws.amazon.com/neuron", "value": "present", "effect": "NO_SCHEDULE"}],
}
OWN_TAINT = [{"key": "team", "value": "research", "effect": "NO_SCHEDULE"}]


def on(program: Program, **group: Any) -> Program:
    """A program beside a cluster with one GPU pool."""
    return {**cluster(system=plain(), train=gpus() | group), **program}


def valued(chart: str = "nvidia-device-plugin", version: str = "", **values: Any) -> Program:
    """A release with values."""
    return release(chart, values=values, **({"version": version} if version else {}))


def daemon_set(image: str) -> Program:
    """A plugin that is installed by hand."""
    spec = {"template": {"spec": {"containers": [container(image=image)]}}}
    return {"a-plugin": (DAEMON_SET, {"metadata": {"name": "plugin"}, "spec": spec})}


CASES = [
    Case("k8s-device-single-advertiser", Outcome.PASS, release()),
    Case("k8s-device-single-advertiser", Outcome.PASS, {**release(EFA_PLUGIN, "efa"), **release()}),
    Case(
        "k8s-device-single-advertiser",
        Outcome.PASS,
        {**release("gpu-operator", "a-operator", values={"devicePlugin": {"enabled": False}}), **release()},
    ),
    Case("k8s-device-single-advertiser", Outcome.PASS, {**release("nvidia-dra-driver-gpu", "a-driver"), **release()}),
    Case("k8s-device-single-advertiser", Outcome.FAIL, {**OPERATOR, **release()}, path="chart", says="gpu-operator"),
    Case(
        "k8s-device-single-advertiser",
        Outcome.FAIL,
        {**release("nvidia-dra-driver-gpu", "a-driver", values={"gpuResourcesEnabledOverride": True}), **release()},
        path="chart",
        says="nvidia-dra-driver-gpu",
    ),
    Case(
        "k8s-device-single-advertiser",
        Outcome.FAIL,
        {**daemon_set("nvcr.io/nvidia/k8s-device-plugin:v0.20.0"), **release()},
        path="chart",
        says="a-plugin",
    ),
    Case("k8s-efa-single-driver", Outcome.PASS, release("aws-dranet")),
    Case(
        "k8s-efa-single-driver", Outcome.FAIL, {**release(EFA_PLUGIN, "plugin"), **release("aws-dranet")}, path="chart"
    ),
    Case(
        "k8s-efa-single-driver",
        Outcome.UNKNOWN,
        {**release(EFA_PLUGIN, "plugin", values={"affinity": {"a": 1}}), **release("aws-dranet")},
    ),
    Case("k8s-efa-single-driver", Outcome.NOT_APPLICABLE, release(EFA_PLUGIN)),
    Case("k8s-device-single-advertiser", Outcome.UNKNOWN, {**OPERATOR, **valued(nodeSelector={"pool": "serve"})}),
    Case("k8s-device-single-advertiser", Outcome.NOT_APPLICABLE, release("cert-manager")),
    Case("k8s-gpu-plugin-not-in-image", Outcome.PASS, on(release())),
    Case(
        "k8s-gpu-plugin-not-in-image",
        Outcome.FAIL,
        {**cluster(train=BOTTLEROCKET), **release()},
        path="chart",
        says="train",
    ),
    Case("k8s-gpu-plugin-not-in-image", Outcome.UNKNOWN, release()),
    Case(
        "k8s-gpu-plugin-not-in-image",
        Outcome.UNKNOWN,
        {**cluster(train=BOTTLEROCKET), **valued(affinity={"nodeAffinity": {}, "x": 1})},
    ),
    Case("k8s-gpu-plugin-not-in-image", Outcome.NOT_APPLICABLE, on(release("cert-manager"))),
    Case(
        "k8s-gpu-operator-driver-off",
        Outcome.PASS,
        on(valued("gpu-operator", driver={"enabled": False}, toolkit={"enabled": False})),
    ),
    Case(
        "k8s-gpu-operator-driver-off",
        Outcome.FAIL,
        on(release("gpu-operator")),
        path="values.driver.enabled",
        says="brings its own",
    ),
    Case(
        "k8s-gpu-operator-driver-off",
        Outcome.FAIL,
        on(valued("gpu-operator", driver={"enabled": False})),
        path="values.toolkit.enabled",
    ),
    Case("k8s-gpu-operator-driver-off", Outcome.UNKNOWN, release("gpu-operator")),
    Case("k8s-gpu-operator-driver-off", Outcome.NOT_APPLICABLE, on(release())),
    Case("k8s-device-plugin-tolerates-taints", Outcome.PASS, on(release())),
    Case("k8s-device-plugin-tolerates-taints", Outcome.PASS, on(valued(tolerations=ANYWHERE), taints=OWN_TAINT)),
    Case(
        "k8s-device-plugin-tolerates-taints", Outcome.PASS, {**with_efa(), **valued(EFA_PLUGIN, tolerations=ANYWHERE)}
    ),
    Case(
        "k8s-device-plugin-tolerates-taints",
        Outcome.FAIL,
        on(release(), taints=OWN_TAINT),
        path="values.tolerations",
        says="team=research",
    ),
    Case(
        "k8s-device-plugin-tolerates-taints",
        Outcome.FAIL,
        {**with_efa(), **release(EFA_PLUGIN)},
        path="values.tolerations",
        says=GPU,
    ),
    Case(
        "k8s-device-plugin-tolerates-taints",
        Outcome.FAIL,
        {**with_efa(), **release(EFA_PLUGIN)},
        path="values.tolerations",
        preview=True,
    ),
    Case("k8s-device-plugin-tolerates-taints", Outcome.FAIL, on(valued(tolerations=[])), path="values.tolerations"),
    Case(
        "k8s-device-plugin-tolerates-taints",
        Outcome.FAIL,
        on(release("gpu-operator"), taints=OWN_TAINT),
        path="values.daemonsets.tolerations",
    ),
    Case("k8s-device-plugin-tolerates-taints", Outcome.UNKNOWN, release()),
    Case(
        "k8s-device-plugin-tolerates-taints",
        Outcome.UNKNOWN,
        {**cluster(train=TRAINIUM), **release("neuron-helm-chart")},
    ),
    Case("k8s-device-plugin-tolerates-taints", Outcome.NOT_APPLICABLE, on(OTHER)),
    Case("k8s-nvidia-plugin-node-labels", Outcome.PASS, on(valued(gfd={"enabled": True}))),
    Case("k8s-nvidia-plugin-node-labels", Outcome.PASS, on(release(), labels=LABEL)),
    Case("k8s-nvidia-plugin-node-labels", Outcome.PASS, {**on(release()), **release("node-feature-discovery", "nfd")}),
    Case("k8s-nvidia-plugin-node-labels", Outcome.FAIL, on(release()), path="values.gfd.enabled", says="gpu.present"),
    Case("k8s-nvidia-plugin-node-labels", Outcome.UNKNOWN, release()),
    Case("k8s-nvidia-plugin-node-labels", Outcome.NOT_APPLICABLE, on(release(version="0.14.5"))),
    Case("k8s-nvidia-plugin-node-labels", Outcome.NOT_APPLICABLE, on(valued(affinity={"nodeAffinity": {}}))),
    Case("k8s-nvidia-plugin-leaves-efa", Outcome.PASS, {**with_efa(), **release(version="0.19.3")}),
    Case("k8s-nvidia-plugin-leaves-efa", Outcome.PASS, {**with_efa(), **valued(version="0.19.1", mofedEnabled=False)}),
    Case("k8s-nvidia-plugin-leaves-efa", Outcome.PASS, on(release(version="0.19.1"))),
    Case(
        "k8s-nvidia-plugin-leaves-efa",
        Outcome.FAIL,
        {**with_efa(), **release(version="0.19.1")},
        path="version",
        says="0.19.3",
    ),
    Case("k8s-nvidia-plugin-leaves-efa", Outcome.UNKNOWN, release(version="0.19.1")),
    Case("k8s-nvidia-plugin-leaves-efa", Outcome.NOT_APPLICABLE, {**with_efa(), **release()}),
    Case(
        "k8s-efa-plugin-version-p6",
        Outcome.PASS,
        on(release(EFA_PLUGIN, version="v0.5.30"), instanceTypes=["p6-b200.48xlarge"]),
    ),
    Case("k8s-efa-plugin-version-p6", Outcome.PASS, on(release(EFA_PLUGIN, version="v0.5.3"))),
    Case(
        "k8s-efa-plugin-version-p6",
        Outcome.FAIL,
        on(release(EFA_PLUGIN, version="v0.5.3"), instanceTypes=["p6-b200.48xlarge"]),
        path="version",
        says="0.5.10",
    ),
    Case("k8s-efa-plugin-version-p6", Outcome.UNKNOWN, release(EFA_PLUGIN, version="v0.5.3")),
    Case("k8s-efa-plugin-version-p6", Outcome.NOT_APPLICABLE, release(version="0.20.0")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_plugins_says_what_the_nodes_would_show(case: Case) -> None:
    check(case)
