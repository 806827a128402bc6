"""RDS for PostgreSQL: where tracking servers and workflow engines keep their records."""

from __future__ import annotations

import math
from typing import Final

import pulumi
from pulumi_aws import rds

from penstock.aws.components import firewall
from penstock.aws.components.handles import KeyHandle, NetworkHandle
from penstock.aws.facts import databases
from penstock.core.quantities import GIB_PER_TIB
from penstock.description.storage import DatabaseSpec

_DECIDED_BY: Final = {
    "allocatedStorage": ".capacity_tib",
    "backupRetentionPeriod": ".retention_days",
    "finalSnapshotIdentifier skipFinalSnapshot": ".protect",
    "cidrIpv4": "network.cidr",
}


class Database(pulumi.ComponentResource):
    """A PostgreSQL server with a standby in a second zone, reached from inside the network over TLS only.

    RDS makes the master password, keeps it in Secrets Manager (`secret_arn`) and rotates it: it is never in Pulumi's
    state. Other users sign in with IAM. The network needs subnets in two zones at least.
    """

    address: pulumi.Output[str]
    port: pulumi.Output[int]
    secret_arn: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: DatabaseSpec,
        *,
        network: NetworkHandle,
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:aws:Database", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        postgres = databases.find_engine("postgres")

        subnets = rds.SubnetGroup(
            f"{name}-subnets",
            description=f"{name}: the private subnets",
            subnet_ids=network.subnets_in(None),
            tags=spec.tags,
            opts=child,
        )
        parameters = rds.ParameterGroup(
            f"{name}-parameters",
            family=f"postgres{postgres.major_version}",
            description=f"{name}: TLS only",
            parameters=[
                {"name": "rds.force_ssl", "value": "1"},
                {"name": "log_min_duration_statement", "value": "1000"},  # ms; log_statement would log passwords, too
            ],
            tags=spec.tags,
            opts=child,
        )
        group = firewall.admit(f"{name}-postgres", postgres.port, network=network, tags=spec.tags, opts=child)
        server = rds.Instance(
            name,
            engine="postgres",
            engine_version=postgres.major_version,
            auto_minor_version_upgrade=True,
            instance_class=postgres.instance_class,
            multi_az=True,
            allocated_storage=math.ceil(spec.capacity_tib * GIB_PER_TIB),
            storage_type="gp3",
            storage_encrypted=True,
            kms_key_id=key.arn,
            username="postgres",
            manage_master_user_password=True,
            master_user_secret_kms_key_id=key.arn,
            iam_database_authentication_enabled=True,
            port=postgres.port,
            db_subnet_group_name=subnets.name,
            vpc_security_group_ids=[group.id],
            publicly_accessible=False,
            parameter_group_name=parameters.name,
            backup_retention_period=spec.retention_days,
            copy_tags_to_snapshot=True,
            deletion_protection=spec.protect,
            skip_final_snapshot=not spec.protect,
            # The snapshot outlives the database: with a fixed name, the next one of this name could not be deleted.
            final_snapshot_identifier=pulumi.Output.concat(subnets.name, "-final") if spec.protect else None,
            performance_insights_enabled=True,
            performance_insights_kms_key_id=key.arn,
            enabled_cloudwatch_logs_exports=["postgresql", "upgrade"],
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
        )

        self.address, self.port = server.address, server.port
        self.secret_arn = server.master_user_secrets[0].secret_arn
        self.register_outputs({"address": self.address, "port": self.port, "secret_arn": self.secret_arn})
