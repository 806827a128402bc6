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
    Case("gcp-gke-multi-network-dataplane", PASS, cluster(enableMultiNetworking=True, **V2)),
    Case(
        "gcp-gke-multi-network-dataplane",
        FAIL,
        cluster(enableMultiNetworking=True),
        path="datapathProvider",
        says="ADVANCED_DATAPATH",
    ),
    Case(
        "gcp-gke-multi-network-dataplane",
        FAIL,
        cluster(enableMultiNetworking=True, networkingMode="ROUTES", **V2),
        path="networkingMode",
        says="VPC_NATIVE",
    ),
    Case("gcp-gke-multi-network-dataplane", CANNOT_TELL, cluster(enableMultiNetworking=UNKNOWN)),
    Case("gcp-gke-multi-network-dataplane", NOT_APPLICABLE, cluster()),
    Case("gcp-gke-dataplane-no-calico", PASS, cluster(**V2, networkPolicy={"enabled": False})),
    Case(
        "gcp-gke-dataplane-no-calico",
        FAIL,
        cluster(**V2, networkPolicy={"enabled": True}),
        path="networkPolicy",
        says="Leave",
    ),
    Case(
        "gcp-gke-dataplane-no-calico",
        FAIL,
        cluster(**V2, addonsConfig={"networkPolicyConfig": {"disabled": False}}),
        path="addonsConfig.networkPolicyConfig",
        says="Leave",
    ),
    Case("gcp-gke-dataplane-no-calico", CANNOT_TELL, cluster(**V2, networkPolicy=UNKNOWN)),
    Case("gcp-gke-dataplane-no-calico", NOT_APPLICABLE, cluster(networkPolicy={"enabled": True})),
    Case("gcp-gke-dataplane-policies", PASS, cluster(enableFqdnNetworkPolicy=True, **V2)),
    Case(
        "gcp-gke-dataplane-policies",
        FAIL,
        cluster(enableFqdnNetworkPolicy=True),
        path="datapathProvider",
        says="ADVANCED_DATAPATH",
    ),
    Case("gcp-gke-dataplane-policies", CANNOT_TELL, cluster(enableFqdnNetworkPolicy=UNKNOWN)),
    Case("gcp-gke-dataplane-policies", NOT_APPLICABLE, cluster(enableFqdnNetworkPolicy=True, enableAutopilot=True)),
    Case("gcp-gke-db-encryption-key", PASS, cluster(databaseEncryption={"state": "ENCRYPTED", "keyName": UNKNOWN})),
    Case(
        "gcp-gke-db-encryption-key",
        FAIL,
        cluster(databaseEncryption={"state": "ENCRYPTED"}),
        path="databaseEncryption.keyName",
    ),
    Case("gcp-gke-db-encryption-key", CANNOT_TELL, cluster(databaseEncryption={"state": UNKNOWN})),
    Case("gcp-gke-db-encryption-key", NOT_APPLICABLE, cluster(databaseEncryption={"state": "DECRYPTED"})),
    Case("gcp-gke-workload-pool", PASS, cluster(project="acme", **IDENTITIES)),
    Case("gcp-gke-workload-pool", PASS, cluster(**IDENTITIES)),
    Case("gcp-gke-workload-pool", PASS, cluster(project="example.com:ml", **OF_A_DOMAIN)),
    Case("gcp-gke-workload-pool", FAIL, cluster(**OF_NOBODY), path="workloadIdentityConfig.workloadPool"),
    Case(
        "gcp-gke-workload-pool",
        FAIL,
        cluster(workloadIdentityConfig={"workloadPool": "acme.svc.goog"}),
        path="workloadIdentityConfig.workloadPool",
        says="PROJECT.svc.id.goog",
    ),
    Case(
        "gcp-gke-workload-pool",
        FAIL,
        cluster(project="other", **IDENTITIES),
        path="workloadIdentityConfig.workloadPool",
        says="other.svc.id.goog",
    ),
    Case("gcp-gke-workload-pool", CANNOT_TELL, cluster(workloadIdentityConfig={"workloadPool": UNKNOWN})),
    Case("gcp-gke-workload-pool", NOT_APPLICABLE, cluster()),
    Case("gcp-gke-metadata-workload-pool", PASS, pool(IDENTITIES, **METADATA), preview=True),
    Case(
        "gcp-gke-metadata-workload-pool",
        FAIL,
        pool({}, **METADATA),
        path="nodeConfig.workloadMetadataConfig.mode",
        says="workloadIdentityConfig",
        preview=True,
    ),
    Case("gcp-gke-metadata-workload-pool", CANNOT_TELL, {"it": (NODE_POOL, {"cluster": "made-elsewhere", **METADATA})}),
    Case("gcp-gke-metadata-workload-pool", NOT_APPLICABLE, pool({})),
    Case("gcp-gke-version-offered", PASS, cluster(minMasterVersion="1.35")),
    Case("gcp-gke-version-offered", PASS, pool({}, version="1.34.1-gke.1829001")),
    Case("gcp-gke-version-offered", FAIL, cluster(minMasterVersion="1.24"), path="minMasterVersion", says="1.35"),
    Case("gcp-gke-version-offered", FAIL, pool({}, version="1.99"), path="version", says="yet"),
    Case(
        "gcp-gke-version-offered", FAIL, cluster(minMasterVersion="v1.35"), path="minMasterVersion", says="1.34.1-gke"
    ),
    Case("gcp-gke-version-offered", CANNOT_TELL, cluster(minMasterVersion=UNKNOWN)),
    Case("gcp-gke-version-offered", NOT_APPLICABLE, cluster(minMasterVersion="latest")),
    Case(
        "gcp-gke-maint-exclusions", PASS, excluding({"endTime": "2026-12-31T00:00:00Z"}, {"exclusionOptions": FOREVER})
    ),
    Case(
        "gcp-gke-maint-exclusions",
        FAIL,
        excluding(*({"endTime": "2026-12-31T00:00:00Z"} for _ in range(21))),
        path="maintenancePolicy.maintenanceExclusions",
        says="takes 20",
    ),
    Case("gcp-gke-maint-exclusions", PASS, excluding(*({"endTime": "2026-12-31T00:00:00Z"} for _ in range(20)))),
    Case(
        "gcp-gke-maint-exclusions",
        FAIL,
        excluding({}),
        path="maintenancePolicy.maintenanceExclusions[0].endTime",
        says="neither",
    ),
    Case(
        "gcp-gke-maint-exclusions",
        FAIL,
        excluding({"endTime": "2026-12-31T00:00:00Z", "exclusionOptions": FOREVER}),
        path="maintenancePolicy.maintenanceExclusions[0].endTime",
        says="both",
    ),
    Case("gcp-gke-maint-exclusions", CANNOT_TELL, excluding(UNKNOWN)),
    Case("gcp-gke-maint-exclusions", NOT_APPLICABLE, cluster()),
    Case("gcp-gke-cluster-zones", PASS, cluster(location="us-central1-a", nodeLocations=["us-central1-b"])),
    Case(
        "gcp-gke-cluster-zones",
        FAIL,
        cluster(location="us-central1", nodeLocations=["us-east1-b"]),
        path="nodeLocations",
        says="us-central1-b",
    ),
    Case(
        "gcp-gke-cluster-zones",
        FAIL,
        cluster(location="us-central1", nodeLocations=["us-central1"]),
        path="nodeLocations",
    ),
    Case("gcp-gke-cluster-zones", CANNOT_TELL, cluster(nodeLocations=["us-central1-b"])),
    Case("gcp-gke-cluster-zones", NOT_APPLICABLE, cluster(location="us-central1")),
    Case("gcp-gke-cluster-initial-nodes", PASS, cluster(initialNodeCount=1)),
    Case(
        "gcp-gke-cluster-initial-nodes", FAIL, cluster(removeDefaultNodePool=True), path="initialNodeCount", says="to 1"
    ),
    Case(
        "gcp-gke-cluster-initial-nodes",
        FAIL,
        cluster(initialNodeCount=0),
        path="initialNodeCount",
        says="without a node",
    ),
    Case("gcp-gke-cluster-initial-nodes", CANNOT_TELL, cluster(initialNodeCount=UNKNOWN)),
    Case("gcp-gke-cluster-initial-nodes", NOT_APPLICABLE, cluster(enableAutopilot=True)),
    Case("gcp-gke-autopilot-no-pools", PASS, cluster(enableAutopilot=True)),
    Case(
        "gcp-gke-autopilot-no-pools",
        FAIL,
        cluster(enableAutopilot=True, nodePools=[{}]),
        path="nodePools",
        says="Leave nodePools",
    ),
    Case(
        "gcp-gke-autopilot-no-pools",
        FAIL,
        cluster(enableAutopilot=True, enableIntranodeVisibility=True),
        path="enableIntranodeVisibility",
        says="Leave enableIntranodeVisibility",
    ),
    Case(
        "gcp-gke-autopilot-no-pools",
        FAIL,
        pool({"enableAutopilot": True}),
        path="cluster",
        says="Autopilot",
        preview=True,
    ),
    Case("gcp-gke-autopilot-no-pools", CANNOT_TELL, cluster(enableAutopilot=UNKNOWN)),
    Case("gcp-gke-autopilot-no-pools", NOT_APPLICABLE, pool({})),
    Case("gcp-gke-lustre-csi", PASS, beside_lustre({"gkeSupportEnabled": True}, **DRIVER), preview=True),
    Case(
        "gcp-gke-lustre-csi",
        FAIL,
        beside_lustre({"gkeSupportEnabled": True}),
        path="addonsConfig.lustreCsiDriverConfig",
        says="lustreCsiDriverConfig.enabled",
    ),
    Case("gcp-gke-lustre-csi", CANNOT_TELL, beside_lustre({"gkeSupportEnabled": UNKNOWN})),
    Case("gcp-gke-lustre-csi", NOT_APPLICABLE, beside_lustre({})),
    Case("gcp-gke-node-account", PASS, pool({}, nodeConfig={"serviceAccount": "nodes@acme.iam.gserviceaccount.com"})),
    Case(
        "gcp-gke-node-account",
        PASS,
        {"nodes": (SERVICE_ACCOUNT, {}), **pool({}, nodeConfig={"serviceAccount": Ref("nodes", "email")})},
        preview=True,
    ),
    Case("gcp-gke-node-account", FAIL, pool({}), path="nodeConfig.serviceAccount", says="defaultNodeServiceAccount"),
    Case(
        "gcp-gke-node-account",
        FAIL,
        pool({}, nodeConfig={"serviceAccount": "default"}),
        path="nodeConfig.serviceAccount",
    ),
    Case("gcp-gke-node-account", CANNOT_TELL, pool({}, nodeConfig={"serviceAccount": UNKNOWN})),
    Case(
        "gcp-gke-node-account",
        NOT_APPLICABLE,
        cluster(removeDefaultNodePool=True, nodeConfig={"machineType": "e2-small"}),
    ),
    Case("gcp-gke-control-plane-range", PASS, controlled("172.16.0.0/28")),
    Case(
        "gcp-gke-control-plane-range",
        FAIL,
        controlled("172.16.0.0/27"),
        path="privateClusterConfig.masterIpv4CidrBlock",
        says="/28",
    ),
    Case(
        "gcp-gke-control-plane-range",
        FAIL,
        controlled("10.0.1.0/28"),
        path="privateClusterConfig.masterIpv4CidrBlock",
        says="overlaps",
    ),
    Case("gcp-gke-control-plane-range", CANNOT_TELL, controlled(UNKNOWN)),
    Case("gcp-gke-control-plane-range", NOT_APPLICABLE, cluster()),
    Case("gcp-gke-private-endpoint-networks", PASS, cluster(**PRIVATE, masterAuthorizedNetworksConfig={})),
    Case(
        "gcp-gke-private-endpoint-networks",
        FAIL,
        cluster(**PRIVATE),
        path="masterAuthorizedNetworksConfig",
        says="cidrBlocks",
    ),
    Case(
        "gcp-gke-private-endpoint-networks",
        CANNOT_TELL,
        cluster(privateClusterConfig={"enablePrivateEndpoint": UNKNOWN}),
    ),
    Case(
        "gcp-gke-private-endpoint-networks",
        NOT_APPLICABLE,
        cluster(**PRIVATE, controlPlaneEndpointsConfig={"ipEndpointsConfig": {"enabled": False}}),
    ),
    Case("gcp-gke-authorized-range", PASS, authorised("203.0.113.0/24")),
    Case(
        "gcp-gke-authorized-range",
        FAIL,
        authorised("office"),
        path="masterAuthorizedNetworksConfig.cidrBlocks[0].cidrBlock",
        says="203.0.113.7/32",
    ),
    Case("gcp-gke-authorized-range", CANNOT_TELL, authorised(UNKNOWN)),
    Case("gcp-gke-authorized-range", NOT_APPLICABLE, cluster()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_cluster_rule_says_what_gke_would(case: Case) -> None:
    check(case)
