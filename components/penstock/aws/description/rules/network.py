"""Rules on the network, for AWS alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from penstock.aws.description import pools, subnets
from penstock.aws.description.node_pool_block import own_settings
from penstock.aws.description.rules import known_on_aws
from penstock.aws.facts import efa
from penstock.core.wording import one_of, quoted
from penstock.description import platform
from penstock.description.cluster import SERVICE_CIDR
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.network import CIDR, holds_subnets
from penstock.description.rules.rule import rule

_EXISTING: Path = ("network", "existing")


@rule("SPEC-041", reads=("network", "cluster"), provider="aws")
def network_leaves_services_their_range(spec: Spec) -> Iterator[Problem]:
    """The network does not overlap the range of Kubernetes services, or pods reach one where they mean the other."""
    if spec.network.existing is None and spec.network.cidr.overlaps(SERVICE_CIDR):
        message = f"{spec.network.cidr} overlaps {SERVICE_CIDR}, which holds the cluster's services."
        yield Problem(CIDR, message, "Use another private range, such as 10.40.0.0/16.")


@rule("SPEC-042", reads=("network", "cloud", "node_pools"), provider="aws")
def network_has_addresses_for_all_nodes(spec: Spec) -> Iterator[Problem]:
    """Each zone's subnet has addresses for the nodes that can be in it, and for their pods."""
    if spec.network.existing is not None or not holds_subnets(spec):
        return
    zones = known.zones(spec)
    demand: Counter[str | None] = Counter()
    for pool in spec.node_pools:
        demand[known.zone(pool, spec)] += pool.nodes.max * _addresses(pool, spec)
    spread = demand.pop(None, 0)
    room = {zone: subnets.usable_addresses(spec.network.cidr, zone) for zone in zones}
    for zone, addresses in demand.items():
        if zone in room and addresses > room[zone]:
            yield _too_small(spec, f"{zone} has {room[zone]} addresses for nodes and pods", addresses)
            return
    if spread and zones and sum(demand.values()) + spread > sum(room.values()):
        yield _too_small(spec, f"all zones together have {sum(room.values())} addresses", sum(demand.values()) + spread)


@rule("SPEC-045", reads=("network", "cloud"), provider="aws")
def adopted_network_is_named_by_its_ids(spec: Spec) -> Iterator[Problem]:
    """An adopted network has the id of a VPC, and a subnet id for each of its zones in the region."""
    existing, region = spec.network.existing, known.region(spec)
    if existing is None:
        return
    yield from _ids(existing.id, "vpc", (*_EXISTING, "id"))
    if existing.fabric_security_group is not None:
        yield from _ids(existing.fabric_security_group, "sg", (*_EXISTING, "fabric_security_group"))
    for zone, subnet in existing.subnets.items():
        path = (*_EXISTING, "subnets", zone)
        if region is not None and zone not in region.zones:
            yield Problem(path, f"{quoted(zone)} is not a zone of {region.name}.", one_of(zone, region.zones, "Zones"))
        yield from _ids(subnet, "subnet", path)


@rule("SPEC-046", reads=("network", "cloud"), provider="aws")
def adopted_network_has_a_subnet_in_each_zone(spec: Spec) -> Iterator[Problem]:
    """Every zone that the platform uses has a subnet in the adopted network."""
    existing = spec.network.existing
    if existing is None:
        return
    for index, zone in enumerate(spec.cloud.zones):
        if zone not in existing.subnets:
            message = f"network.existing has no subnet in {quoted(zone)}."
            yield Problem(("cloud", "zones", index), message, "Add the subnet, or leave the zone out.")


def _addresses(pool: NodePoolSpec, spec: Spec) -> int:
    """The addresses that one node takes; none where the machine or its interfaces are not known."""
    machine = known_on_aws.machine(pool, spec)
    if machine is None:
        return 0
    interfaces = (
        efa.interfaces(machine, own_settings(pool).efa_interfaces) if pools.efa(platform.resolved(spec, pool)) else ()
    )
    return efa.addresses(machine, sum(interface.kind != "efa-only" for interface in interfaces)) or 0


def _too_small(spec: Spec, room: str, wanted: int) -> Problem:
    message = f"{spec.network.cidr} is too small: {room}, but the pools can grow to {wanted}."
    return Problem(CIDR, message, "Use a larger network, lower nodes.max, or put pools into other zones.")


def _ids(value: str, kind: str, path: Path) -> Iterator[Problem]:
    if not re.fullmatch(rf"{kind}-([0-9a-f]{{8}}|[0-9a-f]{{17}})", value):
        yield Problem(path, f"{quoted(value)} is not an id of AWS.", f"Write an id such as {kind}-0123456789abcdef0.")
