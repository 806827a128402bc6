"""Quotas: what an account may run, as its user declares it, and how much EKS puts into one cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from penstock.aws.model import pools
from penstock.aws.model.ec2 import Ec2Pool, Ec2Type, instance_types_of
from penstock.aws.types import AUTOSCALING_GROUP, EC2_CAPACITY_RESERVATION, EC2_INSTANCE, EKS_CLUSTER, EKS_NODE_GROUP
from penstock.catalog import quotas
from penstock.core.errors import UnknownFact
from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow
from penstock.graph.view import View
from penstock.kubernetes.model import pools as kubernetes
from penstock.model.pools import MachinePool, Purchase, machine_pools
from penstock.rules.draws import Draw, vcpu_within, within_quotas
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

DRAWING = (*pools.TYPES, *kubernetes.TYPES, EC2_CAPACITY_RESERVATION)
"""The types of the resources that draw on quotas of machines."""

_GROUPS = "L-6D54EA21"
_NODES = "L-BD136A63"
_COUNTS = {
    EKS_NODE_GROUP: "scalingConfig.maxSize",
    AUTOSCALING_GROUP: "maxSize",
    EC2_INSTANCE: "instanceType",
    EC2_CAPACITY_RESERVATION: "instanceCount",
}


@RULES.rule(
    on=STACK_TYPE,
    severity=HIGH,
    rationale="EC2 refuses to launch instances beyond the vCPU quota of the account.",
    fix="Request a quota increase from AWS, or lower the number of instances.",
    sources=("Service Quotas of EC2 (catalogue, aws_quotas); the values are the user's own",),
)
def aws_quota_vcpu(stack: View) -> Verdict:
    """All instances that may run at once stay within the vCPU quotas that the user declares for the account."""
    site = stack.site
    return within_quotas(site, site.of_type(*DRAWING), draws_of, partial(vcpu_within, seller="AWS"))


@RULES.rule(
    on=EKS_CLUSTER,
    severity=MEDIUM,
    rationale="EKS refuses further node groups unless the quota has been raised.",
    fix="Request a quota increase from AWS, or put several instance types into one node group.",
    joins=True,
    sources=("EKS user guide, service quotas (default)",),
)
def aws_quota_node_groups(cluster: View) -> Verdict:
    """A cluster has at most as many node groups as the account's quota: 30, unless another value is declared."""
    count, most = len(cluster.referrers(EKS_NODE_GROUP, "clusterName")), _most(cluster, _GROUPS)
    message = f"{count} node groups; quota {_GROUPS} allows {most:.15g} for each cluster"
    if not count:
        return NOT_APPLICABLE
    return allow(
        count <= most, message, hint="Request a quota increase, or list several instance types in one node group."
    )


@RULES.rule(
    on=EKS_NODE_GROUP,
    severity=MEDIUM,
    rationale="EKS refuses a larger node group unless the quota has been raised.",
    fix="Create several node groups, and lower scalingConfig.maxSize.",
    sources=("[?] EKS user guide, service quotas (default), editions of which contradict one another",),
)
def aws_quota_nodes_per_group(group: View) -> Verdict:
    """A node group has at most as many nodes as the account's quota: 450, unless the user declares another value."""
    if "scalingConfig" not in group:
        return NOT_APPLICABLE
    count, most = Ec2Pool(group, group).most(), _most(group, _NODES)
    message = f"the node group can reach {count} nodes; quota {_NODES} allows {most:.15g}"
    return allow(count <= most, message, hint="Create several node groups.", path="scalingConfig.maxSize")


def _most(view: View, code: str) -> float:
    return view.site.quotas.get(code, quotas.default_quota(code))


def draws_of(view: View) -> Iterator[Draw]:
    """Yield the draws of a resource on quotas of vCPU.

    Raises:
        NotKnown: a machine type or a number of machines is not known.
    """
    if view.type == EC2_CAPACITY_RESERVATION:
        count = view.integer("instanceCount") or 0
        yield from _by_vcpu(view, "on_demand", {named.name: count for named in instance_types_of(view)})
    for pool in machine_pools(view):
        if pool.cloud == "aws" and not pool.service:
            yield from _of_pool(pool)


def _of_pool(pool: MachinePool) -> Iterator[Draw]:
    for way in pool.ways():
        if way == "capacity_block" or (way in ("on_demand", "reserved") and pool.reservation() is not None):
            continue  # a reservation draws on the quota itself, whether machines use it or not
        types = [named.name for named in pool.machine_types()]
        if not types:
            raise NotKnown
        yield from _by_vcpu(pool.view, way, {name: _beyond_reservations(pool, way, name) for name in types})


def _beyond_reservations(pool: MachinePool, way: Purchase, machine_type: str) -> int:
    """The most machines that no open reservation of the program holds, which draws on the quota itself."""
    most = pool.most_by(way, machine_type)
    return most - pool.covered(lambda each: each.most_by(way, machine_type)) if way == "on_demand" else most


def _by_vcpu(view: View, way: str, most: Mapping[str, int]) -> Iterator[Draw]:
    """A draw on each quota, of the instance type that takes the most of it."""
    largest: dict[str, int] = {}
    for name, count in most.items():
        facts = Ec2Type(name, view, "").facts
        if facts is None or facts.quota is None:
            raise NotKnown
        code = _code(facts.quota, way)
        if code is not None:
            largest[code] = max(largest.get(code, 0), facts.vcpu * count)
    for code, vcpu in largest.items():
        yield Draw(code, vcpu, view, _COUNTS.get(view.type, ""))


def _code(family: str, way: str) -> str | None:
    try:
        found = quotas.quota(family, way, "aws")
    except UnknownFact:
        return None
    return found.code if found is not None else None
