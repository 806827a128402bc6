"""Logs of Azure's services, sent to where they are kept."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
from pulumi_azure_native import monitor


def send_logs(
    name: str,
    categories: Sequence[str],
    *,
    of: pulumi.Input[str],
    to: pulumi.Input[str],
    opts: pulumi.ResourceOptions,
) -> pulumi.Resource:
    """Send categories of a resource's logs to a Log Analytics workspace.

    Args:
        name: The setting's, which is unique among those of the resource.
        categories: Such as AuditEvent.
        of: The id of the resource.
        to: The id of the workspace.
        opts: Pulumi's options.
    """
    setting: pulumi.Resource = monitor.DiagnosticSetting(
        name,
        name=name,
        resource_uri=of,
        workspace_id=to,
        logs=[{"category": each, "enabled": True} for each in categories],
        opts=opts,
    )
    return setting
