"""The cost of what AWS bills by what it holds or takes in: buckets, file systems, registries, logs, keys, secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.aws.model.ec2 import aws_region
from penstock.aws.types import (
    CLOUDWATCH_LOG_GROUP,
    ECR_REPOSITORY,
    EFS_FILE_SYSTEM,
    FSX_LUSTRE_FILE_SYSTEM,
    FSX_OPEN_ZFS_FILE_SYSTEM,
    KMS_KEY,
    S3_BUCKET,
    S3_BUCKET_LIFECYCLE_CONFIGURATION,
    SECRETSMANAGER_SECRET,
)
from penstock.catalog import prices
from penstock.cost.amounts import Amount
from penstock.cost.bill import Line, Unpriced, by_use, line
from penstock.cost.declared import path_of
from penstock.cost.stored import Held, declared_amount, stored_items, used_items
from penstock.cost.tiers import Tier
from penstock.cost.words import quantity
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_Items = Iterator[Line | Unpriced]
_OBJECTS: Final = (
    Tier("standard storage first 50 TB", 51_200),
    Tier("standard storage next 450 TB", 512_000),
    Tier("standard storage over 500 TB", None),
)
"""Of all buckets of a region together; they are taken one by one, which is no less."""
_LIFECYCLES: Final = (
    S3_BUCKET_LIFECYCLE_CONFIGURATION,
    "aws:s3/bucketLifecycleConfigurationV2:BucketLifecycleConfigurationV2",
)
_IOPS_OF_GIB: Final = 3
"""That come with OpenZFS (FSx API reference, DiskIopsConfiguration)."""
_MBPS_OF_GB: Final = 0.05
"""Throughput that comes with a GB of EFS, in MiB/s (EFS user guide, provisioned throughput: 50 KiB/s per GiB)."""
_VERSIONS_OF_KEY: Final = 2
"""Rotations of a key that are billed at most: the first two (KMS pricing page)."""


def region_of(view: View) -> str:
    """Return the region of a resource; empty where it is not known."""
    try:
        return aws_region(view)
    except NotKnown:
        return ""


def service(view: View, name: str, item: str) -> prices.Price | None:
    """Return the price of an item of a service in the region of a resource."""
    return prices.service("aws", name, item, region_of(view))


def linked(view: View, key: str, type_: str) -> View | None:
    """Return the resource that a property refers to by any of its outputs; None where it is not of the program."""
    try:
        found = view.found(key, type_)
    except NotKnown:
        found = []
    return next(iter(found or view.sources(key, type_)), None)


def _bucket(view: View) -> _Items:
    tiers = [(tier, service(view, "s3", tier.item)) for tier in _OBJECTS]
    stored = tiers[0][1]
    yield from stored_items(
        view,
        (
            Held("gb", "objects", stored, optional=False, tiers=tiers),
            Held("old_versions_gb", "old versions of objects", stored, tiers=tiers),
            Held("deleted_gb", "deleted objects that versioning keeps", stored, tiers=tiers),
            Held("writes", "requests that write", service(view, "s3", "put/copy/post/list"), per=1000),
            Held("reads", "requests that read", service(view, "s3", "get"), per=1000),
        ),
    )
    yield from _moved(view)


def _moved(view: View) -> _Items:
    """Classes that a lifecycle moves objects to: they cost less there, and all that is declared counts as standard."""
    apart = [rule for type_ in _LIFECYCLES for each in view.referrers(type_, "bucket") for rule in each.blocks("rules")]
    classes = {
        move.text("storageClass") or ""
        for rule in (*view.blocks("lifecycleRules"), *apart)
        for move in (*rule.blocks("transitions"), *rule.blocks("noncurrentVersionTransitions"))
    }
    for class_ in sorted(classes - {""}):
        why = f"objects that a lifecycle moves to {class_}: counted as standard"
        yield Unpriced(view.urn, why, "GB moved", missing="use")


def _file_system(view: View) -> _Items:
    kind = "one zone" if "availabilityZoneName" in view else "standard"
    stored = service(view, "efs", kind)
    yield from stored_items(view, (Held("gb", f"files, {kind}", stored, optional=False),))
    if view.blocks("lifecyclePolicies"):
        colder = service(view, "efs", f"{kind}, infrequent access")
        yield from used_items(view, ("services", "infrequent_gb"), "files moved to infrequent access", colder)
    mbps = view.number("provisionedThroughputInMibps")
    if mbps is not None:
        yield _throughput(view, mbps, service(view, "efs", "provisioned throughput"))


def _throughput(view: View, mbps: float, price: prices.Price | None) -> Line | Unpriced:
    """Provisioned throughput beyond what the stored data includes."""
    stored = declared_amount(view, "storage", "gb")
    if stored is None:
        what = f"{mbps:g} MiB/s of provisioned throughput"
        note = "less 0.05 MiB/s for each GB stored, which nobody declares"
        return line(view.resource, what, Amount(0, mbps, mbps), price, assumes=note)
    billed = Amount(*(max(0, mbps - _MBPS_OF_GB * gb) for gb in (stored.high, stored.expected, stored.low)))
    what = f"{billed.expected:g} of {mbps:g} MiB/s of provisioned throughput"
    return line(view.resource, what, billed, price, assumes="0.05 MiB/s for each GB stored are included")


def _lustre(view: View) -> _Items:
    kind = view.text("deploymentType") or "SCRATCH_1"
    tier, gib = view.resource.inputs.get("perUnitStorageThroughput"), view.resource.inputs.get("storageCapacity")
    item = f"persistent2 ssd {tier} MB/s/TiB"
    what = quantity(gib, "GiB") + (f" at {tier} MB/s/TiB" if tier is not None else "")
    if kind.startswith("SCRATCH"):
        item, what = "scratch2 ssd 200 MB/s/TiB", quantity(gib, "GiB of scratch")
    yield line(view.resource, what, gib, service(view, "fsx-lustre", item))
    metadata = view.block("metadataConfiguration")
    if metadata is not None and metadata.text("mode") == "USER_PROVISIONED":
        what = quantity(metadata.integer("iops"), "metadata IOPS of Lustre")
        yield Unpriced(view.urn, f"{what}: no price known", "the price of metadata IOPS beyond those that are included")
    yield from stored_items(view, (Held("backup_gb", "backups", service(view, "ebs", "snapshots")),))


def _open_zfs(view: View) -> _Items:
    """What two zones hold costs otherwise than one, and intelligent tiering is paid by use."""
    gib, mbps = view.integer("storageCapacity"), view.number("throughputCapacity")
    one_zone = (view.text("deploymentType") or "").startswith("SINGLE_AZ") and view.text("storageType") in (None, "SSD")
    stored = service(view, "fsx-openzfs", "ssd storage") if one_zone else None
    carried = service(view, "fsx-openzfs", "throughput capacity") if one_zone else None
    if gib is None and not one_zone:
        yield Unpriced(view.urn, "GB held by OpenZFS: no price known", missing="use")
    else:
        yield line(view.resource, quantity(gib, "GiB of OpenZFS"), gib, stored)
    yield line(view.resource, quantity(mbps, "MB/s of OpenZFS"), mbps, carried)
    given = view.block("diskIopsConfiguration")
    iops = given.integer("iops") if given is not None and given.text("mode") == "USER_PROVISIONED" else None
    beyond = (iops or 0) - (gib or 0) * _IOPS_OF_GIB
    if beyond > 0:
        price = service(view, "fsx-openzfs", "iops over 3 a GiB") if one_zone else None
        yield line(view.resource, f"{beyond} IOPS of OpenZFS over {_IOPS_OF_GIB} a GiB", beyond, price)


def _registry(view: View) -> _Items:
    yield from stored_items(view, (Held("gb", "images", service(view, "ecr", "storage"), optional=False),))


def _log_group(view: View) -> _Items:
    class_ = view.text("logGroupClass") or "STANDARD"
    written = "data written" if class_ == "STANDARD" else f"data written, {class_}"
    for field, what, item in (("gb", "logs written", written), ("kept_gb", "logs kept", "data kept")):
        price = service(view, "cloudwatch-logs", item)
        given = declared_amount(view, "logs", field)
        if given is not None:
            yield line(view.resource, what, given, price)
        elif field == "gb":
            yield by_use(view.resource, f"{what}, by use", path_of(view, "logs", field), price)


def _key(view: View) -> _Items:
    rotates = view.flag("enableKeyRotation")
    most = 1 + _VERSIONS_OF_KEY if rotates else 1
    note = "one more for each of the first two rotations" if rotates else ""
    yield line(view.resource, "key", Amount(1, 1, most), service(view, "kms", "key"), assumes=note)
    yield from _requests(view, service(view, "kms", "requests"))


def _secret(view: View) -> _Items:
    yield line(view.resource, "secret", 1, service(view, "secrets-manager", "secret"))
    yield from _requests(view, service(view, "secrets-manager", "requests"))


def _requests(view: View, price: prices.Price | None) -> _Items:
    given = declared_amount(view, "requests", "requests")
    if given is not None:
        yield line(view.resource, "requests", given * (1 / 10_000), price)


STORED: Final[Mapping[str, Callable[[View], _Items]]] = {
    CLOUDWATCH_LOG_GROUP: _log_group,
    ECR_REPOSITORY: _registry,
    EFS_FILE_SYSTEM: _file_system,
    FSX_LUSTRE_FILE_SYSTEM: _lustre,
    FSX_OPEN_ZFS_FILE_SYSTEM: _open_zfs,
    KMS_KEY: _key,
    S3_BUCKET: _bucket,
    "aws:s3/bucketV2:BucketV2": _bucket,
    SECRETSMANAGER_SECRET: _secret,
}
"""The functions that price them, by type token."""
