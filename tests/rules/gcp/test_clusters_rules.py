"""Clusters of GKE and their control planes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, LUSTRE, NETWORK, NODE_POOL, SERVICE_ACCOUNT, SUBNETWORK

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

V2 = {"datapathProvider": "ADVANCED_DATAPATH"}
IDENTITIES = {"workloadIdentityConfig": {"workloadPool": "acme.svc.id.goog"}}
OF_A_DOMAIN = {"workloadIdentityConfig": {"workloadPool": "example.com:ml.svc.id.goog"}}
OF_NOBODY = {"workloadIdentityConfig": {"workloadPool": ".svc.id.goog"}}
METADATA = {"nodeConfig": {"workloadMetadataConfig": {"mode": "GKE_METADATA"}}}
PRIVATE = {"privateClusterConfig": {"enablePrivateEndpoint": True}}
DRIVER = {"addonsConfig": {"lustreCsiDriverConfig": {"enabled": True}}}
FOREVER = {"endTimeBehavior": "UNTIL_END_OF_SUPPORT"}


def cluster(**inputs: Any) -> Program:
    """A cluster."""
    return {"it": (CLUSTER, inputs)}


def pool(of: dict[str, Any], **inputs: Any) -> Program:
    """A pool of a cluster."""
    return {"cluster": (CLUSTER, of), "it": (NODE_POOL, {"cluster": Ref("cluster", "name"), **inputs})}


def excluding(*exclusions: Any) -> Program:
    """A cluster that keeps maintenance out."""
    return cluster(maintenancePolicy={"maintenanceExclusions": list(exclusions)})


def controlled(cidr: Any) -> Program:
    """A cluster whose control plane has a range, in a network with a subnetwork."""
    return {
        "net": (NETWORK, {}),
        "sub": (SUBNETWORK, {"network": Ref("net"), "ipCidrRange": "10.0.0.0/20"}),
        "it": (CLUSTER, {"network": Ref("net"), "privateClusterConfig": {"masterIpv4CidrBlock": cidr}}),
    }


def beside_lustre(filesystem: dict[str, Any], **inputs: Any) -> Program:
    """A cluster in the network of a file system."""
    return {
        "net": (NETWORK, {}),
        "scratch": (LUSTRE, {"network": Ref("net"), **filesystem}),
        "it": (CLUSTER, {"network": Ref("net"), **inputs}),
    }


def authorised(cidr: Any) -> Program:
    """A cluster that a network may reach."""
    return cluster(masterAuthorizedNetworksConfig={"cidrBlocks": [{"cidrBlock": cidr}]})


CASES = [
    Case("GCP-GKE-001", PASS, cluster(enableMultiNetworking=True, **V2)),
    Case("GCP-GKE-001", FAIL, cluster(enableMultiNetworking=True), path="datapathProvider", says="ADVANCED_DATAPATH"),
    Case(
        "GCP-GKE-001",
        FAIL,
        cluster(enableMultiNetworking=True, networkingMode="ROUTES", **V2),
        path="networkingMode",
        says="VPC_NATIVE",
    ),
    Case("GCP-GKE-001", CANNOT_TELL, cluster(enableMultiNetworking=UNKNOWN)),
    Case("GCP-GKE-001", NOT_APPLICABLE, cluster()),
    Case("GCP-GKE-002", PASS, cluster(**V2, networkPolicy={"enabled": False})),
    Case("GCP-GKE-002", FAIL, cluster(**V2, networkPolicy={"enabled": True}), path="networkPolicy", says="Leave"),
    Case(
        "GCP-GKE-002",
        FAIL,
        cluster(**V2, addonsConfig={"networkPolicyConfig": {"disabled": False}}),
        path="addonsConfig.networkPolicyConfig",
        says="Leave",
    ),
    Case("GCP-GKE-002", CANNOT_TELL, cluster(**V2, networkPolicy=UNKNOWN)),
    Case("GCP-GKE-002", NOT_APPLICABLE, cluster(networkPolicy={"enabled": True})),
    Case("GCP-GKE-003", PASS, cluster(enableFqdnNetworkPolicy=True, **V2)),
    Case("GCP-GKE-003", FAIL, cluster(enableFqdnNetworkPolicy=True), path="datapathProvider", says="ADVANCED_DATAPATH"),
    Case("GCP-GKE-003", CANNOT_TELL, cluster(enableFqdnNetworkPolicy=UNKNOWN)),
    Case("GCP-GKE-003", NOT_APPLICABLE, cluster(enableFqdnNetworkPolicy=True, enableAutopilot=True)),
    Case("GCP-GKE-004", PASS, cluster(databaseEncryption={"state": "ENCRYPTED", "keyName": UNKNOWN})),
    Case("GCP-GKE-004", FAIL, cluster(databaseEncryption={"state": "ENCRYPTED"}), path="databaseEncryption.keyName"),
    Case("GCP-GKE-004", CANNOT_TELL, cluster(databaseEncryption={"state": UNKNOWN})),
    Case("GCP-GKE-004", NOT_APPLICABLE, cluster(databaseEncryption={"state": "DECRYPTED"})),
    Case("GCP-GKE-005", PASS, cluster(project="acme", **IDENTITIES)),
    Case("GCP-GKE-005", PASS, cluster(**IDENTITIES)),
    Case("GCP-GKE-005", PASS, cluster(project="example.com:ml", **OF_A_DOMAIN)),
    Case("GCP-GKE-005", FAIL, cluster(**OF_NOBODY), path="workloadIdentityConfig.workloadPool"),
    Case(
        "GCP-GKE-005",
        FAIL,
        cluster(workloadIdentityConfig={"workloadPool": "acme.svc.goog"}),
        path="workloadIdentityConfig.workloadPool",
        says="PROJECT.svc.id.goog",
    ),
    Case(
        "GCP-GKE-005",
        FAIL,
        cluster(project="other", **IDENTITIES),
        path="workloadIdentityConfig.workloadPool",
        says="other.svc.id.goog",
    ),
    Case("GCP-GKE-005", CANNOT_TELL, cluster(workloadIdentityConfig={"workloadPool": UNKNOWN})),
    Case("GCP-GKE-005", NOT_APPLICABLE, cluster()),
    Case("GCP-GKE-006", PASS, pool(IDENTITIES, **METADATA), preview=True),
    Case(
        "GCP-GKE-006",
        FAIL,
        pool({}, **METADATA),
        path="nodeConfig.workloadMetadataConfig.mode",
        says="workloadIdentityConfig",
        preview=True,
    ),
    Case("GCP-GKE-006", CANNOT_TELL, {"it": (NODE_POOL, {"cluster": "made-elsewhere", **METADATA})}),
    Case("GCP-GKE-006", NOT_APPLICABLE, pool({})),
    Case("GCP-GKE-007", PASS, cluster(minMasterVersion="1.35")),
    Case("GCP-GKE-007", PASS, pool({}, version="1.34.1-gke.1829001")),
    Case("GCP-GKE-007", FAIL, cluster(minMasterVersion="1.24"), path="minMasterVersion", says="1.35"),
    Case("GCP-GKE-007", FAIL, pool({}, version="1.99"), path="version", says="yet"),
    Case("GCP-GKE-007", FAIL, cluster(minMasterVersion="v1.35"), path="minMasterVersion", says="1.34.1-gke"),
    Case("GCP-GKE-007", CANNOT_TELL, cluster(minMasterVersion=UNKNOWN)),
    Case("GCP-GKE-007", NOT_APPLICABLE, cluster(minMasterVersion="latest")),
    Case("GCP-GKE-008", PASS, excluding({"endTime": "2026-12-31T00:00:00Z"}, {"exclusionOptions": FOREVER})),
    Case(
        "GCP-GKE-008",
        FAIL,
        excluding(*({"endTime": "2026-12-31T00:00:00Z"} for _ in range(21))),
        path="maintenancePolicy.maintenanceExclusions",
        says="takes 20",
    ),
    Case("GCP-GKE-008", PASS, excluding(*({"endTime": "2026-12-31T00:00:00Z"} for _ in range(20)))),
    Case("GCP-GKE-008", FAIL, excluding({}), path="maintenancePolicy.maintenanceExclusions[0].endTime", says="neither"),
    Case(
        "GCP-GKE-008",
        FAIL,
        excluding({"endTime": "2026-12-31T00:00:00Z", "exclusionOptions": FOREVER}),
        path="maintenancePolicy.maintenanceExclusions[0].endTime",
        says="both",
    ),
    Case("GCP-GKE-008", CANNOT_TELL, excluding(UNKNOWN)),
    Case("GCP-GKE-008", NOT_APPLICABLE, cluster()),
    Case("GCP-GKE-009", PASS, cluster(location="us-central1-a", nodeLocations=["us-central1-b"])),
    Case(
        "GCP-GKE-009",
        FAIL,
        cluster(location="us-central1", nodeLocations=["us-east1-b"]),
        path="nodeLocations",
        says="us-central1-b",
    ),
    Case("GCP-GKE-009", FAIL, cluster(location="us-central1", nodeLocations=["us-central1"]), path="nodeLocations"),
    Case("GCP-GKE-009", CANNOT_TELL, cluster(nodeLocations=["us-central1-b"])),
    Case("GCP-GKE-009", NOT_APPLICABLE, cluster(location="us-central1")),
    Case("GCP-GKE-010", PASS, cluster(initialNodeCount=1)),
    Case("GCP-GKE-010", FAIL, cluster(removeDefaultNodePool=True), path="initialNodeCount", says="to 1"),
    Case("GCP-GKE-010", FAIL, cluster(initialNodeCount=0), path="initialNodeCount", says="without a node"),
    Case("GCP-GKE-010", CANNOT_TELL, cluster(initialNodeCount=UNKNOWN)),
    Case("GCP-GKE-010", NOT_APPLICABLE, cluster(enableAutopilot=True)),
    Case("GCP-GKE-011", PASS, cluster(enableAutopilot=True)),
    Case("GCP-GKE-011", FAIL, cluster(enableAutopilot=True, nodePools=[{}]), path="nodePools", says="Leave nodePools"),
    Case(
        "GCP-GKE-011",
        FAIL,
        cluster(enableAutopilot=True, enableIntranodeVisibility=True),
        path="enableIntranodeVisibility",
        says="Leave enableIntranodeVisibility",
    ),
    Case("GCP-GKE-011", FAIL, pool({"enableAutopilot": True}), path="cluster", says="Autopilot", preview=True),
    Case("GCP-GKE-011", CANNOT_TELL, cluster(enableAutopilot=UNKNOWN)),
    Case("GCP-GKE-011", NOT_APPLICABLE, pool({})),
    Case("GCP-GKE-012", PASS, beside_lustre({"gkeSupportEnabled": True}, **DRIVER), preview=True),
    Case(
        "GCP-GKE-012",
        FAIL,
        beside_lustre({"gkeSupportEnabled": True}),
        path="addonsConfig.lustreCsiDriverConfig",
        says="lustreCsiDriverConfig.enabled",
    ),
    Case("GCP-GKE-012", CANNOT_TELL, beside_lustre({"gkeSupportEnabled": UNKNOWN})),
    Case("GCP-GKE-012", NOT_APPLICABLE, beside_lustre({})),
    Case("GCP-GKE-013", PASS, pool({}, nodeConfig={"serviceAccount": "nodes@acme.iam.gserviceaccount.com"})),
    Case(
        "GCP-GKE-013",
        PASS,
        {"nodes": (SERVICE_ACCOUNT, {}), **pool({}, nodeConfig={"serviceAccount": Ref("nodes", "email")})},
        preview=True,
    ),
    Case("GCP-GKE-013", FAIL, pool({}), path="nodeConfig.serviceAccount", says="defaultNodeServiceAccount"),
    Case("GCP-GKE-013", FAIL, pool({}, nodeConfig={"serviceAccount": "default"}), path="nodeConfig.serviceAccount"),
    Case("GCP-GKE-013", CANNOT_TELL, pool({}, nodeConfig={"serviceAccount": UNKNOWN})),
    Case("GCP-GKE-013", NOT_APPLICABLE, cluster(removeDefaultNodePool=True, nodeConfig={"machineType": "e2-small"})),
    Case("GCP-GKE-014", PASS, controlled("172.16.0.0/28")),
    Case("GCP-GKE-014", FAIL, controlled("172.16.0.0/27"), path="privateClusterConfig.masterIpv4CidrBlock", says="/28"),
    Case(
        "GCP-GKE-014", FAIL, controlled("10.0.1.0/28"), path="privateClusterConfig.masterIpv4CidrBlock", says="overlaps"
    ),
    Case("GCP-GKE-014", CANNOT_TELL, controlled(UNKNOWN)),
    Case("GCP-GKE-014", NOT_APPLICABLE, cluster()),
    Case("GCP-GKE-015", PASS, cluster(**PRIVATE, masterAuthorizedNetworksConfig={})),
    Case("GCP-GKE-015", FAIL, cluster(**PRIVATE), path="masterAuthorizedNetworksConfig", says="cidrBlocks"),
    Case("GCP-GKE-015", CANNOT_TELL, cluster(privateClusterConfig={"enablePrivateEndpoint": UNKNOWN})),
    Case(
        "GCP-GKE-015",
        NOT_APPLICABLE,
        cluster(**PRIVATE, controlPlaneEndpointsConfig={"ipEndpointsConfig": {"enabled": False}}),
    ),
    Case("GCP-GKE-016", PASS, authorised("203.0.113.0/24")),
    Case(
        "GCP-GKE-016",
        FAIL,
        authorised("office"),
        path="masterAuthorizedNetworksConfig.cidrBlocks[0].cidrBlock",
        says="203.0.113.7/32",
    ),
    Case("GCP-GKE-016", CANNOT_TELL, authorised(UNKNOWN)),
    Case("GCP-GKE-016", NOT_APPLICABLE, cluster()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_cluster_rule_says_what_gke_would(case: Case) -> None:
    check(case)
