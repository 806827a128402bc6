"""What the toy cloud offers to a description."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.description.node_pool import NodePoolSpec
from penstock.description.offer import CloudOffer, TagForm


def _zone_of(pool: NodePoolSpec, zones: Sequence[str]) -> str | None:
    return pool.zone or zones[0]


OFFER = CloudOffer(
    kubernetes="TKE",
    system_machines=("brick-1",),
    plain_machine="brick-1",
    network_sizes=(16, 24),
    access="dns",
    tags=lambda: TagForm(
        key=".+", key_words="anything", value=".*", value_words="Anything", most=10, added="the colour"
    ),
    zone_of=_zone_of,
)
