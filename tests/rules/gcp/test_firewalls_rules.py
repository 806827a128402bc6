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
    Case(
        "gcp-fw-no-roce-rules",
        FAIL,
        within(networkProfile=ROCE),
        path="network",
        says="Leave the rule out",
        preview=True,
    ),
    Case("gcp-fw-no-roce-rules", FAIL, within(networkProfile=f"{ROCE}-metal"), path="network"),
    Case("gcp-fw-no-roce-rules", CANNOT_TELL, within(networkProfile=UNKNOWN)),
    Case("gcp-fw-no-roce-rules", CANNOT_TELL, within(networkProfile=ROCE.replace("roce", "falcon"))),
    Case("gcp-fw-no-roce-rules", PASS, within()),
    Case("gcp-fw-no-roce-rules", NOT_APPLICABLE, firewall()),
    Case("gcp-fw-direction-sources", PASS, firewall(sourceRanges=["10.0.0.0/8"])),
    Case("gcp-fw-direction-sources", PASS, firewall(direction="EGRESS", destinationRanges=["10.0.0.0/8"])),
    Case("gcp-fw-direction-sources", FAIL, firewall(direction="INGRESS"), path="sourceRanges", says="sourceTags"),
    Case(
        "gcp-fw-direction-sources",
        FAIL,
        firewall(direction="EGRESS", sourceTags=["web"]),
        path="sourceTags",
        says="destinationRanges",
    ),
    Case("gcp-fw-direction-sources", CANNOT_TELL, firewall(sourceRanges=UNKNOWN)),
    Case("gcp-fw-direction-sources", NOT_APPLICABLE, firewall(direction="BOTH")),
    Case("gcp-fw-tags-or-accounts", PASS, firewall(sourceTags=["web"], targetTags=["db"])),
    Case(
        "gcp-fw-tags-or-accounts",
        FAIL,
        firewall(sourceTags=["web"], targetServiceAccounts=["a@b"]),
        path="targetServiceAccounts",
    ),
    Case("gcp-fw-tags-or-accounts", CANNOT_TELL, firewall(sourceTags=["web"], targetServiceAccounts=UNKNOWN)),
    Case("gcp-fw-tags-or-accounts", NOT_APPLICABLE, firewall()),
    Case("gcp-fw-allow-or-deny", PASS, firewall(allows=TCP)),
    Case("gcp-fw-allow-or-deny", FAIL, firewall(allows=TCP, denies=TCP), path="denies", says="two rules"),
    Case("gcp-fw-allow-or-deny", FAIL, firewall(), path="allows", says="neither"),
    Case("gcp-fw-allow-or-deny", CANNOT_TELL, firewall(allows=UNKNOWN)),
    Case("gcp-fw-allow-or-deny", NOT_APPLICABLE, firewall(allows="tcp")),
    Case("gcp-fw-priority", PASS, firewall(priority=1000)),
    Case("gcp-fw-priority", FAIL, firewall(priority=70000), path="priority", says="65535"),
    Case("gcp-fw-priority", CANNOT_TELL, firewall(priority=UNKNOWN)),
    Case("gcp-fw-priority", NOT_APPLICABLE, firewall()),
    Case("gcp-fw-ports", PASS, opening("tcp", "22", "8000-9000")),
    Case("gcp-fw-ports", FAIL, opening("icmp", "22"), path="allows[0].ports", says="tcp or udp"),
    Case("gcp-fw-ports", FAIL, opening("tcp", "9000-8000"), path="allows[0].ports", says="8000-9000"),
    Case("gcp-fw-ports", FAIL, opening("tcp", "ssh"), path="allows[0].ports", says="443"),
    Case("gcp-fw-ports", FAIL, opening("tcp", "70000"), path="allows[0].ports"),
    Case("gcp-fw-ports", CANNOT_TELL, opening("tcp", UNKNOWN)),
    Case("gcp-fw-ports", NOT_APPLICABLE, firewall(allows=TCP)),
    Case("gcp-fw-protocol", PASS, firewall(allows=[{"protocol": "TCP"}, {"protocol": "47"}, {"protocol": "all"}])),
    Case("gcp-fw-protocol", FAIL, firewall(allows=[{"protocol": "any"}]), path="allows[0].protocol", says="all"),
    Case("gcp-fw-protocol", FAIL, firewall(allows=[{"protocol": "256"}]), path="allows[0].protocol"),
    Case("gcp-fw-protocol", CANNOT_TELL, firewall(allows=[{"protocol": UNKNOWN}])),
    Case("gcp-fw-protocol", NOT_APPLICABLE, firewall(sourceRanges=["10.0.0.0/8"])),
    Case("gcp-fw-ranges", PASS, firewall(sourceRanges=["10.0.0.0/8", "10.4.0.1", "fd20::/20"])),
    Case("gcp-fw-ranges", FAIL, firewall(sourceRanges=["10.0.0.0/33"]), path="sourceRanges", says="10.0.0.0/8"),
    Case("gcp-fw-ranges", FAIL, firewall(destinationRanges=["internet"]), path="destinationRanges", says="internet"),
    Case("gcp-fw-ranges", CANNOT_TELL, firewall(sourceRanges=UNKNOWN)),
    Case("gcp-fw-ranges", NOT_APPLICABLE, {"it": (FIREWALL, {"allows": TCP})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_firewall_rule_says_what_google_would(case: Case) -> None:
    check(case)
