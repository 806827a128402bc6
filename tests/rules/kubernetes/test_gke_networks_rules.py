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
    Case("K8S-FABRIC-001", Outcome.PASS, parameters()),
    Case("K8S-FABRIC-001", Outcome.PASS, parameters(deviceMode=None, podIPv4Ranges={"rangeNames": ["pods"]})),
    Case("K8S-FABRIC-001", Outcome.FAIL, parameters(vpcSubnet=None), "spec.vpc", "Give vpcSubnet too"),
    Case("K8S-FABRIC-001", Outcome.FAIL, parameters(deviceMode="netdevice"), "spec.deviceMode", "Use NetDevice"),
    Case("K8S-FABRIC-001", Outcome.FAIL, parameters(deviceMode=None), "spec.deviceMode", "neither"),
    Case("K8S-FABRIC-001", Outcome.UNKNOWN, parameters(deviceMode=UNKNOWN)),
    Case("K8S-FABRIC-001", Outcome.NOT_APPLICABLE, parameters(vpc=None, networkAttachment="a")),
    Case("K8S-FABRIC-002", Outcome.PASS, on(deviceMode="RDMA")),
    Case("K8S-FABRIC-002", Outcome.PASS, on(network=None)),
    Case("K8S-FABRIC-002", Outcome.FAIL, on(), "spec.deviceMode", "Use RDMA"),
    Case("K8S-FABRIC-002", Outcome.FAIL, on(), "spec.deviceMode", "Use RDMA", preview=True),
    Case("K8S-FABRIC-002", Outcome.FAIL, on(network=None, deviceMode="RDMA"), "spec.deviceMode", "Use NetDevice"),
    Case("K8S-FABRIC-002", Outcome.UNKNOWN, parameters()),
    Case("K8S-FABRIC-002", Outcome.NOT_APPLICABLE, on(deviceMode="rdma")),
    Case("K8S-FABRIC-003", Outcome.PASS, wired()),
    Case("K8S-FABRIC-003", Outcome.PASS, wired(), preview=True),
    Case("K8S-FABRIC-003", Outcome.FAIL, wired(Ref("other-sub", "name")), "spec.vpcSubnet", "no node pool"),
    Case("K8S-FABRIC-003", Outcome.UNKNOWN, {**gke(train=gpus()), **parameters()}),
    Case("K8S-FABRIC-003", Outcome.NOT_APPLICABLE, parameters(vpcSubnet=None)),
    Case("K8S-FABRIC-004", Outcome.PASS, {**parameters("a-first", vpcSubnet="other"), **parameters()}),
    Case("K8S-FABRIC-004", Outcome.FAIL, {**parameters("a-first"), **parameters()}, "spec.vpcSubnet", "a-first"),
    Case(
        "K8S-FABRIC-004",
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
    Case("K8S-FABRIC-004", Outcome.UNKNOWN, {**parameters("a-first", vpcSubnet=UNKNOWN), **parameters()}),
    Case("K8S-FABRIC-004", Outcome.NOT_APPLICABLE, parameters(vpcSubnet=None)),
    Case("K8S-FABRIC-005", Outcome.PASS, {**parameters("p"), **network_object(resource="it")}),
    Case(
        "K8S-FABRIC-005",
        Outcome.FAIL,
        {
            **parameters("p"),
            "it": (NETWORK, {"metadata": {"name": "n"}, "spec": {"parametersRef": {"kind": "Params", "name": "n"}}}),
        },
        "spec.parametersRef.kind",
        "Use GKENetworkParamSet",
    ),
    Case(
        "K8S-FABRIC-005",
        Outcome.FAIL,
        {**parameters("p"), **network_object(resource="it", parameters="tcpxo-1")},
        "spec.parametersRef.name",
        "There are: tcpxo-eth1",
    ),
    Case("K8S-FABRIC-005", Outcome.UNKNOWN, network_object(resource="it")),
    Case("K8S-FABRIC-005", Outcome.NOT_APPLICABLE, {"it": (NETWORK, {"spec": {"type": "L3"}})}),
    Case("K8S-FABRIC-006", Outcome.PASS, asking("tcpxo-eth1")),
    Case("K8S-FABRIC-006", Outcome.PASS, pod(metadata=interfaces())),
    Case("K8S-FABRIC-006", Outcome.FAIL, asking("vpc1"), "metadata.annotations", "There are: default, tcpxo-eth1"),
    Case("K8S-FABRIC-006", Outcome.FAIL, pod(metadata=annotated("[")), "metadata.annotations", "JSON"),
    Case("K8S-FABRIC-006", Outcome.FAIL, pod(metadata=annotated("[1]")), "metadata.annotations", "JSON"),
    Case(
        "K8S-FABRIC-006",
        Outcome.FAIL,
        pod(metadata=annotated([{"interfaceName": "eth0", "network": "default"}] * 2)),
        "metadata.annotations",
        "two interfaces are called eth0",
    ),
    Case(
        "K8S-FABRIC-006",
        Outcome.FAIL,
        {**network_object(), **trainer(metadata=interfaces("vpc1"))},
        "spec.template.metadata.annotations",
        "vpc1",
    ),
    Case("K8S-FABRIC-006", Outcome.UNKNOWN, pod(metadata=interfaces("vpc1"))),
    Case("K8S-FABRIC-006", Outcome.NOT_APPLICABLE, pod()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_networks_says_what_gke_would(case: Case) -> None:
    check(case)
