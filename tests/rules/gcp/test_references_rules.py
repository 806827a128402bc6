"""What one resource names another by."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import (
    BUCKET,
    CLUSTER,
    FILESTORE,
    INSTANCE,
    LUSTRE,
    NETWORK,
    NODE_POOL,
    SECRET,
    SUBNETWORK,
)

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

SUBNET_PATH = "projects/acme/regions/us-central1/subnetworks/nodes"
CLUSTER_ID = "projects/acme/locations/us-central1/clusters/main"
SUBNET_LINK = f"https://www.googleapis.com/compute/v1/{SUBNET_PATH}"


def inside(network: Any, subnetwork: Any = None, **inputs: Any) -> Program:
    """A cluster in us-central1, with networks and subnetworks to choose from."""
    return {
        "net": (NETWORK, {}),
        "named": (NETWORK, {"name": "named"}),
        "sub": (SUBNETWORK, {"network": Ref("net"), "region": "us-central1"}),
        "far": (SUBNETWORK, {"network": Ref("net"), "region": "us-east1"}),
        "foreign": (SUBNETWORK, {"network": Ref("named"), "region": "us-central1"}),
        "it": (CLUSTER, {"location": "us-central1", "network": network, "subnetwork": subnetwork, **inputs}),
    }


def pool(location: Any, home: Any = "us-central1", subnetwork: Any = None) -> Program:
    """A pool of a cluster."""
    network = {} if subnetwork is None else {"networkConfig": {"subnetwork": subnetwork}}
    cluster = {"location": home, "network": Ref("net")}
    made = {"cluster": Ref("cluster", "name"), "location": location, **network}
    return {**inside(Ref("net")), "cluster": (CLUSTER, cluster), "it": (NODE_POOL, made)}


def machine(zone: Any, subnetwork: Any) -> Program:
    """A machine with an interface."""
    own = {} if subnetwork is None else {"subnetwork": subnetwork}
    return {**inside(Ref("net")), "it": (INSTANCE, {"zone": zone, "networkInterfaces": [own]})}


def found_by(provider: dict[str, Any], name: Any) -> Program:
    """A pool without a location, made by a provider that has a default one."""
    cluster = {"location": "us-central1", "name": "main"}
    own = ("pulumi:providers:gcp", provider)
    return {"own": own, "cluster": (CLUSTER, cluster), "it": (NODE_POOL, {"cluster": name})}


CASES = [
    Case("gcp-ref-resource-kind", PASS, inside("acme/default")),
    Case("gcp-gke-pool-location", PASS, found_by({"region": "us-central1"}, "main")),
    Case("gcp-gke-pool-location", NOT_APPLICABLE, found_by({}, "main")),
    Case(
        "gcp-gke-pool-location",
        NOT_APPLICABLE,
        found_by({"region": "us-central1", "zone": "us-central1-b"}, CLUSTER_ID),
    ),
    Case(
        "gcp-gke-pool-location",
        FAIL,
        found_by({"region": "us-central1", "zone": "us-central1-b"}, "main"),
        path="location",
        says="us-central1",
    ),
    Case("gcp-machine-subnetwork-region", PASS, machine("us-central1-b", Ref("sub")), preview=True),
    Case(
        "gcp-machine-subnetwork-region",
        FAIL,
        machine("us-central1-b", Ref("far")),
        path="networkInterfaces[0].subnetwork",
        says="in us-central1",
        preview=True,
    ),
    Case("gcp-machine-subnetwork-region", CANNOT_TELL, machine("us-central1-b", "made-elsewhere")),
    Case("gcp-machine-subnetwork-region", NOT_APPLICABLE, machine("us-central1-b", None)),
    Case("gcp-ref-resource-kind", PASS, inside(Ref("net"), Ref("sub"))),
    Case("gcp-ref-resource-kind", PASS, inside("default", SUBNET_LINK)),
    Case("gcp-ref-resource-kind", FAIL, inside(Ref("sub"), Ref("sub")), path="network", says="Subnetwork sub"),
    Case("gcp-ref-resource-kind", FAIL, inside(SUBNET_PATH), path="network", says="networks/NAME"),
    Case(
        "gcp-ref-resource-kind",
        FAIL,
        inside("default", "projects/acme/global/networks/x"),
        path="subnetwork",
        says="Subnetwork",
    ),
    Case("gcp-ref-resource-kind", CANNOT_TELL, inside(UNKNOWN)),
    Case("gcp-ref-resource-kind", NOT_APPLICABLE, {"it": (BUCKET, {"location": "US"})}),
    Case("gcp-ref-cloud-name", PASS, inside("named")),
    Case("gcp-ref-cloud-name", PASS, inside("default")),
    Case("gcp-ref-cloud-name", FAIL, inside("net"), path="network", says="net.id"),
    Case("gcp-ref-cloud-name", CANNOT_TELL, inside(UNKNOWN)),
    Case("gcp-ref-cloud-name", NOT_APPLICABLE, {"it": (LUSTRE, {})}),
    Case("gcp-gke-pool-location", PASS, pool("us-central1"), preview=True),
    Case("gcp-gke-pool-location", FAIL, pool("us-central1-b"), path="location", says="nodeLocations"),
    Case("gcp-gke-pool-location", CANNOT_TELL, pool("us-central1-b"), preview=True),
    Case("gcp-gke-pool-location", FAIL, pool("us-east1"), path="location", says="us-central1"),
    Case("gcp-gke-pool-location", CANNOT_TELL, pool("us-central1", home=UNKNOWN)),
    Case("gcp-gke-pool-location", NOT_APPLICABLE, pool(None)),
    Case("gcp-gke-subnetwork", PASS, inside(Ref("net"), Ref("sub")), preview=True),
    Case(
        "gcp-gke-subnetwork", FAIL, inside(Ref("net"), Ref("far")), path="subnetwork", says="us-central1", preview=True
    ),
    Case(
        "gcp-gke-subnetwork", FAIL, inside(Ref("net"), Ref("foreign")), path="subnetwork", says="of net", preview=True
    ),
    Case(
        "gcp-gke-subnetwork",
        FAIL,
        pool("us-central1", subnetwork=Ref("foreign")),
        path="networkConfig.subnetwork",
        says="of net",
    ),
    Case("gcp-gke-subnetwork", CANNOT_TELL, inside(Ref("net"), "made-elsewhere")),
    Case("gcp-gke-subnetwork", NOT_APPLICABLE, inside(Ref("net"))),
    Case("gcp-location-known", PASS, {"it": (SUBNETWORK, {"region": "us-central1"})}),
    Case("gcp-location-known", PASS, {"it": (FILESTORE, {"location": "us-south1-ai1b"})}),
    Case(
        "gcp-location-known",
        FAIL,
        {"it": (FILESTORE, {"location": "us-centrall1"})},
        path="location",
        says="us-central1?",
    ),
    Case(
        "gcp-location-known",
        FAIL,
        {"it": (SUBNETWORK, {"region": "eu-west1"})},
        path="region",
        says="no region eu-west1",
    ),
    Case("gcp-location-known", CANNOT_TELL, {"it": (FILESTORE, {"location": UNKNOWN})}),
    Case("gcp-location-known", NOT_APPLICABLE, {"it": (BUCKET, {"location": "us-centrall1"})}),
    Case("gcp-location-known", NOT_APPLICABLE, {"it": (SECRET, {"location": "global"})}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_references_says_what_google_would(case: Case) -> None:
    check(case)
