"""The cluster, its pools of machines, and the keys of their disks."""

from __future__ import annotations

from typing import Any

import pulumi
import pulumi_azure_native as azure
from tests.nd_platform.program import TENANT, Program


def system_pool(**more: Any) -> list[dict[str, Any]]:
    """The pool that a cluster begins with, on which nothing has an accelerator."""
    return [
        {
            "name": "system",
            "mode": "System",
            "vm_size": "Standard_D8s_v5",
            "count": 3,
            "os_type": "Linux",
            "os_sku": "Ubuntu",
            "max_pods": 110,
            "type": "VirtualMachineScaleSets",
            **more,
        }
    ]


def keys(program: Program) -> None:
    """A vault, a key for disks, and who may use it."""
    vault = program.make(
        azure.keyvault.Vault,
        "vault",
        vault_name="kv-acme-training",
        properties={
            "tenant_id": TENANT,
            "sku": {"family": "A", "name": "premium"},
            "enable_rbac_authorization": True,
            "enable_purge_protection": True,
            "soft_delete_retention_in_days": 90,
            "public_network_access": "Disabled",
            "network_acls": {"bypass": "AzureServices", "default_action": "Deny"},
        },
    )
    key = program.make(
        azure.keyvault.Key,
        "key",
        key_name="disks",
        vault_name=vault.name,
        properties={"kty": "RSA", "key_size": 3072, "key_ops": ["wrapKey", "unwrapKey"]},
    )
    program.make(
        azure.keyvault.Secret,
        "secret",
        secret_name="hugging-face",
        vault_name=vault.name,
        properties={"value": pulumi.Output.secret("hf")},
    )
    identity = program.make(azure.managedidentity.UserAssignedIdentity, "keeper", resource_name_="keeper")
    program.grant("keeper-key", "encryption", identity.principal_id, vault.id)
    program.make(
        azure.compute.DiskEncryptionSet,
        "disks",
        pulumi.ResourceOptions(depends_on=[program.made["keeper-key"]]),
        disk_encryption_set_name="disks",
        encryption_type="EncryptionAtRestWithCustomerKey",
        rotation_to_latest_key_version_enabled=True,
        active_key={"key_url": key.key_uri_with_version},
        identity={"type": "UserAssigned", "user_assigned_identities": [identity.id]},
    )


def cluster(program: Program) -> None:
    """The cluster, and who it is."""
    identity = program.make(azure.managedidentity.UserAssignedIdentity, "control", resource_name_="control-plane")
    grants = [
        program.grant("control-network", "network", identity.principal_id, program.made["vnet"].id),
        program.grant("control-group", "contributor", identity.principal_id, program.made["group"].id),
    ]
    cluster = program.make(
        azure.containerservice.ManagedCluster,
        "cluster",
        pulumi.ResourceOptions(depends_on=grants),
        resource_name_="training",
        dns_prefix="training",
        kubernetes_version="1.34",
        node_resource_group="training-nodes",
        sku={"name": "Base", "tier": "Standard"},
        identity={"type": "UserAssigned", "user_assigned_identities": [identity.id]},
        disk_encryption_set_id=program.made["disks"].id,
        disable_local_accounts=True,
        aad_profile={
            "managed": True,
            "enable_azure_rbac": True,
            "admin_group_object_ids": ["5f1c7f9e-3a56-4d5b-9a3e-0c6a3c1c7b11"],
        },
        api_server_access_profile={"authorized_ip_ranges": ["203.0.113.0/24"]},
        oidc_issuer_profile={"enabled": True},
        security_profile={
            "workload_identity": {"enabled": True},
            "image_cleaner": {"enabled": True, "interval_hours": 48},
        },
        auto_upgrade_profile={"upgrade_channel": "patch", "node_os_upgrade_channel": "NodeImage"},
        auto_scaler_profile={"expander": "least-waste", "scan_interval": "10s"},
        network_profile={
            "network_plugin": "azure",
            "network_plugin_mode": "overlay",
            "network_dataplane": "cilium",
            "network_policy": "cilium",
            "pod_cidr": "10.128.0.0/14",
            "service_cidr": "10.200.0.0/16",
            "dns_service_ip": "10.200.0.10",
            "outbound_type": "userAssignedNATGateway",
            "load_balancer_sku": "standard",
        },
        agent_pool_profiles=[{**pool, "vnet_subnet_id": program.made["nodes"].id} for pool in system_pool()],
    )
    program.make(
        azure.containerservice.MaintenanceConfiguration,
        "window",
        resource_name_=cluster.name,
        config_name="aksManagedNodeOSUpgradeSchedule",
        maintenance_window={
            "duration_hours": 4,
            "start_time": "02:00",
            "utc_offset": "+00:00",
            "schedule": {"weekly": {"day_of_week": "Saturday", "interval_weeks": 1}},
        },
    )
    trainer = program.make(azure.managedidentity.UserAssignedIdentity, "trainer", resource_name_="trainer")
    program.make(
        azure.managedidentity.FederatedIdentityCredential,
        "trainer-pods",
        resource_name_=trainer.name,
        federated_identity_credential_resource_name="pods",
        audiences=["api://AzureADTokenExchange"],
        issuer=cluster.oidc_issuer_profile.issuer_url,
        subject="system:serviceaccount:default:trainer",
    )


def pools(program: Program) -> None:
    """Machines with accelerators: reserved, placed, preemptible, and AMD's."""
    reserved = program.make(
        azure.compute.CapacityReservationGroup, "reserved", capacity_reservation_group_name="h100", zones=["1"]
    )
    reservation = program.make(
        azure.compute.CapacityReservation,
        "reservation",
        capacity_reservation_group_name=reserved.name,
        capacity_reservation_name="train",
        sku={"name": "Standard_ND96isr_H100_v5", "capacity": 4},
        zones=["1"],
    )
    near = program.make(
        azure.compute.ProximityPlacementGroup,
        "near",
        proximity_placement_group_name="near",
        proximity_placement_group_type="Standard",
    )
    gpu = {"node_taints": ["sku=gpu:NoSchedule"], "gpu_profile": {"driver": "None"}, "os_sku": "Ubuntu"}
    pools: dict[str, dict[str, Any]] = {
        "train": {
            **gpu,
            "vm_size": "Standard_ND96isr_H100_v5",
            "count": 4,
            "availability_zones": ["1"],
            "capacity_reservation_group_id": reserved.id,
            "os_disk_type": "Ephemeral",
            "kubelet_config": {"cpu_manager_policy": "static", "topology_manager_policy": "best-effort"},
            "linux_os_config": {
                "transparent_huge_page_enabled": "madvise",
                "sysctls": {"vm_max_map_count": 262144},
            },
            "upgrade_settings": {"max_surge": "0", "max_unavailable": "1"},
        },
        "legacy": {
            **gpu,
            "vm_size": "Standard_ND96asr_v4",
            "count": 2,
            "availability_zones": ["2"],
            "proximity_placement_group_id": near.id,
        },
        "amd": {**gpu, "vm_size": "Standard_ND96isr_MI300X_v5", "count": 2},
        "serve": {
            **gpu,
            "vm_size": "Standard_NC40ads_H100_v5",
            "gpu_profile": {"driver": "Install"},
            "enable_auto_scaling": True,
            "min_count": 0,
            "max_count": 8,
            "scale_set_priority": "Spot",
            "scale_set_eviction_policy": "Delete",
            "spot_max_price": -1,
            "node_labels": {"pool": "serve"},
        },
        "batch": {"vm_size": "Standard_D16s_v5", "count": 2, "os_disk_size_gb": 128, "os_disk_type": "Managed"},
    }
    for title, arguments in pools.items():
        program.make(
            azure.containerservice.AgentPool,
            title,
            pulumi.ResourceOptions(depends_on=[reservation]),
            resource_name_=program.made["cluster"].name,
            agent_pool_name=title,
            mode="User",
            os_type="Linux",
            type="VirtualMachineScaleSets",
            max_pods=60,
            vnet_subnet_id=program.made["nodes"].id,
            **arguments,
        )
