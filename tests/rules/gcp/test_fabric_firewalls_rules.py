"""The way between the machines of a fabric."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, FIREWALL, NETWORK, NODE_POOL, SUBNETWORK

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def joined(nodes: int = 2, machine: str = "a3-highgpu-8g", of: str = "it", **firewall: Any) -> Program:
    """A network of interfaces of a pool, with a firewall rule in it."""
    rule = {"network": Ref(of), "sourceRanges": ["192.168.0.0/16"], "allows": [{"protocol": "tcp"}]}
    wired = {"additionalNodeNetworkConfigs": [{"network": Ref("it"), "subnetwork": Ref("lane")}]}
    return {
        "it": (NETWORK, {}),
        "other": (NETWORK, {}),
        "lane": (SUBNETWORK, {"network": Ref("it"), "ipCidrRange": "192.168.4.0/24"}),
        "rule": (FIREWALL, {**rule, **firewall}),
        "cluster": (CLUSTER, {"location": "us-east4-a"}),
        "pool": (
            NODE_POOL,
            {
                "cluster": Ref("cluster"),
                "nodeCount": nodes,
                "nodeConfig": {"machineType": machine},
                "networkConfig": wired,
            },
        ),
    }


CASES = [
    Case("gcp-fabric-firewall-ingress", PASS, joined()),
    Case("gcp-fabric-firewall-ingress", PASS, joined(), preview=True),
    Case("gcp-fabric-firewall-ingress", PASS, joined(sourceTags=["gpu"], sourceRanges=[])),
    Case("gcp-fabric-firewall-ingress", FAIL, joined(of="other"), says="192.168.4.0/24"),
    Case("gcp-fabric-firewall-ingress", FAIL, joined(sourceRanges=["192.186.0.0/16"]), says="nodes of pool"),
    Case("gcp-fabric-firewall-ingress", FAIL, joined(allows=[{"protocol": "icmp"}])),
    Case("gcp-fabric-firewall-ingress", FAIL, joined(direction="EGRESS")),
    Case("gcp-fabric-firewall-ingress", CANNOT_TELL, joined(sourceRanges=UNKNOWN)),
    Case("gcp-fabric-firewall-ingress", NOT_APPLICABLE, joined(nodes=1)),
    Case("gcp-fabric-firewall-ingress", NOT_APPLICABLE, joined(machine="n2-standard-8")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_fabric_whose_machines_are_kept_apart_is_told(case: Case) -> None:
    check(case)
