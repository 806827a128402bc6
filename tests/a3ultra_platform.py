"""A platform of A3 Ultra, A3 Mega and TPUs in plain Pulumi, by an author who never saw Penstock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pulumi
import pulumi_gcp as gcp

Misconfiguration = Mapping[str, Mapping[str, Any]]
"""Arguments that differ from the right ones, by the name of the resource; None leaves one out."""

PROJECT = "acme-training"
REGION = "us-central1"
ZONE = "us-central1-b"
RAILS = 8
RESERVATION_KEY = "compute.googleapis.com/reservation-name"
SERVICES = ("compute", "container", "cloudkms", "servicenetworking", "lustre", "file", "sqladmin", "secretmanager")
NO_RESERVATION = {"consume_reservation_type": "NO_RESERVATION"}


def node(machine: str, account: Any, key: Any, **more: Any) -> dict[str, Any]:
    """What every node of the platform has, and more."""
    return {
        "machine_type": machine,
        "service_account": account.email,
        "oauth_scopes": ["https://www.googleapis.com/auth/cloud-platform"],
        "boot_disk_kms_key": key.id,
        "disk_size_gb": 100,
        "gvnic": {"enabled": True},
        "shielded_instance_config": {"enable_secure_boot": True, "enable_integrity_monitoring": True},
        "workload_metadata_config": {"mode": "GKE_METADATA"},
        **more,
    }


def gpus(kind: str) -> list[dict[str, Any]]:
    """Eight GPUs with GKE's own driver."""
    return [{"type": kind, "count": 8, "gpu_driver_installation_config": {"gpu_driver_version": "LATEST"}}]


def reserved(reservation: Any) -> dict[str, Any]:
    """What uses a reservation by its name."""
    values = [reservation.name]
    return {"consume_reservation_type": "SPECIFIC_RESERVATION", "key": RESERVATION_KEY, "values": values}


def interfaces(made: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """A pool's further interfaces, by the names of their subnetworks."""
    entries = [{"network": made[name].network, "subnetwork": made[name].name} for name in names]
    return {"additional_node_network_configs": entries, "enable_private_nodes": True}


HOST_AND_RAILS = ("host", *(f"rail-{rank}" for rank in range(RAILS)))
TCPXO = tuple(f"gpu-{rank}" for rank in range(RAILS))


def platform(misconfiguration: Misconfiguration, prefix: str = "") -> Callable[[], None]:
    """The program with its misconfigurations; `prefix` begins each name, so that a program may hold several.

    A misconfiguration of `train.node` is one among the properties of the nodes of `train`.
    """
    return lambda: _Platform(misconfiguration, prefix).build()


class _Platform:
    def __init__(self, misconfiguration: Misconfiguration, prefix: str) -> None:
        self.misconfiguration, self.prefix = misconfiguration, prefix
        self.made: dict[str, Any] = {}

    def build(self) -> None:
        """Everything, in an order in which each part has what it needs."""
        grants = self.keys()
        self.fabrics()
        subnet = self.network()
        self.account()
        self.cluster(subnet, grants)
        self.system_pool()
        self.gpu_pools()
        self.tpu_pools()
        self.disks(grants)
        self.stores(grants)
        self.budget()

    def make(self, cls: Any, title: str, /, opts: pulumi.ResourceOptions | None = None, **arguments: Any) -> Any:
        """Makes a resource, with its misconfigurations."""
        self.made[title] = cls(f"{self.prefix}{title}", opts=opts, **self.misconfigured(title, arguments))
        return self.made[title]

    def misconfigured(self, title: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a resource with its misconfigurations among them."""
        given = {**arguments, **self.misconfiguration.get(title, {})}
        found = {key: value(self.made) if callable(value) else value for key, value in given.items()}
        return {key: value for key, value in found.items() if value is not None}

    def pool(self, title: str, node_config: Mapping[str, Any], **arguments: Any) -> None:
        """Makes a node pool."""
        self.make(
            gcp.container.NodePool,
            title,
            cluster=self.made["cluster"].name,
            location=REGION,
            name=f"{self.prefix}{title}",
            node_config=self.misconfigured(f"{title}.node", node_config),
            **arguments,
        )

    def keys(self) -> list[Any]:
        """Keys for the services that store something, and their right to use them."""
        ring = self.make(gcp.kms.KeyRing, "ring", location=REGION, name=f"{self.prefix}platform")
        data = self.make(gcp.kms.CryptoKey, "data", key_ring=ring.id, name="data", rotation_period="7776000s")
        number = gcp.organizations.get_project(project_id=PROJECT).number
        agents = {
            "storage": f"service-{number}@gs-project-accounts.iam.gserviceaccount.com",
            "container": f"service-{number}@container-engine-robot.iam.gserviceaccount.com",
            "compute": f"service-{number}@compute-system.iam.gserviceaccount.com",
            "lustre": f"service-{number}@gcp-sa-lustre.iam.gserviceaccount.com",
            "file": f"service-{number}@cloud-filer.iam.gserviceaccount.com",
            "sqladmin": f"service-{number}@gcp-sa-cloud-sql.iam.gserviceaccount.com",
            "secretmanager": f"service-{number}@gcp-sa-secretmanager.iam.gserviceaccount.com",
            "artifactregistry": f"service-{number}@gcp-sa-artifactregistry.iam.gserviceaccount.com",
        }
        return [
            self.make(
                gcp.kms.CryptoKeyIAMMember,
                f"{service}-key",
                crypto_key_id=data.id,
                role="roles/cloudkms.cryptoKeyEncrypterDecrypter",
                member=f"serviceAccount:{agent}",
            )
            for service, agent in agents.items()
        ]

    def network(self) -> Any:
        """The network of the cluster, its way out and its peering with Google's services."""
        vpc = self.make(gcp.compute.Network, "vpc", name=f"{self.prefix}vpc", auto_create_subnetworks=False, mtu=8896)
        subnet = self.make(
            gcp.compute.Subnetwork,
            "nodes",
            name=f"{self.prefix}nodes",
            network=vpc.id,
            region=REGION,
            ip_cidr_range="10.0.0.0/20",
            private_ip_google_access=True,
            secondary_ip_ranges=[
                {"range_name": "pods", "ip_cidr_range": "10.16.0.0/14"},
                {"range_name": "services", "ip_cidr_range": "10.0.32.0/20"},
            ],
        )
        router = self.make(gcp.compute.Router, "router", name=f"{self.prefix}router", network=vpc.id, region=REGION)
        self.make(
            gcp.compute.RouterNat,
            "nat",
            name=f"{self.prefix}nat",
            router=router.name,
            region=REGION,
            nat_ip_allocate_option="AUTO_ONLY",
            source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
        )
        self.make(
            gcp.compute.Firewall,
            "inside",
            name=f"{self.prefix}inside",
            network=vpc.id,
            direction="INGRESS",
            source_ranges=["10.0.0.0/8"],
            allows=[{"protocol": "tcp", "ports": ["988", "6988", "1021-1023"]}, {"protocol": "icmp"}],
        )
        peers = self.make(
            gcp.compute.GlobalAddress,
            "peers",
            name=f"{self.prefix}peers",
            network=vpc.id,
            purpose="VPC_PEERING",
            address_type="INTERNAL",
            address="10.1.0.0",
            prefix_length=20,
        )
        self.make(
            gcp.servicenetworking.Connection,
            "peering",
            network=vpc.id,
            service="servicenetworking.googleapis.com",
            reserved_peering_ranges=[peers.name],
        )
        return subnet

    def fabrics(self) -> None:
        """The networks of the two GPU fabrics."""
        host = self.make(
            gcp.compute.Network, "hosts", name=f"{self.prefix}hosts", auto_create_subnetworks=False, mtu=8896
        )
        profile = f"projects/{PROJECT}/global/networkProfiles/{ZONE}-vpc-roce"
        roce = self.make(
            gcp.compute.Network,
            "roce",
            name=f"{self.prefix}roce",
            auto_create_subnetworks=False,
            network_profile=profile,
        )
        plain = {"host": (host, "192.168.0.0/20")}
        rails = {f"rail-{rank}": (roce, f"192.168.{64 + 16 * rank}.0/20") for rank in range(RAILS)}
        for rank in range(RAILS):
            lane = self.make(
                gcp.compute.Network,
                f"lane-{rank}",
                name=f"{self.prefix}lane-{rank}",
                auto_create_subnetworks=False,
                mtu=8244,
            )
            plain[f"gpu-{rank}"] = (lane, f"172.16.{16 * rank}.0/20")
        for name, (parent, cidr) in plain.items():
            self.make(
                gcp.compute.Firewall,
                f"{name}-inside",
                name=f"{self.prefix}{name}-inside",
                network=parent.id,
                direction="INGRESS",
                source_ranges=[cidr],
                allows=[{"protocol": protocol} for protocol in ("tcp", "udp", "icmp")],
            )
        for name, (parent, cidr) in {**plain, **rails}.items():
            self.make(
                gcp.compute.Subnetwork,
                name,
                name=f"{self.prefix}{name}",
                network=parent.id,
                region=REGION,
                ip_cidr_range=cidr,
            )

    def budget(self) -> None:
        """What tells how much of the money is gone."""
        self.make(
            gcp.billing.Budget,
            "budget",
            billing_account="01ABCD-234567-89EFAB",
            amount={"specified_amount": {"currency_code": "USD", "units": "200000"}},
            threshold_rules=[{"threshold_percent": 0.8}, {"threshold_percent": 1.0}],
        )

    def account(self) -> None:
        """The account of the nodes."""
        account = self.make(
            gcp.serviceaccount.Account, "account", account_id=f"{self.prefix}gke-nodes", display_name="Nodes of GKE"
        )
        self.make(
            gcp.projects.IAMMember,
            "account-role",
            project=PROJECT,
            role="roles/container.defaultNodeServiceAccount",
            member=account.email.apply(lambda email: f"serviceAccount:{email}"),
        )

    def cluster(self, subnet: Any, grants: list[Any]) -> None:
        """The cluster."""
        self.make(
            gcp.container.Cluster,
            "cluster",
            _after(*grants),
            name=f"{self.prefix}main",
            location=REGION,
            node_locations=[ZONE],
            network=self.made["vpc"].id,
            subnetwork=subnet.id,
            networking_mode="VPC_NATIVE",
            ip_allocation_policy={
                "cluster_secondary_range_name": "pods",
                "services_secondary_range_name": "services",
            },
            datapath_provider="ADVANCED_DATAPATH",
            enable_multi_networking=True,
            min_master_version="1.35",
            release_channel={"channel": "REGULAR"},
            private_cluster_config={"enable_private_nodes": True, "enable_private_endpoint": True},
            master_authorized_networks_config={"cidr_blocks": [{"cidr_block": "10.0.0.0/8"}]},
            workload_identity_config={"workload_pool": f"{PROJECT}.svc.id.goog"},
            database_encryption={"state": "ENCRYPTED", "key_name": self.made["data"].id},
            addons_config={
                "gcs_fuse_csi_driver_config": {"enabled": True},
                "lustre_csi_driver_config": {"enabled": True},
                "gcp_filestore_csi_driver_config": {"enabled": True},
            },
            secret_manager_config={"enabled": True},
            remove_default_node_pool=True,
            initial_node_count=1,
            deletion_protection=True,
        )

    def system_pool(self) -> None:
        """A pool for what has no accelerator."""
        account, key = self.made["account"], self.made["data"]
        self.pool(
            "system",
            node("e2-standard-8", account, key),
            autoscaling={"min_node_count": 1, "max_node_count": 3},
            initial_node_count=1,
            max_pods_per_node=64,
            upgrade_settings={"strategy": "SURGE", "max_surge": 1, "max_unavailable": 0},
            management={"auto_repair": True, "auto_upgrade": True},
        )

    def gpu_pools(self) -> None:
        """A3 Ultra from a reservation, and A3 Mega when there is some."""
        account, key = self.made["account"], self.made["data"]
        reservation = self.make(
            gcp.compute.Reservation,
            "reservation",
            name=f"{self.prefix}ultra",
            zone=ZONE,
            specific_reservation_required=True,
            specific_reservation={"count": 4, "instance_properties": {"machine_type": "a3-ultragpu-8g"}},
        )
        self.pool(
            "train",
            node(
                "a3-ultragpu-8g",
                account,
                key,
                disk_type="hyperdisk-balanced",
                guest_accelerators=gpus("nvidia-h200-141gb"),
                ephemeral_storage_local_ssd_config={"local_ssd_count": 32},
                reservation_affinity=reserved(reservation),
                labels={"pool": "train"},
                taints=[{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}],
            ),
            node_locations=[ZONE],
            node_count=4,
            max_pods_per_node=32,
            network_config=interfaces(self.made, *HOST_AND_RAILS),
            management={"auto_repair": True, "auto_upgrade": True},
            upgrade_settings={"strategy": "SURGE", "max_surge": 0, "max_unavailable": 1},
        )
        self.pool(
            "mega",
            node(
                "a3-megagpu-8g",
                account,
                key,
                guest_accelerators=gpus("nvidia-h100-mega-80gb"),
                ephemeral_storage_local_ssd_config={"local_ssd_count": 16},
                reservation_affinity=NO_RESERVATION,
                flex_start=True,
                max_run_duration="604800s",
            ),
            node_locations=[ZONE],
            autoscaling={"total_min_node_count": 0, "total_max_node_count": 8, "location_policy": "ANY"},
            queued_provisioning={"enabled": True},
            max_pods_per_node=32,
            network_config=interfaces(self.made, *TCPXO),
            management={"auto_repair": False, "auto_upgrade": True},
        )

    def tpu_pools(self) -> None:
        """A slice of v5p and one of TPU7x, which a workload policy places."""
        account, key = self.made["account"], self.made["data"]
        self.pool(
            "slice",
            node("ct5p-hightpu-4t", account, key, spot=True),
            node_locations=["us-central1-a"],
            autoscaling={"min_node_count": 0, "max_node_count": 16, "location_policy": "ANY"},
            initial_node_count=0,
            max_pods_per_node=15,
            placement_policy={"type": "COMPACT", "tpu_topology": "4x4x4"},
        )
        workload = self.make(
            gcp.compute.ResourcePolicy,
            "workload",
            name=f"{self.prefix}ironwood",
            region=REGION,
            workload_policy={"type": "HIGH_THROUGHPUT", "accelerator_topology": "4x4x4"},
        )
        self.pool(
            "ironwood",
            node("tpu7x-standard-4t", account, key, spot=True),
            node_locations=["us-central1-c"],
            autoscaling={"min_node_count": 0, "max_node_count": 16, "location_policy": "ANY"},
            initial_node_count=0,
            max_pods_per_node=15,
            placement_policy={"type": "COMPACT", "policy_name": workload.name},
        )

    def disks(self, grants: list[Any]) -> None:
        """What is reached by peering: file systems and a database."""
        key, vpc, peering = self.made["data"], self.made["vpc"], self.made["peering"]
        self.make(
            gcp.lustre.Instance,
            "scratch",
            pulumi.ResourceOptions(depends_on=[peering, *grants], custom_timeouts=pulumi.CustomTimeouts(create="120m")),
            instance_id=f"{self.prefix}scratch",
            location=ZONE,
            filesystem="scratch",
            capacity_gib="36000",
            per_unit_storage_throughput="500",
            network=vpc.id,
            kms_key=key.id,
        )
        self.make(
            gcp.filestore.Instance,
            "home",
            _after(peering, *grants),
            name=f"{self.prefix}home",
            location=REGION,
            tier="REGIONAL",
            file_shares={"name": "home", "capacity_gb": 1024},
            networks=[{"network": vpc.id, "modes": ["MODE_IPV4"], "connect_mode": "PRIVATE_SERVICE_ACCESS"}],
            kms_key_name=key.id,
            deletion_protection_enabled=True,
        )
        self.make(
            gcp.sql.DatabaseInstance,
            "database",
            _after(peering, *grants),
            name=f"{self.prefix}runs",
            region=REGION,
            database_version="POSTGRES_17",
            encryption_key_name=key.id,
            settings={
                "tier": "db-perf-optimized-N-2",
                "edition": "ENTERPRISE_PLUS",
                "availability_type": "REGIONAL",
                "ip_configuration": {"ipv4_enabled": False, "private_network": vpc.id, "ssl_mode": "ENCRYPTED_ONLY"},
                "backup_configuration": {"enabled": True, "point_in_time_recovery_enabled": True},
            },
        )

    def stores(self, grants: list[Any]) -> None:
        """Where data, images and secrets are."""
        key = self.made["data"]
        self.make(
            gcp.storage.Bucket,
            "bucket",
            _after(*grants),
            name=f"acme-{self.prefix}training-data",
            location=REGION,
            uniform_bucket_level_access=True,
            public_access_prevention="enforced",
            hierarchical_namespace={"enabled": True},
            soft_delete_policy={"retention_duration_seconds": 604800},
            encryption={"default_kms_key_name": key.id},
        )
        self.make(
            gcp.secretmanager.Secret,
            "secret",
            _after(*grants),
            secret_id=f"{self.prefix}tracker",
            replication={
                "user_managed": {
                    "replicas": [{"location": REGION, "customer_managed_encryption": {"kms_key_name": key.id}}]
                }
            },
        )
        self.make(
            gcp.artifactregistry.Repository,
            "images",
            _after(*grants),
            repository_id=f"{self.prefix}images",
            location=REGION,
            format="DOCKER",
            kms_key_name=key.id,
        )


def _after(*resources: Any) -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions(depends_on=list(resources))
