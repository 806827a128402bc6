"""GKE's node pools as the scheduler sees them: their labels, their taints, and what they bring by themselves."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gkemanifests import chips, gke, gpus, plain, slices, tpus, trainer
from tests.manifests import ANYWHERE, cluster, container, deployment, limited, pod, release
from tests.manifests import plain as eks
from tests.rulecases import Case, Program, check

from penstock.resources.verdict import Outcome

GPUS = gke(system=plain(), train=gpus())
TPUS = gke(system=plain(), train=tpus())
ARM = {"a4x": gpus("a4x-highgpu-4g", networks=5) | {"nodeConfig": {"machineType": "a4x-highgpu-4g"}}}


def selecting(**labels: str) -> Program:
    """A pod that selects its node, by labels of cloud.google.com."""
    selector = {f"cloud.google.com/{key.replace('_', '-')}": value for key, value in labels.items()}
    return pod(nodeSelector=selector, tolerations=ANYWHERE)


def pool(**config: Any) -> dict[str, Any]:
    """A pool of plain machines with more in its node configuration."""
    return plain(nodeConfig={"machineType": "e2-standard-8", **config})


def disabled(**labels: str) -> dict[str, Any]:
    """A pool of GPUs that is left to others: GKE installs no driver, and with a label no plugin."""
    found = gpus()
    found["nodeConfig"]["guestAccelerators"][0]["gpuDriverInstallationConfig"] = {
        "gpuDriverVersion": "INSTALLATION_DISABLED"
    }
    found["nodeConfig"]["labels"] = labels
    return found


def inline(**pools: dict[str, Any]) -> Program:
    """A cluster that describes its node pools itself."""
    program = gke()
    type_, inputs = program["cluster"]
    own = [{"name": name, **inputs_} for name, inputs_ in pools.items()]
    return {**program, "cluster": (type_, {**inputs, "removeDefaultNodePool": None, "nodePools": own})}


JOBS = "spec.replicatedJobs[0].template.spec.template.spec"


def restarted(policy: str) -> Program:
    """A JobSet whose pods are restarted in this way."""
    program = slices(4)
    program["it"][1]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]["restartPolicy"] = policy
    return program


CASES = [
    Case("k8s-pod-node-labels-exist", Outcome.PASS, {**inline(train=gpus()), **selecting(gke_nodepool="train")}),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.FAIL,
        {**inline(train=gpus()), **selecting(gke_nodepool="trian")},
        "spec.nodeSelector",
        "gke-nodepool=train",
    ),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.FAIL,
        {**GPUS, **selecting(gke_acclerator="nvidia-h100-mega-80gb")},
        "spec.nodeSelector",
        "Did you mean cloud.google.com/gke-accelerator?",
    ),
    Case("k8s-replicas-fit-pools", Outcome.PASS, {**TPUS, **slices(4)}),
    Case("k8s-restart-policy-fits-kind", Outcome.PASS, slices(4)),
    Case(
        "k8s-restart-policy-fits-kind", Outcome.FAIL, restarted("Always"), f"{JOBS}.restartPolicy", "OnFailure or Never"
    ),
    Case(
        "k8s-replicas-fit-pools",
        Outcome.FAIL,
        {**TPUS, **slices(4, replicas=2)},
        "spec.replicatedJobs[0]",
        "room for 4 of these 8",
    ),
    Case("k8s-pod-node-labels-exist", Outcome.PASS, {**GPUS, **selecting(gke_accelerator="nvidia-h100-mega-80gb")}),
    Case("k8s-pod-node-labels-exist", Outcome.PASS, {**GPUS, **selecting(gke_nodepool="train")}),
    Case("k8s-pod-node-labels-exist", Outcome.PASS, {**TPUS, **chips()}),
    Case("k8s-pod-node-labels-exist", Outcome.PASS, {**gke(a=pool(spot=True)), **selecting(gke_spot="true")}),
    Case("k8s-pod-node-labels-exist", Outcome.PASS, {**gke(a=pool()), **selecting(gke_provisioning="standard")}),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.FAIL,
        {**gke(a=pool()), **selecting(gke_spot="true")},
        "spec.nodeSelector",
        "no pool",
    ),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.FAIL,
        {**GPUS, **selecting(gke_accelerator="nvidia-h100-80gb")},
        "spec.nodeSelector",
        "gke-accelerator=nvidia-h100-mega-80gb",
    ),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.FAIL,
        {**gke(system=plain(), train=tpus(topology="4x8", nodes=8)), **chips()},
        "spec.template.spec.nodeSelector",
        "gke-tpu-topology=4x8",
    ),
    Case("k8s-pod-node-labels-exist", Outcome.UNKNOWN, {**GPUS, **selecting(gke_local_nvme_ssd="true")}),
    Case(
        "k8s-pod-node-labels-exist",
        Outcome.UNKNOWN,
        {**gke(a=pool(flexStart=True)), **selecting(gke_provisioning="spot")},
    ),
    Case("k8s-pod-requests-fit-node", Outcome.PASS, {**GPUS, **trainer(gpu="8")}),
    Case(
        "k8s-pod-requests-fit-node",
        Outcome.FAIL,
        {**GPUS, **trainer(gpu="16")},
        "spec.template.spec.containers",
        "has 8",
    ),
    Case("k8s-pod-requests-fit-node", Outcome.FAIL, {**GPUS, **pod(limited(efa="1"))}, "spec.containers", "has 0"),
    Case("k8s-pod-tolerates-pool-taints", Outcome.PASS, {**GPUS, **trainer()}),
    Case("k8s-pod-tolerates-pool-taints", Outcome.PASS, {**TPUS, **chips()}),
    Case(
        "k8s-pod-tolerates-pool-taints",
        Outcome.FAIL,
        {**GPUS, **pod(nodeSelector={"cloud.google.com/gke-nodepool": "train"})},
        "spec.tolerations",
        "nvidia.com/gpu=present:NoSchedule",
    ),
    Case(
        "k8s-pod-tolerates-pool-taints",
        Outcome.FAIL,
        {**gke(**ARM), **trainer(gpu="4")},
        "spec.template.spec.tolerations",
        "kubernetes.io/arch=arm64:NoSchedule",
    ),
    Case(
        "k8s-pod-tolerates-pool-taints",
        Outcome.FAIL,
        {**gke(a=plain(queuedProvisioning={"enabled": True})), **pod()},
        "spec.tolerations",
        "cloud.google.com/gke-queued",
    ),
    Case(
        "k8s-pod-tolerates-pool-taints",
        Outcome.FAIL,
        {**gke(a=pool(taints=[{"key": "team", "value": "ml", "effect": "NO_EXECUTE"}])), **pod()},
        "spec.tolerations",
        "team=ml:NoExecute",
    ),
    Case("k8s-pod-devices-advertised", Outcome.PASS, {**GPUS, **trainer()}),
    Case("k8s-pod-devices-advertised", Outcome.PASS, {**TPUS, **chips()}),
    Case(
        "k8s-pod-devices-advertised",
        Outcome.FAIL,
        {**gke(a=plain()), **pod(limited(gpu="1"))},
        "spec.containers",
        "advertises",
    ),
    Case(
        "k8s-gpu-plugin-not-in-image",
        Outcome.PASS,
        {**gke(a=disabled(**{"gke-no-default-nvidia-gpu-device-plugin": "true"})), **release()},
    ),
    Case(
        "k8s-gpu-plugin-not-in-image",
        Outcome.FAIL,
        {**GPUS, **release()},
        "chart",
        "gke-no-default-nvidia-gpu-device-plugin",
    ),
    Case(
        "k8s-gpu-operator-driver-off",
        Outcome.FAIL,
        {**GPUS, **release("gpu-operator")},
        "values.driver.enabled",
        "driver.enabled",
    ),
    Case(
        "k8s-gpu-operator-driver-off",
        Outcome.PASS,
        {**GPUS, **release("gpu-operator", values={"driver": {"enabled": False}})},
    ),
    Case("k8s-gpu-operator-driver-off", Outcome.NOT_APPLICABLE, {**gke(a=disabled()), **release("gpu-operator")}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_holds_of_any_cluster_holds_of_gke(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    "inputs",
    [
        {"enableAutopilot": True},
        {"removeDefaultNodePool": False},
        {"clusterAutoscaling": {"enabled": True}},
    ],
    ids=["autopilot", "the default pool", "automatic pools"],
)
def test_nobody_knows_the_nodes_that_gke_makes_of_its_own(inputs: dict[str, Any]) -> None:
    program = dict(GPUS)
    type_, own = program["cluster"]
    program["cluster"] = (type_, {**own, **inputs})

    check(Case("k8s-pod-node-labels-exist", Outcome.UNKNOWN, {**program, **selecting(gke_nodepool="other")}))


def test_a_server_may_ask_for_nodes_without_a_label_that_gke_did_not_set() -> None:
    term = {"matchExpressions": [{"key": "cloud.google.com/gke-spot", "operator": "DoesNotExist"}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    spot = {**gke(a=pool(spot=True)), **pod(affinity={"nodeAffinity": required})}
    standard = {**gke(a=pool()), **pod(affinity={"nodeAffinity": required})}

    check(Case("k8s-pod-node-labels-exist", Outcome.FAIL, spot, "spec.affinity"))
    check(Case("k8s-pod-node-labels-exist", Outcome.PASS, standard))


def test_a_pool_of_a_region_has_its_nodes_in_each_of_its_zones() -> None:
    template = {"metadata": {"labels": {"app": "it"}}, "spec": {"containers": [limited(gpu="8")]}}
    each_zone = gpus() | {"autoscaling": {"maxNodeCount": 1}, "nodeLocations": ["us-east4-a", "us-east4-b"]}

    check(Case("k8s-replicas-fit-pools", Outcome.PASS, {**gke(a=each_zone), **deployment(template, replicas=2)}))
    check(
        Case(
            "k8s-replicas-fit-pools",
            Outcome.FAIL,
            {**gke(a=each_zone), **deployment(template, replicas=3)},
            "spec.replicas",
        )
    )


def test_an_api_is_gone_by_the_version_of_the_cluster() -> None:
    old = {"it": ("kubernetes:batch/v1beta1:CronJob", {"metadata": {"name": "it"}})}

    check(Case("k8s-api-version-served", Outcome.FAIL, {**gke(a=plain()), **old}, "apiVersion", "batch/v1"))
    check(Case("k8s-api-version-served", Outcome.FAIL, {**gke(version="latest", a=plain()), **old}, "apiVersion"))


def test_labels_of_one_cloud_are_on_no_node_of_another() -> None:
    on_eks = {**cluster(a=eks()), **selecting(gke_accelerator="nvidia-h100-80gb")}
    on_gke = {**gke(a=plain()), **pod(nodeSelector={"eks.amazonaws.com/compute-type": "ec2"})}

    check(Case("k8s-pod-node-labels-exist", Outcome.FAIL, on_eks, "spec.nodeSelector"))
    check(Case("k8s-pod-node-labels-exist", Outcome.FAIL, on_gke, "spec.nodeSelector"))


def test_plain_pods_are_free_to_run_where_no_accelerators_are() -> None:
    check(
        Case(
            "k8s-pod-tolerates-pool-taints",
            Outcome.PASS,
            {**GPUS, **pod(container(resources={"requests": {"cpu": "1"}}))},
        )
    )
