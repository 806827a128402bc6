"""Stores, machines and databases of Azure that are right by its documentation and seldom seen."""

from __future__ import annotations

import base64

import pulumi
import pulumi_azure_native as azure

_HERE = "/subscriptions/0282681f-7a9e-424b-80b2-96babd57a8a1/resourceGroups/central"


def a_vault_with_keys_and_secrets() -> None:
    """<https://learn.microsoft.com/en-us/azure/key-vault/general/rbac-guide>."""
    me = azure.authorization.get_client_config_output()
    vault = azure.keyvault.Vault(
        "v",
        resource_group_name="central",
        vault_name=me.subscription_id.apply(lambda text: f"kv-{text[:8]}"),
        properties={
            "tenant_id": me.tenant_id,
            "sku": {"family": "A", "name": "premium"},
            "enable_rbac_authorization": True,
            "enable_purge_protection": True,
            "soft_delete_retention_in_days": 7,
            "network_acls": {"bypass": "AzureServices", "default_action": "Deny"},
        },
    )
    azure.keyvault.Secret(
        "s",
        resource_group_name="central",
        vault_name=vault.name,
        secret_name="a-1",
        properties={"value": pulumi.Output.secret("x"), "attributes": {"expires": 2000000000}, "content_type": ""},
    )
    azure.keyvault.Key(
        "k",
        resource_group_name="central",
        vault_name=vault.name,
        properties={"kty": "EC-HSM", "curve_name": "P-521", "key_ops": ["sign", "verify"]},
    )


def machines_by_images_of_ones_own() -> None:
    """<https://learn.microsoft.com/en-us/azure/virtual-machines/shared-image-galleries>."""
    start = base64.b64encode(b"#cloud-config\n").decode()
    azure.compute.VirtualMachine(
        "vm",
        resource_group_name="central",
        hardware_profile={"vm_size": "Standard_ND96isr_H100_v5"},
        os_profile={
            "computer_name": "a",
            "admin_username": "azureuser",
            "custom_data": start,
            "linux_configuration": {
                "disable_password_authentication": True,
                "ssh": {
                    "public_keys": [{"key_data": "ssh-ed25519 AAAA a", "path": "/home/azureuser/.ssh/authorized_keys"}]
                },
            },
        },
        storage_profile={
            "image_reference": {"community_gallery_image_id": "/CommunityGalleries/g/Images/i/Versions/latest"},
            "os_disk": {
                "create_option": "FromImage",
                "delete_option": "Delete",
                "disk_size_gb": 4095,
                "diff_disk_settings": {"option": "Local"},
                "caching": "ReadOnly",
            },
        },
        network_profile={"network_interfaces": [{"id": f"{_HERE}/providers/Microsoft.Network/networkInterfaces/n"}]},
        priority="Spot",
        eviction_policy="Deallocate",
        billing_profile={"max_price": -1.0},
        zones=["2"],
    )


def sets_of_machines_that_may_differ() -> None:
    """<https://learn.microsoft.com/en-us/azure/virtual-machine-scale-sets/spot-priority-mix>."""
    azure.compute.VirtualMachineScaleSet(
        "flex",
        resource_group_name="central",
        orchestration_mode="Flexible",
        platform_fault_domain_count=1,
        sku={"name": "Mix", "capacity": 0},
        sku_profile={
            "vm_sizes": [{"name": "Standard_D2s_v5"}, {"name": "Standard_D4s_v5"}],
            "allocation_strategy": "CapacityOptimized",
        },
        priority_mix_policy={"base_regular_priority_count": 1, "regular_priority_percentage_above_base": 50},
    )
    azure.compute.VirtualMachineScaleSet(
        "empty",
        resource_group_name="central",
        orchestration_mode="Flexible",
        platform_fault_domain_count=1,
        single_placement_group=False,
    )
    azure.compute.Disk(
        "ultra",
        resource_group_name="central",
        disk_size_gb=4,
        sku={"name": "UltraSSD_LRS"},
        creation_data={"create_option": "Empty", "logical_sector_size": 512},
        disk_iops_read_write=1200,
        disk_m_bps_read_write=300,
        zones=["1"],
    )


def databases_without_passwords() -> None:
    """<https://learn.microsoft.com/en-us/azure/postgresql/flexible-server/concepts-azure-ad-authentication>."""
    me = azure.authorization.get_client_config()
    server = azure.dbforpostgresql.Server(
        "pg",
        resource_group_name="central",
        version="16",
        sku={"name": "Standard_B1ms", "tier": "Burstable"},
        storage={"storage_size_gb": 32, "auto_grow": "Enabled"},
        auth_config={"active_directory_auth": "Enabled", "password_auth": "Disabled", "tenant_id": me.tenant_id},
        create_mode="Default",
        high_availability={"mode": "Disabled"},
    )
    azure.dbforpostgresql.Configuration(
        "pg",
        resource_group_name="central",
        server_name=server.name,
        configuration_name="azure.extensions",
        value="VECTOR,PG_TRGM",
        source="user-override",
    )
    azure.sql.Server(
        "sql",
        resource_group_name="central",
        administrators={
            "azure_ad_only_authentication": True,
            "administrator_type": "ActiveDirectory",
            "login": "dba",
            "sid": me.object_id,
            "principal_type": "Group",
            "tenant_id": me.tenant_id,
        },
    )


def databases_paid_by_use() -> None:
    """<https://learn.microsoft.com/en-us/azure/azure-sql/database/serverless-tier-overview>."""
    azure.sql.Database(
        "idle",
        resource_group_name="central",
        server_name="s",
        sku={"name": "GP_S_Gen5", "tier": "GeneralPurpose", "family": "Gen5", "capacity": 1},
        min_capacity=0.5,
        auto_pause_delay=60,
        requested_backup_storage_redundancy="Local",
    )
    account = azure.cosmosdb.DatabaseAccount(
        "c",
        resource_group_name="central",
        database_account_offer_type="Standard",
        capabilities=[{"name": "EnableServerless"}],
        locations=[{"location_name": "West Europe", "failover_priority": 0, "is_zone_redundant": False}],
        consistency_policy={
            "default_consistency_level": "BoundedStaleness",
            "max_staleness_prefix": 10,
            "max_interval_in_seconds": 5,
        },
    )
    azure.cosmosdb.SqlResourceSqlContainer(
        "c",
        resource_group_name="central",
        account_name=account.name,
        database_name="d",
        resource={
            "id": "c",
            "partition_key": {"paths": ["/a", "/b"], "kind": "MultiHash", "version": 2},
            "default_ttl": -1,
            "indexing_policy": {"excluded_paths": [{"path": "/*"}], "indexing_mode": "consistent"},
        },
    )
