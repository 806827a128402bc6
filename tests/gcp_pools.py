"""Small programs with node pools of GKE, for the cases of cloud rules."""

from __future__ import annotations

from typing import Any

from tests.programs import Program, Ref

from penstock.rules.gcp.types import CLUSTER, NETWORK, NODE_POOL, RESERVATION, RESOURCE_POLICY, SUBNETWORK

REGION = "us-central1"
ZONE = "us-central1-a"
KEY = "compute.googleapis.com/reservation-name"


def pool(
    machine_type: Any = None, config: Any = None, cluster: Any = None, others: Program | None = None, **inputs: Any
) -> Program:
    """A pool in one zone of a regional cluster; `config` says more of its nodes, `cluster` of the cluster."""
    named = {} if machine_type is None else {"machineType": machine_type}
    own = {"cluster": Ref("cluster", "name"), "nodeLocations": [ZONE], "nodeConfig": {**named, **(config or {})}}
    return {
        "cluster": (CLUSTER, {"name": "main", "location": REGION, **(cluster or {})}),
        **(others or {}),
        "it": (NODE_POOL, {key: value for key, value in {**own, **inputs}.items() if value is not None}),
    }


def inline(machine_type: str, config: Any = None, **inputs: Any) -> Program:
    """A pool described in its cluster."""
    described = {"nodeConfig": {"machineType": machine_type, **(config or {})}, **inputs}
    return {"it": (CLUSTER, {"name": "main", "location": REGION, "nodePools": [described]})}


def reserved(value: Any = "train", kind: Any = "SPECIFIC_RESERVATION", key: Any = KEY) -> dict[str, Any]:
    """What a pool says that uses a reservation."""
    values = value if isinstance(value, list) or value is None else [value]
    return {"reservationAffinity": {"consumeReservationType": kind, "key": key, "values": values}}


def unreserved(kind: Any = "NO_RESERVATION") -> dict[str, Any]:
    """What a pool says that uses none."""
    return {"reservationAffinity": {"consumeReservationType": kind}}


def reservation(machine_type: str = "a3-megagpu-8g", count: Any = 8, properties: Any = None, **inputs: Any) -> Program:
    """A reservation called train."""
    specific = {"count": count, "instanceProperties": {"machineType": machine_type, **(properties or {})}}
    own = {"name": "train", "zone": ZONE, "specificReservationRequired": True, "specificReservation": specific}
    return {"reservation": (RESERVATION, {**own, **inputs})}


def workload(topology: Any = "1x72", region: Any = REGION, **policy: Any) -> Program:
    """A policy for workloads."""
    said = {"type": "HIGH_THROUGHPUT", "acceleratorTopology": topology, **policy}
    inputs = {"name": "policy", "region": region, "workloadPolicy": said}
    return {"policy": (RESOURCE_POLICY, {key: value for key, value in inputs.items() if value is not None})}


def placed(**more: Any) -> dict[str, Any]:
    """The placement of a pool by that policy."""
    return {"placementPolicy": {"type": "COMPACT", "policyName": Ref("policy", "name"), **more}}


COMPACT = {"placementPolicy": {"type": "COMPACT"}}


def plain_networks(count: int = 8, **network: Any) -> Program:
    """As many networks, each with a subnetwork."""
    made: dict[str, Any] = {}
    for rank in range(count):
        made[f"net{rank}"] = (NETWORK, {"mtu": 8244, **network})
        made[f"sub{rank}"] = (SUBNETWORK, {"network": Ref(f"net{rank}"), "region": REGION})
    return made


def plain_wiring(count: int = 8) -> list[dict[str, Any]]:
    """The interfaces of a node on these networks."""
    return [{"network": Ref(f"net{rank}"), "subnetwork": Ref(f"sub{rank}")} for rank in range(count)]


def rdma_networks(profile: Any = f"{ZONE}-vpc-roce", mtu: Any = 8896) -> Program:
    """A network for hosts and one for RDMA with eight subnetworks."""
    rails = {f"rail{rank}": (SUBNETWORK, {"network": Ref("roce"), "region": REGION}) for rank in range(8)}
    return {
        "host": (NETWORK, {"mtu": mtu}),
        "host-sub": (SUBNETWORK, {"network": Ref("host"), "region": REGION}),
        "roce": (NETWORK, {"networkProfile": profile} if profile is not None else {"mtu": 8896}),
        **rails,
    }


def rdma_wiring() -> list[dict[str, Any]]:
    """The interfaces of a node on these networks."""
    rails = [{"network": Ref("roce"), "subnetwork": Ref(f"rail{rank}")} for rank in range(8)]
    return [{"network": Ref("host"), "subnetwork": Ref("host-sub")}, *rails]


def wired(entries: Any) -> dict[str, Any]:
    """What a pool says of its further interfaces."""
    return {"networkConfig": {"additionalNodeNetworkConfigs": entries}}
