"""A Key Vault, for keys or for secrets."""

from __future__ import annotations

import pulumi
from pulumi_azure_native import keyvault

from penstock.azure.components.handles import GroupHandle
from penstock.azure.types import KEYVAULT_VAULT
from penstock.catalog import limits, name_forms
from penstock.description.block import HoldingSpec
from penstock.description.shortened_names import with_room


def vault(
    name: str,
    spec: HoldingSpec,
    *,
    group: GroupHandle,
    behind_firewall: bool = False,
    hardware: bool = False,
    opts: pulumi.ResourceOptions,
) -> keyvault.Vault:
    """A vault that only roles open, and that keeps deleted keys and secrets as long as it can.

    Clients reach it at private endpoints only. A vault `behind_firewall` has public access, whose firewall admits
    trusted services of Azure and denies everybody else. One with `hardware` takes keys that never leave an HSM.
    """
    return keyvault.Vault(
        with_room(name, name_forms.name_forms("azure")[KEYVAULT_VAULT].longest),
        resource_group_name=group.name,
        location=group.region,
        properties={
            "sku": {"family": "A", "name": "premium" if hardware else "standard"},
            "tenant_id": group.tenant,
            "enable_rbac_authorization": True,
            "enable_soft_delete": True,
            "enable_purge_protection": True,
            "soft_delete_retention_in_days": limits.find_limit("soft_delete_days", "azure").most,
            "public_network_access": "Enabled" if behind_firewall else "Disabled",
            # Services of Azure come with the identity of a key, not from the network.
            "network_acls": {"bypass": "AzureServices", "default_action": "Deny"},
        },
        tags=spec.tags,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(protect=spec.protect)),
    )
