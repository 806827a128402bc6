"""Rules on storage: what the clouds sell, and what lies near what."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import limits
from penstock.catalog.aws import eks_machines, lustre
from penstock.catalog.gcp import lustre as gcp_lustre
from penstock.spec import node_pool, platform, storage
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules import known
from penstock.spec.rules.rule import AWS, CLOUDS, GCP, rule, storage_rule
from penstock.spec.storage import BucketSpec, LustreSpec, StorageSpec
from penstock.wording import listed, one_of, quoted

_LUSTRE = {"aws": "FSx for Lustre", "gcp": "Managed Lustre"}


@storage_rule("SPEC-090", provider=CLOUDS)
def lustre_tier_is_sold(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The throughput of a Lustre file system is a tier that the cloud sells."""
    tiers = _tiers(spec)
    if isinstance(item, LustreSpec) and item.throughput_mbps_per_tib not in tiers:
        message = f"{item.throughput_mbps_per_tib} MB/s for each TiB is no tier of {_LUSTRE[spec.cloud.provider]}."
        yield Problem(("throughput_mbps_per_tib",), message, f"Tiers: {listed(tiers)}.")


@storage_rule("SPEC-091", provider=CLOUDS)
def lustre_capacity_is_a_step_of_its_tier(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """Lustre is sold in steps of capacity, which are larger when clients mount over EFA."""
    if not isinstance(item, LustreSpec) or item.throughput_mbps_per_tib not in _tiers(spec):
        return
    steps = _steps(item, spec)
    wanted = lustre.gib(item.capacity_tib)
    if not steps.allow(wanted) or item.capacity_tib != wanted / 1000:
        fabric = " with EFA" if item.fabric == "efa" and spec.cloud.provider == AWS else ""
        tier = f"{item.throughput_mbps_per_tib} MB/s for each TiB"
        message = f"{item.capacity_tib:.15g} TiB is not sold at {tier}{fabric}."
        yield Problem(("capacity_tib",), message, f"Nearest: {_tib(steps.nearest(wanted))}. {_sold(steps)}")


@rule("SPEC-092", reads=("storage",))
def lustre_imports_from_a_bucket_of_the_platform(spec: Spec) -> Iterator[Problem]:
    """The source of a Lustre file system is a bucket of the same description."""
    buckets = [item.name for item in spec.storage if isinstance(item, BucketSpec)]
    for index, item in enumerate(spec.storage):
        if isinstance(item, LustreSpec) and item.source is not None and item.source not in buckets:
            message = f"{quoted(item.source)} is no bucket of this description."
            hint = one_of(item.source, buckets, "Buckets") if buckets else "Add it to storage with kind: bucket."
            yield Problem(("storage", index, "source"), message, hint)


@storage_rule("SPEC-093", reads=("network",), provider=CLOUDS)
def lustre_zone_is_one_of_the_platform(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The zone of a Lustre file system is one in which the platform has a subnet."""
    zones, region = known.zones(spec), known.region(spec)
    if not isinstance(item, LustreSpec) or item.zone is None or region is None:
        return
    if zones and item.zone not in zones:
        message = f"{quoted(item.zone)} is no zone of this platform."
        yield Problem(("zone",), message, one_of(known.full_zone(item.zone, region), zones, "Zones"))


@rule("SPEC-094", reads=("storage", "node_pools", "network"), provider=AWS)
def lustre_over_efa_has_clients_in_its_zone(spec: Spec) -> Iterator[Problem]:
    """A file system that is mounted over EFA has a pool in its zone that FSx takes as a client: EFA leaves no zone."""
    zones = known.zones(spec)
    if not zones or any(known.machine(pool, spec) is None for pool in spec.node_pools):
        return
    fabric = [pool for pool in platform.node_pools(spec) if node_pool.efa(pool)]
    clients = [pool for pool in fabric if eks_machines.limits_of_family(node_pool.machine(pool).family).lustre_over_efa]
    served = {node_pool.zone_of(pool, zones) for pool in clients}
    for index, item in enumerate(spec.storage):
        if not isinstance(item, LustreSpec) or item.fabric != "efa":
            continue
        zone = storage.zone_of(item, zones)
        if not served:
            refused = listed(node_pool.machine(pool).machine_type for pool in fabric)
            why = f"FSx does not take {refused} as clients" if refused else "no pool has EFA"
            hint = "Leave fabric out, or give a pool other machines, with EFA."
            yield Problem(("storage", index, "fabric"), f"Mounted over EFA, but {why}.", hint)
        elif zone not in served:
            message = f"{item.name} is in {zone}, but its clients are in {listed(sorted(map(str, served)))}."
            yield Problem(("storage", index, "zone"), message, "Set zone to theirs.")


@storage_rule("SPEC-095")
def retention_needs_versions(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """A bucket keeps overwritten objects for some days only when it keeps versions."""
    if isinstance(item, BucketSpec) and not item.versioning and "retention_days" in item.model_fields_set:
        message = "Without versioning there is nothing to keep for some days."
        yield Problem(("retention_days",), message, "Leave retention_days out, or versioning on.")


@storage_rule("SPEC-096", provider=GCP)
def lustre_is_not_mounted_over_efa(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """EFA is a fabric of AWS: on Google Cloud Lustre is mounted over the network."""
    if isinstance(item, LustreSpec) and item.fabric == "efa":
        yield Problem(("fabric",), "Google Cloud has no EFA.", "Leave fabric out.")


@storage_rule("SPEC-097", provider=GCP)
def deleted_objects_are_kept_as_long_as_google_can(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """Cloud Storage keeps deleted objects for a week at least and three months at most, or not at all."""
    least, most = (limits.find_limit(name, GCP).most for name in ("soft_delete_days_least", "soft_delete_days"))
    if isinstance(item, BucketSpec) and item.versioning and not least <= item.retention_days <= most:
        message = f"Cloud Storage does not keep deleted objects for {item.retention_days} days."
        hint = f"{least} to {most}; versioning: false keeps none."
        yield Problem(("retention_days",), message, hint)


def _tiers(spec: Spec) -> tuple[int, ...]:
    return gcp_lustre.tiers() if spec.cloud.provider == GCP else lustre.tiers()


def _steps(item: LustreSpec, spec: Spec) -> lustre.LustreSteps | gcp_lustre.ManagedLustreSteps:
    if spec.cloud.provider == GCP:
        return gcp_lustre.steps(item.throughput_mbps_per_tib)
    return lustre.steps(item.throughput_mbps_per_tib, efa=item.fabric == "efa")


def _sold(steps: lustre.LustreSteps | gcp_lustre.ManagedLustreSteps) -> str:
    sold = f"Sold from {_tib(steps.minimum)} in steps of {_tib(steps.step)}"
    if isinstance(steps, lustre.LustreSteps):
        return f"{sold}."
    if steps.threshold is not None and steps.large_step is not None:
        sold += f", beyond {_tib(steps.threshold)} of {_tib(steps.large_step)}"
    return f"{sold}, to {_tib(steps.maximum)}."


def _tib(gib: int) -> str:
    """As the description and the clouds count: 1.2 TiB are sold as 1200 GiB."""
    return f"{gib / 1000:g} TiB"
