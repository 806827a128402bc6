"""Azure Managed Lustre: the scratch space that feeds training jobs and takes their checkpoints."""

from __future__ import annotations

from typing import Any, Final

import pulumi
from pulumi_azure_native import storagecache

from penstock.azure.components.handles import BucketHandle, GroupHandle, KeyHandle, VolumeHandle
from penstock.azure.facts import lustre
from penstock.core.quantities import GIB_PER_TIB
from penstock.description.storage import LustreSpec

_NAME = "lustrefs"
"""What clients call the file system behind its address (kubernetes-sigs/azurelustre-csi-driver, static volumes)."""

_DRIVER = "azurelustre.csi.azure.com"

_DAY, _TIME = "Saturday", "07:00"
"""When it is weekend from America to Japan; Azure works half an hour, about every second month."""

_DECIDED_BY: Final = {
    "hsm": ".source",
    "sku.name": ".throughput_mbps_per_tib",
    "storageCapacityTiB": ".capacity_tib",
    "zones": ".zone cloud.zones",
}


class Lustre(pulumi.ComponentResource):
    """A parallel file system in one zone, in a subnet of its own.

    Every client in the network reaches it over Ethernet; InfiniBand carries no files. Its size, its throughput and the
    source that it imports from are fixed at creation: a change of them replaces it, which `protect` refuses. With a
    source, files appear as they are read, and an export is a job that people start. Pods mount `volume` by the driver
    that `penstock.kubernetes.AzureLustreDriver` installs.
    """

    address: pulumi.Output[str]
    volume: VolumeHandle

    def __init__(
        self,
        name: str,
        spec: LustreSpec,
        *,
        group: GroupHandle,
        subnet: pulumi.Input[str],
        key: KeyHandle,
        zone: str | None,
        source: BucketHandle | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the file system.

        Args:
            name: The start of every name in it.
            spec: What to build.
            group: Where to build it.
            subnet: Its own, one of `NetworkHandle.lustre`.
            key: Encrypts it (`Keys.lustre`): its vault has public access, for trusted services.
            zone: Full name; None in a region without zones.
            source: The bucket that it imports from, which lets `spec.importer` in.
            opts: Pulumi's options.
        """
        super().__init__("penstock:azure:Lustre", name, spec.inputs(_DECIDED_BY), opts)
        filesystem = storagecache.AmlFilesystem(
            name,
            resource_group_name=group.name,
            location=group.region,
            sku={"name": lustre.steps(spec.throughput_mbps_per_tib).sku},
            storage_capacity_ti_b=spec.capacity_tib,
            filesystem_subnet=subnet,
            maintenance_window={"day_of_week": _DAY, "time_of_day_utc": _TIME},
            identity={"type": "UserAssigned", "user_assigned_identities": [key.identity.id]},
            encryption_settings={
                "key_encryption_key": {"key_url": key.version_id, "source_vault": {"id": key.vault}},
            },
            tags=spec.tags,
            **({"zones": [zone.rpartition("-")[2]]} if zone is not None else {}),
            **_imported(source),
            opts=pulumi.ResourceOptions(
                parent=self,
                protect=spec.protect,
                depends_on=[*key.grants, *(source.grants if source is not None else ())],
                custom_timeouts=pulumi.CustomTimeouts(create="60m", update="60m", delete="60m"),
            ),
        )
        self.address = filesystem.client_info.apply(lambda info: info.mgs_address)
        self.volume = VolumeHandle(
            driver=_DRIVER,
            handle=filesystem.name,
            gib=round(spec.capacity_tib * GIB_PER_TIB),
            attributes={"mgs-ip-address": self.address, "fs-name": _NAME},
            mount_options=("noatime", "flock"),
        )
        where = f", {zone}" if zone is not None else ""
        self.register_outputs(
            {
                "address": self.address,
                "summary": f"{spec.capacity_tib:g} TiB at {spec.throughput_mbps_per_tib} MB/s for each TiB{where}",
            }
        )


def _imported(source: BucketHandle | None) -> dict[str, Any]:
    if source is None:
        return {}
    return {"hsm": {"settings": {"container": source.container, "logging_container": source.logging}}}
