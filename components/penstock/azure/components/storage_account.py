"""A storage account, for blobs or for files."""

from __future__ import annotations

from typing import Any

import pulumi
from pulumi_azure_native import storage

from penstock.azure.components.handles import GroupHandle, KeyHandle
from penstock.azure.types import STORAGE_ACCOUNT
from penstock.catalog import name_forms, regions
from penstock.description.block import HoldingSpec
from penstock.description.shortened_names import letters_with_room


def storage_account(
    name: str,
    spec: HoldingSpec,
    *,
    kind: str,
    group: GroupHandle,
    key: KeyHandle,
    opts: pulumi.ResourceOptions,
    premium: bool = False,
    https_only: bool = True,
    **more: Any,
) -> storage.StorageAccount:
    """A private account that is encrypted twice, by Azure's key and by `key`, in all zones of a region that has some.

    Args:
        name: The start of its name.
        spec: Its tags and protection.
        kind: As `penstock.azure.facts.storage_accounts` names it.
        group: Where to build it.
        key: The key, which it follows when that is rotated.
        opts: Pulumi's options.
        premium: On solid state disks.
        https_only: False for NFS, which has no TLS of its own; what reaches it is for the network to say.
        more: What accounts of this kind have beside.
    """
    zones = regions.find_region(group.region, "azure").zones
    return storage.StorageAccount(
        letters_with_room(name, name_forms.name_forms("azure")[STORAGE_ACCOUNT].longest),
        resource_group_name=group.name,
        location=group.region,
        kind=kind,
        sku={"name": f"{'Premium' if premium else 'Standard'}_{'ZRS' if zones else 'LRS'}"},
        enable_https_traffic_only=https_only,
        minimum_tls_version="TLS1_2",  # Azure's own default is 1.0
        allow_blob_public_access=False,
        allow_cross_tenant_replication=False,
        default_to_o_auth_authentication=True,
        is_local_user_enabled=False,
        public_network_access="Disabled",
        network_rule_set={"bypass": "AzureServices", "default_action": "Deny"},
        identity={"type": "UserAssigned", "user_assigned_identities": [key.identity.id]},
        encryption={
            "key_source": "Microsoft.Keyvault",
            "key_vault_properties": {"key_name": key.name, "key_vault_uri": key.vault_uri},
            "encryption_identity": {"encryption_user_assigned_identity": key.identity.id},
            "require_infrastructure_encryption": True,
            "services": {
                "blob": {"enabled": True, "key_type": "Account"},
                "file": {"enabled": True, "key_type": "Account"},
            },
        },
        tags=spec.tags,
        **more,
        opts=pulumi.ResourceOptions.merge(
            opts, pulumi.ResourceOptions(protect=spec.protect, depends_on=list(key.grants))
        ),
    )
