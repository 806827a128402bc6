"""Kinds of storage accounts, and what the blobs of each may have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from penstock.catalog.records import keyed, record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageKind:
    """A kind of storage accounts.

    Attributes:
        skus: the redundancy that it is sold with.
        blobs: whether it holds containers of blobs.
        hierarchical: whether these may have a hierarchical namespace, which NFS 3.0 and SFTP need; fixed at creation.
        files: whether it holds file shares.
        nfs_files: whether these may be mounted over NFS 4.1, as pods on Linux do.
        lustre: whether Managed Lustre imports from its containers and exports to them.
    """

    kind: str
    skus: frozenset[str]
    blobs: bool
    hierarchical: bool
    files: bool
    nfs_files: bool
    lustre: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlobFeature:
    """A feature of the blobs of an account, switched by a property of its `BlobServiceProperties`.

    Attributes:
        flat: whether an account without a hierarchical namespace has it; `hierarchical` and `nfs` likewise.
    """

    feature: str
    property: str
    flat: bool
    hierarchical: bool
    nfs: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_kind(name: str) -> StorageKind:
    """The kind of that exact name.

    Raises:
        UnknownFact: Azure has none; the text names the nearest ones.
    """
    return record_of(StorageKind, "azure/storage_accounts", name, "kind of storage account")


def blob_features() -> Mapping[str, BlobFeature]:
    """Every feature of blobs by its name."""
    return keyed(BlobFeature, "azure/blob_features")
