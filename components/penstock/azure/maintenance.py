"""When AKS may work on a cluster by itself."""

from __future__ import annotations

import pulumi
from pulumi_azure_native import containerservice

from penstock.azure.handles import GroupHandle
from penstock.spec.cluster import ClusterSpec

_SCHEDULES = ("default", "aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule")
"""Of AKS's own releases, of Kubernetes, and of images (AKS documentation, planned maintenance)."""

_DAY, _START, _HOURS = "Saturday", "07:00", 8
"""When it is weekend from America to Japan."""


def channels(spec: ClusterSpec, *, accelerated: bool) -> dict[str, str]:
    """Patches on weekends; or by hand, where they end a run of weeks: AKS upgrades nodes with their cluster."""
    by_hand = spec.node_upgrades == "by_hand" or (spec.node_upgrades is None and accelerated)
    return {
        "upgrade_channel": "none" if by_hand else "patch",
        "node_os_upgrade_channel": "None" if by_hand else "NodeImage",
    }


def maintenance_windows(
    name: str, *, cluster: pulumi.Input[str], group: GroupHandle, opts: pulumi.ResourceOptions
) -> None:
    """Hold all that AKS does by itself to one day of the week."""
    for schedule in _SCHEDULES:
        containerservice.MaintenanceConfiguration(
            f"{name}-{schedule}",
            resource_group_name=group.name,
            resource_name_=cluster,
            config_name=schedule,
            maintenance_window={
                "schedule": {"weekly": {"day_of_week": _DAY, "interval_weeks": 1}},
                "start_time": _START,
                "utc_offset": "+00:00",
                "duration_hours": _HOURS,
            },
            opts=opts,
        )
