"""Misconfigurations of storage accounts, shares, registries and databases."""

from __future__ import annotations

from typing import Any

from tests.nd_platform.program import Misconfiguration
from tests.simulate.azure_misconfigurations.misconfigurations import Misconfigurations


def data(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the account of the data sets."""
    return {"data": changes}


def runs(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the database."""
    return {"runs": changes}


def images(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the registry."""
    return {"images": changes}


def aged(**changes: Any) -> Misconfiguration:
    """A misconfiguration in when blobs are deleted."""
    right = {
        "name": "old",
        "type": "Lifecycle",
        "definition": {
            "filters": {"blob_types": ["blockBlob"]},
            "actions": {"base_blob": {"delete": {"days_after_modification_greater_than": 90}}},
        },
    }
    return {"ages": {"policy": {"rules": [{**right, **changes}]}}}


_ACCOUNTS = "storage/common/storage-account-overview"
_POSTGRES = "postgresql/flexible-server/concepts-limits"
_REGISTRY = "container-registry/container-registry-skus"

MISCONFIGURATIONS: Misconfigurations = {
    "a hyphen in an account's name": (
        "data",
        data(account_name="acme-training"),
        f"takes letters and digits; {_ACCOUNTS}",
    ),
    "a long name of an account": (
        "data",
        data(account_name="acmetrainingdatasetsofall"),
        f"takes 24 characters; {_ACCOUNTS}",
    ),
    "a kind of account that is none": ("data", data(kind="StorageV3"), f"refuses the kind; {_ACCOUNTS}"),
    "a redundancy that is none": ("data", data(sku={"name": "Standard_XRS"}), f"refuses the SKU; {_ACCOUNTS}"),
    "files of premium on disks": (
        "homes",
        {"homes": {"sku": {"name": "Standard_LRS"}}},
        f"wants a premium SKU; {_ACCOUNTS}",
    ),
    "blocks of premium on disks": (
        "data",
        data(kind="BlockBlobStorage", access_tier=None),
        f"wants a premium SKU; {_ACCOUNTS}",
    ),
    "premium in two regions": ("data", data(sku={"name": "Premium_GRS"}), f"has LRS and ZRS; {_ACCOUNTS}"),
    "a tier for all that is asleep": (
        "data",
        data(access_tier="Archive"),
        "takes Hot, Cool, Cold; storage/blobs/access-tiers-overview",
    ),
    "encryption by its number": (
        "data",
        data(minimum_tls_version="1.2"),
        "takes TLS1_2; storage/common/transport-layer-security-configure-minimum-version",
    ),
    "NFS without folders": (
        "data",
        data(enable_nfs_v3=True, is_hns_enabled=False, enable_https_traffic_only=False),
        "wants the hierarchical namespace; storage/blobs/network-file-system-protocol-support",
    ),
    "SFTP without folders": (
        "data",
        data(is_sftp_enabled=True, is_hns_enabled=False),
        "wants the hierarchical namespace; storage/blobs/secure-file-transfer-protocol-support",
    ),
    "folders among files": (
        "homes",
        {"homes": {"is_hns_enabled": True}},
        "has the namespace for blobs alone; storage/blobs/data-lake-storage-namespace",
    ),
    "a private range let in": (
        "data",
        data(network_rule_set={"ip_rules": [{"i_p_address_or_range": "10.0.0.0/24"}]}),
        "takes public addresses; storage/common/storage-network-security",
    ),
    "one address as a range": (
        "data",
        data(network_rule_set={"ip_rules": [{"i_p_address_or_range": "203.0.113.7/32"}]}),
        "takes it without /31 and /32; storage/common/storage-network-security",
    ),
    "a subnet that does not reach storage": (
        "data private",
        {"private": {"service_endpoints": None}},
        "wants its service endpoint; storage/common/storage-network-security",
    ),
    "a key of one's own that is not named": (
        "data",
        data(encryption={"key_source": "Microsoft.Keyvault"}, identity={"type": "SystemAssigned"}),
        "wants the key; storage/common/customer-managed-keys-overview",
    ),
    "a key of one's own that nobody may use": (
        "data",
        data(
            encryption={
                "key_source": "Microsoft.Keyvault",
                "key_vault_properties": {
                    "key_name": "disks",
                    "key_vault_uri": "https://kv-acme-training.vault.azure.net/",
                },
            }
        ),
        "wants an identity; storage/common/customer-managed-keys-overview",
    ),
    "a container for everybody in an account for nobody": (
        "datasets",
        {"datasets": {"public_access": "Container"}},
        "refuses it; storage/blobs/anonymous-read-access-configure",
    ),
    "a container's name with an underscore": (
        "datasets",
        {"datasets": {"container_name": "data_sets"}},
        "takes small letters, digits, hyphens; storage/blobs/storage-blob-container-create",
    ),
    "a container's name of two letters": (
        "logs",
        {"logs": {"container_name": "lo"}},
        "takes three to 63; storage/blobs/storage-blob-container-create",
    ),
    "hyphens beside each other": (
        "datasets",
        {"datasets": {"container_name": "data--sets"}},
        "refuses the name; storage/blobs/storage-blob-container-create",
    ),
    "versions of blobs in folders": (
        "blobs data",
        {"blobs": {"is_versioning_enabled": True}},
        "has none with the hierarchical namespace; storage/blobs/versioning-overview",
    ),
    "deleted blobs kept for ever": (
        "blobs",
        {"blobs": {"delete_retention_policy": {"days": 400}}},
        "takes 1 to 365 days; storage/blobs/soft-delete-blob-overview",
    ),
    "blob properties by a name of one's own": (
        "blobs",
        {"blobs": {"blob_services_name": "blobs"}},
        "knows `default` alone; rest/api/storagerp/blob-services/set-service-properties",
    ),
    "rules of age by a name of one's own": (
        "ages",
        {"ages": {"management_policy_name": "old"}},
        "knows `default` alone; storage/blobs/lifecycle-management-overview",
    ),
    "a rule of another type": (
        "ages",
        aged(type="Expiry"),
        "knows Lifecycle; storage/blobs/lifecycle-management-overview",
    ),
    "a rule that does nothing": (
        "ages",
        aged(definition={"filters": {"blob_types": ["blockBlob"]}, "actions": {}}),
        "wants an action; storage/blobs/lifecycle-management-policy-structure",
    ),
    "a rule for blobs that are none": (
        "ages",
        aged(
            definition={
                "filters": {"blob_types": ["block"]},
                "actions": {"base_blob": {"delete": {"days_after_modification_greater_than": 9}}},
            }
        ),
        "knows blockBlob and appendBlob; storage/blobs/lifecycle-management-policy-structure",
    ),
    "NFS on disks that turn": (
        "home homes",
        {"homes": {"kind": "StorageV2", "sku": {"name": "Standard_LRS"}}},
        "wants premium files; storage/files/files-nfs-protocol",
    ),
    "a share of 50 GiB": (
        "home",
        {"home": {"share_quota": 50}},
        "has 100 at least; storage/files/storage-files-scale-targets",
    ),
    "a share of 200 TiB": (
        "home",
        {"home": {"share_quota": 204800}},
        "has 102400 GiB at most; storage/files/storage-files-scale-targets",
    ),
    "root squashed for Windows": (
        "home",
        {"home": {"enabled_protocols": "SMB", "root_squash": "RootSquash"}},
        "squashes NFS alone; storage/files/nfs-root-squash",
    ),
    "a protocol of files that is none": (
        "home",
        {"home": {"enabled_protocols": "NFSv4"}},
        "takes NFS and SMB; storage/files/files-nfs-protocol",
    ),
    "a hyphen in a registry's name": (
        "images",
        images(registry_name="acme-training"),
        f"takes letters and digits; {_REGISTRY}",
    ),
    "a short name of a registry": (
        "images",
        images(registry_name="acr1"),
        f"takes five characters and more; {_REGISTRY}",
    ),
    "a tier of registries that is none": ("images", images(sku={"name": "Ultra"}), f"has three; {_REGISTRY}"),
    "a private registry below Premium": (
        "images registries-endpoint",
        images(sku={"name": "Standard"}, zone_redundancy="Disabled", public_network_access="Enabled"),
        "has endpoints on Premium alone; container-registry/container-registry-private-link",
    ),
    "zones below Premium": (
        "images",
        {
            **images(sku={"name": "Standard"}, public_network_access="Enabled"),
            "registries-endpoint": {
                "private_link_service_connections": [
                    {
                        "name": "c",
                        "private_link_service_id": lambda made: made["data"].id,
                        "group_ids": ["file"],
                    }
                ]
            },
        },
        f"has zones on Premium; {_REGISTRY}",
    ),
    "images deleted by age below Premium": (
        "images",
        images(sku={"name": "Basic"}, policies={"retention_policy": {"status": "enabled", "days": 7}}),
        f"has it on Premium; {_REGISTRY}",
    ),
    "a version of PostgreSQL that is none": (
        "runs",
        runs(version="16.2"),
        "takes the major version; postgresql/flexible-server/concepts-supported-versions",
    ),
    "a version of PostgreSQL that is gone": (
        "runs",
        runs(version="10"),
        "has 11 and later; postgresql/flexible-server/concepts-supported-versions",
    ),
    "a size of another tier": (
        "runs",
        runs(sku={"tier": "MemoryOptimized"}),
        "wants sizes E there; postgresql/flexible-server/concepts-compute",
    ),
    "a burstable server in two zones": (
        "runs",
        runs(sku={"name": "Standard_B2s", "tier": "Burstable"}),
        "has none; postgresql/flexible-server/concepts-high-availability",
    ),
    "a standby in the same zone": (
        "runs",
        runs(high_availability={"standby_availability_zone": "1"}),
        "wants another zone; postgresql/flexible-server/concepts-high-availability",
    ),
    "a disk that is not sold": (
        "runs",
        runs(storage={"storage_size_gb": 100}),
        "sells 32, 64, 128 and so on; postgresql/flexible-server/concepts-storage",
    ),
    "a server's name in capitals": ("runs", runs(server_name="Acme-Runs"), f"takes small letters; {_POSTGRES}"),
    "a name that PostgreSQL keeps": (
        "runs",
        runs(administrator_login="azure_superuser"),
        f"refuses the name; {_POSTGRES}",
    ),
    "an administrator of pg": ("runs", runs(administrator_login="pg_tracker"), f"refuses the prefix; {_POSTGRES}"),
    "a password without an administrator": ("runs", runs(administrator_login=None), f"wants both; {_POSTGRES}"),
    "nobody who signs in": (
        "runs",
        runs(auth_config={"active_directory_auth": "Disabled", "password_auth": "Disabled"}),
        "wants one of the two; postgresql/flexible-server/concepts-azure-ad-authentication",
    ),
    "backups for two months": (
        "runs",
        runs(backup={"backup_retention_days": 60}),
        "keeps 7 to 35 days; postgresql/flexible-server/concepts-backup-restore",
    ),
    "a server in a subnet that is not its own": (
        "runs databases",
        {"databases": {"delegations": None}},
        "wants the delegation; postgresql/flexible-server/concepts-networking-private",
    ),
    "a server in a subnet of others": (
        "runs databases",
        {"databases": {"delegations": [{"name": "d", "service_name": "Microsoft.DBforMySQL/flexibleServers"}]}},
        "wants its own delegation; postgresql/flexible-server/concepts-networking-private",
    ),
    "a private server without its zone": (
        "runs",
        runs(network={"private_dns_zone_arm_resource_id": None}),
        "wants it; postgresql/flexible-server/concepts-networking-private",
    ),
    "a zone by another end": (
        "runs database-zone",
        {"database-zone": {"private_zone_name": "training.private"}},
        "ends in postgres.database.azure.com; postgresql/flexible-server/concepts-networking-private",
    ),
    "a zone by the server's name": (
        "runs database-zone",
        {"database-zone": {"private_zone_name": "acme-training-runs.postgres.database.azure.com"}},
        "wants another name than the server's; postgresql/flexible-server/concepts-networking-private",
    ),
    "a private server that is public": (
        "runs",
        runs(network={"public_network_access": "Enabled"}),
        "takes one of the two; postgresql/flexible-server/concepts-networking-private",
    ),
    "a key of the database that nobody may use": (
        "runs",
        runs(
            data_encryption={"type": "AzureKeyVault", "primary_key_uri": lambda made: made["key"].key_uri_with_version}
        ),
        "wants an identity; postgresql/flexible-server/concepts-data-encryption",
    ),
    "a window at hour 25": (
        "runs",
        runs(maintenance_window={"custom_window": "Enabled", "day_of_week": 6, "start_hour": 25, "start_minute": 0}),
        "takes 0 to 23; postgresql/flexible-server/concepts-maintenance",
    ),
    "a database with a slash": ("mlflow", {"mlflow": {"database_name": "ml/flow"}}, f"refuses the name; {_POSTGRES}"),
}
