"""Misconfigurations in networks: ranges, firewalls, gateways."""

from __future__ import annotations

from tests.a3ultra_platform import ZONE
from tests.simulate.gcp_misconfigurations.misconfigurations import Misconfigurations

PODS_AND_SERVICES = {"cluster_secondary_range_name": "pods", "services_secondary_range_name": "services"}


MISCONFIGURATIONS: Misconfigurations = {
    "packets larger than any network carries": ("gcp-net-mtu", "vpc", {"vpc": {"mtu": 9000}}),
    "a profile by its last name": ("gcp-net-profile-path", "roce", {"roce": {"network_profile": f"{ZONE}-vpc-roce"}}),
    "a subnetwork for RDMA with more ranges": (
        "gcp-subnet-rdma-settings",
        "rail-0",
        {"rail-0": {"stack_type": "IPV4_IPV6"}},
    ),
    "rails that overlap": ("gcp-net-ranges-overlap", "rail-1", {"rail-1": {"ip_cidr_range": "192.168.64.0/21"}}),
    "a gateway in another region": ("gcp-nat-router-region", "nat", {"nat": {"region": "us-east1"}}),
    "a way out of the network for RDMA": (
        "gcp-nat-no-rdma",
        "router",
        {"router": {"network": lambda made: made["roce"].id}},
    ),
    "a firewall around RDMA": ("gcp-fw-no-roce-rules", "inside", {"inside": {"network": lambda made: made["roce"].id}}),
    "a firewall rule for nobody": ("gcp-fw-allow-or-deny", "inside", {"inside": {"allows": None}}),
    "a range of pods that is not there": (
        "gcp-gke-secondary-ranges",
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
    "a range for services that is too small": ("gcp-psa-range-size", "peers", {"peers": {"prefix_length": 30}}),
    "a name with an underscore": ("gcp-name-form", "vpc", {"vpc": {"name": "acme_vpc"}}),
    "hosts that are kept apart": (
        "gcp-fabric-firewall-ingress",
        "hosts",
        {"host-inside": {"allows": [{"protocol": "icmp"}]}},
    ),
    "lanes that let others in": (
        "gcp-fabric-firewall-ingress",
        "lane-2",
        {"gpu-2-inside": {"source_ranges": ["172.61.0.0/16"]}},
    ),
    "a range of 33 bits": ("gcp-fw-ranges", "inside", {"inside": {"source_ranges": ["10.0.0.0/33"]}}),
    "a port beyond the last": (
        "gcp-fw-ports",
        "inside",
        {"inside": {"allows": [{"protocol": "tcp", "ports": ["0-65536"]}]}},
    ),
    "a range that starts in the middle": (
        "gcp-subnet-range-valid",
        "nodes",
        {"nodes": {"ip_cidr_range": "10.0.1.0/20"}},
    ),
    "ranges the wrong way round": (
        "gcp-gke-services-range-size",
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
        "gcp-gke-secondary-ranges",
        "cluster",
        {"cluster": {"ip_allocation_policy": {**PODS_AND_SERVICES, "services_secondary_range_name": "pods"}}},
    ),
    "addresses of a gateway that has none": (
        "gcp-nat-listed-resources",
        "nat",
        {"nat": {"nat_ip_allocate_option": "MANUAL_ONLY"}},
    ),
}
