"""Rules on storage, for Azure alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.azure.description import ranges
from penstock.azure.facts import databases, lustre
from penstock.catalog import limits
from penstock.core.quantities import GIB_PER_TIB, lustre_gib
from penstock.description.offer import kept_days
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import storage_rule
from penstock.description.storage import BucketSpec, DatabaseSpec, LustreSpec, SharedFilesSpec, StorageSpec

_MOST_DAYS = 365
"""Azure Blob Storage documentation, soft delete."""


@storage_rule("SPEC-096", provider="azure")
def lustre_is_mounted_over_ethernet(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """EFA is a fabric of AWS: on Azure Lustre is mounted over Ethernet."""
    if isinstance(item, LustreSpec) and item.fabric == "efa":
        yield Problem(("fabric",), "Azure does not offer EFA.", "Leave fabric out.")


@storage_rule("SPEC-097", provider="azure")
def deleted_blobs_are_kept_as_long_as_azure_can(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """Azure keeps deleted blobs for a year at most, or not at all."""
    if isinstance(item, BucketSpec) and item.versioning and kept_days(item, "azure") > _MOST_DAYS:
        message = f"Azure does not keep deleted blobs for {item.retention_days} days."
        yield Problem(("retention_days",), message, f"Use 1 to {_MOST_DAYS}; versioning: false keeps none.")


@storage_rule("SPEC-193", provider="azure")
def a_source_says_who_imports_from_it(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """A file system with a source names the service principal that imports, which has another id in each tenant."""
    if isinstance(item, LustreSpec) and item.source is not None and item.importer is None:
        hint = (
            'Set importer to what `az ad sp list --display-name "HPC Cache Resource Provider" --query [].id` shows, or '
            "leave source out."
        )
        yield Problem(("source",), "The service principal that imports is missing.", hint)


@storage_rule("SPEC-194", provider="azure")
def a_file_system_fits_into_its_subnet(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """A Lustre file system is no larger than what its subnet is known to hold."""
    if not isinstance(item, LustreSpec):
        return
    prefix = lustre.longest_prefix(lustre_gib(item.capacity_tib))
    if prefix is None or prefix < ranges.LUSTRE_PREFIX:
        message = f"Nobody knows that {item.capacity_tib:g} TiB fit into a /{ranges.LUSTRE_PREFIX}."
        yield Problem(("capacity_tib",), message, "Use several file systems of up to 400 TiB.")


@storage_rule("SPEC-199", provider="azure")
def what_is_stored_fits_on_what_azure_sells(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """Shared files and databases are no larger than the largest share and disk on sale."""
    if isinstance(item, SharedFilesSpec):
        what, most = "share", limits.find_limit("premium_share_gib", "azure").most
    elif isinstance(item, DatabaseSpec):
        what, most = "disk of a database", databases.find_engine("postgres").disks_gib[-1]
    else:
        return
    if item.capacity_tib is not None and item.capacity_tib * GIB_PER_TIB > most:
        message = f"The largest {what} on Azure has {most / GIB_PER_TIB:g} TiB, not {item.capacity_tib:g}."
        yield Problem(("capacity_tib",), message, "Use less, or several.")
