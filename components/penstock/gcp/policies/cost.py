"""Cost on Google Cloud."""

from __future__ import annotations

from penstock.core.quantities import GIB_PER_TIB
from penstock.gcp.model.gke import GkePool
from penstock.gcp.types import (
    BILLING_BUDGET,
    CLOUDRUNV2_SERVICE,
    COLAB_RUNTIME_TEMPLATE,
    COMPUTE_INSTANCE,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    LUSTRE_INSTANCE,
    STORAGE_BUCKET,
    WORKBENCH_INSTANCE,
    WORKSTATIONS_WORKSTATION_CONFIG,
)
from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.model.pools import MachinePool, described_pools, machine_pools, program_pools
from penstock.policies import pool_verdicts as verdicts
from penstock.rules.checks import All, ByType, Custom, Either, Given, Is, Matches, NoneOf, OneOf, Where
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.COST)

_COMPONENTS = ("penstock:gcp:NodePool", "penstock:gcp:TpuPool")

_LEAST_INSTANCES = ("template.scaling.minInstanceCount", "scaling.minInstanceCount")


@RULES.rule(
    on=STACK_TYPE,
    joins=True,
    severity=HIGH,
    rationale=("A slice that nobody stopped over a holiday costs as much as a house before the monthly bill shows it."),
    fix="Add a gcp.billing.Budget with amount.specifiedAmount and thresholdRules for the project.",
)
def cost_budget_exists_gcp(it: View, _: Settings) -> Verdict:
    """A program with accelerators has a budget that warns people."""
    budgets = it.site.of_type(BILLING_BUDGET)
    return verdicts.judge_budgets(program_pools(it.site, "gcp"), budgets, lambda budget: budget.count("thresholdRules"))


def _listed(it: View, settings: Settings) -> Verdict:
    return verdicts.judge_allowed_types(described_pools(it), settings)


RULES.row(
    "cost-instance-allowlist-gke",
    "Machines are of the types that are allowed.",
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER, COMPUTE_INSTANCE, *_COMPONENTS),
    check=ByType(
        {
            CONTAINER_NODE_POOL: Custom(_listed),
            CONTAINER_CLUSTER: Custom(_listed),
            COMPUTE_INSTANCE: Custom(_listed),
            **dict.fromkeys(_COMPONENTS, Custom(_listed)),
        }
    ),
    severity=HIGH,
    rationale=(
        "One wrong letter in a machine type is a bill of fifty times the price, and quota that others counted on."
    ),
    fix="Set nodeConfig.machineType to one that the parameter allowed_machine_types lists, or have another one listed; "
    "the pool is replaced.",
)


@RULES.rule(
    on=STACK_TYPE,
    joins=True,
    severity=HIGH,
    rationale=(
        "An autoscaler starts what its bounds allow, and maxNodeCount holds for each zone: three times what was meant."
    ),
    fix="Lower autoscaling.maxNodeCount or totalMaxNodeCount (targetSize or maxReplicas of a managed group, "
    "maxReplicaCount of a deployment, maxInstanceCount of a service), or raise the parameter max_accelerators.",
)
def cost_max_gpus_gke(it: View, settings: Settings) -> Verdict:
    """All that starts machines on Google Cloud cannot grow beyond the accelerators allowed."""
    return verdicts.judge_limit(program_pools(it.site, "gcp"), settings.parameters.max_accelerators)


@RULES.rule(
    on=STACK_TYPE,
    joins=True,
    severity=HIGH,
    rationale=(
        "A topology is a product: 8x8x8 for 4x4x8 is four times the chips, bought as one and paid until it is deleted."
    ),
    fix="Take a smaller topology or fewer slices, or raise the parameter max_tpu_chips.",
)
def cost_max_tpu_chips(it: View, settings: Settings) -> Verdict:
    """All slices together cannot grow beyond the TPU chips allowed."""
    return verdicts.judge_limit(program_pools(it.site, "gcp"), settings.parameters.max_tpu_chips, chips=True)


def _is_outside_production(_: View, settings: Settings) -> Verdict:
    return allow(settings.environment in ("dev", "staging"), "it may be production")


def _shrink(it: View, settings: Settings) -> Verdict:
    return verdicts.judge_idle_machines(described_pools(it), settings)


RULES.row(
    "cost-idle-scale-to-zero-gke",
    "Outside production a pool with accelerators shrinks to no machine, unless its capacity is paid for anyway.",
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER, CLOUDRUNV2_SERVICE, *_COMPONENTS),
    check=ByType(
        {
            CLOUDRUNV2_SERVICE: Where(
                All(Given("template.nodeSelector.accelerator"), Custom(_is_outside_production)),
                All(*(OneOf(path, (None, 0)) for path in _LEAST_INSTANCES)),
            ),
            CONTAINER_NODE_POOL: Custom(_shrink),
            CONTAINER_CLUSTER: Custom(_shrink),
            **dict.fromkeys(_COMPONENTS, Custom(_shrink)),
        }
    ),
    severity=HIGH,
    rationale="Nobody works at night and at weekends: three quarters of what the machine costs buy nothing.",
    fix="Set autoscaling with minNodeCount 0 (nodes.min of a NodePool, minInstanceCount of a service) in place of "
    "nodeCount; the first job then waits minutes for a machine.",
)


def _bargain(it: View, settings: Settings) -> Verdict:
    return verdicts.judge_purchase(described_pools(it), settings)


RULES.row(
    "cost-spot-gke",
    "Outside production machines with eight accelerators or more are bought as Spot or flex-start, or are reserved.",
    on=(CONTAINER_NODE_POOL, CONTAINER_CLUSTER, *_COMPONENTS),
    check=ByType(
        {
            CONTAINER_NODE_POOL: Custom(
                _bargain,
            ),
            CONTAINER_CLUSTER: Custom(_bargain),
            **dict.fromkeys(_COMPONENTS, Custom(_bargain)),
        }
    ),
    severity=MEDIUM,
    rationale="On demand such a machine costs up to three times what it costs as Spot, and few are to be had at all.",
    fix="Set nodeConfig.spot or nodeConfig.flexStart to true, or name a reservation in nodeConfig.reservationAffinity; "
    "the pool is replaced.",
)


@RULES.rule(
    on=CONTAINER_NODE_POOL,
    each_of=machine_pools,
    severity=LOW,
    rationale="A machine of flex-start that hangs runs on until Google takes it back, which is after seven days.",
    fix="Set nodeConfig.maxRunDuration to how long the longest job may take, such as 86400s; the pool is replaced.",
)
def cost_max_run_duration(pool: MachinePool) -> Verdict:
    """Machines of flex-start have a longest time to run."""
    config = pool.config if isinstance(pool, GkePool) else None
    if config is None or not config.flag("flexStart"):
        return NOT_APPLICABLE
    path = config.at("maxRunDuration")
    return allow(config.text("maxRunDuration"), f"{path} is not set", path=path)


@RULES.rule(
    on=LUSTRE_INSTANCE,
    severity=MEDIUM,
    rationale="Managed Lustre is paid by what was ordered, full or empty, and never shrinks: a zero too many stays.",
    fix="Lower capacityGib, or raise the parameter max_file_system_tib; a smaller instance replaces this one.",
)
def cost_lustre_capacity_gcp(it: View, settings: Settings) -> Verdict:
    """An instance of Managed Lustre is not larger than allowed."""
    gib = it.number("capacityGib")
    return (
        NOT_APPLICABLE if gib is None else verdicts.judge_file_system_size(gib / GIB_PER_TIB, "capacityGib", settings)
    )


RULES.row(
    "cost-lifecycle-gcs",
    "A bucket whose versions or checkpoints pile up deletes old ones, or moves them to a cheaper class.",
    on=STORAGE_BUCKET,
    check=Where(
        Either(Is("versioning.enabled", value=True), Matches("name", ".*(checkpoint|ckpt).*")),
        Either(Given("lifecycleRules"), Is("autoclass.enabled", value=True)),
    ),
    severity=LOW,
    rationale=(
        "Each checkpoint is terabytes: what was overwritten or superseded is paid for indefinitely, and nobody looks."
    ),
    fix="Set lifecycleRules with a Delete action on age, numNewerVersions or daysSinceNoncurrentTime.",
)
_RESERVATION = "gcp:bigquery/reservation:Reservation"
_COMMITMENT = "gcp:bigquery/capacityCommitment:CapacityCommitment"


@RULES.rule(
    on=_RESERVATION,
    joins=True,
    severity=MEDIUM,
    rationale="Baseline slots are billed around the clock, with and without a query: a hundred cost as much as a GPU.",
    fix="Set slotCapacity to 0 and autoscale.maxSlots to what queries may take, or commit to the slots.",
)
def cost_slots_scale_to_zero(it: View, settings: Settings) -> Verdict:
    """Outside production a reservation of BigQuery has no slots without work, unless they are committed to."""
    if settings.environment not in ("dev", "staging") or it.site.of_type(_COMMITMENT):
        return NOT_APPLICABLE
    return Is("slotCapacity", 0).judge(it, settings)


_NEVER = ("", 0)
_IDLE = {
    WORKBENCH_INSTANCE: NoneOf("gceSetup.metadata.idle-timeout-seconds", _NEVER),
    WORKSTATIONS_WORKSTATION_CONFIG: NoneOf("idleTimeout", _NEVER),
    COLAB_RUNTIME_TEMPLATE: NoneOf("idleShutdownConfig.idleTimeout", _NEVER),
}

RULES.row(
    "cost-idle-shutdown-gcp",
    "A notebook or a workstation stops by itself when nobody uses it.",
    on=tuple(_IDLE),
    check=ByType(_IDLE),
    severity=MEDIUM,
    rationale="A notebook with a GPU that somebody left open on Friday is paid until he comes back from his holiday.",
    fix="Remove idle-timeout-seconds from gceSetup.metadata (idleTimeout of workstations, "
    "idleShutdownConfig.idleTimeout of Colab), or set it to a few hours.",
)
