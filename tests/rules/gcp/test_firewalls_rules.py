"""Firewall rules of Google Cloud."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import FIREWALL, NETWORK

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

ROCE = "projects/acme/global/networkProfiles/us-central1-b-vpc-roce"
TCP = [{"protocol": "tcp"}]


def firewall(**inputs: Any) -> Program:
    """A rule."""
    return {"it": (FIREWALL, inputs)}


def within(**network: Any) -> Program:
    """A rule in a network."""
    return {"net": (NETWORK, network), "it": (FIREWALL, {"network": Ref("net")})}


def opening(protocol: str, *ports: Any) -> Program:
    """A rule that opens ports."""
    return firewall(allows=[{"protocol": protocol, "ports": list(ports)}])


CASES = [
    Case("GCP-FW-001", FAIL, within(networkProfile=ROCE), path="network", says="Leave the rule out", preview=True),
    Case("GCP-FW-001", FAIL, within(networkProfile=f"{ROCE}-metal"), path="network"),
    Case("GCP-FW-001", CANNOT_TELL, within(networkProfile=UNKNOWN)),
    Case("GCP-FW-001", CANNOT_TELL, within(networkProfile=ROCE.replace("roce", "falcon"))),
    Case("GCP-FW-001", PASS, within()),
    Case("GCP-FW-001", NOT_APPLICABLE, firewall()),
    Case("GCP-FW-002", PASS, firewall(sourceRanges=["10.0.0.0/8"])),
    Case("GCP-FW-002", PASS, firewall(direction="EGRESS", destinationRanges=["10.0.0.0/8"])),
    Case("GCP-FW-002", FAIL, firewall(direction="INGRESS"), path="sourceRanges", says="sourceTags"),
    Case(
        "GCP-FW-002",
        FAIL,
        firewall(direction="EGRESS", sourceTags=["web"]),
        path="sourceTags",
        says="destinationRanges",
    ),
    Case("GCP-FW-002", CANNOT_TELL, firewall(sourceRanges=UNKNOWN)),
    Case("GCP-FW-002", NOT_APPLICABLE, firewall(direction="BOTH")),
    Case("GCP-FW-003", PASS, firewall(sourceTags=["web"], targetTags=["db"])),
    Case("GCP-FW-003", FAIL, firewall(sourceTags=["web"], targetServiceAccounts=["a@b"]), path="targetServiceAccounts"),
    Case("GCP-FW-003", CANNOT_TELL, firewall(sourceTags=["web"], targetServiceAccounts=UNKNOWN)),
    Case("GCP-FW-003", NOT_APPLICABLE, firewall()),
    Case("GCP-FW-004", PASS, firewall(allows=TCP)),
    Case("GCP-FW-004", FAIL, firewall(allows=TCP, denies=TCP), path="denies", says="two rules"),
    Case("GCP-FW-004", FAIL, firewall(), path="allows", says="neither"),
    Case("GCP-FW-004", CANNOT_TELL, firewall(allows=UNKNOWN)),
    Case("GCP-FW-004", NOT_APPLICABLE, firewall(allows="tcp")),
    Case("GCP-FW-005", PASS, firewall(priority=1000)),
    Case("GCP-FW-005", FAIL, firewall(priority=70000), path="priority", says="65535"),
    Case("GCP-FW-005", CANNOT_TELL, firewall(priority=UNKNOWN)),
    Case("GCP-FW-005", NOT_APPLICABLE, firewall()),
    Case("GCP-FW-006", PASS, opening("tcp", "22", "8000-9000")),
    Case("GCP-FW-006", FAIL, opening("icmp", "22"), path="allows[0].ports", says="tcp or udp"),
    Case("GCP-FW-006", FAIL, opening("tcp", "9000-8000"), path="allows[0].ports", says="8000-9000"),
    Case("GCP-FW-006", FAIL, opening("tcp", "ssh"), path="allows[0].ports", says="443"),
    Case("GCP-FW-006", FAIL, opening("tcp", "70000"), path="allows[0].ports"),
    Case("GCP-FW-006", CANNOT_TELL, opening("tcp", UNKNOWN)),
    Case("GCP-FW-006", NOT_APPLICABLE, firewall(allows=TCP)),
    Case("GCP-FW-009", PASS, firewall(allows=[{"protocol": "TCP"}, {"protocol": "47"}, {"protocol": "all"}])),
    Case("GCP-FW-009", FAIL, firewall(allows=[{"protocol": "any"}]), path="allows[0].protocol", says="all"),
    Case("GCP-FW-009", FAIL, firewall(allows=[{"protocol": "256"}]), path="allows[0].protocol"),
    Case("GCP-FW-009", CANNOT_TELL, firewall(allows=[{"protocol": UNKNOWN}])),
    Case("GCP-FW-009", NOT_APPLICABLE, firewall(sourceRanges=["10.0.0.0/8"])),
    Case("GCP-FW-008", PASS, firewall(sourceRanges=["10.0.0.0/8", "10.4.0.1", "fd20::/20"])),
    Case("GCP-FW-008", FAIL, firewall(sourceRanges=["10.0.0.0/33"]), path="sourceRanges", says="10.0.0.0/8"),
    Case("GCP-FW-008", FAIL, firewall(destinationRanges=["internet"]), path="destinationRanges", says="internet"),
    Case("GCP-FW-008", CANNOT_TELL, firewall(sourceRanges=UNKNOWN)),
    Case("GCP-FW-008", NOT_APPLICABLE, {"it": (FIREWALL, {"allows": TCP})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_firewall_rule_says_what_google_would(case: Case) -> None:
    check(case)
