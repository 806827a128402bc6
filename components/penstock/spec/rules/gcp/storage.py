"""Rules on storage, for Google Cloud alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import limits
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules.rule import storage_rule
from penstock.spec.storage import BucketSpec, LustreSpec, StorageSpec


@storage_rule("SPEC-096", provider="gcp")
def lustre_is_not_mounted_over_efa(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """EFA is a fabric of AWS: on Google Cloud Lustre is mounted over the network."""
    if isinstance(item, LustreSpec) and item.fabric == "efa":
        yield Problem(("fabric",), "Google Cloud does not offer EFA.", "Leave fabric out.")


@storage_rule("SPEC-097", provider="gcp")
def deleted_objects_are_kept_as_long_as_google_can(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """Cloud Storage keeps deleted objects for a week at least and three months at most, or not at all."""
    least, most = (limits.find_limit(name, "gcp").most for name in ("soft_delete_days_least", "soft_delete_days"))
    if isinstance(item, BucketSpec) and item.versioning and not least <= item.retention_days <= most:
        days = "1 day" if item.retention_days == 1 else f"{item.retention_days} days"
        message = f"Cloud Storage does not keep deleted objects for {days}."
        hint = f"Use {least} to {most}; versioning: false keeps none."
        yield Problem(("retention_days",), message, hint)
