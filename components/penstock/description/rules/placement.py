"""Rules on the placement and fabric of nodes: zone, fabric and placement group."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.wording import listed, one_of, quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import CLOUDS, pool_rule


@pool_rule("SPEC-075", provider=CLOUDS)
def fabric_is_one_of_the_cloud(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The fabric is one that the cloud has: EFA on AWS; TCPX, TCPXO or RDMA on Google Cloud."""
    fabrics = ("auto", "none", *known.offer(spec).fabrics)
    if pool.fabric not in fabrics:
        message = f"{known.cloud_name(spec)} does not offer the fabric {pool.fabric}."
        yield Problem(("fabric",), message, one_of(pool.fabric, fabrics))


@pool_rule("SPEC-077", reads=("network",), provider=CLOUDS)
def zone_is_one_of_the_platform(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The zone of a pool is one in which the platform has a subnet."""
    zones = known.zones(spec)
    region = known.region(spec)
    if pool.zone is not None and region is not None and zones and pool.zone not in zones:
        message = f"{quoted(pool.zone)} is not a zone of this platform."
        if pool.zone in region.zones:
            hint = f"Add it to cloud.zones, or use one of {listed(zones)}."
        else:
            hint = f"{one_of(known.full_zone(pool.zone, region), zones, 'Zones')} cloud.zones can name others."
        yield Problem(("zone",), message, hint)
