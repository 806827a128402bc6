"""Azure Database for PostgreSQL: where tracking servers and workflow engines keep their records."""

from __future__ import annotations

import math
from typing import Final

import pulumi
from pulumi_azure_native import dbforpostgresql

from penstock.azure.components.endpoints import private_endpoint
from penstock.azure.components.handles import GroupHandle, KeyHandle, NetworkHandle
from penstock.azure.components.identities import acting_as
from penstock.azure.facts import databases
from penstock.azure.types import DBFORPOSTGRESQL_SERVER
from penstock.catalog import name_forms, regions
from penstock.core.quantities import GIB_PER_TIB
from penstock.description.shortened_names import with_room
from penstock.description.storage import DatabaseSpec

_DECIDED_BY: Final = {
    "backup.backupRetentionDays": ".retention_days",
    "storage.storageSizeGB": ".capacity_tib",
}


class Database(pulumi.ComponentResource):
    """A PostgreSQL server with a standby in a second zone, where the region has one, reached at a private endpoint.

    Users sign in with Entra ID: nobody has a password, so none is in Pulumi's state. Each day's backup is kept for
    `retention_days`, to any second of them. Its disk is of the next size that Azure sells, and never shrinks.
    """

    address: pulumi.Output[str]
    port: int

    def __init__(
        self,
        name: str,
        spec: DatabaseSpec,
        *,
        group: GroupHandle,
        network: NetworkHandle,
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:azure:Database", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        postgres = databases.find_engine("postgres")
        zones = regions.find_region(group.region, "azure").zones
        server = dbforpostgresql.Server(
            with_room(name, name_forms.name_forms("azure")[DBFORPOSTGRESQL_SERVER].longest),
            resource_group_name=group.name,
            location=group.region,
            version=postgres.version,
            sku={"name": postgres.size, "tier": postgres.tier},
            storage={
                "storage_size_gb": databases.disk_gib(math.ceil(spec.capacity_tib * GIB_PER_TIB)),
                "auto_grow": "Disabled",  # a disk that grew by itself would be refused the size of the description
            },
            high_availability={"mode": "ZoneRedundant" if len(zones) > 1 else "SameZone"},
            backup={
                "backup_retention_days": max(spec.retention_days, postgres.least_backup_days),
                "geo_redundant_backup": "Disabled",
            },
            network={"public_network_access": "Disabled"},
            auth_config={
                "active_directory_auth": "Enabled",
                "password_auth": "Disabled",
                "tenant_id": group.tenant,
            },
            identity=acting_as(key.identity),
            data_encryption={
                "type": "AzureKeyVault",
                "primary_key_uri": key.id,
                "primary_user_assigned_identity_id": key.identity.id,
            },
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self, protect=spec.protect, depends_on=list(key.grants)),
        )
        private_endpoint(name, "postgresqlServer", of=server.id, at=network, group=group, tags=spec.tags, opts=child)
        self.address, self.port = server.fully_qualified_domain_name, postgres.port
        self.register_outputs({"address": self.address, "port": self.port})
