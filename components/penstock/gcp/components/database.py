"""Cloud SQL for PostgreSQL: where tracking servers and workflow engines keep their records."""

from __future__ import annotations

import math
from typing import Final

import pulumi
from pulumi_gcp import sql

from penstock.core.quantities import GIB_PER_TIB
from penstock.description.storage import DatabaseSpec
from penstock.gcp.components.handles import KeyHandle, NetworkHandle, ProjectHandle
from penstock.gcp.facts import cloud_sql

_FLAGS: Final = {
    "cloudsql.iam_authentication": "on",
    "cloudsql.enable_pgaudit": "on",
    "log_connections": "on",
    "log_disconnections": "on",
    "log_lock_waits": "on",
    "log_statement": "ddl",
}
"""IAM logins, and logs of connections and schema changes; `pgaudit.log` of a database decides what pgAudit records."""

_DECIDED_BY: Final = {
    "settings.backupConfiguration.backupRetentionSettings.retainedBackups": ".retention_days",
    "settings.diskSize": ".capacity_tib",
}


class Database(pulumi.ComponentResource):
    """A PostgreSQL server with a standby in a second zone, reached from inside the network over TLS only.

    Users sign in with IAM: nobody has a password, so none is in Pulumi's state. Each day's backup is kept for
    `retention_days`, and the newest days can be restored to any second.
    """

    address: pulumi.Output[str]
    port: int
    connection_name: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: DatabaseSpec,
        *,
        network: NetworkHandle,
        project: ProjectHandle,
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:gcp:Database", name, spec.inputs(_DECIDED_BY), opts)
        postgres = cloud_sql.find_engine("postgres")

        server = sql.DatabaseInstance(
            name,
            project=project.id,
            region=network.region,
            database_version=postgres.version,
            encryption_key_name=key.id,
            deletion_protection=bool(spec.protect),  # the provider protects what says nothing
            settings={
                "tier": postgres.tier,
                "edition": postgres.edition,  # Google's own choice for new versions does not sell this tier
                "availability_type": "REGIONAL",
                "disk_type": postgres.disk_type,
                "disk_size": math.ceil(spec.capacity_tib * GIB_PER_TIB),
                "disk_autoresize": False,  # a disk that grew by itself is replaced, with its data, by the next update
                "deletion_protection_enabled": spec.protect,
                "final_backup_config": {"enabled": bool(spec.protect)},
                "ip_configuration": {
                    "ipv4_enabled": False,
                    "private_network": network.id,
                    "ssl_mode": "ENCRYPTED_ONLY",
                },
                "database_flags": [{"name": flag, "value": value} for flag, value in _FLAGS.items()],
                "backup_configuration": {
                    "enabled": True,
                    "location": network.region,
                    "point_in_time_recovery_enabled": True,
                    "transaction_log_retention_days": min(spec.retention_days, postgres.log_days),
                    "backup_retention_settings": {"retained_backups": spec.retention_days, "retention_unit": "COUNT"},
                },
                "insights_config": {"query_insights_enabled": True},
                "user_labels": spec.tags,
            },
            opts=pulumi.ResourceOptions(
                parent=self,
                protect=spec.protect,
                depends_on=[*project.on("sqladmin"), *network.private_services, *key.for_("sqladmin")],
            ),
        )

        self.address, self.port = server.private_ip_address, postgres.port
        self.connection_name = server.connection_name
        self.register_outputs(
            {"address": self.address, "port": self.port, "connection_name": self.connection_name},
        )
