"""What several rules need to know. The answer is nothing for what is unknown: a rule of its own tells of that."""

from __future__ import annotations

from penstock.catalog import regions
from penstock.catalog.aws.machines import AwsMachine
from penstock.catalog.gcp.machines import GcpMachine
from penstock.catalog.machines import Machine
from penstock.catalog.regions import Region
from penstock.errors import UnknownFact
from penstock.spec import gcp_pools, node_pool, platform
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec

_ACCOUNT_DIGITS = 12

_CLOUD_NAMES = {"aws": "AWS", "gcp": "Google Cloud"}


def cloud_name(spec: Spec) -> str:
    """What people call the cloud."""
    return _CLOUD_NAMES[spec.cloud.provider]


def region(spec: Spec) -> Region | None:
    """The region of the platform."""
    try:
        return regions.find_region(spec.cloud.region or "", spec.cloud.provider)
    except UnknownFact:
        return None


def account(spec: Spec) -> str | None:
    """The number of the AWS account that the platform must stay in."""
    account = spec.cloud.account or ""
    return account if len(account) == _ACCOUNT_DIGITS and account.isascii() and account.isdigit() else None


def zones(spec: Spec) -> tuple[str, ...]:
    """The zones of the platform that its region has."""
    place = region(spec)
    known = place.zones if place is not None else ()
    return tuple(dict.fromkeys(zone for zone in (platform.zones(spec) if known else ()) if zone in known))


def full_zone(zone: str, region: Region) -> str:
    """The zone of the region that a letter or a half name stands for; what is none as it is."""
    full = (f"{region.name}{zone}", f"{region.name}-{zone}")
    return next((name for name in full if name in region.zones), zone)


def machine(pool: NodePoolSpec, spec: Spec) -> Machine | None:
    """The machine of a pool in the region of the platform."""
    try:
        return node_pool.machine(platform.resolved(spec, pool), spec.cloud.provider)
    except UnknownFact:
        return None


def aws_machine(pool: NodePoolSpec, spec: Spec) -> AwsMachine | None:
    """As `machine`, for a platform on AWS."""
    found = machine(pool, spec)
    return found if isinstance(found, AwsMachine) else None


def gcp_machine(pool: NodePoolSpec, spec: Spec) -> GcpMachine | None:
    """As `machine`, for a platform on Google Cloud."""
    found = machine(pool, spec)
    return found if isinstance(found, GcpMachine) else None


def gcp_pool(pool: NodePoolSpec, spec: Spec) -> NodePoolSpec | None:
    """A pool on Google Cloud with its machine type, where the catalogue has that and the slice that it asks for."""
    if gcp_machine(pool, spec) is None:
        return None
    resolved = platform.resolved(spec, pool)
    try:
        gcp_pools.slice_(resolved)
    except UnknownFact:
        return None
    return resolved


def takes_any_pod(pool: NodePoolSpec, spec: Spec) -> bool:
    """Whether a pool always has a node for the cluster's own pods; so it is taken of an unknown machine."""
    return machine(pool, spec) is None or node_pool.takes_any_pod(platform.resolved(spec, pool), spec.cloud.provider)


def zone(pool: NodePoolSpec, spec: Spec) -> str | None:
    """The one zone of a pool of a known machine; None also when it spreads over all zones."""
    among = zones(spec)
    if not among or machine(pool, spec) is None:
        return None
    if spec.cloud.provider == "gcp":
        known_pool = gcp_pool(pool, spec)
        return gcp_pools.zone_of(known_pool, among) if known_pool is not None else None
    return node_pool.zone_of(platform.resolved(spec, pool), among)
