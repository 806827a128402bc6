"""Cost on Azure."""

from __future__ import annotations

from penstock.azure.model import pools
from penstock.azure.types import (
    BATCH_POOL,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONSUMPTION_BUDGET,
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    MACHINELEARNINGSERVICES_COMPUTE,
    MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT,
    STORAGECACHE_AML_FILESYSTEM,
)
from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import NOT_APPLICABLE, Verdict
from penstock.graph.view import View
from penstock.model.pools import machine_pools, program_pools
from penstock.policies import pool_verdicts as verdicts
from penstock.rules.checks import ByType, Custom, Either, Given, Is, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.COST)

_BUDGETS = (CONSUMPTION_BUDGET, "azure-native:costmanagement:Budget")
_WARNED = ("contactEmails", "contactGroups", "contactRoles")


@RULES.rule(
    on=STACK_TYPE,
    joins=True,
    severity=HIGH,
    rationale=(
        "A pool of ND machines that nobody stopped over a weekend costs as much as a car, and the bill comes in weeks."
    ),
    fix="Add an azure_native.consumption.Budget with an amount and notifications for the subscription.",
)
def cost_budget_exists_az(it: View, _: Settings) -> Verdict:
    """A program with accelerators has a budget that warns people."""
    return verdicts.judge_budgets(program_pools(it.site, "azure"), it.site.of_type(*_BUDGETS), _warns)


def _warns(budget: View) -> bool:
    """Return whether one of a budget's notifications is on, and goes to somebody."""
    named = budget.block("notifications")
    each = [named.block(name) for name in named] if named is not None else []
    return any(one is not None and one.flag("enabled") and any(one.count(key) for key in _WARNED) for one in each)


def _listed(it: View, settings: Settings) -> Verdict:
    return verdicts.judge_allowed_types(machine_pools(it), settings)


RULES.row(
    "cost-instance-allowlist-aks",
    "Machines are of the sizes that are allowed.",
    on=pools.TYPES,
    check=ByType(
        {
            CONTAINERSERVICE_AGENT_POOL: Custom(_listed),
            CONTAINERSERVICE_MANAGED_CLUSTER: Custom(_listed),
            COMPUTE_VIRTUAL_MACHINE_SCALE_SET: Custom(_listed),
            COMPUTE_VIRTUAL_MACHINE: Custom(_listed),
            MACHINELEARNINGSERVICES_COMPUTE: Custom(_listed),
            MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT: Custom(_listed),
            BATCH_POOL: Custom(_listed),
        }
    ),
    severity=HIGH,
    rationale="One wrong letter in a size is a bill of fifty times the price, and quota that others counted on.",
    fix="Set vmSize to one that the parameter allowed_machine_types lists, or have another one listed; the pool is "
    "replaced.",
)


@RULES.rule(
    on=STACK_TYPE,
    joins=True,
    severity=HIGH,
    rationale=(
        "An autoscaler starts what its bounds allow: a loop that submits jobs then buys all that the quota holds."
    ),
    fix="Lower maxCount of the node pools, or raise the parameter max_accelerators.",
)
def cost_max_gpus_aks(it: View, settings: Settings) -> Verdict:
    """All that starts machines on Azure cannot grow beyond the GPUs allowed."""
    return verdicts.judge_limit(program_pools(it.site, "azure"), settings.parameters.max_accelerators)


def _shrink(it: View, settings: Settings) -> Verdict:
    # A system pool always has a node; that its nodes need no GPU is another matter.
    return verdicts.judge_idle_machines([pool for pool in pools.aks_pools(it) if not pool.is_system], settings)


def _shrink_cluster(it: View, settings: Settings) -> Verdict:
    return verdicts.judge_idle_machines(pools.idle_clusters(it), settings)


RULES.row(
    "cost-idle-scale-to-zero-aks",
    "Outside production a user pool with GPUs shrinks to no machine, unless its capacity is paid for anyway.",
    on=(CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER, MACHINELEARNINGSERVICES_COMPUTE),
    check=ByType(
        {
            CONTAINERSERVICE_AGENT_POOL: Custom(_shrink),
            CONTAINERSERVICE_MANAGED_CLUSTER: Custom(_shrink),
            MACHINELEARNINGSERVICES_COMPUTE: Custom(_shrink_cluster),
        }
    ),
    severity=HIGH,
    rationale="Nobody works at night and at weekends: three quarters of what the machine costs buy nothing.",
    fix="Set enableAutoScaling to true and minCount to 0, or minNodeCount of a compute to 0; the first job then waits "
    "some minutes for a machine.",
)


RULES.row(
    "cost-notebook-idle-az",
    "A machine for notebooks stops when nobody uses it.",
    on=MACHINELEARNINGSERVICES_COMPUTE,
    check=Where(
        Is("properties.computeType", "ComputeInstance"),
        Either(
            Given("properties.properties.idleTimeBeforeShutdown"),
            Given("properties.properties.schedules.computeStartStop"),
        ),
    ),
    severity=MEDIUM,
    rationale="A notebook that was opened on Friday is paid for until somebody remembers it, GPU and all.",
    fix="Set idleTimeBeforeShutdown, such as PT60M, or stop it by schedules.computeStartStop.",
)


def _bargain(it: View, settings: Settings) -> Verdict:
    return verdicts.judge_purchase(pools.aks_pools(it), settings)


RULES.row(
    "cost-spot-aks",
    "Outside production machines with eight GPUs or more are bought as Spot capacity, or are reserved.",
    on=(CONTAINERSERVICE_AGENT_POOL, CONTAINERSERVICE_MANAGED_CLUSTER),
    check=ByType(
        {
            CONTAINERSERVICE_AGENT_POOL: Custom(_bargain),
            CONTAINERSERVICE_MANAGED_CLUSTER: Custom(_bargain),
        }
    ),
    severity=MEDIUM,
    rationale="On demand such a machine costs up to three times what the same hour costs as Spot.",
    fix="Set scaleSetPriority to Spot, or capacityReservationGroupID to the group that holds the machines; the pool is "
    "replaced.",
)


@RULES.rule(
    on=STORAGECACHE_AML_FILESYSTEM,
    severity=MEDIUM,
    rationale="Managed Lustre is paid by what was ordered, full or empty, and never shrinks: a zero too many stays.",
    fix="Lower storageCapacityTiB, or raise the parameter max_file_system_tib; a smaller one replaces it.",
)
def cost_lustre_capacity_az(it: View, settings: Settings) -> Verdict:
    """An Azure Managed Lustre is not larger than allowed."""
    tib = it.number("storageCapacityTiB")
    return NOT_APPLICABLE if tib is None else verdicts.judge_file_system_size(tib, "storageCapacityTiB", settings)
