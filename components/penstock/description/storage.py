"""Buckets, file systems, volumes and databases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StringConstraints

from penstock.core.quantities import GIB_PER_TIB, lustre_tib
from penstock.description.block import HoldingSpec, Name

RetentionDays = Annotated[int, Field(ge=1, le=3650, strict=True)]
BackupDays = Annotated[int, Field(ge=1, le=35, strict=True)]


DataUser = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(/[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?)?$"),
    Field(
        description="Team, or Kubernetes service account with its namespace, such as research/trainer. A team stands "
        "for the service account trainer of its namespace."
    ),
]


FileServer = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][-.:;@,A-Za-z0-9]*$", max_length=253)]
FilePath = Annotated[str, StringConstraints(pattern=r"^/[^\s;]*$", max_length=1024)]


class BucketSpec(HoldingSpec):
    """A bucket for data sets, checkpoints and models."""

    kind: Literal["bucket"] = "bucket"
    name: Name
    versioning: StrictBool = Field(default=True, description="Keep overwritten and deleted objects for a while.")
    retention_days: RetentionDays | None = Field(
        default=None,
        description="Days that overwritten and deleted objects are kept: by default 30, and 7 on Google Cloud, which "
        "keeps them for 7 to 90.",
    )
    readers: tuple[DataUser, ...] = Field(
        default=(), description="Teams, and service accounts NAMESPACE/NAME, whose pods list and read the bucket."
    )
    writers: tuple[DataUser, ...] = Field(
        default=(),
        description="Teams, and service accounts NAMESPACE/NAME, whose pods read, write and delete its objects.",
    )


class LustreSpec(HoldingSpec):
    """A parallel file system for training jobs and their checkpoints."""

    kind: Literal["lustre"] = "lustre"
    name: Name
    capacity_tib: Annotated[float, Field(gt=0, strict=True)] = Field(
        description="Storage capacity in TiB, in the cloud's steps: 1.2 TiB is 1200 GiB."
    )
    throughput_mbps_per_tib: Annotated[int, Field(strict=True)] = Field(
        description="Throughput tier of the cloud, in MB/s per TiB."
    )
    source: Name | None = Field(default=None, description="Name of the bucket in this description to import from.")
    zone: str | None = Field(
        default=None, description="Zone of the pools that mount the file system; the platform's first by default."
    )
    fabric: Literal["none", "efa"] = Field(
        default="none", description="Network fabric of the mount: efa on AWS only; fixed at creation."
    )
    export: StrictBool = Field(
        default=False, description="Write new, changed and deleted files back to the source bucket. AWS only."
    )
    importer: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")] | None = Field(
        default=None,
        description="Object id of the service principal HPC Cache Resource Provider in your tenant, which imports from "
        "the source. Azure only.",
    )
    server: FileServer | None = Field(
        default=None,
        description="NIDs of the management server of a file system that exists, such as 10.0.0.1@o2ib. Provider "
        "kubernetes only, where capacity and throughput are what it has.",
    )
    path: FilePath | None = Field(
        default=None, description="Its name, and a directory in it, such as /scratch. Provider kubernetes only."
    )


class SharedFilesSpec(HoldingSpec):
    """An NFS file system for home directories, code and small results."""

    kind: Literal["nfs"] = "nfs"
    name: Name
    capacity_tib: Annotated[float, Field(gt=0, strict=True)] | None = Field(
        default=None,
        description="Storage capacity in TiB of 1024 GiB, with which its throughput grows; by default the least of the "
        "tier, which people enlarge. Not on AWS.",
    )
    tier: Literal["regional", "zonal"] = Field(
        default="regional",
        description="In several zones of the region, or in the platform's first alone, which is cheaper. Google Cloud "
        "only.",
    )
    server: FileServer | None = Field(
        default=None, description="Name or IPv4 address of the NFS server that exists. Provider kubernetes only."
    )
    path: FilePath | None = Field(
        default=None, description="What the server exports, such as /exports/shared. Provider kubernetes only."
    )


class ParallelFilesSpec(HoldingSpec):
    """A BeeGFS or IBM Storage Scale file system that exists. Provider kubernetes only."""

    kind: Literal["beegfs", "scale"]
    name: Name
    server: FileServer = Field(
        description="Of BeeGFS, the name of its management server; of Storage Scale, the id of its cluster and the UID "
        "of the file system, joined by a semicolon."
    )
    path: FilePath = Field(description="Directory that is mounted, such as /training.")


class DatabaseSpec(HoldingSpec):
    """A PostgreSQL database for tracking servers and workflow engines."""

    kind: Literal["postgres"] = "postgres"
    name: Name
    capacity_tib: Annotated[float, Field(ge=0.02, strict=True)] = Field(
        default=0.1, description="Storage capacity in TiB, at least 0.02 (20 GiB)."
    )
    retention_days: BackupDays = Field(default=14, description="Days that backups are kept.")


StorageSpec = Annotated[
    BucketSpec | LustreSpec | SharedFilesSpec | ParallelFilesSpec | DatabaseSpec,
    Field(discriminator="kind"),
]

ExistingFilesSpec = LustreSpec | SharedFilesSpec | ParallelFilesSpec
"""What may exist on a server, and is mounted then."""


def existing_files(storage: Sequence[StorageSpec]) -> tuple[ExistingFilesSpec, ...]:
    """Return the file systems of servers that exist."""
    files = (LustreSpec, SharedFilesSpec, ParallelFilesSpec)
    return tuple(item for item in storage if isinstance(item, files) and item.server is not None)


def of_team(storage: Sequence[StorageSpec], namespace: str) -> tuple[StorageSpec, ...]:
    """Return what the team of a namespace has claims on.

    That are all file systems, and the buckets that let a service account of the namespace in: pods of others would
    mount them in vain.
    """

    def is_shared(item: StorageSpec) -> bool:
        if isinstance(item, BucketSpec):
            return any(account.partition("/")[0] == namespace for account in (*item.readers, *item.writers))
        return isinstance(item, ExistingFilesSpec)

    return tuple(item for item in storage if is_shared(item))


def zone_of(lustre: LustreSpec, zones: Sequence[str]) -> str:
    """The one zone of a Lustre file system: its own, or the first of `zones`.

    It never follows the node pools: a pool that is added later must not replace a file system and lose its data.
    """
    return lustre.zone or zones[0]


def filestore_gib(capacity_tib: float) -> int:
    """Return the GiB that Filestore means by so many TiB: 1024 for each."""
    return round(capacity_tib * GIB_PER_TIB)


def tib(capacity_gib: int) -> str:
    """Return a Lustre capacity in GiB as text in TiB."""
    return f"{lustre_tib(capacity_gib):g} TiB"
