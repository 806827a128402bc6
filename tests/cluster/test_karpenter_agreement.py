"""Our rules and Karpenter itself decide alike about pods in clusters with NodePools, over all such cases."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

import pytest
from tests.cluster import agreement, simulated_machines
from tests.cluster.agreement import Decision, decidable, deciders, explained
from tests.cluster.api import Object
from tests.cluster.control_plane import ControlPlane
from tests.cluster.nodes import join, node_objects
from tests.cluster.objects import NotWritten, manifests
from tests.cluster.simulated_machines import on_simulated_machines, started
from tests.programs import IT
from tests.rules.cases import RuleCase

from penstock.aws.facts.machines import AwsMachine
from penstock.aws.types import EKS_CLUSTER
from penstock.catalog import machines
from penstock.graph.view import Site, View
from penstock.kubernetes.model.pools import TYPES
from penstock.kubernetes.rules import nodes
from penstock.kubernetes.rules.types import POD

LACKING = simulated_machines.missing()

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

ZONES: Final = ("us-east-1a", "us-east-1b")
FOREIGN: Final = ("karpenter.k8s.aws", "eks.amazonaws.com", "karpenter.azure.com")
"""Domains of labels that only the provider of a cloud knows."""
DEVICES: Final = {"gpu": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}
PATIENCE_S: Final = 60


@pytest.fixture(scope="module")
def karpenter(asked_cluster: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> ControlPlane:
    """A control plane with Karpenter, which starts any machine type of the catalogue."""
    sold = [machine(each.machine_type) for each in machines.machine_types(AwsMachine)]
    simulated_machines.start(asked_cluster, tmp_path_factory.mktemp("karpenter"), sold)
    return asked_cluster


def machine(name: str) -> dict[str, Any]:
    found = machines.find_machine(name, AwsMachine)
    devices = {DEVICES[found.accelerator_kind]: str(found.accelerators)} if found.accelerator_kind in DEVICES else {}
    resources = {"cpu": str(found.vcpu), "memory": f"{int(found.ram_gib)}Gi", **devices}
    if found.efa_max:
        resources["vpc.amazonaws.com/efa"] = str(found.efa_max)
    return simulated_machines.machine(name, resources, ways=("on-demand", "spot"), zones=ZONES)


def cases() -> Iterator[tuple[str, RuleCase]]:
    """The cases about single pods in EKS clusters with NodePools."""
    for name, case in decidable("scheduler"):
        types = {type_ for type_, _ in case.program.values()}
        if EKS_CLUSTER in types and types & {*TYPES} and case.program.get(IT, ("",))[0] == POD:
            yield name, case


def test_karpenter_decides_as_the_rules_foresee(karpenter: ControlPlane, capsys: pytest.CaptureFixture[str]) -> None:
    decisions = [decide(karpenter, name, case) for name, case in cases()]

    with capsys.disabled():
        print(f"\n{agreement.table(decisions)}")  # noqa: T201 - what a person runs these tests for
        for each in decisions:
            if each.undecided or each.differs:
                print(f"{each.name}: {each.undecided or each.words or 'Karpenter has no trouble with it'}")  # noqa: T201
    assert {each.name for each in decisions if each.differs} - set(explained()) == set()


def decide(cluster: ControlPlane, name: str, case: RuleCase) -> Decision:
    """What Karpenter makes of a case."""
    scheduling = [rule for rule, decider in deciders().items() if decider == "scheduler"]
    predicted = any(agreement.fails(case, rule) for rule in scheduling)
    try:
        objects = [manifest for _, manifest in manifests(case.graph)]
    except NotWritten:
        return Decision(case, name, predicted, None, "a value is not known before the program runs")
    if any(f"{domain}/" in str(each.get("spec")) for each in objects for domain in FOREIGN):
        return Decision(case, name, predicted, None, "simulated machines lack labels of the cloud")
    return Decision(case, name, predicted, words(cluster, case, objects))


def words(cluster: ControlPlane, case: RuleCase, objects: list[Object]) -> str:
    """Karpenter's words about a pod that it starts no machine for; empty for one that runs."""
    graph = case.graph
    view = View(graph[case.urn], Site(graph))
    others = [offer for offer in nodes.offers(view) if offer.pool.type not in TYPES]
    pools = [on_simulated_machines(each) for each in objects if each["kind"] in ("NodePool", "NodeOverlay")]
    (pod,) = (each for each in objects if each["kind"] == "Pod")
    pod = {**pod, "metadata": {**pod["metadata"], "namespace": "default"}}
    try:
        join(cluster.api, node_objects(others))
        for each in pools:
            cluster.api.create(each)
        awaits(cluster, pools)
        cluster.api.create(pod)
        return answer(cluster, pod)
    finally:
        clear(cluster, pod, pools)


def awaits(cluster: ControlPlane, pools: list[Object]) -> None:
    """Wait until Karpenter takes pools into account."""
    for each in pools:
        for _ in range(PATIENCE_S):
            conditions = (cluster.api.find(each) or {}).get("status", {}).get("conditions", [])
            if any(one["type"] == "Ready" and one["status"] == "True" for one in conditions):
                break
            time.sleep(0.5)


def answer(cluster: ControlPlane, pod: Object) -> str:
    """Return nothing if a pod gets a node or a machine, and else the words of Karpenter's event."""
    for _ in range(PATIENCE_S * 2):
        found = cluster.api.find(pod)
        # Nobody takes a startup taint off a simulated machine, so that its pod stays where it is.
        if started(cluster) or (found is not None and found["spec"].get("nodeName")):
            return ""
        for event in cluster.api.objects("v1", "Event", "default"):
            about = event["involvedObject"].get("uid") == (found or {}).get("metadata", {}).get("uid")
            by = event.get("source", {}).get("component") or event.get("reportingComponent")
            if about and by == "karpenter" and event["reason"] == "FailedScheduling":
                return str(event["message"])
        time.sleep(0.5)
    return "Karpenter has started no machine, and has not said why"


def clear(cluster: ControlPlane, pod: Object, pools: list[Object]) -> None:
    """Take everything away that a case brought, and what Karpenter started for it."""
    cluster.api.delete(pod, grace_s=0)
    for each in pools:
        cluster.api.delete(each)
    for _ in range(PATIENCE_S):
        for claim in cluster.api.objects("karpenter.sh/v1", "NodeClaim"):
            cluster.api.delete({"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", **claim})
        for node in cluster.api.objects("v1", "Node"):
            cluster.api.delete({"apiVersion": "v1", "kind": "Node", **node})
        if not started(cluster) and not cluster.api.objects("karpenter.sh/v1", "NodeClaim"):
            return
        time.sleep(0.5)
