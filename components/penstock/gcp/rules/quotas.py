"""Quotas: what a project may run and make, as its user declares it."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import quotas
from penstock.core.wording import listed
from penstock.gcp.facts.metrics import cpu_metric, guest_metric
from penstock.gcp.model import pools
from penstock.gcp.model.gce import DEFAULT_TYPE, InstancePool, guest_accelerators, machine_named
from penstock.gcp.model.gke import GkePool
from penstock.gcp.rules import nodes
from penstock.gcp.types import COMPUTE_NETWORK, COMPUTE_RESERVATION, COMPUTE_SUBNETWORK
from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import PASS, UNKNOWN, NotKnown, Verdict, fail, together
from penstock.graph.view import View
from penstock.model.pools import MachinePool, machine_pools
from penstock.rules.draws import Draw, within_quotas
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

DRAWING = (*pools.TYPES, COMPUTE_RESERVATION)
"""The types of the resources that draw on quotas of machines."""

_COUNTED = {"NETWORKS": COMPUTE_NETWORK, "SUBNETWORKS": COMPUTE_SUBNETWORK}


@RULES.rule(
    on=STACK_TYPE,
    severity=HIGH,
    rationale="Compute Engine creates no machines beyond the quota, so node pools stay smaller than planned.",
    fix=(
        "Ask Google for more quota, or lower nodeCount, maxNodeCount or totalMaxNodeCount; a node pool counts in each "
        "of its zones."
    ),
    sources=("Compute Engine quotas (catalogue, gcp_quotas)", "the quota values are the user's own"),
)
def gcp_quota_machines(stack: View) -> Verdict:
    """All machines that may run at once stay within the declared quotas of the project, in all zones together."""
    site = stack.site
    return within_quotas(site, site.of_type(*DRAWING), draws_of, _held)


@RULES.rule(
    on=STACK_TYPE,
    severity=HIGH,
    rationale="Compute Engine refuses networks and subnetworks beyond the quota.",
    fix="Ask Google for more quota, or share networks between node pools of one fabric.",
    sources=("VPC documentation, quotas", "the quota values are the user's own"),
)
def gcp_quota_networks(stack: View) -> Verdict:
    """A program creates no more networks and subnetworks than the declared quotas of the project allow."""
    site = stack.site
    verdicts = []
    for metric, type_ in _COUNTED.items():
        made, most = site.of_type(type_), site.quotas.get(metric)
        if not made or most is None:
            continue
        if type_ == COMPUTE_SUBNETWORK and any(
            "autoCreateSubnetworks" in each and _is_open(each) for each in site.of_type(COMPUTE_NETWORK)
        ):
            verdicts.append(UNKNOWN)  # the number of subnetworks that Google creates is not known
            continue
        message = f"The program creates {len(made)}; quota {metric} allows {most:.15g}"
        hint = "Ask Google for more, or share networks between pools of one fabric."
        verdicts.append(PASS if len(made) <= most else fail(message, hint=hint, urn=made[-1].urn))
    return together(verdicts)


def _is_open(network: View) -> bool:
    try:
        return network.flag("autoCreateSubnetworks") is not False
    except NotKnown:
        return True


def _held(draws: list[Draw], quota: float) -> Verdict:
    total, largest = sum(draw.amount for draw in draws), max(draws, key=lambda draw: draw.amount)
    if total <= quota:
        return PASS
    names = listed(dict.fromkeys(draw.by.name for draw in draws))
    return fail(
        f"{names} may take {total} together, and the project may have {quota:.15g} (quota {largest.quota})",
        hint="Ask Google for more, or have fewer nodes; a pool counts in each of its zones.",
        path=largest.path,
        urn=largest.by.urn,
    )


def draws_of(view: View) -> Iterator[Draw]:
    """Yield the draws of a resource on quotas; machines of a reservation were counted when that was created.

    Raises:
        NotKnown: a machine type or a number of machines is not known.
    """
    if view.type == COMPUTE_RESERVATION:
        specific = view.block("specificReservation")
        count = (specific.integer("count") or 0) if specific is not None else 0
        for starter in nodes.starters(view):
            yield from _of_machine(view, starter.name, "on_demand", count, "")
    for pool in machine_pools(view):
        way, types = pool.purchase(), pool.machine_types()
        if pool.service or way == "reserved":
            continue
        if not types:
            raise NotKnown
        for named in types:
            if named.name == DEFAULT_TYPE:
                continue  # no accelerators, and too small to matter for a quota of vCPU
            path = named.path if named.holder.urn == view.urn else ""
            bought = "on_demand" if way == "any_reservation" else way
            if machine_named(named.name) is None:
                yield from _of_guests(view, pool, bought, pool.most_of(named.name))
            yield from _of_machine(view, named.name, bought, pool.most_of(named.name), path)


def _of_guests(view: View, pool: MachinePool, way: str, count: int) -> Iterator[Draw]:
    """The draws of GPUs that are attached to machines which come with none, such as N1."""
    config = pool.config if isinstance(pool, GkePool | InstancePool) else None
    if config is None:
        return
    for type_, number in guest_accelerators(config).items():
        metric = guest_metric(type_, way)
        if metric is not None:
            yield Draw(metric, number * count, view, config.at("guestAccelerators"))


def _of_machine(view: View, name: str | None, way: str, count: int, path: str) -> Iterator[Draw]:
    if name is None:
        return
    machine = machine_named(name)
    if machine is None:
        drawn = cpu_metric(name, way)
        if drawn is None:
            raise NotKnown
        yield Draw(drawn[0], drawn[1] * count, view, path)
        return
    metric = quotas.quota_code(machine, way)
    if metric is not None:
        yield Draw(metric, (machine.accelerators or machine.vcpu) * count, view, path)
