"""Slips in networks: ranges, firewalls, gateways."""

from __future__ import annotations

from tests.a3ultra_platform import ZONE
from tests.rehearsal.gcp_slips.slips import Slips

PODS_AND_SERVICES = {"cluster_secondary_range_name": "pods", "services_secondary_range_name": "services"}


SLIPS: Slips = {
    "packets larger than any network carries": ("GCP-NET-001", "vpc", {"vpc": {"mtu": 9000}}),
    "a profile by its last name": ("GCP-NET-002", "roce", {"roce": {"network_profile": f"{ZONE}-vpc-roce"}}),
    "a subnetwork for RDMA with more ranges": (
        "GCP-NET-006",
        "rail-0",
        {"rail-0": {"stack_type": "IPV4_IPV6"}},
    ),
    "rails that overlap": ("GCP-NET-008", "rail-1", {"rail-1": {"ip_cidr_range": "192.168.64.0/21"}}),
    "a gateway in another region": ("GCP-NAT-003", "nat", {"nat": {"region": "us-east1"}}),
    "a way out of the network for RDMA": (
        "GCP-NAT-007",
        "router",
        {"router": {"network": lambda made: made["roce"].id}},
    ),
    "a firewall around RDMA": ("GCP-FW-001", "inside", {"inside": {"network": lambda made: made["roce"].id}}),
    "a firewall rule for nobody": ("GCP-FW-004", "inside", {"inside": {"allows": None}}),
    "a range of pods that is not there": (
        "GCP-IP-001",
        "cluster",
        {
            "cluster": {
                "ip_allocation_policy": {
                    "cluster_secondary_range_name": "pod",
                    "services_secondary_range_name": "services",
                }
            }
        },
    ),
    "a range for services that is too small": ("GCP-PSA-001", "peers", {"peers": {"prefix_length": 30}}),
    "a name with an underscore": ("GCP-NAME-001", "vpc", {"vpc": {"name": "acme_vpc"}}),
    "hosts that are kept apart": (
        "GCP-FW-007",
        "hosts",
        {"host-inside": {"allows": [{"protocol": "icmp"}]}},
    ),
    "lanes that let others in": (
        "GCP-FW-007",
        "lane-2",
        {"gpu-2-inside": {"source_ranges": ["172.61.0.0/16"]}},
    ),
    "a range of 33 bits": ("GCP-FW-008", "inside", {"inside": {"source_ranges": ["10.0.0.0/33"]}}),
    "a port beyond the last": (
        "GCP-FW-006",
        "inside",
        {"inside": {"allows": [{"protocol": "tcp", "ports": ["0-65536"]}]}},
    ),
    "a range that starts in the middle": ("GCP-NET-007", "nodes", {"nodes": {"ip_cidr_range": "10.0.1.0/20"}}),
    "ranges the wrong way round": (
        "GCP-IP-004",
        "cluster",
        {
            "cluster": {
                "ip_allocation_policy": {
                    "cluster_secondary_range_name": "services",
                    "services_secondary_range_name": "pods",
                }
            }
        },
    ),
    "one range for pods and services": (
        "GCP-IP-001",
        "cluster",
        {"cluster": {"ip_allocation_policy": {**PODS_AND_SERVICES, "services_secondary_range_name": "pods"}}},
    ),
    "addresses of a gateway that has none": (
        "GCP-NAT-001",
        "nat",
        {"nat": {"nat_ip_allocate_option": "MANUAL_ONLY"}},
    ),
}
