"""Rules on the machines of a pool: what the cloud has, where it sells it, and whether the description agrees."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import machine_zones, machines, offerings, regions
from penstock.catalog.regions import Region
from penstock.core.wording import did_you_mean, inflect, listed, one_of, quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import CLOUDS, pool_rule, rule


@rule("SPEC-204", reads=("node_pools", "cluster"), provider=CLOUDS, warns=True)
def new_cluster_has_node_pools(spec: Spec) -> Iterator[Problem]:
    """A new cluster has a node pool for jobs. A warning."""
    if not spec.node_pools and spec.cluster.existing is None:
        message = "The platform has no node pools, so no job can run."
        yield Problem(("node_pools",), message, "Add a pool with an accelerator or a machine type to node_pools.")


@pool_rule("SPEC-060", provider=CLOUDS)
def pool_names_its_machines(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A pool names an accelerator or a machine type; a pool without accelerators names a machine type."""
    if pool.accelerator is None and pool.machine_type is None:
        message = f"Pool {pool.name} sets neither accelerator nor machine_type."
        plain = known.offer(spec).plain_machine
        yield Problem(
            (), message, f"Set accelerator, such as h100; or machine_type, such as {plain}, without accelerators."
        )


@pool_rule("SPEC-061", provider=CLOUDS)
def accelerator_is_offered(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The accelerator is one that the cloud offers."""
    if pool.accelerator is not None and pool.accelerator not in machines.accelerators(spec.cloud.provider):
        offered = _accelerators_in(spec)
        place = f"in {spec.cloud.region}" if known.region(spec) is not None else "anywhere"
        message = f"{quoted(pool.accelerator)} is not an accelerator {known.cloud_name(spec)} offers {place}."
        yield Problem(("accelerator",), message, one_of(pool.accelerator, offered, "Offered there"))


@pool_rule("SPEC-062", provider=CLOUDS)
def machine_type_is_known(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The machine type is one that the catalogue knows."""
    if pool.machine_type is None:
        return
    types = [machine.machine_type for machine in machines.machine_types(spec.cloud.provider)]
    if pool.machine_type not in types:
        family_name = _without_size(pool.machine_type)
        family = [name for name in types if _without_size(name) == family_name] if family_name else []
        hint = f"Of that family: {listed(family)}." if family else did_you_mean(pool.machine_type, types)
        message = f"{quoted(pool.machine_type)} is not a machine type that Penstock knows."
        yield Problem(("machine_type",), message, hint or "docs/reference/accelerators.md lists them.")


@pool_rule("SPEC-063", provider=CLOUDS)
def machine_is_sold_in_the_region(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The machine type is offered in the region, where the catalogue lists its offerings."""
    machine, region = known.machine(pool, spec), known.region(spec)
    if machine is None or region is None:
        return
    cloud = spec.cloud.provider
    sold = offerings.offered(region.name, cloud)
    if sold is None or machine.machine_type in sold:
        return
    sellers = {each.name: offerings.offered(each.name, cloud) or () for each in regions.all_regions(cloud)}
    elsewhere = [name for name, types in sellers.items() if machine.machine_type in types]
    hint = f"Offered in {listed(elsewhere)}." if elsewhere else f"Offered there: {listed(_accelerators_in(spec))}."
    field = "machine_type" if pool.machine_type is not None else "accelerator"
    yield Problem((field,), f"{machine.machine_type} is not offered in {region.name}.", hint)


@pool_rule("SPEC-081", reads=("network",), provider=CLOUDS)
def machine_is_sold_in_the_zone(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The machine type is offered in the zone of the pool, or in one of the platform's zones."""
    machine, region, cloud = known.machine(pool, spec), known.region(spec), spec.cloud.provider
    zones = known.zones(spec)
    if machine is None or region is None or (pool.zone is not None and pool.zone not in zones):
        return
    name = machine.machine_type
    asked = (pool.zone,) if pool.zone is not None else zones
    sold = offerings.offered(region.name, cloud)
    if not asked or (sold is not None and name not in sold) or machine_zones.may_sell(name, asked, cloud):
        return
    field = "zone" if pool.zone is not None else "machine_type" if pool.machine_type is not None else "accelerator"
    yield Problem((field,), f"{name} is not offered in {listed(asked)}.", _where_sold(name, zones, region, cloud))


@pool_rule("SPEC-064", provider=CLOUDS)
def machine_type_agrees_with_the_rest(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A pool with a machine type has no other accelerator or count than the machine type's."""
    machine = known.machine(pool, spec)
    if machine is None or pool.machine_type is None:
        return
    has = f"{machine.accelerators} {machine.accelerator}" if machine.accelerator else "no accelerator"
    if pool.accelerator in machines.accelerators(spec.cloud.provider) and pool.accelerator != machine.accelerator:
        message = f"{machine.machine_type} has {has}, not {quoted(pool.accelerator)}."
        yield Problem(("accelerator",), message, "Leave out accelerator or machine_type: either determines the other.")
    if pool.count not in (None, machine.accelerators):
        message = f"{machine.machine_type} has {has}, not {pool.count}."
        yield Problem(("count",), message, "Leave count out: the machine type determines it.")


@pool_rule("SPEC-065", provider=CLOUDS)
def count_is_one_that_a_machine_has(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Some machine type has exactly `count` of the accelerator."""
    if pool.machine_type is not None or pool.count is None:
        return
    offered = machines.machine_types(spec.cloud.provider)
    counts = sorted({each.accelerators for each in offered if each.accelerator == pool.accelerator})
    if counts and pool.count not in counts:
        message = f"No machine type has {pool.count} {pool.accelerator}."
        yield Problem(("count",), message, f"Machine types have {listed(counts)}.")


def _where_sold(name: str, zones: tuple[str, ...], region: Region, cloud: str) -> str:
    """Where a region sells a machine type that some zones of a platform lack."""
    ours = [zone for zone in zones if machine_zones.is_sold(name, zone, cloud)]
    if ours:
        return f"Offered in {listed(ours)}: set zone to it." if len(ours) == 1 else f"Offered in {listed(ours)}."
    selling = machine_zones.zones_selling(name, region.name, cloud)
    others = [zone for zone in selling if zone in region.zones]
    if others:
        return f"In {region.name} {listed(others)} {inflect(len(others), 'offers', 'offer')} it: add to cloud.zones."
    return f"In {region.name} only {listed(selling)} offers it, where Penstock does not build."


def _accelerators_in(spec: Spec) -> list[str]:
    """The accelerators sold in the region, or all where that is not known."""
    region = known.region(spec)
    cloud = spec.cloud.provider
    sold = offerings.offered(region.name, cloud) if region is not None else None
    there = [each for each in machines.machine_types(cloud) if sold is None or each.machine_type in sold]
    return sorted({each.accelerator for each in there if each.accelerator})


def _without_size(machine_type: str) -> str:
    """The family as the name has it: p5 of p5.48xlarge, a3-highgpu of a3-highgpu-8g; empty where it does not tell."""
    return machine_type.partition(".")[0] if "." in machine_type else machine_type.rpartition("-")[0]
