"""Cost on AWS."""

from __future__ import annotations

from penstock.aws.policies.relations import is_of_another_stack
from penstock.aws.types import (
    AUTOSCALING_GROUP,
    BUDGETS_BUDGET,
    EC2_INSTANCE,
    EC2_LAUNCH_TEMPLATE,
    EC2_NAT_GATEWAY,
    EC2_SUBNET,
    EC2_VPC,
    EC2_VPC_ENDPOINT,
    EKS_NODE_GROUP,
    FSX_LUSTRE_FILE_SYSTEM,
    S3_BUCKET,
    S3_BUCKET_LIFECYCLE_CONFIGURATION,
)
from penstock.core.quantities import GIB_PER_TIB
from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow
from penstock.graph.view import Site, View
from penstock.model.pools import NamedType, described_pools, program_pools
from penstock.policies import pool_verdicts as verdicts
from penstock.rules import packs, registry
from penstock.rules.checks import ByType, Custom, Either, Given, Joined, Where
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.COST)

_COMPONENT = "penstock:aws:NodePool"

_LIMIT_OF_ALL = "cost-max-gpus-eks"


def _people(budget: View) -> int:
    """How many addresses and topics a budget warns."""
    return sum(
        notification.count("subscriberEmailAddresses") + notification.count("subscriberSnsTopicArns")
        for notification in budget.blocks("notifications")
    )


@RULES.rule(
    on=STACK_TYPE,
    joins=True,
    severity=HIGH,
    rationale="A job that hangs on a few GPU machines costs as much as a car before the monthly bill shows it.",
    fix="Add an aws.budgets.Budget with a limitAmount and notifications to people who can stop machines.",
)
def cost_budget_exists(it: View, _: Settings) -> Verdict:
    """A program with accelerators has a budget that warns people."""
    budgets = it.site.of_type(BUDGETS_BUDGET)
    return verdicts.judge_budgets(program_pools(it.site, "aws"), budgets, _people)


def _listed(it: View, settings: Settings) -> Verdict:
    return verdicts.judge_allowed_types(described_pools(it), settings)


def _listed_in_template(it: View, settings: Settings) -> Verdict:
    named = it.text("instanceType") if settings.parameters.allowed_machine_types else None
    if named is None:
        return NOT_APPLICABLE
    return verdicts.judge_type_names([NamedType(named, it, "instanceType")], settings)


_WHY_LISTED = "One wrong letter in a machine type is a bill of fifty times the price, and quota that others counted on."

RULES.row(
    "cost-instance-allowlist",
    "Machines are of the types that are allowed.",
    on=(EKS_NODE_GROUP, AUTOSCALING_GROUP, EC2_INSTANCE, _COMPONENT),
    check=ByType(
        {
            EKS_NODE_GROUP: Custom(_listed),
            AUTOSCALING_GROUP: Custom(_listed),
            EC2_INSTANCE: Custom(_listed),
            _COMPONENT: Custom(_listed),
        }
    ),
    severity=HIGH,
    rationale=_WHY_LISTED,
    fix="Take one of the types that the parameter allowed_machine_types lists, or have another one listed.",
)
RULES.row(
    "cost-instance-allowlist-lt",
    "A launch template starts machines of a type that is allowed.",
    on=EC2_LAUNCH_TEMPLATE,
    check=Custom(_listed_in_template),
    severity=HIGH,
    rationale=_WHY_LISTED,
    fix="Set instanceType to one that the parameter allowed_machine_types lists, or have another one listed.",
)


@RULES.rule(
    on=STACK_TYPE,
    joins=True,
    severity=HIGH,
    rationale="An autoscaler starts what its bounds allow: a loop that submits jobs then buys every GPU that AWS has.",
    fix="Lower scalingConfig.maxSize (maxSize of an autoscaling group), or raise the parameter max_accelerators.",
)
def cost_max_gpus_eks(it: View, settings: Settings) -> Verdict:
    """All that starts machines on AWS cannot grow beyond the accelerators allowed."""
    return verdicts.judge_limit(program_pools(it.site, "aws"), settings.parameters.max_accelerators)


@RULES.rule(
    on=AUTOSCALING_GROUP,
    joins=True,
    severity=HIGH,
    rationale="One group whose bound was meant for small machines buys more GPUs than all teams together were given.",
    fix="Lower maxSize of the group, or raise the parameter max_accelerators.",
)
def cost_max_gpus_asg(it: View, settings: Settings) -> Verdict:
    """An autoscaling group alone cannot grow beyond the accelerators allowed."""
    limit = settings.parameters.max_accelerators
    if limit is not None and _holds_all_to_the_limit(settings) and it.site.once(_total).number > limit:
        return NOT_APPLICABLE  # reported once, for the stack, with the largest groups
    return verdicts.judge_limit(described_pools(it), limit)


def _holds_all_to_the_limit(settings: Settings) -> bool:
    rule = registry.rule_named(_LIMIT_OF_ALL)
    return rule is not None and bool(packs.enabled((rule,), settings))


def _total(site: Site) -> verdicts.PoolTotal:
    return verdicts.total_of(program_pools(site, "aws"))


def _shrink(it: View, settings: Settings) -> Verdict:
    return verdicts.judge_idle_machines(described_pools(it), settings)


RULES.row(
    "cost-idle-scale-to-zero",
    "Outside production a pool with accelerators shrinks to no machine, unless its capacity is paid for anyway.",
    on=(EKS_NODE_GROUP, AUTOSCALING_GROUP, _COMPONENT),
    check=ByType(
        {
            EKS_NODE_GROUP: Custom(_shrink, others=True),
            AUTOSCALING_GROUP: Custom(_shrink, others=True),
            _COMPONENT: Custom(_shrink),
        }
    ),
    severity=HIGH,
    rationale="Nobody works at night and at weekends: three quarters of what the machine costs buy nothing.",
    fix="Set scalingConfig.minSize (nodes.min of a NodePool) to 0; the first job then waits minutes for a machine.",
)


def _bargain(it: View, settings: Settings) -> Verdict:
    return verdicts.judge_purchase(described_pools(it), settings)


RULES.row(
    "cost-purchase-mode",
    "Outside production machines with eight accelerators or more are bought as Spot capacity or in advance.",
    on=(EKS_NODE_GROUP, _COMPONENT),
    check=ByType(
        {
            EKS_NODE_GROUP: Custom(_bargain, others=True),
            _COMPONENT: Custom(_bargain),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "On demand such a machine costs up to three times what the same hour costs as Spot or in a capacity block."
    ),
    fix="Set capacityType to SPOT or CAPACITY_BLOCK, or name a capacity reservation in the launch template; the group "
    "is replaced.",
)


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=MEDIUM,
    rationale=(
        "Lustre is paid by what was ordered, full or empty, and never shrinks: a zero too many stays until all moves."
    ),
    fix="Lower storageCapacity, or raise the parameter max_file_system_tib; a smaller file system replaces this one.",
)
def cost_lustre_capacity(it: View, settings: Settings) -> Verdict:
    """A file system of Lustre is not larger than allowed."""
    gib = it.number("storageCapacity")
    if gib is None:
        return NOT_APPLICABLE
    return verdicts.judge_file_system_size(gib / GIB_PER_TIB, "storageCapacity", settings)


def _clears_inline(it: View, _: Settings) -> Verdict:
    rules = it.blocks("lifecycleRules")
    clearing = [rule for rule in rules if rule.flag("enabled") and "abortIncompleteMultipartUploadDays" in rule]
    return allow(clearing, "no lifecycle rule clears what interrupted uploads left")


def _clears(it: View, _: Settings) -> Verdict:
    rules = it.blocks("rules")
    clearing = [rule for rule in rules if rule.text("status") == "Enabled" and "abortIncompleteMultipartUpload" in rule]
    return allow(clearing, "no rule that is Enabled clears what interrupted uploads left", path="rules")


_CLEARS = Custom(_clears)

RULES.row(
    "cost-lifecycle-s3",
    "A bucket clears what interrupted uploads leave behind.",
    on=(S3_BUCKET, S3_BUCKET_LIFECYCLE_CONFIGURATION),
    check=ByType(
        {
            S3_BUCKET: Either(
                Where(
                    Given("lifecycleRules"),
                    Custom(_clears_inline),
                ),
                Joined(((S3_BUCKET_LIFECYCLE_CONFIGURATION, "bucket"),), "no lifecycle is set", _CLEARS),
            ),
            S3_BUCKET_LIFECYCLE_CONFIGURATION: Where(is_of_another_stack("bucket", S3_BUCKET), _CLEARS),
        }
    ),
    severity=LOW,
    rationale="A checkpoint whose upload broke off stays in parts that no listing shows, and is paid for every month.",
    fix="Add a BucketLifecycleConfiguration with an Enabled rule that sets "
    "abortIncompleteMultipartUpload.daysAfterInitiation, such as 7.",
    peers="CKV2_AWS_61 CKV_AWS_300",
)


@RULES.rule(
    on=EC2_VPC,
    joins=True,
    severity=LOW,
    rationale=(
        "Images and checkpoints that go to S3 through a NAT gateway are paid by the gigabyte; an endpoint is free."
    ),
    fix="Add a VpcEndpoint of the type Gateway for S3, and associate it with the route tables of the private subnets.",
)
def cost_nat_per_gpu_vpc(it: View, _: Settings) -> Verdict:
    """A network with NAT gateways reaches S3 by an endpoint."""
    if not _has_nat(it):
        return NOT_APPLICABLE
    endpoints = it.referrers(EC2_VPC_ENDPOINT, "vpcId")
    reached = [endpoint for endpoint in endpoints if (endpoint.text("serviceName") or "").endswith(".s3")]
    return allow(reached, "the network has a NAT gateway, and no endpoint for S3")


def _has_nat(vpc: View) -> bool:
    """Return whether a network has a NAT gateway to the internet."""
    found, unclear = vpc.site.once(_networks_with_nat)
    if unclear and vpc.urn not in found:
        raise NotKnown
    return vpc.urn in found


def _networks_with_nat(site: Site) -> tuple[set[str], bool]:
    """The URNs of networks with a NAT gateway to the internet, and True where the place of one is undetermined."""
    found: set[str] = set()
    unclear = False
    for gateway in site.of_type(EC2_NAT_GATEWAY):
        try:
            if gateway.text("connectivityType") != "private":
                found.add(_vpc_of(gateway).urn)
        except NotKnown:
            unclear = True
    return found, unclear


def _vpc_of(gateway: View) -> View:
    holder = gateway if "vpcId" in gateway else gateway.one("subnetId", EC2_SUBNET)
    found = holder.one("vpcId", EC2_VPC) if holder is not None else None
    if found is None:
        raise NotKnown
    return found
