"""Mountpoint for S3: buckets as volumes of pods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from penstock.aws.components.handles import BucketHandle, VolumeHandle
from penstock.aws.facts.machines import AwsMachine
from penstock.description.storage import BucketSpec

_ASSUMED_GBPS: Final = 10
"""What Mountpoint aims at where it cannot ask for its machine (mountpoint-s3, `--maximum-throughput-gbps`)."""


def bucket_volume(
    bucket: BucketHandle, spec: BucketSpec, *, region: str, machines: Iterable[AwsMachine]
) -> VolumeHandle:
    """A bucket as its readers and writers mount it: each pod with the rights of its own service account.

    Mountpoint runs in a pod, out of reach of machine metadata: the volume names the region, and the speed of the
    fastest of the `machines`. It replaces and deletes objects only where the description has writers.
    """
    gbps = max((int(machine.card_gbps) for machine in machines), default=0)
    return VolumeHandle(
        driver="s3.csi.aws.com",
        handle=bucket.name,
        any_handle=True,
        attributes={"bucketName": bucket.name, "authenticationSource": "pod"},
        mount_options=(
            f"region {region}",
            *((f"maximum-throughput-gbps {gbps}",) if gbps > _ASSUMED_GBPS else ()),
            *(("allow-delete", "allow-overwrite") if spec.writers else ()),
        ),
    )
