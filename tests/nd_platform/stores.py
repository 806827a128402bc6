"""Data sets, images, files, the database, and the budget for all."""

from __future__ import annotations

import pulumi
import pulumi_azure_native as azure
from tests.nd_platform.networks import private_zone
from tests.nd_platform.program import HPC_CACHE, SUBSCRIPTION, TENANT, Program


def buckets(program: Program) -> None:
    """Data sets, with what deletes old ones, and images."""
    data = program.make(
        azure.storage.StorageAccount,
        "data",
        account_name="acmetrainingdata",
        kind="StorageV2",
        sku={"name": "Standard_ZRS"},
        access_tier="Hot",
        is_hns_enabled=True,
        minimum_tls_version="TLS1_2",
        allow_blob_public_access=False,
        allow_shared_key_access=True,
        enable_https_traffic_only=True,
        public_network_access="Enabled",
        network_rule_set={
            "default_action": "Deny",
            "bypass": "AzureServices",
            "ip_rules": [{"i_p_address_or_range": "203.0.113.0/24"}],
            "virtual_network_rules": [{"virtual_network_resource_id": program.made["private"].id}],
        },
    )
    program.make(
        azure.storage.BlobServiceProperties,
        "blobs",
        account_name=data.name,
        blob_services_name="default",
        delete_retention_policy={"enabled": True, "days": 7},
    )
    for title in ("datasets", "logs"):
        program.make(
            azure.storage.BlobContainer, title, account_name=data.name, container_name=title, public_access="None"
        )
    program.make(
        azure.storage.ManagementPolicy,
        "ages",
        account_name=data.name,
        management_policy_name="default",
        policy={
            "rules": [
                {
                    "name": "old",
                    "type": "Lifecycle",
                    "enabled": True,
                    "definition": {
                        "filters": {"blob_types": ["blockBlob"], "prefix_match": ["logs/"]},
                        "actions": {"base_blob": {"delete": {"days_after_modification_greater_than": 90}}},
                    },
                }
            ]
        },
    )
    registry = program.make(
        azure.containerregistry.Registry,
        "images",
        registry_name="acmetraining",
        sku={"name": "Premium"},
        admin_user_enabled=False,
        public_network_access="Disabled",
        zone_redundancy="Enabled",
    )
    program.grant("trainer-images", "pull", program.made["trainer"].principal_id, registry.id)
    program.grant("trainer-data", "blobs", program.made["trainer"].principal_id, data.id)


def files(program: Program) -> None:
    """Lustre that imports the data sets, and homes over NFS."""
    data = program.made["data"]
    grants = [program.grant(f"cache-{name}", name, HPC_CACHE, data.id) for name in ("accounts", "blobs")]
    program.make(
        azure.storagecache.AmlFilesystem,
        "scratch",
        pulumi.ResourceOptions(depends_on=[*grants, program.made["keeper-key"]]),
        aml_filesystem_name="scratch",
        sku={"name": "AMLFS-Durable-Premium-250"},
        storage_capacity_ti_b=16,
        zones=["1"],
        filesystem_subnet=program.made["fast"].id,
        maintenance_window={"day_of_week": "Friday", "time_of_day_utc": "22:00"},
        hsm={"settings": {"container": program.made["datasets"].id, "logging_container": program.made["logs"].id}},
    )
    homes = program.make(
        azure.storage.StorageAccount,
        "homes",
        account_name="acmetraininghomes",
        kind="FileStorage",
        sku={"name": "Premium_LRS"},
        minimum_tls_version="TLS1_2",
        enable_https_traffic_only=False,
        allow_blob_public_access=False,
    )
    program.make(
        azure.storage.FileShare,
        "home",
        account_name=homes.name,
        share_name="home",
        enabled_protocols="NFS",
        root_squash="NoRootSquash",
        share_quota=1024,
    )


def database(program: Program) -> None:
    """What tracks runs."""
    zone = private_zone(program, "database", "training.private.postgres.database.azure.com")
    server = program.make(
        azure.dbforpostgresql.Server,
        "runs",
        pulumi.ResourceOptions(depends_on=[program.made["database-link"]]),
        server_name="acme-training-runs",
        version="16",
        administrator_login="tracker",
        administrator_login_password=pulumi.Output.secret("Correct-horse-7"),
        sku={"name": "Standard_D4ds_v5", "tier": "GeneralPurpose"},
        storage={"storage_size_gb": 128, "auto_grow": "Enabled"},
        backup={"backup_retention_days": 14, "geo_redundant_backup": "Disabled"},
        availability_zone="1",
        high_availability={"mode": "ZoneRedundant", "standby_availability_zone": "2"},
        auth_config={"active_directory_auth": "Enabled", "password_auth": "Enabled", "tenant_id": TENANT},
        network={
            "delegated_subnet_resource_id": program.made["databases"].id,
            "private_dns_zone_arm_resource_id": zone.id,
        },
    )
    program.make(azure.dbforpostgresql.Database, "mlflow", server_name=server.name, database_name="mlflow")


def people(program: Program) -> None:
    """What tells how much of the money is gone."""
    program.make(
        azure.consumption.Budget,
        "budget",
        grouped=False,
        scope=f"/subscriptions/{SUBSCRIPTION}",
        budget_name="training",
        amount=900000,
        category="Cost",
        time_grain="Monthly",
        time_period={"start_date": "2026-11-01T00:00:00Z", "end_date": "2030-11-01T00:00:00Z"},
        notifications={
            "most": {
                "enabled": True,
                "operator": "GreaterThan",
                "threshold": 80,
                "threshold_type": "Actual",
                "contact_emails": ["platform@example.com"],
            }
        },
    )
