"""Rules on storage: what the clouds sell, and what lies near what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.core.quantities import lustre_gib
from penstock.core.wording import listed, one_of, quoted
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import CLOUDS, rule, storage_rule
from penstock.description.storage import (
    BucketSpec,
    LustreSpec,
    ParallelFilesSpec,
    SharedFilesSpec,
    StorageSpec,
    tib,
)

_OF_IMAGES: Final = frozenset(
    ["bin", "boot", "dev", "etc", "lib", "lib64", "opt", "proc", "root", "run", "sbin", "sys", "tmp", "usr", "var"]
)
"""Directories that images bring or runtimes fill (Filesystem Hierarchy Standard 3.0, chapter 3)."""


@storage_rule("SPEC-090", provider=CLOUDS)
def lustre_tier_is_sold(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The throughput of a Lustre file system is a tier that the cloud sells."""
    lustre = known.offer(spec).lustre
    if isinstance(item, LustreSpec) and lustre is not None and item.throughput_mbps_per_tib not in lustre.tiers():
        message = f"{item.throughput_mbps_per_tib} MB/s for each TiB is not a tier of {lustre.service}."
        yield Problem(("throughput_mbps_per_tib",), message, f"Tiers: {listed(lustre.tiers())}.")


@storage_rule("SPEC-091", provider=CLOUDS)
def lustre_capacity_is_a_step_of_its_tier(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """Lustre is sold in steps of capacity, which are larger when clients mount over EFA."""
    offer = known.offer(spec)
    if not isinstance(item, LustreSpec) or offer.lustre is None:
        return
    if item.throughput_mbps_per_tib not in offer.lustre.tiers():
        return
    steps = offer.lustre.steps(item)
    wanted = lustre_gib(item.capacity_tib)
    if not steps.allow(wanted) or item.capacity_tib != wanted / 1000:
        fabric = " with EFA" if item.fabric == "efa" and "efa" in offer.fabrics else ""
        tier = f"{item.throughput_mbps_per_tib} MB/s for each TiB"
        message = f"{item.capacity_tib:.15g} TiB is not offered at {tier}{fabric}."
        yield Problem(("capacity_tib",), message, f"Nearest: {tib(steps.nearest(wanted))}. {offer.lustre.sold(item)}")


@rule("SPEC-092", reads=("storage",))
def lustre_imports_from_a_bucket_of_the_platform(spec: Spec) -> Iterator[Problem]:
    """The source of a Lustre file system is a bucket of the same description."""
    buckets = [item.name for item in spec.storage if isinstance(item, BucketSpec)]
    for index, item in enumerate(spec.storage):
        if isinstance(item, LustreSpec) and item.source is not None and item.source not in buckets:
            message = f"{quoted(item.source)} is not a bucket of this description."
            hint = one_of(item.source, buckets, "Buckets") if buckets else "Add it to storage with kind: bucket."
            yield Problem(("storage", index, "source"), message, hint)
        if isinstance(item, LustreSpec) and item.export and item.source is None:
            message = "export writes files back to the source bucket, and there is none."
            yield Problem(("storage", index, "export"), message, "Set source, or leave export out.")


@storage_rule("SPEC-093", reads=("network",), provider=CLOUDS)
def lustre_zone_is_one_of_the_platform(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The zone of a Lustre file system is one in which the platform has a subnet."""
    zones, region = known.zones(spec), known.region(spec)
    if not isinstance(item, LustreSpec) or item.zone is None or region is None:
        return
    if zones and item.zone not in zones:
        message = f"{quoted(item.zone)} is not a zone of this platform."
        yield Problem(("zone",), message, one_of(known.full_zone(item.zone, region), zones, "Zones"))


@storage_rule("SPEC-095")
def retention_needs_versions(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """A bucket keeps overwritten objects for some days only when it keeps versions."""
    if isinstance(item, BucketSpec) and not item.versioning and "retention_days" in item.model_fields_set:
        message = "retention_days has no effect without versioning."
        yield Problem(("retention_days",), message, "Leave retention_days out, or set versioning to true.")


@storage_rule("SPEC-109")
def storage_hides_no_directory_of_images(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """Jobs mount storage at its name, where images have nothing of their own."""
    if item.name in _OF_IMAGES:
        message = f"Jobs mount storage at /{item.name}, which hides what images have there."
        yield Problem(("name",), message, f"Another name, such as {item.name}-data.")


@storage_rule("SPEC-168", provider=CLOUDS)
def clouds_create_their_file_systems(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """A file system of a cloud is created: no server is named."""
    if isinstance(item, ParallelFilesSpec):
        message = f"Storage of kind {item.kind} exists on servers of yours, which {spec.cloud.provider} does not have."
        yield Problem(("kind",), message, "Take kind: lustre, which the cloud creates.")
    if not isinstance(item, LustreSpec | SharedFilesSpec):
        return
    for field in ("server", "path"):
        if getattr(item, field) is not None:
            message = f"{field} is for provider kubernetes, not for {spec.cloud.provider}, which creates the server."
            yield Problem((field,), message, "Leave it out.")
