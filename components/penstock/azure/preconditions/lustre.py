"""File systems that a subscription gets on request."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.azure.facts import lustre
from penstock.azure.types import STORAGECACHE_AML_FILESYSTEM
from penstock.core.errors import UnknownFact
from penstock.core.quantities import lustre_gib, lustre_tib
from penstock.graph.view import View
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind(
    "az-lustre-size",
    on=(STORAGECACHE_AML_FILESYSTEM,),
    sources=("Azure Managed Lustre documentation, create a file system",),
)
def beyond_what_anyone_gets(view: View) -> Iterator[Precondition]:
    """A Lustre file system that is larger than what a subscription gets without a request."""
    tib, sku = view.number("storageCapacityTiB"), view.block("sku")
    name = sku.text("name") if sku is not None else None
    if tib is None or name is None:
        return
    try:
        steps = lustre.steps_of(name)
    except UnknownFact:
        return
    if steps.needs_request(lustre_gib(tib)):
        yield Precondition(
            f"Managed Lustre of {tib:g} TiB at {steps.throughput_mbps_per_tib} MB/s for each TiB in the subscription",
            f"Without a request a subscription gets {lustre_tib(steps.maximum):g} TiB at this throughput.",
            "The portal's page Help + support takes requests, of the service Azure Managed Lustre.",
            view.urn,
        )
