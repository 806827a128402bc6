"""Facts that several rules read. None for what is unknown: a rule of its own reports that."""

from __future__ import annotations

from datetime import date

from penstock.catalog import regions
from penstock.catalog.machine import Machine
from penstock.catalog.regions import Region
from penstock.core.clock import utc_today
from penstock.core.errors import UnknownFact
from penstock.description import node_pool, platform
from penstock.description.node_pool import NodePoolSpec
from penstock.description.offer import CloudOffer, offer_of
from penstock.description.platform import Spec
from penstock.providers import provider_named


def today() -> date:
    """Return the day that dates of a provider are compared with."""
    return utc_today()


def cloud_name(spec: Spec) -> str:
    """The display name of the cloud."""
    provider = provider_named(spec.cloud.provider)
    return provider.title if provider is not None else spec.cloud.provider


def offer(spec: Spec) -> CloudOffer:
    """The offer of the cloud to a description."""
    return offer_of(spec.cloud.provider)


def region(spec: Spec) -> Region | None:
    """The region of the platform."""
    try:
        return regions.find_region(spec.cloud.region or "", spec.cloud.provider)
    except UnknownFact:
        return None


def zones(spec: Spec) -> tuple[str, ...]:
    """The zones of the platform that its region has."""
    place = region(spec)
    known = place.zones if place is not None else ()
    return tuple(dict.fromkeys(zone for zone in (platform.zones(spec) if known else ()) if zone in known))


def full_zone(zone: str, region: Region) -> str:
    """The zone of the region for a letter or a half name; any other text unchanged."""
    full = (f"{region.name}{zone}", f"{region.name}-{zone}")
    return next((name for name in full if name in region.zones), zone)


def machine(pool: NodePoolSpec, spec: Spec) -> Machine | None:
    """The machine of a pool in the region of the platform."""
    try:
        return node_pool.machine(platform.resolved(spec, pool), spec.cloud.provider)
    except UnknownFact:
        return None


def takes_any_pod(pool: NodePoolSpec, spec: Spec) -> bool:
    """Return whether a pool always has a node for the cluster's own pods, also for an unknown machine."""
    return machine(pool, spec) is None or node_pool.takes_any_pod(platform.resolved(spec, pool), spec.cloud.provider)


def zone(pool: NodePoolSpec, spec: Spec) -> str | None:
    """The one zone of a pool of a known machine; None also when it spreads over all zones."""
    among = zones(spec)
    if not among or machine(pool, spec) is None:
        return None
    return offer(spec).zone_of(platform.resolved(spec, pool), among)
