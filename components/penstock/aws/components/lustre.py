"""FSx for Lustre: the scratch space that feeds training jobs and takes their checkpoints."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_aws import ec2, fsx

from penstock.aws.components import firewall
from penstock.aws.components.handles import BucketHandle, KeyHandle, NetworkHandle, VolumeHandle
from penstock.aws.facts import lustre
from penstock.core.quantities import lustre_gib
from penstock.description.storage import LustreSpec

LNET_PORTS: tuple[firewall.Ports, ...] = ((988, 988), (1018, 1023))
"""What Lustre speaks over TCP; source: FSx for Lustre user guide, file system access control, 2026-11."""

BACKUP_DAYS = 7
"""How long AWS keeps the daily backups of a file system that no bucket feeds."""

_EVENTS = ["NEW", "CHANGED", "DELETED"]

_DECIDED_BY: Final = {
    "DataRepositoryAssociation": ".source",
    "s3.autoExportPolicy": ".export",
    "efaEnabled SecurityGroupEgressRule SecurityGroupIngressRule": ".fabric",
    "perUnitStorageThroughput": ".throughput_mbps_per_tib",
    "storageCapacity": ".capacity_tib",
    "subnetIds": ".zone cloud.zones",
}


class Lustre(pulumi.ComponentResource):
    """A parallel file system in one zone: that of the pools which mount it.

    Only nodes in the network's fabric group reach it. With a source bucket, its objects appear below `/imported` and
    follow the bucket; with `export` the bucket follows the files there, too. AWS cannot back up such a file system, so
    results belong in a bucket. A source may come, go or be another later: the file system stays, and so do its files.
    EFA is fixed at creation: changing it replaces the file system, which `protect` refuses.
    """

    filesystem_id: pulumi.Output[str]
    dns_name: pulumi.Output[str]
    mount_name: pulumi.Output[str]
    volume: VolumeHandle

    def __init__(
        self,
        name: str,
        spec: LustreSpec,
        *,
        network: NetworkHandle,
        zone: str,
        key: KeyHandle,
        source: BucketHandle | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:aws:Lustre", name, spec.inputs(_DECIDED_BY), opts)

        group = ec2.SecurityGroup(
            f"{name}-lustre",
            description=f"{name}: Lustre from and to the fabric group",
            vpc_id=network.vpc_id,
            tags={**spec.tags, "Name": f"{name}-lustre"},
            opts=pulumi.ResourceOptions(parent=self),
        )
        rules = self._connect(name, group, spec, network)
        linked = source is not None
        filesystem = fsx.LustreFileSystem(
            name,
            deployment_type="PERSISTENT_2",  # the only type that takes EFA clients
            storage_type="SSD",
            file_system_type_version="2.15",  # the only version that takes a metadata mode, which EFA asks for
            metadata_configuration={"mode": "AUTOMATIC"},
            storage_capacity=lustre_gib(spec.capacity_tib),
            per_unit_storage_throughput=spec.throughput_mbps_per_tib,
            efa_enabled=spec.fabric == "efa",
            data_compression_type="LZ4",
            subnet_ids=network.subnets_in(zone)[0],
            security_group_ids=[group.id],
            kms_key_id=key.arn,
            log_configuration={"level": "WARN_ERROR"},
            automatic_backup_retention_days=0 if linked else BACKUP_DAYS,
            copy_tags_to_backups=not linked,
            skip_final_backup=linked or not spec.protect,
            tags={**spec.tags, "Name": name},
            opts=pulumi.ResourceOptions(
                parent=self,
                protect=spec.protect,
                depends_on=rules,  # AWS checks the rules when it creates the file system
                # AWS takes it at creation only, and not for a file system with a bucket: a change would replace the
                # file system, with all files, for the tags of its backups.
                ignore_changes=["copyTagsToBackups"],
                # Growing takes longer than creating: up to an hour for the smallest.
                custom_timeouts=pulumi.CustomTimeouts(create="60m", update="120m", delete="60m"),
            ),
        )
        if source is not None:
            self._import_from(name, source, filesystem, spec)

        self.filesystem_id, self.dns_name, self.mount_name = filesystem.id, filesystem.dns_name, filesystem.mount_name
        self.volume = VolumeHandle(
            driver="fsx.csi.aws.com",
            handle=filesystem.id,
            gib=lustre_gib(spec.capacity_tib),
            attributes={"dnsname": filesystem.dns_name, "mountname": filesystem.mount_name},
            mount_options=("flock",),  # many libraries lock files, and a client without it refuses them
        )
        self.register_outputs(
            {
                "filesystem_id": self.filesystem_id,
                "dns_name": self.dns_name,
                "mount_name": self.mount_name,
                "summary": f"{spec.capacity_tib:g} TiB at {spec.throughput_mbps_per_tib} MB/s for each TiB, {zone}",
            }
        )

    def _connect(
        self, name: str, group: ec2.SecurityGroup, spec: LustreSpec, network: NetworkHandle
    ) -> list[pulumi.Resource]:
        """Opens the way among the servers, and between them and the clients: both groups must say so."""
        sides = (
            ("servers", group.id, group.id),
            ("clients", group.id, network.fabric_group_id),
            ("fabric", network.fabric_group_id, group.id),
        )
        openings: tuple[firewall.Ports | None, ...] = (None,) if spec.fabric == "efa" else LNET_PORTS
        return [
            rule
            for side, owner, peer in sides
            for ports in openings
            for rule in firewall.both_ways(
                f"{name}-{side}" if ports is None else f"{name}-{side}-{ports[0]}",
                owner,
                peer,
                ports=ports,
                tags=spec.tags,
                opts=pulumi.ResourceOptions(parent=self),
            )
        ]

    def _import_from(self, name: str, source: BucketHandle, filesystem: fsx.LustreFileSystem, spec: LustreSpec) -> None:
        fsx.DataRepositoryAssociation(
            f"{name}-import",
            file_system_id=filesystem.id,
            file_system_path=lustre.IMPORTED_PATH,
            data_repository_path=pulumi.Output.concat("s3://", source.name),
            batch_import_meta_data_on_create=True,  # what the bucket holds already, not only what changes from now on
            s3={
                "auto_import_policy": {"events": _EVENTS},
                **({"auto_export_policy": {"events": _EVENTS}} if spec.export else {}),
            },
            tags=spec.tags,
            opts=pulumi.ResourceOptions(
                parent=self,
                delete_before_replace=True,  # AWS links a directory with one bucket at a time
                custom_timeouts=pulumi.CustomTimeouts(create="30m", update="30m", delete="30m"),
            ),
        )
