"""Updates in place of pools on AWS: node groups of EKS and autoscaling groups."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil
from typing import Final

from penstock.aws.model.ec2 import zone_of, zones_of
from penstock.aws.rules import quotas
from penstock.aws.rules.placement import placement_group
from penstock.aws.simulate.standing import GROUPS_OF_NODES, SIZE_LOOKUP
from penstock.aws.types import (
    AUTOSCALING_GROUP,
    EC2_CAPACITY_RESERVATION,
    EC2_PLACEMENT_GROUP,
    EC2_SUBNET,
    EKS_NODE_GROUP,
)
from penstock.catalog import limits
from penstock.changes.pool_updates import Follower, Keys, PoolSize, Reserved
from penstock.changes.rollouts import Rollout, in_waves, zone_count
from penstock.core.wording import listed
from penstock.graph.view import View
from penstock.model.pools import MachinePool

FOLLOWERS: Final[tuple[Follower, ...]] = ()
"""Node groups have a version of their own: what their cluster changes does not reach them by itself."""

RESERVATION: Final = EC2_CAPACITY_RESERVATION
draws_of: Final = quotas.draws_of

_WHOLE: Final = 100
_HEALTHY_PERCENT: Final = 90
"""Percentage of an autoscaling group that an instance refresh keeps (Auto Scaling API, RefreshPreferences)."""


def rollout(pool: MachinePool, machines: int) -> Rollout | None:
    """Return how a group replaces so many running machines; None for a single machine."""
    if pool.view.type == EKS_NODE_GROUP:
        return _eks(pool, machines)
    return _autoscaling(pool, machines) if pool.view.type == AUTOSCALING_GROUP else None


def reported(pool: MachinePool) -> int | None:
    """Return the number of machines that AWS reported of a group; None where the Graph has it from no cloud."""
    outputs = pool.view.outputs
    if pool.view.type == EKS_NODE_GROUP:
        scaling = outputs.block("scalingConfig")
        return None if scaling is None else scaling.integer("desiredSize")
    return (outputs.integer("desiredCapacity") or None) if pool.view.type == AUTOSCALING_GROUP else None


def resized(
    before: MachinePool,
    after: MachinePool,
    size: PoolSize,
    touched: Collection[Keys],
) -> PoolSize:
    """Return the size of a group right after an update of what is touched.

    EKS receives the desired size with every change of the scaling settings, whatever number runs, and refuses one
    beyond the bounds; an autoscaling group moves within its bounds, and so does a node group whose program looks up how
    many run.
    """
    least, most, wanted = after.least()[0], after.most(), after.start()
    if after.view.type == EKS_NODE_GROUP and not (least < most and _is_looked_up(before, after)):
        sent = any(keys[:1] == ("scalingConfig",) for keys in touched) and least <= wanted <= most
        return PoolSize(wanted, wanted) if sent else size
    if after.view.type not in (AUTOSCALING_GROUP, EKS_NODE_GROUP):
        return size
    if ("desiredCapacity",) in touched:
        return PoolSize(wanted, wanted)
    return PoolSize(min(max(size.running, least), most), min(max(size.most, least), most))


def _is_looked_up(before: MachinePool, after: MachinePool) -> bool:
    """Return whether the program asks AWS how many machines of a node group run, and sends that number."""
    names = {place.value for place in GROUPS_OF_NODES.locations(before.view.resource.outputs)}
    return any(
        lookup.token == SIZE_LOOKUP and lookup.arguments.get("name") in names
        for lookup in after.view.site.graph.lookups
    )


def described_by(pool: MachinePool, keys: Keys) -> str:  # noqa: ARG001 - other clouds describe pools in clusters
    """Return the type whose facts hold for a change of a pool at these keys."""
    return pool.view.type


def reserved(reservation: View) -> Reserved:
    """Return the machines that a reservation holds."""
    count, machine_type = reservation.integer("instanceCount") or 0, reservation.text("instanceType") or "machines"
    return Reserved(count, machine_type, reservation.text("availabilityZone") or "")


def mismatch(pool: MachinePool, reservation: View) -> str:
    """Return why machines of a pool do not match a reservation that stays as it was; empty where they do.

    A reservation takes only machines of the placement group that it was created in (EC2 user guide, reservations in
    cluster placement groups).
    """
    inside, held_in = _group_of(pool.view), _group_of(reservation)
    if (inside and inside.resource.id) == (held_in and held_in.resource.id):
        return ""
    place = f"in the placement group {inside.resource.id}" if inside is not None else "in no placement group"
    home = f"in the placement group {held_in.resource.id}" if held_in is not None else "outside of one"
    return f"they start {place}, and the reservation was created {home}"


def conflict(before: View, after: View) -> str:
    """Return why a pool or a reservation cannot be created beside its predecessor; empty where it can.

    A cluster placement group is in one zone (EC2 user guide, placement groups).
    """
    old, new = _group_of(before), _group_of(after)
    if old is None or new is None or old.urn != new.urn or new.text("strategy") != "cluster":
        return ""
    home, place = _zones(before), _zones(after)
    if home == place:
        return ""
    return f"the placement group {new.name} holds machines in {listed(home)}, and EC2 keeps such a group in one zone"


def subnet_zones(view: View, path: str) -> list[str]:
    """Return the zones of the subnets that a property of a resource names."""
    outer, _, key = path.rpartition(".")
    block = view.block(outer) if outer else view
    return sorted({zone_of(subnet) for subnet in block.many(key, EC2_SUBNET)}) if block is not None else []


def _group_of(view: View) -> View | None:
    if view.type == RESERVATION:
        return view.one("placementGroupArn", EC2_PLACEMENT_GROUP)
    return placement_group(view)


def _zones(view: View) -> list[str]:
    return [zone_of(view)] if view.type == RESERVATION else zones_of(view)


def _eks(pool: MachinePool, machines: int) -> Rollout:
    settings = pool.view.block("updateConfig")
    number = settings.integer("maxUnavailable") if settings is not None else None
    share = settings.integer("maxUnavailablePercentage") if settings is not None else None
    most = int(limits.find_limit("node_group_parallel_updates", "aws").most)
    wanted = number or (max(1, machines * share // _WHOLE) if share else 1)
    at_once = min(wanted, machines, most)
    if settings is not None and settings.text("updateStrategy") == "MINIMAL":
        return in_waves(machines, at_once, 0, "old machines stop first")
    # EKS adds the larger of both, up to two for each zone, before it takes the first one away.
    surge = max(2 * zone_count(pool), at_once)
    return in_waves(machines, at_once, surge, "new machines start first")


def _autoscaling(pool: MachinePool, machines: int) -> Rollout:
    refresh = pool.view.block("instanceRefresh")
    wishes = refresh.block("preferences") if refresh is not None else None
    least = wishes.integer("minHealthyPercentage") if wishes is not None else None
    most = wishes.integer("maxHealthyPercentage") if wishes is not None else None
    healthy = _HEALTHY_PERCENT if least is None else least
    surge = ceil(machines * ((most or _WHOLE) - _WHOLE) / _WHOLE)
    away = machines - ceil(machines * healthy / _WHOLE)
    order = "new machines start first" if surge else "old machines stop first"
    return in_waves(machines, max(1, surge, away), surge, order)
