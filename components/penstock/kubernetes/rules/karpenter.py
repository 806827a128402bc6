"""Node pools of Karpenter: their node classes, and whether any machine meets their requirements and limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.catalog import machine_zones
from penstock.core.quantities import quantity_text
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.node_labels import INSTANCE_TYPE, ZONE
from penstock.kubernetes.model.karpenter_machines import Candidate
from penstock.kubernetes.model.pools import TYPES, KarpenterPool
from penstock.kubernetes.model.pools import read_pools as karpenter_pools
from penstock.kubernetes.rules import inventory, karpenter_machines, karpenter_nodes, nodes
from penstock.model import quantities
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_BUILT_IN: Final = {"eks.amazonaws.com": ("default",), "karpenter.azure.com": ("default", "system-surge")}
"""Node classes that clouds bring into their clusters."""

_REQUIREMENTS: Final = "template.spec.requirements"


def _pools(view: View) -> list[KarpenterPool]:
    return [pool for pool in karpenter_pools(view) if isinstance(pool, KarpenterPool)]


@RULES.rule(
    on=TYPES,
    each_of=_pools,
    severity=HIGH,
    rationale="Karpenter accepts the NodePool and starts no node for it, because its node class does not exist.",
    fix="Set nodeClassRef to a node class of the program, or create the node class.",
    joins=True,
    sources=("Karpenter documentation, NodePools",),
)
def k8s_karpenter_node_class_exists(pool: KarpenterPool) -> Verdict:
    """The nodeClassRef of a NodePool is a node class of the program."""
    group, kind, name = karpenter_nodes.reference(pool)
    if not name or not kind:
        return NOT_APPLICABLE
    if karpenter_nodes.class_of(pool) is not None or name in _BUILT_IN.get(group, ()):
        return PASS
    types = list(_types_of(pool.view, group, kind))
    if not types and not nodes.has_own_cluster(pool.view):
        raise NotKnown
    names = inventory.names(pool.view, *types) if types else []
    return fail(
        f"the program has no {kind} named {name!r}",
        hint=f"Name {' or '.join(names)}." if names else f"Create the {kind}.",
        path=pool.block.at("template.spec.nodeClassRef.name"),
    )


@RULES.rule(
    on=TYPES,
    severity=HIGH,
    rationale="Karpenter accepts the NodePool and starts no node for it, so pods that need it stay Pending.",
    fix="Change the requirements of the NodePool so that a machine type meets all of them.",
    joins=True,
    sources=("Karpenter documentation, NodePools", "Karpenter documentation, capacity reservations"),
)
def k8s_karpenter_machine_exists(pool: View) -> Verdict:
    """A machine type meets all requirements of a NodePool together."""
    checks = (_agree, _are_reserved, _leave_machines, _are_sold)
    return each(_pools(pool), lambda found: each(checks, lambda check: check(found)))


@RULES.rule(
    on=TYPES,
    each_of=_pools,
    severity=MEDIUM,
    rationale="Karpenter starts no node that would take the NodePool past its limits, so it never starts the first.",
    fix="Raise the limits of the NodePool to at least one machine, or remove the NodePool.",
    joins=True,
    sources=("Karpenter documentation, NodePools: limits",),
)
def k8s_karpenter_limits_allow_node(pool: KarpenterPool) -> Verdict:
    """The limits of a NodePool leave room for one of its machines."""
    limits = pool.block.block("limits")
    if limits is None or not list(limits):
        return NOT_APPLICABLE
    if not karpenter_nodes.fits_limits(pool, None):
        zero = next(name for name, limit in quantities.amounts(limits).items() if not limit)
        return fail(
            f"limits.{zero} is 0, so Karpenter starts no node",
            hint=f"Set limits.{zero} to what the pool may grow to.",
            path=limits.at(zero),
        )
    found, complete = karpenter_machines.candidates(pool)
    if not complete:
        raise NotKnown
    if not found or any(karpenter_nodes.fits_limits(pool, machine) for machine in found):
        return PASS
    name, size = _smallest(pool, found)
    return fail(
        f"limits.{name} is {limits.value(name)}, and the smallest machine has {size}",
        hint=f"Set limits.{name} to {size} or more.",
        path=limits.at(name),
    )


def _types_of(view: View, group: str, kind: str) -> Iterator[str]:
    """The types of the node classes of a kind that the program creates in a cluster."""
    start, end = f"kubernetes:{group}/", f":{kind}"
    found = {each.type for each in inventory.objects(view.site) if inventory.server(each) == inventory.server(view)}
    return (type_ for type_ in sorted(found) if type_.startswith(start) and type_.endswith(end))


def _agree(pool: KarpenterPool) -> Verdict:
    """No two requirements on a label exclude each other."""
    seen: dict[str, frozenset[str]] = {}
    for requirement in karpenter_machines.requirements(pool):
        key, values = requirement.text("key") or "", frozenset(requirement.texts("values"))
        if requirement.text("operator") == "In":
            left = seen.get(key, values) & values
            if not left:
                return _contradiction(requirement, key)
            seen[key] = left
    for requirement in karpenter_machines.requirements(pool):
        held = seen.get(requirement.text("key") or "")
        if held and not karpenter_machines.holds(requirement, held):
            return _contradiction(requirement, requirement.text("key") or "")
    return PASS


def _contradiction(requirement: Block, key: str) -> Verdict:
    return fail(
        f"the requirements on {key} exclude each other: no value meets all of them",
        hint=f"Remove one of the requirements on {key}.",
        path=requirement.at("values"),
    )


def _are_reserved(pool: KarpenterPool) -> Verdict:
    """A pool of reserved machines alone has a node class that selects reservations."""
    ways = karpenter_nodes.values_of(pool, karpenter_nodes.CAPACITY_TYPE)
    node_class = karpenter_nodes.class_of(pool)
    if ways != {"reserved"} or node_class is None:
        return PASS
    spec = node_class.block("spec")
    return allow(
        spec is not None and "capacityReservationSelectorTerms" in spec,
        f"the pool only starts reserved machines, and its node class {node_class.name} selects no reservation",
        hint=f"Set capacityReservationSelectorTerms of {node_class.name}, or allow on-demand.",
        path=pool.block.at(_REQUIREMENTS),
    )


def _leave_machines(pool: KarpenterPool) -> Verdict:
    found, complete = karpenter_machines.candidates(pool)
    if found:
        return PASS
    if not complete:
        raise NotKnown
    return fail(
        "no machine type meets all requirements of the pool",
        hint=f"Compare the other requirements with those on {INSTANCE_TYPE} or the family.",
        path=pool.block.at(_REQUIREMENTS),
    )


def _are_sold(pool: KarpenterPool) -> Verdict:
    """One of the machines is sold in one of the zones."""
    zones = karpenter_nodes.values_of(pool, ZONE)
    found, complete = karpenter_machines.candidates(pool)
    if not zones or not found or not complete:
        return NOT_APPLICABLE
    sold = [machine_zones.is_sold(machine.name, zone, pool.cloud) for machine in found for zone in sorted(zones)]
    if True in sold:
        return PASS
    if None in sold:
        raise NotKnown
    return fail(
        f"{', '.join(sorted(zones))} sells no {' or '.join(machine.name for machine in found)}",
        hint="Name a zone that sells the machine.",
        path=pool.block.at(_REQUIREMENTS),
    )


def _smallest(pool: KarpenterPool, machines: list[Candidate]) -> tuple[str, str]:
    """The first limit that a machine is past, and what the smallest machine has of it."""
    for name in pool.block.block("limits") or ():
        sizes = [size for machine in machines if (size := machine.capacity.get(name)) is not None]
        if sizes and len(sizes) == len(machines) and not karpenter_nodes.is_within(pool, name, min(sizes)):
            return name, quantity_text(min(sizes))
    raise NotKnown
