"""Sizes that an autoscaler changes: an update must not set them back."""

from __future__ import annotations

from typing import Final

from penstock.gcp.types import (
    COMPUTE_AUTOSCALER,
    COMPUTE_INSTANCE_GROUP_MANAGER,
    COMPUTE_REGION_AUTOSCALER,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER,
)
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_AUTOSCALERS: Final = {
    COMPUTE_INSTANCE_GROUP_MANAGER: COMPUTE_AUTOSCALER,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER: COMPUTE_REGION_AUTOSCALER,
}


@RULES.rule(
    on=tuple(_AUTOSCALERS),
    severity=MEDIUM,
    rationale="Each update would set the group back to targetSize, and delete machines that run.",
    fix="Leave targetSize out of a group with an autoscaler, or set ignore_changes to it.",
    joins=True,
    sources=("documentation of pulumi-gcp 10, compute.InstanceGroupManager, targetSize",),
)
def gcp_mig_target_size_drift(group: View) -> Verdict:
    """A managed instance group with an autoscaler leaves its size to it."""
    if group.given("targetSize") is None:
        return NOT_APPLICABLE
    autoscalers = group.referrers(_AUTOSCALERS[group.type], "target")
    if not autoscalers:
        return NOT_APPLICABLE
    message = f"targetSize is set, and {autoscalers[0].name} changes the size: each update sets it back"
    kept = "targetSize" in group.resource.options.ignore_changes
    return allow(kept, message, hint="Leave targetSize out.", path="targetSize")
