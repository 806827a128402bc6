"""Rules on storage, for Google Cloud alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import limits
from penstock.core.quantities import GIB_PER_TIB
from penstock.core.wording import plural
from penstock.description.offer import kept_days
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import storage_rule
from penstock.description.storage import BucketSpec, LustreSpec, SharedFilesSpec, StorageSpec, filestore_gib
from penstock.gcp.facts import filestore


@storage_rule("SPEC-096", provider="gcp")
def lustre_is_not_mounted_over_efa(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """EFA is a fabric of AWS: on Google Cloud Lustre is mounted over the network."""
    if isinstance(item, LustreSpec) and item.fabric == "efa":
        yield Problem(("fabric",), "Google Cloud does not offer EFA.", "Leave fabric out.")


@storage_rule("SPEC-097", provider="gcp")
def deleted_objects_are_kept_as_long_as_google_can(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """Cloud Storage keeps deleted objects for a week at least and three months at most, or not at all."""
    least, most = (limits.find_limit(name, "gcp").most for name in ("soft_delete_days_least", "soft_delete_days"))
    kept = kept_days(item, "gcp") if isinstance(item, BucketSpec) and item.versioning else least
    if not least <= kept <= most:
        message = f"Cloud Storage does not keep deleted objects for {plural(kept, 'day')}."
        hint = f"Use {least} to {most}; versioning: false keeps none."
        yield Problem(("retention_days",), message, hint)


@storage_rule("SPEC-099", provider="gcp")
def shared_files_are_of_a_size_on_sale(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """Filestore is sold in steps of its tier."""
    if not isinstance(item, SharedFilesSpec) or item.capacity_tib is None:
        return
    tier, wanted = filestore.find_tier(item.tier.upper()), filestore_gib(item.capacity_tib)
    if not tier.allow(wanted):
        sold = ", or ".join(
            f"{band.minimum_gib} to {band.maximum_gib} GiB in steps of {band.step_gib}" for band in tier.bands
        )
        message = f"{item.capacity_tib:.15g} TiB are {wanted} GiB, which the {item.tier} tier is not sold in."
        hint = f"Nearest: {tier.nearest(wanted) / GIB_PER_TIB:.15g} TiB. Sold: {sold}."
        yield Problem(("capacity_tib",), message, hint)
