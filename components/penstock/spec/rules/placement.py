"""Rules on where nodes stand and how they talk: zone, fabric and placement group."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import limits
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules import known
from penstock.spec.rules.rule import AWS, CLOUDS, pool_rule, rule
from penstock.wording import listed, one_of, quoted

_FABRICS = {"aws": ("efa",), "gcp": ("tcpx", "tcpxo", "rdma")}


@pool_rule("SPEC-075", provider=CLOUDS)
def fabric_is_one_of_the_cloud(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The fabric is one that the cloud has: EFA on AWS; TCPX, TCPXO or RDMA on Google Cloud."""
    fabrics = ("auto", "none", *_FABRICS[spec.cloud.provider])
    if pool.fabric not in fabrics:
        message = f"{known.cloud_name(spec)} has no fabric {pool.fabric}."
        yield Problem(("fabric",), message, one_of(pool.fabric, fabrics))


@pool_rule("SPEC-076", provider=AWS)
def efa_is_asked_of_machines_that_have_it(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """EFA is asked only of machines that have it."""
    machine = known.aws_machine(pool, spec)
    if pool.fabric == "efa" and machine is not None and not machine.efa_layout:
        hint = "Leave fabric out, or take a larger machine of the family: EFA comes with the large ones."
        yield Problem(("fabric",), f"{machine.machine_type} has no EFA.", hint)


@pool_rule("SPEC-077", reads=("network",), provider=CLOUDS)
def zone_is_one_of_the_platform(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The zone of a pool is one in which the platform has a subnet."""
    zones = known.zones(spec)
    region = known.region(spec)
    if pool.zone is not None and region is not None and zones and pool.zone not in zones:
        message = f"{quoted(pool.zone)} is no zone of this platform."
        if pool.zone in region.zones:
            hint = f"Add it to cloud.zones, or take one of {listed(zones)}."
        else:
            hint = f"{one_of(known.full_zone(pool.zone, region), zones, 'Zones')} cloud.zones can name others."
        yield Problem(("zone",), message, hint)


@pool_rule("SPEC-078", provider=AWS)
def capacity_block_has_no_placement_group(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A capacity block is placed closely by AWS itself, which refuses a placement group beside it."""
    if pool.capacity == "capacity_block" and pool.placement not in ("auto", "none"):
        yield Problem(("placement",), "A capacity block takes no placement group.", "Leave placement out.")


@pool_rule("SPEC-079", provider=AWS)
def placement_group_has_a_name_that_exists(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """The name of an existing placement group is one that AWS would have accepted."""
    name = pool.placement
    longest = limits.find_limit("placement_group_name_characters", "aws").most
    if not (0 < len(name) <= longest and name.isascii() and name.isprintable()):
        message = f"{quoted(pool.placement)} cannot be the name of a placement group."
        yield Problem(("placement",), message, "auto, none, cluster, or the name of an existing group.")


@rule("SPEC-080", reads=("node_pools", "network", "cloud"), provider=AWS)
def placement_group_lies_in_one_zone(spec: Spec) -> Iterator[Problem]:
    """Pools that share an existing placement group stand in one zone, since a cluster group lies in one."""
    first: dict[str, tuple[str, str]] = {}
    for index, pool in enumerate(spec.node_pools):
        zone = known.zone(pool, spec)
        if pool.placement in ("auto", "none", "cluster") or zone is None:
            continue
        name, other = first.setdefault(pool.placement, (pool.name, zone))
        if zone != other:
            field = "zone" if pool.zone is not None else "placement"
            group = f"Placement group {quoted(pool.placement)} lies in one zone"
            message = f"{group}: {name} is in {other}, {pool.name} in {zone}."
            yield Problem(("node_pools", index, field), message, f"Set zone: {other} here.")
