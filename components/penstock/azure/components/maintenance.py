"""When AKS may work on a cluster by itself."""

from __future__ import annotations

import pulumi
from pulumi_azure_native import containerservice

from penstock.azure.components.handles import GroupHandle
from penstock.description.cluster import ClusterSpec

_RELEASES = "default"
"""The schedule of AKS's own releases: hours of a day of the week, and no window (azure-cli, acs)."""

_UPGRADES = ("aksManagedAutoUpgradeSchedule", "aksManagedNodeOSUpgradeSchedule")
"""Those of Kubernetes and of images: windows, and no hours (AKS documentation, planned maintenance)."""

_DAY, _START, _HOURS = "Saturday", 7, 8
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
    window = {
        "schedule": {"weekly": {"day_of_week": _DAY, "interval_weeks": 1}},
        "start_time": f"{_START:02}:00",
        "utc_offset": "+00:00",
        "duration_hours": _HOURS,
    }
    hours = {"day": _DAY, "hour_slots": list(range(_START, _START + _HOURS))}
    for schedule in (_RELEASES, *_UPGRADES):
        containerservice.MaintenanceConfiguration(
            f"{name}-{schedule}",
            resource_group_name=group.name,
            resource_name_=cluster,
            config_name=schedule,
            **({"time_in_week": [hours]} if schedule == _RELEASES else {"maintenance_window": window}),
            opts=opts,
        )
