"""Policy documents: what several IAM and resource policies have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pulumi

Statement = dict[str, Any]


def document(*statements: Statement) -> pulumi.Output[str]:
    """A policy document as JSON; statements may hold outputs."""
    return pulumi.Output.json_dumps({"Version": "2012-10-17", "Statement": list(statements)})


def deny_without_tls(actions: str, resources: pulumi.Input[str] | Sequence[pulumi.Input[str]]) -> Statement:
    """Refuses everyone who does not come over TLS."""
    return {
        "Sid": "DenyWithoutTls",
        "Effect": "Deny",
        "Principal": "*",
        "Action": actions,
        "Resource": resources,
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }
