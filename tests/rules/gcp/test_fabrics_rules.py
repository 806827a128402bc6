"""Fabrics: what the networks of a node pool must be."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gcp_pools import (
    REGION,
    ZONE,
    plain_networks,
    plain_wiring,
    pool,
    rdma_networks,
    rdma_wiring,
    wired,
)
from tests.rulecases import Case, Program, Ref, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import CLUSTER, INSTANCE, NETWORK, NODE_POOL, SUBNETWORK

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

ENTRIES = "networkConfig.additionalNodeNetworkConfigs"
PROFILE = "networkConfig.acceleratorNetworkProfile"
LABEL = {"labels": {"cloud.google.com/gke-networking-dra-driver": "true"}}
V2 = {"datapathProvider": "ADVANCED_DATAPATH"}


def mega(count: int = 8, others: Program | None = None, **inputs: Any) -> Program:
    """A pool of A3 Mega with as many networks."""
    return pool(
        "a3-megagpu-8g",
        others=plain_networks(count) if others is None else others,
        **{**wired(plain_wiring(count)), **inputs},
    )


def ultra(others: Program | None = None, wiring: Any = None, **inputs: Any) -> Program:
    """A pool of A3 Ultra with its networks."""
    made = rdma_networks() if others is None else others
    return pool("a3-ultragpu-8g", others=made, **wired(rdma_wiring() if wiring is None else wiring), **inputs)


def metal(profile: Any = f"{ZONE}-vpc-roce-metal") -> Program:
    """A pool of A4X Max, whose network for RDMA has a subnetwork that Google makes."""
    made: Program = {
        "host": (NETWORK, {"mtu": 8896}),
        "host-sub": (SUBNETWORK, {"network": Ref("host"), "region": REGION}),
        "roce": (NETWORK, {"networkProfile": profile}),
    }
    rail = {"network": Ref("roce", "name"), "subnetwork": Ref("roce", "default-subnet")}
    host = {"network": Ref("host", "name"), "subnetwork": Ref("host-sub", "name")}
    return pool("a4x-maxgpu-4g-metal", others=made, **wired([host, *[rail] * 8]))


def network(mtu: Any = None, machine: str = "a3-megagpu-8g", **inputs: Any) -> Program:
    """A network that a pool has an interface on."""
    return {
        "pool": (NODE_POOL, {"nodeConfig": {"machineType": machine}, **wired([{"network": Ref("it")}])}),
        "it": (NETWORK, {**({} if mtu is None else {"mtu": mtu}), **inputs}),
    }


def behind(mtu: Any) -> Program:
    """A network that a machine without GKE has its second interface on."""
    interfaces = [{"network": "default"}, {"network": Ref("it")}]
    inputs = {"machineType": "a3-highgpu-8g", "networkInterfaces": interfaces}
    return {"machine": (INSTANCE, inputs), "it": (NETWORK, {"mtu": mtu})}


def several(**inputs: Any) -> Program:
    """A cluster with a pool that has networks of its own."""
    return {
        "it": (CLUSTER, {"name": "main", **inputs}),
        **plain_networks(1),
        "pool": (NODE_POOL, {"cluster": Ref("it", "name"), **wired(plain_wiring(1))}),
    }


def doubled(key: str) -> list[dict[str, Any]]:
    """Wiring whose second interface is on what the first one is on."""
    return [plain_wiring(2)[0], {**plain_wiring(2)[1], key: plain_wiring(2)[0][key]}]


def version(of_pool: Any = None, of_cluster: Any = None, **inputs: Any) -> Program:
    """A pool with its networks in some version of GKE."""
    return mega(cluster={"minMasterVersion": of_cluster}, version=of_pool, **inputs)


def dranet(machine: str = "a3-ultragpu-8g", profile: Any = "auto", cluster: Any = None, **inputs: Any) -> Program:
    """A pool that GKE wires."""
    given = {"networkConfig": {"acceleratorNetworkProfile": profile}, **inputs}
    return pool(machine, LABEL, V2 if cluster is None else cluster, **given)


def machine(*interfaces: dict[str, Any], profile: Any = f"{ZONE}-vpc-roce") -> Program:
    """A machine with interfaces on a network for hosts and one for RDMA."""
    inputs = {"machineType": "a3-ultragpu-8g", "networkInterfaces": list(interfaces)}
    return {"host": (NETWORK, {}), "roce": (NETWORK, {"networkProfile": profile}), "it": (INSTANCE, inputs)}


HOST = {"network": Ref("host"), "nicType": "GVNIC"}
ROCE = {"network": Ref("roce"), "nicType": "MRDMA"}

CASES = [
    Case("gcp-fabric-network-count", PASS, mega()),
    Case("gcp-fabric-network-count", PASS, mega(), preview=True),
    Case("gcp-fabric-network-count", FAIL, mega(7), path=ENTRIES, says="8 on 8 networks for the accelerators"),
    Case("gcp-fabric-network-count", FAIL, mega(9), path=ENTRIES, says="9 are listed"),
    Case(
        "gcp-fabric-network-count",
        FAIL,
        ultra(wiring=rdma_wiring()[1:]),
        path=ENTRIES,
        says="1 on 1 network for the host",
    ),
    Case("gcp-fabric-network-count", CANNOT_TELL, pool("a3-megagpu-8g", **wired(UNKNOWN))),
    Case("gcp-fabric-network-count", NOT_APPLICABLE, pool("a3-megagpu-8g")),
    Case(
        "gcp-fabric-network-count",
        NOT_APPLICABLE,
        pool("e2-standard-4", others=plain_networks(1), **wired(plain_wiring(1))),
    ),
    Case("gcp-fabric-wired", PASS, mega(nodeCount=4)),
    Case("gcp-fabric-wired", PASS, dranet(nodeCount=4)),
    Case("gcp-fabric-wired", FAIL, pool("a3-megagpu-8g", nodeCount=4), path=ENTRIES, says="auto"),
    Case("gcp-fabric-wired", CANNOT_TELL, pool("a3-megagpu-8g")),
    Case("gcp-fabric-wired", NOT_APPLICABLE, pool("a3-megagpu-8g", nodeCount=1)),
    Case("gcp-fabric-wired", NOT_APPLICABLE, pool("g2-standard-48", nodeCount=4)),
    Case("gcp-fabric-network-mtu", PASS, network(8244)),
    Case("gcp-fabric-network-mtu", PASS, network(8896, "a3-ultragpu-8g")),
    Case("gcp-fabric-network-mtu", FAIL, network(8896), path="mtu", says="Set mtu to 8244"),
    Case("gcp-fabric-network-mtu", FAIL, network(), path="mtu", says="1460"),
    Case("gcp-fabric-network-mtu", FAIL, network(8896), path="mtu", preview=True),
    Case("gcp-fabric-network-mtu", FAIL, behind(8896), path="mtu", says="a3-highgpu-8g"),
    Case("gcp-fabric-network-mtu", CANNOT_TELL, network(UNKNOWN)),
    Case("gcp-fabric-network-mtu", NOT_APPLICABLE, {"it": (NETWORK, {"mtu": 1460})}),
    Case(
        "gcp-fabric-network-mtu", NOT_APPLICABLE, network(machine="a3-ultragpu-8g", networkProfile=f"{ZONE}-vpc-roce")
    ),
    Case("gcp-rdma-network-profile", PASS, ultra()),
    Case("gcp-rdma-network-profile", PASS, ultra(), preview=True),
    Case(
        "gcp-rdma-network-profile",
        FAIL,
        ultra(rdma_networks("us-central1-b-vpc-roce")),
        path="networkProfile",
        says=ZONE,
    ),
    Case(
        "gcp-rdma-network-profile",
        FAIL,
        ultra(rdma_networks("us-central1-b-vpc-roce")),
        path="networkProfile",
        preview=True,
    ),
    Case("gcp-rdma-network-profile", FAIL, ultra(rdma_networks(f"{ZONE}-vpc-roce-metal")), path="networkProfile"),
    Case("gcp-rdma-network-profile", FAIL, ultra(rdma_networks(None)), path=ENTRIES, says=f"{ZONE}-vpc-roce"),
    Case("gcp-rdma-network-profile", PASS, metal()),
    Case("gcp-rdma-network-profile", PASS, metal(), preview=True),
    Case("gcp-rdma-network-profile", FAIL, metal(f"{ZONE}-vpc-roce"), path="networkProfile", preview=True),
    Case("gcp-rdma-network-profile", CANNOT_TELL, ultra(rdma_networks(UNKNOWN))),
    Case("gcp-rdma-network-profile", NOT_APPLICABLE, mega()),
    Case("gcp-rdma-host-interface-first", PASS, ultra()),
    Case(
        "gcp-rdma-host-interface-first",
        FAIL,
        ultra(wiring=rdma_wiring()[::-1]),
        path=ENTRIES,
        says="host network first",
    ),
    Case("gcp-rdma-host-interface-first", CANNOT_TELL, ultra(wiring=rdma_wiring()[::-1]), preview=True),
    Case("gcp-rdma-host-interface-first", NOT_APPLICABLE, ultra(wiring=rdma_wiring()[1:])),
    Case("gcp-fabric-subnetwork-per-interface", PASS, mega()),
    Case("gcp-fabric-subnetwork-per-interface", PASS, ultra()),
    Case(
        "gcp-fabric-subnetwork-per-interface",
        FAIL,
        mega(2, **wired(doubled("subnetwork"))),
        path=f"{ENTRIES}[1].subnetwork",
    ),
    Case(
        "gcp-fabric-subnetwork-per-interface",
        FAIL,
        mega(2, **wired(doubled("network"))),
        path=f"{ENTRIES}[1].network",
        says="own",
    ),
    Case("gcp-fabric-subnetwork-per-interface", CANNOT_TELL, mega(2), preview=True),
    Case("gcp-fabric-subnetwork-per-interface", NOT_APPLICABLE, mega(1)),
    Case(
        "gcp-fabric-not-cluster-network",
        PASS,
        mega(others={**plain_networks(), "home": (NETWORK, {})}, cluster={"network": Ref("home")}),
    ),
    Case("gcp-fabric-not-cluster-network", FAIL, mega(cluster={"network": Ref("net3")}), path=ENTRIES, says="net3"),
    Case(
        "gcp-fabric-not-cluster-network",
        CANNOT_TELL,
        mega(cluster={"network": "projects/other/global/networks/shared"}),
    ),
    Case("gcp-fabric-not-cluster-network", NOT_APPLICABLE, pool("a3-megagpu-8g", cluster={"network": "default"})),
    Case("gcp-fabric-subnetwork-of-network", PASS, mega()),
    Case(
        "gcp-fabric-subnetwork-of-network",
        FAIL,
        mega(2, **wired(doubled("network"))),
        path=f"{ENTRIES}[1].subnetwork",
        says="sub1",
    ),
    Case(
        "gcp-fabric-subnetwork-of-network",
        FAIL,
        mega(1, {**plain_networks(1), "sub0": (SUBNETWORK, {"network": Ref("net0"), "region": "us-east4"})}),
        path=f"{ENTRIES}[0].subnetwork",
        says=REGION,
    ),
    Case("gcp-fabric-subnetwork-of-network", CANNOT_TELL, mega(), preview=True),
    Case("gcp-fabric-subnetwork-of-network", NOT_APPLICABLE, pool("a3-megagpu-8g")),
    Case("gcp-gke-multi-networking", PASS, several(enableMultiNetworking=True)),
    Case("gcp-gke-multi-networking", FAIL, several(), path="enableMultiNetworking", says="nodes of pool"),
    Case("gcp-gke-multi-networking", FAIL, several(), path="enableMultiNetworking", preview=True),
    Case("gcp-gke-multi-networking", CANNOT_TELL, several(enableMultiNetworking=UNKNOWN)),
    Case("gcp-gke-multi-networking", NOT_APPLICABLE, {"it": (CLUSTER, {"name": "main"})}),
    Case("gcp-gke-network-feature-version", PASS, version("1.32.11-gke.1174000")),
    Case("gcp-gke-network-feature-version", PASS, version(of_cluster="1.35")),
    Case("gcp-gke-network-feature-version", PASS, version("1.32.9-gke.1000000")),
    Case(
        "gcp-gke-network-feature-version",
        FAIL,
        dranet(cluster={**V2, "minMasterVersion": "1.33"}),
        path="minMasterVersion",
        says="dranet",
    ),
    Case("gcp-gke-network-feature-version", CANNOT_TELL, version(UNKNOWN)),
    Case("gcp-gke-network-feature-version", CANNOT_TELL, version("latest")),
    Case("gcp-gke-network-feature-version", NOT_APPLICABLE, mega()),
    Case("gcp-gke-network-feature-version", NOT_APPLICABLE, pool("e2-standard-4", version="1.27")),
    Case("gcp-gke-fabric-version", PASS, version("1.32.11-gke.1174000")),
    Case("gcp-gke-fabric-version", FAIL, version("1.32.9-gke.1000000"), path="version", says="1.32.11-gke.1174000"),
    Case("gcp-gke-fabric-version", CANNOT_TELL, version("1.32")),
    Case("gcp-gke-fabric-version", NOT_APPLICABLE, dranet(cluster={**V2, "minMasterVersion": "1.33"})),
    Case("gcp-gke-fabric-version", NOT_APPLICABLE, pool("e2-standard-4", version="1.27")),
    Case("gcp-dranet-or-networks", PASS, dranet()),
    Case(
        "gcp-dranet-or-networks",
        FAIL,
        pool(
            "a3-megagpu-8g",
            others=plain_networks(),
            networkConfig={"acceleratorNetworkProfile": "auto", "additionalNodeNetworkConfigs": plain_wiring()},
        ),
        path=PROFILE,
        says="Leave",
    ),
    Case("gcp-dranet-or-networks", CANNOT_TELL, dranet(profile=UNKNOWN)),
    Case("gcp-dranet-or-networks", NOT_APPLICABLE, mega()),
    Case("gcp-dranet-machine-family", PASS, dranet()),
    Case("gcp-dranet-machine-family", FAIL, dranet("g2-standard-48"), path=PROFILE, says="does not serve"),
    Case("gcp-dranet-machine-family", FAIL, dranet(profile="rdma"), path=PROFILE, says="Use auto"),
    Case("gcp-dranet-machine-family", FAIL, dranet(cluster={}), path="datapathProvider", says="ADVANCED_DATAPATH"),
    Case("gcp-dranet-machine-family", CANNOT_TELL, dranet(cluster={"datapathProvider": UNKNOWN})),
    Case("gcp-dranet-machine-family", NOT_APPLICABLE, mega()),
    Case("gcp-dranet-node-label", PASS, dranet()),
    Case("gcp-dranet-node-label", FAIL, dranet(nodeConfig={"machineType": "a3-ultragpu-8g"}), path="nodeConfig.labels"),
    Case("gcp-dranet-node-label", CANNOT_TELL, dranet(nodeConfig={"labels": UNKNOWN})),
    Case("gcp-dranet-node-label", NOT_APPLICABLE, mega()),
    Case(
        "gcp-gke-fast-socket-gvnic",
        PASS,
        pool("g2-standard-48", {"fastSocket": {"enabled": True}, "gvnic": {"enabled": True}}),
    ),
    Case(
        "gcp-gke-fast-socket-gvnic",
        FAIL,
        pool("g2-standard-48", {"fastSocket": {"enabled": True}}),
        path="nodeConfig.gvnic",
    ),
    Case("gcp-gke-fast-socket-gvnic", CANNOT_TELL, pool("g2-standard-48", {"fastSocket": UNKNOWN})),
    Case("gcp-gke-fast-socket-gvnic", NOT_APPLICABLE, pool("g2-standard-48")),
    Case("gcp-rdma-interface-type", PASS, machine(HOST, ROCE)),
    Case(
        "gcp-rdma-interface-type",
        FAIL,
        machine(HOST, {**ROCE, "nicType": "GVNIC"}),
        path="networkInterfaces[1].nicType",
        says="MRDMA",
    ),
    Case(
        "gcp-rdma-interface-type",
        FAIL,
        machine(HOST, {**HOST, "nicType": "MRDMA"}),
        path="networkInterfaces[1].nicType",
        says="GVNIC",
    ),
    Case("gcp-rdma-interface-type", FAIL, machine(ROCE), path="networkInterfaces[0].network", says="ordinary"),
    Case("gcp-rdma-interface-type", CANNOT_TELL, machine(HOST, ROCE, profile=UNKNOWN)),
    Case("gcp-rdma-interface-type", NOT_APPLICABLE, machine({"network": "default"})),
    Case("gcp-fabric-interface-count", PASS, machine(HOST, *[ROCE] * 9)),
    Case("gcp-fabric-interface-count", FAIL, machine(HOST, *[ROCE] * 8), path="networkInterfaces", says="8 are listed"),
    Case(
        "gcp-fabric-interface-count",
        CANNOT_TELL,
        {"it": (INSTANCE, {"machineType": "a3-ultragpu-8g", "networkInterfaces": UNKNOWN})},
    ),
    Case("gcp-fabric-interface-count", NOT_APPLICABLE, machine(HOST)),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_fabric_rule_tells(case: Case) -> None:
    check(case)
