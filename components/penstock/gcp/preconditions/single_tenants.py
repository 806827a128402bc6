"""Zones that sell machines only to customers that have agreed on them with Google."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog.machine_zones import is_single_tenant
from penstock.core.wording import listed
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site
from penstock.model.pools import program_pools
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind("gcp-single-tenant-zone", sources=("Cloud TPU documentation, TPU regions and zones",))
def zones_that_are_agreed_upon(site: Site) -> Iterator[Precondition]:
    """An agreement with Google on machines that their zone sells to single tenants only, such as TPUs."""
    for pool in program_pools(site, "gcp"):
        try:
            zones, types = pool.zones(), pool.machine_types()
        except (NotKnown, TypeMismatch):
            continue
        for named in types:
            closed = [zone for zone in zones or () if is_single_tenant(named.name, zone, "gcp")]
            if closed:
                yield Precondition(
                    f"An agreement with Google on {named.name} in {listed(closed)}",
                    "As far as is known the zone sells them to single tenants only: without an agreement the request "
                    "fails, as in a zone that has none.",
                    "Ask your Google Cloud account team, or choose a zone that sells them to everybody: "
                    "https://cloud.google.com/tpu/docs/regions-zones",
                    pool.view.urn,
                )
