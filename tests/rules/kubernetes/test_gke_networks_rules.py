"""What GKE makes of networks as objects: where they are, how pods get them, and what pods may ask for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gkemanifests import annotated, gke, gpus, interfaces, network_object, parameters, trainer, vpc
from tests.manifests import pod
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.kubernetes.types import NETWORK


def on(network: str | None = "us-east4-a-vpc-roce", **spec: Any) -> Program:
    """Parameters of a network whose VPC the program makes."""
    return {**vpc(profile=network), **parameters(vpc=Ref("fabric-0", "name"), **spec)}


def wired(subnetwork: Any = None, **spec: Any) -> Program:
    """Parameters of a network beside a pool that has an interface in a subnetwork."""
    pool = gpus(networks=0)
    own = {"network": Ref("fabric-0", "name"), "subnetwork": subnetwork or Ref("fabric-0-sub", "name")}
    pool["networkConfig"] = {"additionalNodeNetworkConfigs": [own]}
    inner = {"vpcSubnet": Ref("fabric-0-sub", "name")} | spec
    program = {**vpc(), **vpc("other"), **gke(train=pool), **parameters(**inner)}
    return {**program}


def asking(*networks: str, **spec: Any) -> Program:
    """A pod beside one network object."""
    return {**network_object(), **pod(metadata=interfaces(*networks), **spec)}


CASES = [
    Case("k8s-gke-network-params-valid", Outcome.PASS, parameters()),
    Case(
        "k8s-gke-network-params-valid",
        Outcome.PASS,
        parameters(deviceMode=None, podIPv4Ranges={"rangeNames": ["pods"]}),
    ),
    Case("k8s-gke-network-params-valid", Outcome.FAIL, parameters(vpcSubnet=None), "spec.vpc", "Give vpcSubnet too"),
    Case(
        "k8s-gke-network-params-valid",
        Outcome.FAIL,
        parameters(deviceMode="netdevice"),
        "spec.deviceMode",
        "Use NetDevice",
    ),
    Case("k8s-gke-network-params-valid", Outcome.FAIL, parameters(deviceMode=None), "spec.deviceMode", "neither"),
    Case("k8s-gke-network-params-valid", Outcome.UNKNOWN, parameters(deviceMode=UNKNOWN)),
    Case("k8s-gke-network-params-valid", Outcome.NOT_APPLICABLE, parameters(vpc=None, networkAttachment="a")),
    Case("k8s-gke-device-mode-fits-vpc", Outcome.PASS, on(deviceMode="RDMA")),
    Case("k8s-gke-device-mode-fits-vpc", Outcome.PASS, on(network=None)),
    Case("k8s-gke-device-mode-fits-vpc", Outcome.FAIL, on(), "spec.deviceMode", "Use RDMA"),
    Case("k8s-gke-device-mode-fits-vpc", Outcome.FAIL, on(), "spec.deviceMode", "Use RDMA", preview=True),
    Case(
        "k8s-gke-device-mode-fits-vpc",
        Outcome.FAIL,
        on(network=None, deviceMode="RDMA"),
        "spec.deviceMode",
        "Use NetDevice",
    ),
    Case("k8s-gke-device-mode-fits-vpc", Outcome.UNKNOWN, parameters()),
    Case("k8s-gke-device-mode-fits-vpc", Outcome.NOT_APPLICABLE, on(deviceMode="rdma")),
    Case("k8s-gke-subnetwork-on-pool", Outcome.PASS, wired()),
    Case("k8s-gke-subnetwork-on-pool", Outcome.PASS, wired(), preview=True),
    Case("k8s-gke-subnetwork-on-pool", Outcome.FAIL, wired(Ref("other-sub", "name")), "spec.vpcSubnet", "no node pool"),
    Case("k8s-gke-subnetwork-on-pool", Outcome.UNKNOWN, {**gke(train=gpus()), **parameters()}),
    Case("k8s-gke-subnetwork-on-pool", Outcome.NOT_APPLICABLE, parameters(vpcSubnet=None)),
    Case(
        "k8s-gke-subnetwork-single-network", Outcome.PASS, {**parameters("a-first", vpcSubnet="other"), **parameters()}
    ),
    Case(
        "k8s-gke-subnetwork-single-network",
        Outcome.FAIL,
        {**parameters("a-first"), **parameters()},
        "spec.vpcSubnet",
        "a-first",
    ),
    Case(
        "k8s-gke-subnetwork-single-network",
        Outcome.FAIL,
        {
            **vpc(),
            **parameters("a-first", vpcSubnet=Ref("fabric-0-sub", "name")),
            **parameters(vpcSubnet=Ref("fabric-0-sub", "name")),
        },
        "spec.vpcSubnet",
        "a-first",
        preview=True,
    ),
    Case(
        "k8s-gke-subnetwork-single-network",
        Outcome.UNKNOWN,
        {**parameters("a-first", vpcSubnet=UNKNOWN), **parameters()},
    ),
    Case("k8s-gke-subnetwork-single-network", Outcome.NOT_APPLICABLE, parameters(vpcSubnet=None)),
    Case("k8s-gke-network-params-exist", Outcome.PASS, {**parameters("p"), **network_object(resource="it")}),
    Case(
        "k8s-gke-network-params-exist",
        Outcome.FAIL,
        {
            **parameters("p"),
            "it": (NETWORK, {"metadata": {"name": "n"}, "spec": {"parametersRef": {"kind": "Params", "name": "n"}}}),
        },
        "spec.parametersRef.kind",
        "Use GKENetworkParamSet",
    ),
    Case(
        "k8s-gke-network-params-exist",
        Outcome.FAIL,
        {**parameters("p"), **network_object(resource="it", parameters="tcpxo-1")},
        "spec.parametersRef.name",
        "There are: tcpxo-eth1",
    ),
    Case("k8s-gke-network-params-exist", Outcome.UNKNOWN, network_object(resource="it")),
    Case("k8s-gke-network-params-exist", Outcome.NOT_APPLICABLE, {"it": (NETWORK, {"spec": {"type": "L3"}})}),
    Case("k8s-gke-pod-networks-exist", Outcome.PASS, asking("tcpxo-eth1")),
    Case("k8s-gke-pod-networks-exist", Outcome.PASS, pod(metadata=interfaces())),
    Case(
        "k8s-gke-pod-networks-exist",
        Outcome.FAIL,
        asking("vpc1"),
        "metadata.annotations",
        "There are: default, tcpxo-eth1",
    ),
    Case("k8s-gke-pod-networks-exist", Outcome.FAIL, pod(metadata=annotated("[")), "metadata.annotations", "JSON"),
    Case("k8s-gke-pod-networks-exist", Outcome.FAIL, pod(metadata=annotated("[1]")), "metadata.annotations", "JSON"),
    Case(
        "k8s-gke-pod-networks-exist",
        Outcome.FAIL,
        pod(metadata=annotated([{"interfaceName": "eth0", "network": "default"}] * 2)),
        "metadata.annotations",
        "two interfaces are called eth0",
    ),
    Case(
        "k8s-gke-pod-networks-exist",
        Outcome.FAIL,
        {**network_object(), **trainer(metadata=interfaces("vpc1"))},
        "spec.template.metadata.annotations",
        "vpc1",
    ),
    Case("k8s-gke-pod-networks-exist", Outcome.UNKNOWN, pod(metadata=interfaces("vpc1"))),
    Case("k8s-gke-pod-networks-exist", Outcome.NOT_APPLICABLE, pod()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_networks_says_what_gke_would(case: Case) -> None:
    check(case)
