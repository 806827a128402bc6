"""Each rule on Google Cloud, broken as people break it, and kept in the ways that look like breaking it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.descriptions import BEEGFS, GCP_ADMIN, GCP_TRAINING, GONE, SIGNER, changed, complaints, hints, signed

from penstock.description import rules

NETWORK: dict[str, Any] = {
    "id": "projects/my-ai-project/global/networks/shared",
    "subnets": {"us-central1": "projects/my-ai-project/regions/us-central1/subnetworks/nodes"},
    "pods_range": "pods",
    "services_range": "services",
}
LAKE = {"name": "lake", "kind": "lustre", "capacity_tib": 36, "throughput_mbps_per_tib": 250}
LONG_KEY = f"{'a' * 60}.example.com/b"


def gcp(path: str, value: object, description: dict[str, Any] | None = None) -> dict[str, Any]:
    """The description on Google Cloud with another value at a path."""
    return changed(path, value, GCP_TRAINING if description is None else description)


def adopted(**fields: object) -> dict[str, Any]:
    """The description in a network that exists."""
    return gcp("network", {"existing": {key: value for key, value in (NETWORK | fields).items() if value is not GONE}})


def pool(**fields: object) -> dict[str, Any]:
    """The description with one pool more, the third, without a limit on accelerators."""
    more = {"name": "more", "nodes": 1, **fields}
    return gcp("node_pools.2", more, gcp("budget.max_accelerators", GONE))


def flexible(**fields: object) -> dict[str, Any]:
    """The description with a pool that is bought with flex start."""
    return pool(**{"accelerator": "b200", "capacity": "flex_start", "nodes": {"min": 0, "max": 4}, **fields})


def sliced(**fields: object) -> dict[str, Any]:
    """The description with a pool of two TPU slices, in a region that sells them beside the rest."""
    whole = {"accelerator": "tpu-v5p", "topology": "4x4x4", "slices": 2, "nodes": {"min": 0, "max": 32}} | fields
    return pool(**{key: value for key, value in whole.items() if value is not GONE})


def grace(**fields: object) -> dict[str, Any]:
    """The description with a pool of A4X machines."""
    whole = {"accelerator": "gb200", "capacity": "reserved", "reservation": "grace", "nodes": 18} | fields
    return pool(**{key: value for key, value in whole.items() if value is not GONE})


def reserved_twice(reservation: str, **fields: object) -> dict[str, Any]:
    """The description with a second pool of the first one's machines, from a reservation that is named so."""
    second = {"accelerator": "h200", "capacity": "reserved", "reservation": reservation, "zone": "us-central1-b"}
    return pool(**{**second, **fields})


def reserved_apart(reservation: str) -> dict[str, Any]:
    """The same with machines that both zones sell, and a second pool in the other zone."""
    return gcp(
        "node_pools.1.accelerator", "h100", reserved_twice(reservation, accelerator="h100", zone="us-central1-a")
    )


TEAM_ELSEWHERE = changed(
    "addons", {"queueing": {"teams": [{"name": "vision", "namespace": "ml-vision"}]}}, GCP_TRAINING
)


def file_system(**fields: object) -> dict[str, Any]:
    """The description with one file system more, the fifth storage."""
    return gcp("storage.4", {**LAKE, **fields})


MORE = "node_pools[2]"


def gated(**fields: object) -> dict[str, Any]:
    """The description whose only GPUs are those of one pool, with a gate before work gets onto new nodes."""
    return gcp("addons.health", {"gate": True}, gcp("node_pools.1", {"name": "train", "nodes": 1, **fields}))


BROKEN = [
    ("SPEC-164", f"{MORE}.sharing.mig", pool(accelerator="a100", sharing={"mig": "1g.18gb"})),
    ("SPEC-164", f"{MORE}.sharing.time_slicing", pool(accelerator="l4", sharing={"time_slicing": 49})),
    ("SPEC-164", f"{MORE}.sharing", pool(accelerator="tpu-v6e", sharing={"mps": 4})),
    ("SPEC-020", "cluster.existing", gcp("cluster", {"existing": {"name": "old"}})),
    ("SPEC-180", "addons.health.gate", gated(accelerator="l4", sharing={"time_slicing": 4})),
    (
        "SPEC-180",
        "addons.health.gate",
        gated(accelerator="b200", capacity="flex_start", nodes={"min": 0, "max": 4}, gcp={"queued": True}),
    ),
    ("SPEC-160", "addons.queueing.teams[0].name", gcp("addons.queueing", {"teams": [{"name": "default"}]})),
    (
        "SPEC-161",
        "addons.queueing.teams[0].accelerators.h100",
        gcp("addons.queueing", {"teams": [{"name": "vision", "accelerators": {"h100": 8}}]}),
    ),
    ("SPEC-200", "cluster.device_allocation", gcp("cluster.device_allocation", "claims")),
    ("SPEC-021", "cluster.kubeconfig", gcp("cluster.kubeconfig", "kubeconfig.yaml")),
    ("SPEC-022", f"{MORE}.aws", pool(accelerator="l4", aws={"efa_interfaces": "ip_optimized"})),
    ("SPEC-022", "network.existing.fabric_security_group", adopted(fabric_security_group="sg-01234567")),
    ("SPEC-030", "cloud.region", gcp("cloud.region", GONE)),
    ("SPEC-031", "cloud.zones[1]", gcp("cloud.zones", ["us-central1-b", "a"])),
    ("SPEC-031", "cloud.zones[1]", gcp("cloud.zones", ["us-central1-b", "us-central1-b"])),
    ("SPEC-034", "cloud.region", gcp("compliance.residency", "eu")),
    ("SPEC-034", "compliance.residency", gcp("compliance.residency", "europe")),
    ("SPEC-035", "cloud.account", gcp("cloud.account", GONE)),
    ("SPEC-035", "cloud.account", gcp("cloud.account", "123456789012")),
    ("SPEC-035", "cloud.account", gcp("cloud.account", "My AI project")),
    ("SPEC-035", "cloud.account", gcp("cloud.account", "a-project-")),
    ("SPEC-040", "network.cidr", gcp("network.cidr", "10.0.0.0/19")),
    ("SPEC-040", "network.cidr", gcp("network.cidr", "8.0.0.0/7")),
    ("SPEC-041", "network.cidr", gcp("network.cidr", "172.20.0.0/16")),
    ("SPEC-042", "network.cidr", gcp("node_pools.0.nodes", 257)),
    ("SPEC-042", "network.cidr", gcp("node_pools.0.nodes", 9000)),
    ("SPEC-042", f"{MORE}.nodes", gcp("network.cidr", "10.0.0.0/8", pool(accelerator="h100", nodes=2045))),
    ("SPEC-043", "network.allowed_cidrs", gcp("cluster.access", "restricted")),
    ("SPEC-043", "network.allowed_cidrs[0]", gcp("network.allowed_cidrs", ["203.0.113.0/24"])),
    ("SPEC-059", "cluster.deployer_cidrs[0]", gcp("cluster.deployer_cidrs", ["0.0.0.0/0"])),
    ("SPEC-059", "cluster.deployer_cidrs[0]", gcp("cluster.deployer_cidrs", ["10.1.0.0/24"])),
    ("SPEC-052", "cluster.admins[2]", gcp("cluster.admins", ["group:a@x.org", "user:b@y.org", "group:c@y.org"])),
    ("SPEC-022", "budget.scope", gcp("budget.scope", "platform")),
    ("SPEC-022", "network.nat", gcp("network.nat", "single")),
    ("SPEC-022", "cluster.upgrade_policy", gcp("cluster.upgrade_policy", "extended")),
    ("SPEC-058", "cluster.access", gcp("cluster.access", "private")),
    ("SPEC-044", "network.private_endpoints", gcp("network", {"private_endpoints": False})),
    ("SPEC-045", "network.existing.id", adopted(id="shared")),
    ("SPEC-045", "network.existing.subnets.us-central1", adopted(subnets={"us-central1": "nodes"})),
    (
        "SPEC-045",
        "network.existing.subnets.us-central1-a",
        adopted(subnets={"us-central1-a": "projects/p/regions/us-central1/subnetworks/nodes"}),
    ),
    ("SPEC-045", "network.existing.pods_range", adopted(pods_range=GONE)),
    ("SPEC-045", "network.existing.services_range", adopted(services_range=GONE)),
    (
        "SPEC-045",
        "network.existing.subnets.us-central1",
        adopted(subnets={"us-central1": "projects/another-project/regions/us-central1/subnetworks/nodes"}),
    ),
    ("SPEC-045", "network.existing.pods_range", adopted(pods_range="10.4.0.0/14")),
    ("SPEC-045", "network.existing.services_range", adopted(services_range="Services")),
    ("SPEC-045", "network.existing.services_range", adopted(services_range="pods")),
    ("SPEC-046", "network.existing.subnets", adopted(subnets={})),
    ("SPEC-047", "network.cidr", gcp("network.cidr", "127.0.0.0/16")),
    ("SPEC-190", "network.chart_mirror", gcp("network.chart_mirror", "https://charts.example.com")),
    (
        "SPEC-179",
        "addons.notebooks.users",
        gcp(
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
        gcp("node_pools.1.devices", {"groq.com/lpu": 8}),
    ),
    (
        "SPEC-174",
        "addons.security.signatures[0].subject",
        gcp(
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
        "addons.queueing.teams[0].users[0]",
        gcp("addons.queueing", {"teams": [{"name": "a", "users": ["system:anonymous"]}]}),
    ),
    (
        "SPEC-197",
        "addons.slurm.claims.data",
        gcp("addons.slurm", {"claims": {"home": "/home", "data": "/home"}}),
    ),
    ("SPEC-195", "network.image_mirror", gcp("network.image_mirror", "https://images.example.com/all")),
    ("SPEC-048", "network.cidr", gcp("network.cidr", "10.40.0.0/16", adopted())),
    ("SPEC-048", "network.mtu", gcp("network.mtu", 8896, adopted())),
    ("SPEC-049", "network.mtu", gcp("network.mtu", 9001)),
    ("SPEC-049", "network.mtu", gcp("network.mtu", 1299)),
    ("SPEC-050", "cluster.version", gcp("cluster.version", "1.20")),
    ("SPEC-052", "cluster.admins[0]", gcp("cluster.admins", ["ml-platform@example.com"])),
    ("SPEC-052", "cluster.admins[0]", gcp("cluster.admins", ["arn:aws:iam::123456789012:role/platform"])),
    ("SPEC-052", "cluster.admins[0]", gcp("cluster.admins", ["domain:example.com"])),
    ("SPEC-052", "cluster.admins[1]", gcp("cluster.admins", [GCP_ADMIN] * 2)),
    ("SPEC-057", f"{MORE}.accelerator", gcp("cluster.version", "1.33", grace())),
    (
        "SPEC-057",
        f"{MORE}.machine_type",
        gcp(
            "cluster.version",
            "1.33",
            gcp("cloud.zones.2", "us-central1-c", sliced(machine_type="tpu7x-standard-4t", accelerator=GONE)),
        ),
    ),
    ("SPEC-060", MORE, pool()),
    ("SPEC-061", f"{MORE}.accelerator", pool(accelerator="trainium")),
    ("SPEC-062", f"{MORE}.machine_type", pool(machine_type="p5.48xlarge")),
    ("SPEC-062", f"{MORE}.machine_type", pool(machine_type="a3-highgpu-16g")),
    ("SPEC-063", f"{MORE}.accelerator", pool(accelerator="tpu-v4")),
    ("SPEC-064", f"{MORE}.accelerator", pool(machine_type="g2-standard-8", accelerator="h100")),
    ("SPEC-064", f"{MORE}.count", pool(machine_type="g2-standard-8", count=4)),
    ("SPEC-065", f"{MORE}.count", pool(accelerator="l4", count=3)),
    ("SPEC-066", f"{MORE}.nodes.min", pool(accelerator="l4", nodes={"min": 3, "max": 2})),
    ("SPEC-067", f"{MORE}.capacity", pool(accelerator="h200")),
    ("SPEC-067", f"{MORE}.capacity", pool(accelerator="gb200", capacity="spot")),
    ("SPEC-067", f"{MORE}.capacity", pool(accelerator="h100", count=4)),
    ("SPEC-068", f"{MORE}.capacity", pool(accelerator="l4", capacity="capacity_block")),
    ("SPEC-069", f"{MORE}.reservation", pool(accelerator="h200", capacity="spot", reservation="ours")),
    ("SPEC-069", f"{MORE}.reservation", flexible(reservation="ours")),
    ("SPEC-071", f"{MORE}.reservation", pool(accelerator="l4", capacity="reserved", reservation="cr_0123")),
    ("SPEC-071", f"{MORE}.reservation", pool(accelerator="l4", capacity="reserved", reservation="ours/blocks/b")),
    ("SPEC-074", f"{MORE}.zone", reserved_apart("my-reservation")),
    ("SPEC-074", f"{MORE}.zone", reserved_apart("projects/my-ai-project/reservations/my-reservation")),
    ("SPEC-074", f"{MORE}.zone", reserved_apart("my-reservation/reservationBlocks/b1")),
    ("SPEC-074", f"{MORE}.reservation", reserved_twice("my-reservation", accelerator="b200")),
    ("SPEC-075", f"{MORE}.fabric", pool(accelerator="h100", fabric="efa")),
    ("SPEC-075", f"{MORE}.fabric", pool(accelerator="h100", fabric="infiniband")),
    ("SPEC-076", f"{MORE}.fabric", pool(accelerator="h100", fabric="tcpx")),
    ("SPEC-076", f"{MORE}.fabric", pool(accelerator="l4", fabric="rdma")),
    ("SPEC-077", f"{MORE}.zone", pool(accelerator="l4", zone="us-central1-f")),
    ("SPEC-079", f"{MORE}.placement", pool(accelerator="l4", placement="Our policy")),
    (
        "SPEC-081",
        f"{MORE}.zone",
        pool(accelerator="h200", capacity="reserved", reservation="ours", zone="us-central1-a"),
    ),
    ("SPEC-081", f"{MORE}.accelerator", gcp("cloud.zones", ["us-central1-b"], pool(accelerator="a100-80gb"))),
    ("SPEC-081", f"{MORE}.machine_type", pool(machine_type="tpu7x-standard-4t", nodes={"min": 0, "max": 1})),
    ("SPEC-084", "node_pools[0]", gcp("node_pools.0.nodes", {"min": 0, "max": 3})),
    ("SPEC-087", f"{MORE}.labels['a b']", pool(accelerator="l4", labels={"a b": "c"})),
    ("SPEC-088", f"{MORE}.taints[0].key", pool(accelerator="l4", taints=[{"key": "a b"}])),
    ("SPEC-090", "storage[4].throughput_mbps_per_tib", file_system(throughput_mbps_per_tib=200)),
    ("SPEC-091", "storage[4].capacity_tib", file_system(capacity_tib=17, throughput_mbps_per_tib=500)),
    ("SPEC-091", "storage[4].capacity_tib", file_system(capacity_tib=18.0004, throughput_mbps_per_tib=500)),
    ("SPEC-091", "storage[4].capacity_tib", file_system(capacity_tib=3078, throughput_mbps_per_tib=500)),
    ("SPEC-092", "storage[4].source", file_system(source="dataset")),
    ("SPEC-093", "storage[4].zone", file_system(zone="us-central1-f")),
    (
        "SPEC-172",
        "addons.secrets.vault",
        gcp("addons.secrets", {"vault": {"server": "https://vault.example.com", "role": "platform"}}),
    ),
    ("SPEC-173", "addons.secrets.delivered_to", gcp("addons.secrets", {"delivered_to": ["default"]})),
    ("SPEC-169", "storage[0].readers[0]", gcp("storage.0.readers", ["vision/reader"], TEAM_ELSEWHERE)),
    ("SPEC-201", "storage[0].readers[0]", gcp("storage.0.readers", ["visoin"], TEAM_ELSEWHERE)),
    ("SPEC-168", "storage[4].server", gcp("storage.4", {"name": "shared", "kind": "nfs", "server": "nfs.lan"})),
    (
        "SPEC-095",
        "storage[0].retention_days",
        gcp(
            "storage.0",
            {"name": "a", "kind": "bucket", "versioning": False, "retention_days": 9},
            gcp("storage.1.source", GONE),
        ),
    ),
    ("SPEC-096", "storage[4].fabric", file_system(fabric="efa")),
    ("SPEC-097", "storage[0].retention_days", gcp("storage.0.retention_days", 6)),
    ("SPEC-097", "storage[0].retention_days", gcp("storage.0.retention_days", 91)),
    ("SPEC-099", "storage[4].capacity_tib", gcp("storage.4", {"name": "more", "kind": "nfs", "capacity_tib": 0.05})),
    (
        "SPEC-099",
        "storage[4].capacity_tib",
        gcp("storage.4", {"name": "more", "kind": "nfs", "tier": "zonal", "capacity_tib": 1.1}),
    ),
    ("SPEC-100", f"{MORE}.name", pool(name="train", accelerator="l4")),
    ("SPEC-101", "storage[4].name", file_system(name="home")),
    ("SPEC-102", "addons.secrets.names[1]", gcp("addons.secrets.names", ["wandb", "wandb"])),
    ("SPEC-103", f"{MORE}.name", pool(name="a" * 19, accelerator="l4")),
    ("SPEC-103", f"{MORE}.name", sliced(name="a" * 17)),
    ("SPEC-104", "storage[4].name", file_system(name="a" * 40)),
    ("SPEC-109", "storage[4].name", file_system(name="usr")),
    ("SPEC-104", "storage[0].name", gcp("storage.0.name", "google-data", gcp("storage.1.source", "google-data"))),
    ("SPEC-105", "tags.Team", gcp("tags", {"Team": "a"})),
    ("SPEC-105", "tags.team", gcp("tags", {"team": "Research"})),
    ("SPEC-105", "cluster.tags['cost/centre']", gcp("cluster.tags", {"cost/centre": "c"})),
    ("SPEC-105", "node_pools[0].tags.1st", gcp("node_pools.0.tags", {"1st": "a"})),
    ("SPEC-105", "tags", gcp("tags", {f"tag{index}": "x" for index in range(62)})),
    ("SPEC-105", "storage[0].tags", gcp("storage.0.tags", {f"tag{index}": "x" for index in range(62)})),
    ("SPEC-106", "owner", gcp("owner", "The platform team")),
    ("SPEC-107", "name", gcp("name", "a" * 36, gcp("node_pools", [], gcp("storage", [], gcp("budget", GONE))))),
    (
        "SPEC-108",
        "addons.registry.repositories[1]",
        gcp("addons.registry.repositories", ["trainer", "a" * 40], gcp("name", "ml-platform")),
    ),
    ("SPEC-110", "budget.max_accelerators", gcp("budget.max_accelerators", 127)),
    ("SPEC-111", "budget.alert_emails", gcp("budget.alert_emails", [f"{index}@example.com" for index in range(6)])),
    ("SPEC-120", f"{MORE}.topology", pool(accelerator="l4", topology="2x2")),
    ("SPEC-120", f"{MORE}.slices", sliced(topology=GONE)),
    ("SPEC-120", f"{MORE}.slices", pool(accelerator="l4", slices=2)),
    ("SPEC-121", f"{MORE}.topology", sliced(topology="4x4x6")),
    ("SPEC-121", f"{MORE}.topology", pool(accelerator="tpu-v6e", topology="4x6")),
    ("SPEC-121", f"{MORE}.topology", pool(accelerator="tpu-v6e", count=8, topology="4x4")),
    ("SPEC-122", f"{MORE}.slices", sliced(topology="2x2x1", nodes=2)),
    ("SPEC-123", f"{MORE}.nodes", sliced(nodes={"min": 0, "max": 16})),
    ("SPEC-123", f"{MORE}.nodes", sliced(nodes={"min": 16, "max": 32})),
    ("SPEC-123", f"{MORE}.nodes", sliced(slices=GONE, nodes=15)),
    ("SPEC-124", f"{MORE}.placement", sliced(placement="none")),
    ("SPEC-130", f"{MORE}.reservation", pool(accelerator="l4", capacity="reserved")),
    ("SPEC-130", f"{MORE}.zone", grace(reservation="grace/reservationBlocks/b1")),
    ("SPEC-131", f"{MORE}.gcp.queued", pool(accelerator="l4", gcp={"queued": True})),
    ("SPEC-131", f"{MORE}.gcp.max_run_hours", pool(accelerator="l4", capacity="spot", gcp={"max_run_hours": 4})),
    ("SPEC-132", f"{MORE}.gcp.max_run_hours", flexible(gcp={"max_run_hours": 169})),
    ("SPEC-133", f"{MORE}.nodes", flexible(nodes=4)),
    ("SPEC-133", f"{MORE}.nodes.min", flexible(nodes={"min": 1, "max": 4}, gcp={"queued": True})),
    (
        "SPEC-134",
        f"{MORE}.placement",
        pool(accelerator="h200", capacity="reserved", reservation="r", placement="cluster"),
    ),
    ("SPEC-135", f"{MORE}.placement", flexible(accelerator="h100", placement="cluster")),
    ("SPEC-135", f"{MORE}.placement", flexible(placement="cluster", gcp={"queued": True})),
    ("SPEC-136", f"{MORE}.nodes", grace(nodes=19)),
    ("SPEC-136", f"{MORE}.nodes.max", grace(nodes={"min": 0, "max": 36})),
    ("SPEC-137", f"{MORE}.gcp.local_ssds", pool(accelerator="a100", gcp={"local_ssds": 2})),
    ("SPEC-137", f"{MORE}.gcp.local_ssds", pool(accelerator="h100", gcp={"local_ssds": 0})),
    ("SPEC-138", f"{MORE}.gcp.networking", pool(accelerator="l4", gcp={"networking": "dranet"})),
    (
        "SPEC-138",
        f"{MORE}.gcp.networking",
        pool(accelerator="h100", fabric="none", gcp={"networking": "multi_network"}),
    ),
    ("SPEC-139", f"{MORE}.placement", grace(placement="none")),
    ("SPEC-139", f"{MORE}.placement", pool(machine_type="e2-standard-8", placement="cluster")),
    ("SPEC-139", f"{MORE}.placement", pool(machine_type="n4-standard-8", placement="our-policy")),
    ("SPEC-176", "addons.slurm.pools[0]", changed("addons.slurm", {"pools": ["trian"]})),
    ("SPEC-168", "storage[0].kind", gcp("storage", [BEEGFS])),
    ("SPEC-174", "addons.security.signatures[0]", signed({}, GCP_TRAINING)),
    ("SPEC-178", "addons.security.signatures[0]", gcp("network.egress", "none", signed(SIGNER, GCP_TRAINING))),
    ("SPEC-170", "addons.cost", changed("addons", {"cost": {}})),
    (
        "SPEC-171",
        "addons.cost.accelerator_hour_usd",
        changed("addons", {"observability": {}, "cost": {"accelerator_hour_usd": 2.5}}),
    ),
]

KEPT = {
    "the description itself": gcp("name", "platform"),
    "an adopted network": adopted(),
    "two slices of sixteen machines": sliced(),
    "slices that are always there": sliced(nodes=32),
    "one slice, bought spot": sliced(slices=GONE, nodes={"min": 0, "max": 16}, capacity="spot"),
    "single TPU machines": pool(accelerator="tpu-v5e", nodes={"min": 0, "max": 8}),
    "single TPU machines by their topology": pool(accelerator="tpu-v6e", topology="2x2", nodes=3),
    "a rack of 72 GPUs": grace(),
    "a rack in a named policy": grace(placement="our-rack"),
    "networks of our own for a rack": grace(gcp={"networking": "multi_network"}),
    "a sub-block of a shared reservation": grace(
        reservation="projects/theirs/reservations/grace/reservationBlocks/b1/reservationSubBlocks/s1",
        zone="us-central1-a",
    ),
    "flex start": flexible(),
    "flex start with nodes that stay": flexible(nodes={"min": 1, "max": 4}),
    "flex start for a week, queued": flexible(gcp={"queued": True, "max_run_hours": 168}),
    "flex start, placed closely": flexible(placement="cluster"),
    "a reservation with its policy": pool(
        accelerator="h200", capacity="reserved", reservation="other", placement="their-policy"
    ),
    "two blocks of a reservation": reserved_twice("my-reservation/reservationBlocks/b1"),
    "a reservation of the same name in another project": reserved_twice(
        "projects/theirs/reservations/my-reservation", accelerator="b200", zone="us-central1-b"
    ),
    "machines without accelerators, placed closely": pool(machine_type="n2-standard-8", placement="cluster"),
    "DRANET where GKE has it": pool(accelerator="h100", gcp={"networking": "dranet"}),
    "as many local disks as the machine takes": pool(accelerator="a100", gcp={"local_ssds": 8}),
    "no version, which is Google's default": gcp("cluster", {"admins": [GCP_ADMIN]}),
    "nobody named to administer: the project's IAM says": gcp("cluster", {}),
    "a fabric's ranges in a network without fabrics": gcp(
        "network.cidr", "172.20.0.0/16", gcp("node_pools.1.fabric", "none")
    ),
    "the largest network": gcp("network.cidr", "10.0.0.0/8"),
    "the smallest network": gcp("network.cidr", "10.0.0.0/18"),
    "a label as long as Kubernetes takes": pool(accelerator="l4", labels={LONG_KEY: ""}),
    "five addresses": gcp("budget.alert_emails", [f"{index}@example.com" for index in range(5)]),
    "a bucket that keeps nothing": gcp("storage.0.versioning", False),
    "the dynamic tier": file_system(capacity_tib=472, throughput_mbps_per_tib=25),
    "a project of a domain": gcp("cloud.account", "example.com:my-ai-project"),
    "one zone": gcp("cloud.zones", ["us-central1-b"]),
    "a class E network": gcp("network.cidr", "240.0.0.0/16"),
}


@pytest.mark.parametrize(("code", "path", "description"), BROKEN, ids=[f"{code} {path}" for code, path, _ in BROKEN])
def test_a_broken_rule_is_reported_once_where_it_is_broken(code: str, path: str, description: dict[str, Any]) -> None:
    assert complaints(description) == [(code, path)]


@pytest.mark.parametrize("description", KEPT.values(), ids=KEPT)
def test_what_is_right_is_let_through(description: dict[str, Any]) -> None:
    assert complaints(description) == []


def test_every_rule_has_a_case_that_breaks_it() -> None:
    blocking = (rule for rule in rules.all_rules() if not rule.warns)
    asked = {rule.code for rule in blocking if rule.providers is None or "gcp" in rule.providers}

    # In tests/kubernetes/test_slurm.py and test_rules.py.
    assert asked == {*(code for code, _, _ in BROKEN), "SPEC-175", "SPEC-205", "SPEC-206"}


@pytest.mark.parametrize(
    ("description", "right"),
    [
        (sliced(nodes={"min": 0, "max": 16}), "nodes: {min: 0, max: 32}"),
        (pool(accelerator="tpu-v6e", topology="1x1"), "1 chips"),
        (file_system(capacity_tib=17, throughput_mbps_per_tib=500), "Nearest: 18 TiB"),
        (flexible(nodes=4), "nodes: {min: 0, max: 4}"),
        (gcp("cloud.zones", ["us-central1-b", "a"]), "us-central1-a"),
        (
            pool(accelerator="h200", capacity="reserved", reservation="r", zone="us-central1-a"),
            "Offered in us-central1-b",
        ),
        (
            pool(machine_type="tpu7x-standard-4t", nodes={"min": 0, "max": 1}),
            "us-central1-c offers it: add to cloud.zones",
        ),
        (gcp("cloud.region", "us-centrall", gcp("cloud.zones", GONE)), "Did you mean us-central1?"),
        (pool(accelerator="l4", zone="b"), "Did you mean us-central1-b?"),
        (pool(accelerator="l4", zone="us-central1-c"), "Add it to cloud.zones"),
        (file_system(zone="b"), "Did you mean us-central1-b?"),
        (adopted(services_range=GONE), "such as services"),
        (pool(accelerator="h100", count=1, capacity="spot", reservation="ours"), "Leave it out"),
        (reserved_twice("projects/p/zones/us-central1-a/reservations/r"), "projects/P/reservations/R"),
        (pool(accelerator="tpu-v6e", topology="4x6"), "2x2, 2x4, 4x4"),
        (sliced(topology="8x4x4"), "4x4x8"),
        (pool(accelerator="l4", slices=2), "Leave it out"),
        (gcp("tags", {"Team": "a"}), "lower-case letters"),
        (gcp("owner", "The platform team"), "lower-case letters"),
        (grace(placement="none"), "Leave placement out"),
        (pool(machine_type="a3-highgpu-16g"), "a3-highgpu-8g"),
        (pool(accelerator="a100", gcp={"local_ssds": 2}), "0, 8"),
        (pool(accelerator="h200"), "spot, reserved, flex_start"),
    ],
)
def test_a_hint_says_what_would_be_right(description: dict[str, Any], right: str) -> None:
    (hint,) = hints(description)

    assert right in hint
