"""Misconfigurations in fabrics and placement: which networks a pool is wired to, and how close its machines stand."""

from __future__ import annotations

from tests.a3ultra_platform import HOST_AND_RAILS, TCPXO, ZONE, Misconfiguration, interfaces
from tests.simulate.gcp_misconfigurations.misconfigurations import OTHER_ZONE, Misconfigurations


def wired(pool: str, *subnetworks: str) -> Misconfiguration:
    """A misconfiguration among the interfaces of a pool."""
    return {pool: {"network_config": lambda made: interfaces(made, *subnetworks)}}


def roce(profile: str) -> Misconfiguration:
    """A misconfiguration in the profile of the network for RDMA."""
    return {"roce": {"network_profile": f"projects/acme-training/global/networkProfiles/{profile}"}}


MISCONFIGURATIONS: Misconfigurations = {
    "seven of eight networks": ("gcp-fabric-network-count", "mega", wired("mega", *TCPXO[1:])),
    "one network too many": ("gcp-fabric-network-count", "mega", wired("mega", "host", *TCPXO)),
    "RDMA without the network of the host": ("gcp-fabric-network-count", "train", wired("train", *HOST_AND_RAILS[1:])),
    "no networks for the fabric": ("gcp-fabric-wired", "train", {"train": {"network_config": None}}),
    "packets of RDMA on A3 Mega": ("gcp-fabric-network-mtu", "lane-3", {"lane-3": {"mtu": 8896}}),
    "packets of the default size": ("gcp-fabric-network-mtu", "hosts", {"hosts": {"mtu": None}}),
    "a network for RDMA in another zone": ("gcp-rdma-network-profile", "roce", roce(f"{OTHER_ZONE}-vpc-roce")),
    "a network for bare metal": ("gcp-rdma-network-profile", "roce", roce(f"{ZONE}-vpc-roce-metal")),
    "an ordinary network instead of RDMA": (
        "gcp-rdma-network-profile",
        "train",
        {"roce": {"network_profile": None, "mtu": 8896}},
    ),
    "several networks in a cluster with one": (
        "gcp-gke-multi-networking",
        "cluster",
        {"cluster": {"enable_multi_networking": False}},
    ),
    "DRANET beside networks of one's own": (
        "gcp-dranet-or-networks",
        "train",
        {
            "train": {
                "network_config": lambda made: {
                    **interfaces(made, *HOST_AND_RAILS),
                    "accelerator_network_profile": "auto",
                }
            }
        },
    ),
    "DRANET without its label": (
        "gcp-dranet-node-label",
        "train",
        {"train": {"network_config": {"accelerator_network_profile": "auto"}}},
    ),
    "compact placement over two zones": (
        "gcp-placement-one-zone",
        "system",
        {"system": {"placement_policy": {"type": "COMPACT"}, "node_locations": [ZONE, OTHER_ZONE]}},
    ),
    "compact placement with blue-green upgrades": (
        "gcp-placement-surge-upgrade",
        "train",
        {"train": {"placement_policy": {"type": "COMPACT"}, "upgrade_settings": {"strategy": "BLUE_GREEN"}}},
    ),
    "compact placement of queued machines": (
        "gcp-placement-no-queued",
        "mega",
        {"mega": {"placement_policy": {"type": "COMPACT"}}},
    ),
    "compact placement of A3 Mega by flex start": (
        "gcp-placement-flex-start",
        "mega",
        {"mega": {"placement_policy": {"type": "COMPACT"}, "queued_provisioning": None}},
    ),
    "a workload policy that says two things": (
        "gcp-placement-workload-policy",
        "workload",
        {
            "workload": {
                "workload_policy": {
                    "type": "HIGH_THROUGHPUT",
                    "accelerator_topology": "4x4x4",
                    "max_topology_distance": "BLOCK",
                }
            }
        },
    ),
    "a policy in another region": ("gcp-placement-policy-region", "ironwood", {"workload": {"region": "us-east1"}}),
}
