"""Log groups in CloudWatch."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_aws import cloudwatch

from penstock.aws.components.handles import KeyHandle

RETENTION_DAYS = 365
"""A year, which auditors ask for (AWS Security Hub control CloudWatch.16)."""

DEV_RETENTION_DAYS = 30
"""Long enough to find out why something failed, where nobody audits."""


def log_group(
    name: str,
    *,
    path: str,
    key: KeyHandle,
    days: int,
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> cloudwatch.LogGroup:
    """A log group at `path`, encrypted by `key`, whose policy must admit CloudWatch Logs (`Keys.logs` does)."""
    return cloudwatch.LogGroup(name, name=path, kms_key_id=key.arn, retention_in_days=days, tags=tags, opts=opts)
