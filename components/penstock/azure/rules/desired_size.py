"""Sizes that an autoscaler changes: an update must not set them back."""

from __future__ import annotations

from penstock.azure.model.pools import AksPool, aks_pools
from penstock.azure.rules.pools import POOLS
from penstock.azure.types import COMPUTE_VIRTUAL_MACHINE_SCALE_SET, MONITOR_AUTOSCALE_SETTING
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import View
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=POOLS,
    severity=MEDIUM,
    rationale="Each `pulumi up` would set the pool back to count, and take nodes from running jobs.",
    fix="Add count to ignoreChanges of the pool, or leave count out.",
    sources=("pulumi-azure-native issue 1298, changes of count",),
)
def az_aks_count_drift(view: View) -> Verdict:
    """An update leaves the number of nodes of an autoscaled node pool to the autoscaler."""
    ignored = [PropertyPath.parse(path) for path in view.resource.options.ignore_changes]

    def check(pool: AksPool) -> Verdict:
        if not pool.block.flag("enableAutoScaling") or pool.block.given("count") is None:
            return NOT_APPLICABLE
        path = pool.block.at("count")
        kept = any(each_.covers(PropertyPath.parse(path)) for each_ in ignored)
        hint = f"Add {path} to ignoreChanges."
        return allow(kept, "each update sets the autoscaled pool back to count", hint=hint, path=path)

    return each(aks_pools(view), check)


@RULES.rule(
    on=COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    severity=MEDIUM,
    rationale="Each `pulumi up` would set the scale set back to sku.capacity, and stop machines that run.",
    fix="Add sku.capacity to ignoreChanges of the scale set.",
    joins=True,
    sources=("Azure Monitor documentation, autoscale: it sets the instance count of the scale set",),
)
def az_vmss_capacity_drift(scale_set: View) -> Verdict:
    """An update leaves the number of machines of an autoscaled scale set to its autoscale setting."""
    sku = scale_set.block("sku")
    if sku is None or sku.given("capacity") is None:
        return NOT_APPLICABLE
    settings = scale_set.referrers(MONITOR_AUTOSCALE_SETTING, "targetResourceUri")
    if not settings:
        return NOT_APPLICABLE
    wanted = PropertyPath.parse("sku.capacity")
    kept = any(PropertyPath.parse(path).covers(wanted) for path in scale_set.resource.options.ignore_changes)
    message = f"sku.capacity is set, and {settings[0].name} changes it: each update sets it back"
    return allow(kept, message, path="sku.capacity")
