"""Machines and services that a region may not have for a subscription, whatever its quota."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.azure.model import places
from penstock.azure.model.pools import AksPool
from penstock.azure.types import CONTAINERSERVICE_MANAGED_CLUSTER
from penstock.catalog.offerings import is_verified
from penstock.core.wording import listed
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import MachinePool, program_pools
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind(
    "az-offer",
    sources=("AKS documentation, availability zones", "Azure retail prices API, Virtual Machines"),
)
def machines_that_are_offered(site: Site) -> Iterator[Precondition]:
    """Sizes with accelerators that only a price list has in the region, and those of pools that ask for zones."""
    for pool in program_pools(site, "azure"):
        try:
            if pool.has_accelerators() and pool.most():
                yield from _offers(pool)
        except (NotKnown, TypeMismatch):
            continue


def _offers(pool: MachinePool) -> Iterator[Precondition]:
    region, asked = places.region(pool.view), _zones(pool)
    for size in (named.name for named in pool.machine_types()):
        command, seller = ("vm list-skus", region) if asked is None else ("aks list-vm-skus", f"AKS in {region}")
        how = f"az {command} --location {region} --size {size} --all"
        if asked:
            yield Precondition(
                f"AKS in zone {listed(asked)} of {region} offers {size}",
                "AKS refuses zones without the size (AvailabilityZoneNotSupported), also some that Compute lists; each "
                "subscription numbers the zones of a region in its own order.",
                f"{how} --output table shows its zones.",
                pool.view.urn,
            )
        elif not is_verified(region, "azure"):
            yield Precondition(
                f"{seller} offers {size}",
                "Only a price list has it there (unverified), and price lists name sizes that nobody can create.",
                f"{how} --output table shows it.",
                pool.view.urn,
            )


def _zones(pool: MachinePool) -> list[str] | None:
    """The zones that a pool of AKS asks for; None for other machines."""
    return pool.block.texts("availabilityZones") if isinstance(pool, AksPool) else None


@KINDS.kind(
    "az-aks-network-integration",
    on=(CONTAINERSERVICE_MANAGED_CLUSTER,),
    sources=("AKS documentation, API Server VNet Integration",),
)
def capacity_for_api_servers(cluster: View) -> Iterator[Precondition]:
    """Capacity for API servers in the network of their cluster."""
    access = cluster.block("apiServerAccessProfile")
    if access is None or not access.flag("enableVnetIntegration"):
        return
    yield Precondition(
        f"Capacity for API Server VNet Integration in {places.region(cluster)}",
        "AKS refuses the cluster while the region has none (currently unavailable in region), and does not start one "
        "that was stopped.",
        "No command shows it: try again later, or use another region of https://aka.ms/AksVnetIntegration.",
        cluster.urn,
    )
