"""A bucket of Cloud Storage that nobody outside reads."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_gcp import storage

from penstock.description.block import HoldingSpec
from penstock.gcp.components.handles import KeyHandle, ProjectHandle

_INCOMPLETE_UPLOAD_DAYS: Final = 7
"""Parts of an upload that was never finished are billed and invisible; a week leaves time to resume."""

_DAY_S: Final = 24 * 3600


def private_bucket(
    name: str,
    spec: HoldingSpec,
    *,
    region: str,
    project: ProjectHandle,
    key: KeyHandle,
    restorable_days: int,
    version_days: int | None = None,
    opts: pulumi.ResourceOptions,
) -> storage.Bucket:
    """A bucket in one region that is encrypted with `key`, and never public.

    What is deleted can be restored for `restorable_days`, which may be 0. With `version_days`, overwritten and deleted
    objects stay as versions for that long; without, the bucket has folders, which Google keeps no versions of.
    """
    rules: list[storage.BucketLifecycleRuleArgsDict] = [
        {"action": {"type": "AbortIncompleteMultipartUpload"}, "condition": {"age": _INCOMPLETE_UPLOAD_DAYS}}
    ]
    if version_days is not None:
        rules.append({"action": {"type": "Delete"}, "condition": {"days_since_noncurrent_time": version_days}})
    return storage.Bucket(
        name,
        project=project.id,
        location=region,
        uniform_bucket_level_access=True,
        public_access_prevention="enforced",
        encryption={"default_kms_key_name": key.id},
        soft_delete_policy={"retention_duration_seconds": restorable_days * _DAY_S},
        lifecycle_rules=rules,
        # Folders come at creation only: adding them later replaces the bucket.
        hierarchical_namespace={"enabled": True} if version_days is None else None,
        versioning={"enabled": True} if version_days is not None else None,
        labels=spec.tags,
        opts=pulumi.ResourceOptions.merge(
            opts,
            pulumi.ResourceOptions(protect=spec.protect, depends_on=[*project.on("storage"), *key.for_("storage")]),
        ),
    )
