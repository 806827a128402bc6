"""Rules on storage: what FSx sells, and what lies near what."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import eks_machines, lustre
from penstock.spec import node_pool, platform, storage
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules import known
from penstock.spec.rules.rule import AWS, rule, storage_rule
from penstock.spec.storage import BucketSpec, LustreSpec, StorageSpec
from penstock.spec.wording import listed, one_of, quoted


@storage_rule("SPEC-090", provider=AWS)
def lustre_tier_is_sold(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """The throughput of a Lustre file system is a tier that AWS sells."""
    tiers = lustre.tiers()
    if isinstance(item, LustreSpec) and item.throughput_mbps_per_tib not in tiers:
        message = f"{item.throughput_mbps_per_tib} MB/s for each TiB is no tier of FSx for Lustre."
        yield Problem(("throughput_mbps_per_tib",), message, f"Tiers: {listed(tiers)}.")


@storage_rule("SPEC-091", provider=AWS)
def lustre_capacity_is_a_step_of_its_tier(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """Lustre is sold in steps of capacity, which are larger when clients mount over EFA."""
    if not isinstance(item, LustreSpec) or item.throughput_mbps_per_tib not in lustre.tiers():
        return
    steps = lustre.steps(item.throughput_mbps_per_tib, efa=item.fabric == "efa")
    wanted = lustre.gib(item.capacity_tib)
    if not steps.allow(wanted) or item.capacity_tib != wanted / 1000:
        fabric = " with EFA" if item.fabric == "efa" else ""
        tier = f"{item.throughput_mbps_per_tib} MB/s for each TiB"
        message = f"{item.capacity_tib:.15g} TiB is not sold at {tier}{fabric}."
        sold = f"Sold from {_tib(steps.minimum)} in steps of {_tib(steps.step)}."
        hint = f"Nearest: {_tib(steps.nearest(wanted))}. {sold}"
        yield Problem(("capacity_tib",), message, hint)


@rule("SPEC-092", reads=("storage",))
def lustre_imports_from_a_bucket_of_the_platform(spec: Spec) -> Iterator[Problem]:
    """The source of a Lustre file system is a bucket of the same description."""
    buckets = [item.name for item in spec.storage if isinstance(item, BucketSpec)]
    for index, item in enumerate(spec.storage):
        if isinstance(item, LustreSpec) and item.source is not None and item.source not in buckets:
            message = f"{quoted(item.source)} is no bucket of this description."
            hint = one_of(item.source, buckets, "Buckets") if buckets else "Add it to storage with kind: bucket."
            yield Problem(("storage", index, "source"), message, hint)


@storage_rule("SPEC-093", reads=("network",), provider=AWS)
def lustre_zone_is_one_of_the_platform(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The zone of a Lustre file system is one in which the platform has a subnet."""
    zones = known.zones(spec)
    if isinstance(item, LustreSpec) and item.zone is not None and zones and item.zone not in zones:
        message = f"{quoted(item.zone)} is no zone of this platform."
        yield Problem(("zone",), message, one_of(item.zone, zones, "Zones"))


@rule("SPEC-094", reads=("storage", "node_pools", "network"), provider=AWS)
def lustre_over_efa_has_clients_in_its_zone(spec: Spec) -> Iterator[Problem]:
    """A file system that is mounted over EFA has a pool in its zone that FSx takes as a client: EFA leaves no zone."""
    zones = known.zones(spec)
    if not zones or any(known.machine(pool, spec) is None for pool in spec.node_pools):
        return
    fabric = [pool for pool in platform.node_pools(spec) if node_pool.efa(pool)]
    clients = [pool for pool in fabric if eks_machines.find(node_pool.machine(pool).family).lustre_over_efa]
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


def _tib(gib: int) -> str:
    """As the description counts: AWS means 1200 GiB by 1.2 TiB."""
    return f"{gib / 1000:g} TiB"
