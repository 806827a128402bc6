"""When GKE may work on a cluster by itself."""

from __future__ import annotations

from pulumi_gcp import container

from penstock.description.cluster import ClusterSpec

_WEEKENDS: container.ClusterMaintenancePolicyRecurringWindowArgsDict = {
    "start_time": "2026-01-03T07:00:00Z",
    "end_time": "2026-01-03T15:00:00Z",
    "recurrence": "FREQ=WEEKLY;BYDAY=SA,SU",
}
"""At least 64 hours in any 32 days, of which GKE wants 48 in windows of four at least.

Source: Kubernetes Engine documentation, maintenance windows and exclusions, 2026-11.
"""

_BY_HAND: container.ClusterMaintenancePolicyMaintenanceExclusionArgsDict = {
    "exclusion_name": "nodes-by-hand",
    "start_time": "2026-01-01T00:00:00Z",
    "exclusion_options": {
        "scope": "NO_MINOR_OR_NODE_UPGRADES",
        "end_time_behavior": "UNTIL_END_OF_SUPPORT",
    },
}
"""What Google's own blueprints give clusters with A3, A4 and TPUs (GoogleCloudPlatform/cluster-toolkit v1.95)."""


def maintenance_policy(spec: ClusterSpec, *, accelerated: bool) -> container.ClusterMaintenancePolicyArgsDict:
    """Patches of the control plane on weekends; upgrades of nodes too, or by hand where they end a run of weeks."""
    by_hand = spec.node_upgrades == "by_hand" or (spec.node_upgrades is None and accelerated)
    return {"recurring_window": _WEEKENDS, "maintenance_exclusions": [_BY_HAND] if by_hand else []}
