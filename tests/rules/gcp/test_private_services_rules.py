"""Networks of Google's in which services stand, and the way to them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import DATABASE, FILESTORE, GLOBAL_ADDRESS, LUSTRE, NETWORK, PRIVATE_CONNECTION

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

GOOGLE = "servicenetworking.googleapis.com"


def kept(**inputs: Any) -> Program:
    """A range that is kept for services."""
    whole = {"purpose": "VPC_PEERING", "addressType": "INTERNAL", "network": "net", "prefixLength": 20, **inputs}
    return {"it": (GLOBAL_ADDRESS, whole)}


def connection(address: dict[str, Any], **inputs: Any) -> Program:
    """A connection of a network, with one range."""
    made = {"network": Ref("net"), "service": GOOGLE, "reservedPeeringRanges": [Ref("address", "name")], **inputs}
    return {
        "net": (NETWORK, {}),
        "other": (NETWORK, {}),
        "address": (GLOBAL_ADDRESS, {"purpose": "VPC_PEERING", "network": Ref("net"), **address}),
        "it": (PRIVATE_CONNECTION, made),
    }


def served(type_: str, inputs: dict[str, Any], *, after: bool = False) -> Program:
    """A service in a network that is connected, made after the connection or whenever it comes."""
    waits = {"labels": {"after": Ref("connection")}} if after else {}
    return {
        "net": (NETWORK, {}),
        "connection": (PRIVATE_CONNECTION, {"network": Ref("net")}),
        "it": (type_, {**inputs, **waits}),
    }


def ranged(length: Any) -> Program:
    """A file system in a network with a range of this length for services."""
    return {
        "net": (NETWORK, {}),
        "address": (GLOBAL_ADDRESS, {"network": Ref("net"), "prefixLength": length}),
        "connection": (
            PRIVATE_CONNECTION,
            {"network": Ref("net"), "reservedPeeringRanges": [Ref("address", "name")]},
        ),
        "it": (LUSTRE, {"network": Ref("net")}),
    }


LUSTRE_THERE = {"network": Ref("net")}
SQL_THERE = {"settings": {"ipConfiguration": {"privateNetwork": Ref("net")}}}
FILES_THERE = {"networks": [{"network": Ref("net"), "connectMode": "PRIVATE_SERVICE_ACCESS"}]}
FILES_PEERED = {"networks": [{"network": Ref("net")}]}
UNCONNECTED: Program = {"net": (NETWORK, {}), "it": (LUSTRE, LUSTRE_THERE)}

CASES = [
    Case("gcp-psa-range-size", PASS, kept()),
    Case("gcp-psa-range-size", FAIL, kept(prefixLength=28), path="prefixLength", says="24"),
    Case("gcp-psa-range-size", FAIL, kept(prefixLength=None), path="prefixLength", says="20"),
    Case("gcp-psa-range-size", FAIL, kept(addressType="EXTERNAL"), path="addressType", says="INTERNAL"),
    Case("gcp-psa-range-size", FAIL, kept(network=None), path="network", says="Name the network"),
    Case("gcp-psa-range-size", CANNOT_TELL, kept(prefixLength=UNKNOWN)),
    Case("gcp-psa-range-size", NOT_APPLICABLE, kept(purpose="PRIVATE_SERVICE_CONNECT", prefixLength=28)),
    Case("gcp-psa-connection-service", PASS, connection({}, service="netapp.servicenetworking.goog")),
    Case(
        "gcp-psa-connection-service", FAIL, connection({}, service="lustre.googleapis.com"), path="service", says=GOOGLE
    ),
    Case("gcp-psa-connection-service", CANNOT_TELL, connection({}, service=UNKNOWN)),
    Case("gcp-psa-connection-service", NOT_APPLICABLE, connection({}, service=None)),
    Case("gcp-psa-connection-ranges", PASS, connection({}), preview=True),
    Case(
        "gcp-psa-connection-ranges",
        FAIL,
        connection({"purpose": None}),
        path="reservedPeeringRanges",
        says="VPC_PEERING",
    ),
    Case(
        "gcp-psa-connection-ranges",
        FAIL,
        connection({"network": Ref("other")}),
        path="reservedPeeringRanges",
        says="of other",
    ),
    Case(
        "gcp-psa-connection-ranges",
        FAIL,
        connection({}, reservedPeeringRanges=[]),
        path="reservedPeeringRanges",
        says="Name a",
    ),
    Case("gcp-psa-connection-ranges", CANNOT_TELL, connection({}, reservedPeeringRanges=["made-elsewhere"])),
    Case("gcp-psa-connection-ranges", NOT_APPLICABLE, connection({}, reservedPeeringRanges="range")),
    Case("gcp-psa-connection-first", PASS, served(LUSTRE, LUSTRE_THERE, after=True), preview=True),
    Case(
        "gcp-psa-connection-first", FAIL, served(LUSTRE, LUSTRE_THERE), path="network", says="dependsOn", preview=True
    ),
    Case("gcp-psa-connection-first", FAIL, UNCONNECTED, path="network", says="no private connection"),
    Case("gcp-psa-connection-first", FAIL, served(DATABASE, SQL_THERE), path="settings.ipConfiguration.privateNetwork"),
    Case("gcp-psa-connection-first", PASS, served(DATABASE, SQL_THERE, after=True)),
    Case(
        "gcp-psa-connection-first", FAIL, served(FILESTORE, FILES_THERE), path="networks[0].network", says="connection"
    ),
    Case("gcp-psa-connection-first", NOT_APPLICABLE, served(FILESTORE, FILES_PEERED)),
    Case("gcp-psa-connection-first", NOT_APPLICABLE, served(DATABASE, {"settings": {"tier": "db-custom-2-7680"}})),
    Case("gcp-psa-connection-first", CANNOT_TELL, {"it": (LUSTRE, {"network": "made-elsewhere"})}),
    Case("gcp-psa-lustre-range", PASS, ranged(22), preview=True),
    Case("gcp-psa-lustre-range", FAIL, ranged(24), path="network", says="/20"),
    Case("gcp-psa-lustre-range", CANNOT_TELL, ranged(UNKNOWN)),
    Case("gcp-psa-lustre-range", NOT_APPLICABLE, UNCONNECTED),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_private_services_says_what_google_would(case: Case) -> None:
    check(case)
