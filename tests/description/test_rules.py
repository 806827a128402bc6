"""Each rule, broken in the ways that people break it, and kept in the ways that look like breaking it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from tests.descriptions import BEEGFS, GONE, RESERVATION, SIGNER, TRAINING, changed, complaints, hints, signed

from penstock.description import rules
from penstock.description.codes import Code
from penstock.description.positions import written

VPC: dict[str, Any] = {
    "id": "vpc-0123456789abcdef0",
    "subnets": {"us-east-1a": "subnet-0123456789abcdef0", "us-east-1b": "subnet-01234567"},
}
TWICE = {"name": "old", "installed": ["nvidia", "gpu-operator"]}
LONG_KEY = f"{'a' * 60}.example.com/b"
BLOCK = "cr-0fedcba9876543210"
LAKE = {"name": "lake", "kind": "lustre", "capacity_tib": 1.2, "throughput_mbps_per_tib": 125}


def adopted(network: object) -> dict[str, Any]:
    """The description in a network that exists."""
    return changed("network", {"existing": network})


def pool(**fields: object) -> dict[str, Any]:
    """The description with one pool more, the third."""
    return changed("node_pools.2", {"name": "more", "nodes": 1, **fields})


def block(**fields: object) -> dict[str, Any]:
    """The description with a pool in a capacity block."""
    whole = {"accelerator": "h200", "capacity": "capacity_block", "reservation": BLOCK, "zone": "us-east-1b"}
    return pool(**{key: value for key, value in (whole | fields).items() if value is not GONE})


def file_system(**fields: object) -> dict[str, Any]:
    """The description with one file system more, the fifth storage."""
    return changed("storage.4", {**LAKE, **fields})


def shared_with(writer: str) -> dict[str, Any]:
    """The description with a bucket that a service account writes, and a team in a namespace of another name."""
    teams = {"queueing": {"teams": [{"name": "vision", "namespace": "ml-vision"}]}}
    return changed("storage.0.writers", [writer], changed("addons", teams))


def secrets_read_by(reader: str) -> dict[str, Any]:
    """The description with secrets that somebody reads, and a team in a namespace of another name."""
    return changed("addons.secrets", {"names": ["wandb"], "readers": [reader]}, shared_with("vision"))


def queueing(accelerators: Mapping[str, int]) -> dict[str, Any]:
    """The description with a team that is guaranteed accelerators."""
    return changed("addons.queueing", {"teams": [{"name": "vision", "accelerators": accelerators}]})


CLAIMS = changed("cluster.device_allocation", "claims", changed("node_pools.1.nodes", 16))
"""The description with pods that claim GPUs and EFA."""


def claiming(**fields: object) -> dict[str, Any]:
    """The same with one pool more, the third."""
    return changed("node_pools.2", {"name": "more", "nodes": 1, **fields}, CLAIMS)


def existing_with(installed: str, allocation: str) -> dict[str, Any]:
    """The description on a cluster that exists, and has something already."""
    cluster = {"existing": {"name": "old", "installed": [installed]}, "device_allocation": allocation}
    return changed("cluster", cluster, changed("node_pools.1.nodes", 16, adopted(VPC)))


MORE = "node_pools[2]"

KARPENTER = changed("cluster.autoscaling", "karpenter", changed("storage.1.fabric", GONE))

BROKEN = [
    ("SPEC-020", f"{MORE}.topology", pool(accelerator="l4", topology="2x2")),
    ("SPEC-020", f"{MORE}.slices", pool(accelerator="l4", slices=2)),
    ("SPEC-021", "cloud.profile", changed("cloud.profile", "k3s")),
    ("SPEC-021", "cluster.kubeconfig", changed("cluster.kubeconfig", "kubeconfig.yaml")),
    ("SPEC-022", f"{MORE}.gcp", pool(accelerator="l4", gcp={"local_ssds": 1})),
    ("SPEC-022", "network.existing.pods_range", adopted({**VPC, "pods_range": "pods"})),
    ("SPEC-164", f"{MORE}.sharing.mig", pool(accelerator="a100", sharing={"mig": "1g.5gb"})),
    ("SPEC-164", f"{MORE}.sharing", pool(accelerator="l4", sharing={"time_slicing": 4, "mps": 4})),
    ("SPEC-164", f"{MORE}.sharing", pool(accelerator="l4", sharing={})),
    ("SPEC-164", f"{MORE}.sharing", pool(machine_type="m7i.2xlarge", sharing={"mps": 4})),
    ("SPEC-164", f"{MORE}.sharing", pool(accelerator="inferentia2", sharing={"time_slicing": 4})),
    ("SPEC-200", "cluster.device_allocation", changed("cluster.version", "1.33", CLAIMS)),
    ("SPEC-200", "cluster.device_allocation", changed("node_pools.1", GONE, changed("storage.1.fabric", GONE, CLAIMS))),
    ("SPEC-200", "node_pools[1].nodes.min", changed("node_pools.1.nodes", {"min": 0, "max": 16}, CLAIMS)),
    ("SPEC-200", f"{MORE}.sharing", claiming(accelerator="l4", sharing={"time_slicing": 4})),
    ("SPEC-200", "addons.ray", changed("addons.ray", {}, CLAIMS)),
    ("SPEC-200", "cluster.existing.installed", existing_with("efa", "claims")),
    ("SPEC-200", "cluster.existing.installed", existing_with("efa-dra", "plugins")),
    ("SPEC-165", "cluster.existing.installed", changed("cluster", {"existing": TWICE}, adopted(VPC))),
    ("SPEC-030", "cloud.region", changed("cloud.region", GONE)),
    ("SPEC-030", "cloud.region", changed("cloud.region", "us-east1")),
    ("SPEC-031", "cloud.zones[1]", changed("cloud.zones", ["us-east-1a", "b", "us-east-1c"])),
    ("SPEC-031", "cloud.zones[2]", changed("cloud.zones", ["us-east-1a", "us-east-1b", "us-east-1a"])),
    ("SPEC-032", "cloud.zones", changed("cloud.zones", ["us-east-1a"])),
    ("SPEC-033", "cloud.account", changed("cloud.account", "1234")),
    ("SPEC-034", "cloud.region", changed("compliance.residency", "eu")),
    ("SPEC-034", "compliance.residency", changed("compliance.residency", "europe")),
    ("SPEC-040", "network.cidr", changed("network.cidr", "10.0.0.0/8")),
    ("SPEC-040", "network.cidr", changed("network.cidr", "10.0.0.0/24")),
    ("SPEC-041", "network.cidr", changed("network.cidr", "172.20.0.0/18")),
    ("SPEC-042", "network.cidr", changed("network.cidr", "10.0.0.0/20")),
    ("SPEC-042", "network.cidr", changed("node_pools.0.nodes", 450, changed("network.cidr", "10.0.0.0/18"))),
    ("SPEC-022", "cluster.node_upgrades", changed("cluster.node_upgrades", "by_hand")),
    ("SPEC-022", "storage[3].capacity_tib", changed("storage.3", {"name": "code", "kind": "nfs", "capacity_tib": 1})),
    ("SPEC-043", "network.allowed_cidrs", changed("cluster.access", "restricted")),
    ("SPEC-043", "network.allowed_cidrs[1]", changed("network.allowed_cidrs", ["10.9.0.0/16", "203.0.113.0/24"])),
    (
        "SPEC-043",
        "network.allowed_cidrs[0]",
        changed("cluster.access", "restricted", changed("network.allowed_cidrs", ["0.0.0.0/0"])),
    ),
    (
        "SPEC-043",
        "network.allowed_cidrs[0]",
        changed("cluster.access", "restricted", changed("network.allowed_cidrs", ["0.0.0.0/1"])),
    ),
    (
        "SPEC-044",
        "network.private_endpoints",
        changed("network", {"egress": "none", "private_endpoints": False}, changed("storage.1.fabric", GONE)),
    ),
    ("SPEC-043", "network.allowed_cidrs[0]", changed("network.allowed_cidrs", ["10.40.0.0/16"])),
    ("SPEC-087", f"{MORE}.labels.team", pool(accelerator="l4", labels={"team": ""})),
    ("SPEC-087", f"{MORE}.{written(('labels', LONG_KEY))}", pool(accelerator="l4", labels={LONG_KEY: "c"})),
    ("SPEC-088", f"{MORE}.taints[0].key", pool(accelerator="l4", taints=[{"key": LONG_KEY}])),
    ("SPEC-105", "tags.Team", changed("tags", {"team": "a", "Team": "b"})),
    ("SPEC-107", "name", changed("name", "sg")),
    ("SPEC-084", "node_pools[0]", changed("node_pools.0.nodes", {"min": 0, "max": 3})),
    ("SPEC-084", "node_pools[0]", changed("node_pools.0.taints", [{"key": "a"}])),
    ("SPEC-085", f"{MORE}.aws.ami_type", pool(accelerator="l4", aws={"ami_type": "BOTTLEROCKET_x86_64_NVIDIA"})),
    ("SPEC-045", "network.existing.id", adopted({**VPC, "id": "my-vpc"})),
    (
        "SPEC-045",
        "network.existing.subnets.us-east-1b",
        adopted({**VPC, "subnets": {**VPC["subnets"], "us-east-1b": "vpc-01234567"}}),
    ),
    (
        "SPEC-045",
        "network.existing.subnets.eu-west-1a",
        adopted({**VPC, "subnets": {**VPC["subnets"], "eu-west-1a": "subnet-01234567"}}),
    ),
    (
        "SPEC-045",
        "network.existing.fabric_security_group",
        adopted({**VPC, "fabric_security_group": "efa"}),
    ),
    (
        "SPEC-046",
        "cloud.zones[1]",
        changed("cloud.zones", ["us-east-1a", "us-east-1f"], adopted(VPC)),
    ),
    ("SPEC-050", "cluster.version", changed("cluster.version", "1.20")),
    ("SPEC-052", "cluster.admins[0]", changed("cluster.admins", ["platform"])),
    ("SPEC-052", "cluster.admins[0]", changed("cluster.admins", ["arn:aws:sts::123456789012:assumed-role/a/b"])),
    ("SPEC-052", "cluster.admins[0]", changed("cluster.admins", ["arn:aws:iam::210987654321:role/platform"])),
    ("SPEC-052", "cluster.admins[0]", changed("cluster.admins", ["arn:aws-cn:iam::123456789012:role/platform"])),
    ("SPEC-052", "cluster.admins[1]", changed("cluster.admins", TRAINING["cluster"]["admins"] * 2)),
    ("SPEC-053", "network.existing", changed("cluster", {"existing": {"name": "old"}})),
    ("SPEC-047", "network.cidr", changed("network.cidr", "127.0.0.0/16")),
    ("SPEC-047", "network.cidr", changed("network.cidr", "169.254.0.0/16")),
    ("SPEC-047", "network.cidr", changed("network.cidr", "224.0.0.0/16")),
    ("SPEC-048", "network.cidr", changed("network.cidr", "10.40.0.0/16", adopted(VPC))),
    (
        "SPEC-054",
        "cluster.admins",
        changed("cluster", {"existing": {"name": "old"}, "admins": TRAINING["cluster"]["admins"]}, adopted(VPC)),
    ),
    ("SPEC-055", "cluster.existing.name", changed("cluster", {"existing": {"name": "old one"}}, adopted(VPC))),
    ("SPEC-022", "cluster.access", changed("cluster.access", "dns")),
    ("SPEC-058", "cluster.access", changed("cluster.deployer_cidrs", GONE)),
    ("SPEC-059", "cluster.deployer_cidrs[0]", changed("cluster.deployer_cidrs", ["10.9.0.0/16"])),
    ("SPEC-059", "cluster.deployer_cidrs[0]", changed("cluster.deployer_cidrs", ["0.0.0.0/0"])),
    (
        "SPEC-059",
        "cluster.deployer_cidrs",
        changed("cluster", {"existing": {"name": "old"}, "deployer_cidrs": ["203.0.113.0/24"]}, adopted(VPC)),
    ),
    (
        "SPEC-059",
        "cluster.runner",
        changed("cluster", {"existing": {"name": "old"}, "runner": True}, adopted(VPC)),
    ),
    ("SPEC-060", MORE, pool()),
    ("SPEC-061", f"{MORE}.accelerator", pool(accelerator="h1000")),
    ("SPEC-062", f"{MORE}.machine_type", pool(machine_type="p5.24xlarge")),
    ("SPEC-063", f"{MORE}.accelerator", pool(accelerator="trainium2")),
    ("SPEC-064", f"{MORE}.accelerator", pool(machine_type="p5.48xlarge", accelerator="a100")),
    ("SPEC-064", f"{MORE}.count", pool(machine_type="p5.48xlarge", count=4)),
    ("SPEC-065", f"{MORE}.count", pool(accelerator="l4", count=3)),
    ("SPEC-066", f"{MORE}.nodes.min", pool(accelerator="l4", nodes={"min": 3, "max": 2})),
    ("SPEC-067", f"{MORE}.capacity", block(accelerator="l4")),
    ("SPEC-068", f"{MORE}.capacity", pool(accelerator="l4", capacity="flex_start")),
    ("SPEC-069", f"{MORE}.reservation", pool(accelerator="l4", reservation=RESERVATION)),
    ("SPEC-070", f"{MORE}.reservation", block(reservation=GONE)),
    ("SPEC-070", f"{MORE}.zone", block(zone=GONE)),
    ("SPEC-071", f"{MORE}.reservation", block(reservation="cr-0123")),
    ("SPEC-072", f"{MORE}.nodes", block(accelerator="h100", count=1, nodes=65)),
    ("SPEC-072", f"{MORE}.nodes.max", block(accelerator="h100", count=1, nodes={"min": 0, "max": 65})),
    ("SPEC-073", f"{MORE}.accelerator", pool(accelerator="rtx-pro-4500")),
    ("SPEC-074", f"{MORE}.zone", block(accelerator="h100", reservation=RESERVATION)),
    (
        "SPEC-074",
        f"{MORE}.reservation",
        block(capacity="reserved", reservation=RESERVATION, zone="us-east-1a"),
    ),
    ("SPEC-075", f"{MORE}.fabric", pool(accelerator="a100", fabric="infiniband")),
    ("SPEC-076", f"{MORE}.fabric", pool(accelerator="l4", fabric="efa")),
    ("SPEC-077", f"{MORE}.zone", pool(accelerator="l4", zone="us-east-1f")),
    ("SPEC-078", f"{MORE}.placement", block(placement="cluster")),
    ("SPEC-078", f"{MORE}.placement", block(placement="ours")),
    ("SPEC-079", f"{MORE}.placement", pool(accelerator="l4", placement="")),
    (
        "SPEC-080",
        f"{MORE}.zone",
        changed("node_pools.1.placement", "ours", pool(accelerator="a100", placement="ours", zone="us-east-1b")),
    ),
    (
        "SPEC-080",
        f"{MORE}.placement",
        changed(
            "node_pools.1",
            {**TRAINING["node_pools"][1], "placement": "ours", "zone": "us-east-1b"},
            changed("storage.1.zone", "us-east-1b", pool(accelerator="a100", placement="ours")),
        ),
    ),
    ("SPEC-085", f"{MORE}.aws.ami_type", pool(accelerator="l4", aws={"ami_type": "AL2023"})),
    ("SPEC-085", f"{MORE}.aws.ami_type", pool(accelerator="l4", aws={"ami_type": "AL2_x86_64_GPU"})),
    ("SPEC-085", f"{MORE}.aws.ami_type", pool(accelerator="l4", aws={"ami_type": "CUSTOM"})),
    ("SPEC-086", f"{MORE}.aws.ami_type", pool(accelerator="l4", aws={"ami_type": "AL2023_ARM_64_NVIDIA"})),
    (
        "SPEC-140",
        f"{MORE}.aws.release",
        changed("cluster.version", "1.35", pool(accelerator="l4", aws={"release": "1.34.2-20261105"})),
    ),
    ("SPEC-086", f"{MORE}.aws.ami_type", pool(accelerator="l4", aws={"ami_type": "AL2023_x86_64_STANDARD"})),
    ("SPEC-086", f"{MORE}.aws.ami_type", pool(accelerator="trainium", aws={"ami_type": "AL2023_x86_64_NVIDIA"})),
    ("SPEC-087", f"{MORE}.labels['a b']", pool(accelerator="l4", labels={"a b": "c"})),
    ("SPEC-087", f"{MORE}.labels.team", pool(accelerator="l4", labels={"team": "a b"})),
    (
        "SPEC-087",
        f"{MORE}.labels['node-role.kubernetes.io/x']",
        pool(accelerator="l4", labels={"node-role.kubernetes.io/x": "y"}),
    ),
    ("SPEC-088", f"{MORE}.taints[0].key", pool(accelerator="l4", taints=[{"key": "a b"}])),
    ("SPEC-088", f"{MORE}.taints[0].value", pool(accelerator="l4", taints=[{"key": "a", "value": "b c"}])),
    ("SPEC-088", f"{MORE}.taints[1]", pool(accelerator="l4", taints=[{"key": "a"}, {"key": "a", "value": "b"}])),
    (
        "SPEC-088",
        f"{MORE}.taints",
        pool(accelerator="l4", taints=[{"key": f"taint-{number}"} for number in range(50)]),
    ),
    ("SPEC-090", "storage[4].throughput_mbps_per_tib", file_system(throughput_mbps_per_tib=200)),
    ("SPEC-091", "storage[4].capacity_tib", file_system(capacity_tib=3.6)),
    ("SPEC-091", "storage[4].capacity_tib", file_system(capacity_tib=1.2004)),
    ("SPEC-091", "storage[4].capacity_tib", file_system(capacity_tib=4.8, fabric="efa")),
    ("SPEC-092", "storage[4].source", file_system(source="dataset")),
    ("SPEC-092", "storage[4].source", file_system(source="home")),
    ("SPEC-092", "storage[4].export", file_system(export=True)),
    ("SPEC-093", "storage[4].zone", file_system(zone="us-east-1f")),
    ("SPEC-094", "storage[1].zone", changed("node_pools.1.zone", "us-east-1b")),
    (
        "SPEC-094",
        "storage[1].fabric",
        changed("node_pools.1.accelerator", "trainium2", changed("cloud.region", "us-east-2")),
    ),
    ("SPEC-094", "storage[1].fabric", changed("node_pools.1.fabric", "none")),
    ("SPEC-098", "storage[1].fabric", changed("network.egress", "none")),
    ("SPEC-169", "storage[0].writers[0]", shared_with("vision/trainer")),
    ("SPEC-169", "addons.secrets.readers[0]", secrets_read_by("vision/trainer")),
    ("SPEC-201", "storage[0].writers[0]", shared_with("vison")),
    ("SPEC-201", "storage[0].writers[0]", shared_with("ml-vision")),
    ("SPEC-201", "storage[0].readers[1]", changed("storage.0.readers", ["default/trainer", "vision"])),
    ("SPEC-201", "addons.secrets.readers[0]", secrets_read_by("speech")),
    ("SPEC-201", "addons.secrets.readers[0]", changed("addons.secrets.readers", ["trainer"])),
    (
        "SPEC-205",
        "addons.pulumi.stacks[0]",
        changed(
            "addons.pulumi",
            {
                "backend": "gs://state",
                "secrets_provider": "gcpkms://projects/p/locations/l/keyRings/r/cryptoKeys/k",
                "stacks": [{"name": "platform", "stack": "prod"}],
            },
        ),
    ),
    ("SPEC-206", "addons.pulumi.secrets_provider", changed("addons.pulumi", {"backend": "gs://state"})),
    ("SPEC-190", "network.chart_mirror", changed("network.chart_mirror", "https://charts.example.com")),
    (
        "SPEC-179",
        "addons.notebooks.users",
        changed(
            "addons.notebooks",
            {
                "users": [],
                "login": {
                    "client_id": "hub",
                    "client_from": "login/secret",
                    "authorize_url": "https://login.example.com/authorize",
                    "token_url": "https://login.example.com/token",
                    "userdata_url": "https://login.example.com/userinfo",
                },
            },
        ),
    ),
    (
        "SPEC-021",
        "node_pools[1].devices",
        changed("node_pools.1.devices", {"groq.com/lpu": 8}),
    ),
    (
        "SPEC-174",
        "addons.security.signatures[0].subject",
        changed(
            "addons.security",
            {
                "signatures": [
                    {
                        "images": ["ghcr.io/acme/*"],
                        "issuer": "https://token.actions.githubusercontent.com",
                        "subject": "*",
                    }
                ]
            },
        ),
    ),
    (
        "SPEC-196",
        "addons.queueing.teams[0].groups[0]",
        changed("addons.queueing", {"teams": [{"name": "a", "groups": ["system:authenticated"]}]}),
    ),
    (
        "SPEC-197",
        "addons.slurm.claims.data",
        changed("addons.slurm", {"pools": ["train"], "claims": {"home": "/home", "data": "/home/"}}),
    ),
    (
        "SPEC-195",
        "network.image_mirror",
        changed("network.image_mirror", "https://images.example.com/all"),
    ),
    ("SPEC-168", "storage[4].server", changed("storage.4", {"name": "shared", "kind": "nfs", "server": "nfs.lan"})),
    (
        "SPEC-095",
        "storage[0].retention_days",
        changed("storage.0", {**TRAINING["storage"][0], "versioning": False, "retention_days": 3}),
    ),
    ("SPEC-100", f"{MORE}.name", pool(name="train", accelerator="l4")),
    ("SPEC-101", "storage[4].name", file_system(name="home")),
    ("SPEC-102", "addons.secrets.names[1]", changed("addons.secrets.names", ["wandb", "wandb"])),
    (
        "SPEC-172",
        "addons.secrets.vault",
        changed("addons.secrets.vault", {"server": "https://vault.example.com", "role": "platform"}),
    ),
    ("SPEC-173", "addons.secrets.delivered_to[0]", changed("addons.secrets.delivered_to", ["elsewhere"])),
    ("SPEC-173", "addons.secrets.delivered_to[1]", changed("addons.secrets.delivered_to", ["default", "default"])),
    ("SPEC-102", "addons.registry.repositories[1]", changed("addons.registry.repositories", ["a", "a"])),
    ("SPEC-103", f"{MORE}.name", pool(name="a" * 40, accelerator="l4")),
    ("SPEC-104", "storage[4].name", file_system(name="a" * 40)),
    ("SPEC-109", "storage[4].name", file_system(name="usr")),
    ("SPEC-105", "tags['aws:owner']", changed("tags", {"aws:owner": "me"})),
    ("SPEC-105", "tags.note", changed("tags", {"note": "a" * 257})),
    ("SPEC-105", "cluster.tags['a;b']", changed("cluster.tags", {"a;b": "c"})),
    ("SPEC-105", "node_pools[0].tags.note", changed("node_pools.0.tags", {"note": "a;b"})),
    ("SPEC-105", "storage[0].tags", changed("storage.0.tags", {f"tag{index}": "x" for index in range(50)})),
    ("SPEC-105", "tags", changed("tags", {f"tag{index}": "x" for index in range(50)})),
    ("SPEC-106", "owner", changed("owner", "me; you")),
    ("SPEC-107", "name", changed("name", "a" * 33)),
    ("SPEC-110", "budget.max_accelerators", changed("budget.max_accelerators", 127)),
    ("SPEC-176", "addons.slurm.pools[0]", changed("addons.slurm", {"pools": ["trian"]})),
    ("SPEC-168", "storage[0].kind", changed("storage", [BEEGFS])),
    ("SPEC-174", "addons.security.signatures[0]", signed({})),
    (
        "SPEC-178",
        "addons.security.signatures[0]",
        changed("network.egress", "none", changed("storage.1.fabric", GONE, signed(SIGNER))),
    ),
    ("SPEC-177", "cluster.autoscaling", changed("network.egress", "none", KARPENTER)),
    ("SPEC-177", "node_pools[1].nodes", changed("node_pools.1.nodes", {"min": 1, "max": 16}, KARPENTER)),
    (
        "SPEC-180",
        "addons.health.gate",
        changed("node_pools.1", GONE, changed("addons", {"health": {"gate": True}}, changed("storage", []))),
    ),
    ("SPEC-170", "addons.cost", changed("addons", {"cost": {}})),
    (
        "SPEC-171",
        "addons.cost.accelerator_hour_usd",
        changed("addons", {"observability": {}, "cost": {"accelerator_hour_usd": 2.5}}),
    ),
    ("SPEC-160", "addons.queueing.teams[0].name", changed("addons.queueing", {"teams": [{"name": "default"}]})),
    ("SPEC-161", "addons.queueing.teams[0].accelerators.h100", queueing({"h100": 129})),
]

KEPT = {
    "an adopted cluster in its network": changed("cluster", {"existing": {"name": "old"}}, adopted(VPC)),
    "a private cluster that is reached from a peered network": changed("network.allowed_cidrs", ["10.9.0.0/16"]),
    "a restricted cluster that names its users": changed(
        "cluster.access", "restricted", changed("network.allowed_cidrs", ["203.0.113.0/24"])
    ),
    "a private cluster that Pulumi reaches from outside": changed("cluster.deployer_cidrs", ["203.0.113.7/32"]),
    "a private cluster with a machine inside": changed("cluster", {**TRAINING["cluster"], "runner": True}),
    "a private cluster in a network that exists": changed("cluster.deployer_cidrs", GONE, adopted(VPC)),
    "Kubernetes in extended support": changed("cluster.upgrade_policy", "extended"),
    "a capacity block": block(),
    "as many taints as EKS takes": pool(accelerator="l4", taints=[{"key": f"taint-{number}"} for number in range(49)]),
    "the largest capacity block": block(accelerator="h100", count=1, nodes=64),
    "an accelerator in a region that sells another machine with as many": changed(
        "cloud.region", "eu-west-2", block(zone="eu-west-2b")
    ),
    "two pools of one reservation in one zone": block(
        accelerator="h100", capacity="reserved", reservation=RESERVATION, zone="us-east-1a"
    ),
    "a network in a public range": changed("network.cidr", "203.0.0.0/16"),
    "a reservation that is made for the pool": pool(accelerator="a100", capacity="reserved"),
    "spot machines in an existing placement group": pool(accelerator="a100", capacity="spot", placement="ours"),
    "pools of one group in one zone": changed(
        "node_pools.1.placement", "ours", pool(accelerator="a100", placement="ours")
    ),
    "accelerator and machine type that agree": pool(
        accelerator="h100", machine_type="p5.4xlarge", count=1, fabric="none", capacity="spot"
    ),
    "no pool for the cluster's own pods, which is derived": changed("node_pools.0", GONE),
    "labels under a domain": pool(accelerator="l4", labels={"example.com/team": "a.b_c", "node.kubernetes.io/x": "y"}),
    "one key with two effects": pool(accelerator="l4", taints=[{"key": "a"}, {"key": "a", "effect": "NoExecute"}]),
    "the smallest network": changed(
        "network.cidr", "10.0.0.0/22", changed("node_pools", [], changed("storage.1.fabric", "none"))
    ),
    "charts from a registry": changed("network.chart_mirror", "oci://registry.example.com/charts"),
    "a network without egress": changed("network.egress", "none", changed("storage.1.fabric", GONE)),
    "data that stays where it may": changed("compliance.residency", "us"),
    "Karpenter beside pools of a fixed number": changed("node_pools.1.nodes", 16, KARPENTER),
    "a team that is guaranteed all there is": queueing({"h100": 128}),
    "GPUs and EFA that pods claim": CLAIMS,
    "a pool of Trainium beside GPUs that pods claim": claiming(accelerator="inferentia2"),
    "drivers for claims that are there": existing_with("nvidia-dra", "claims"),
    "a bucket that a team writes": shared_with("vision"),
    "a bucket that a service account of a team writes": shared_with("ml-vision/server"),
    "secrets that a team reads": secrets_read_by("vision"),
    "a bucket without versions": changed("storage.0.versioning", False),
}


@pytest.mark.parametrize(("code", "path", "description"), BROKEN, ids=[f"{code} {path}" for code, path, _ in BROKEN])
def test_a_broken_rule_is_reported_once_where_it_is_broken(code: str, path: str, description: dict[str, Any]) -> None:
    assert complaints(description) == [(code, path)]


@pytest.mark.parametrize("description", KEPT.values(), ids=KEPT)
def test_what_is_right_is_let_through(description: dict[str, Any]) -> None:
    assert complaints(description) == []


def test_every_rule_has_a_case_that_breaks_it() -> None:
    blocking = (rule for rule in rules.all_rules() if not rule.warns)
    asked = {rule.code for rule in blocking if rule.providers is None or "aws" in rule.providers}

    assert asked == {*(code for code, _, _ in BROKEN), "SPEC-081", "SPEC-175"}


@pytest.mark.parametrize("field", ["accelerator", "machine_type"])
def test_machines_of_a_local_zone_are_not_sold_elsewhere_nor_supported_yet(field: str) -> None:
    words = {"accelerator": "gb200", "machine_type": "p6e-gb200.36xlarge"}
    description = block(**{**dict.fromkeys(words, GONE), field: words[field]})

    assert complaints(description) == [("SPEC-081", f"{MORE}.zone"), ("SPEC-020", f"{MORE}.{field}")]
    assert "us-east-1-dfw-2a" in hints(description)[0]


def test_codes_are_of_one_form_and_clear_of_those_for_the_file() -> None:
    codes = {rule.code for rule in rules.all_rules()}

    assert all(re.fullmatch(r"SPEC-\d{3}", code) for code in codes)
    assert not codes & set(Code)


def test_every_code_says_what_it_promises() -> None:
    assert all(rule.sentence.endswith(".") for rule in rules.all_rules())
    assert all(code.meaning.endswith(".") for code in Code)
