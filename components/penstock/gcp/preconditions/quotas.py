"""Quotas that a new project has too little of."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog.machines import find_machine
from penstock.catalog.quotas import quota_code
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.facts.metrics import disk_metric
from penstock.gcp.model import pools
from penstock.gcp.model.disks import DISKS, PersistentDisk, disk_of, disks_of_machine
from penstock.gcp.preconditions.places import project_for, region_for
from penstock.gcp.preconditions.volumes import claimed_disks
from penstock.gcp.rules.quotas import DRAWING, draws_of
from penstock.gcp.types import CONTAINER_CLUSTER, ORGANIZATIONS_PROJECT
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import machine_pools, program_pools
from penstock.preconditions.default_quotas import Shortfall, Taken, beyond_defaults, counted, totals, unlisted_machines
from penstock.preconditions.kind import Kinds
from penstock.preconditions.need import MachinesNeed, QuotaNeed
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_TOTALS = {"GPU": "GPUS_ALL_REGIONS", "CPUS": "CPUS_ALL_REGIONS"}
"""The quotas for all regions together, by a part of the metrics of each region."""
_TPU_SERVICE = "Cloud TPU"


@KINDS.kind("gcp-quota", sources=("Cloud Quotas documentation, quota preferences", "Compute Engine quotas"))
def more_than_a_new_project_has(site: Site) -> Iterator[Precondition]:
    """Quotas of which the program can take more than a new project has: GPUs, TPUs, vCPU, addresses, networks."""
    for need in beyond_defaults(site, "gcp", _taken(site), _without_default_network(site)):
        yield _enough(site, need)


def quotas_drawn(site: Site) -> Iterator[Precondition]:
    """Yield every quota that a program draws on, also where a new project has enough: this one may have used it up."""
    for need in totals(site, "gcp", _taken(site), _without_default_network(site)):
        yield _enough(site, need)


def _taken(site: Site) -> Iterator[Taken]:
    machines = tuple(_machines(site))
    yield from machines
    for each in machines:
        yield from (each._replace(code=total, place="") for part, total in _TOTALS.items() if part in each.code)
    yield from _disks(site)
    yield from counted(site, "gcp", {"region": region_for}, _project)


def _enough(site: Site, need: Shortfall) -> Precondition:
    quota, project = need.quota, project_for(site, need.urn)
    metric, _, family = quota.code.partition(":")
    place = "-per-project-region" if quota.place else "-per-project"
    dimensions = [f"region={need.place}"] if need.place else []
    if family:
        dimensions.append(f"{'tpu' if 'TPU' in metric else 'gpu'}_family={family}")
    return Precondition(
        need.in_words("project"),
        "Google Cloud refuses what is beyond the quota, and an increase may take days.",
        f"gcloud beta quotas preferences create --service={quota.service} "
        f"--quota-id={metric.replace('_', '-')}{place} --preferred-value={need.amount} "
        + (f"--dimensions={','.join(dimensions)} " if dimensions else "")
        + f'--email="$(gcloud config get-value account)" --project={project}',
        need.urn,
        QuotaNeed(quota.service, quota.code, quota.name, quota.unit, need.amount - need.already, need.place, project),
    )


@KINDS.kind("gcp-quota-unlisted", sources=("Compute Engine quotas",))
def machines_of_quotas_without_a_code(site: Site) -> Iterator[Precondition]:
    """Quotas of machines with accelerators whose metrics are not known, such as those of new families on spot."""
    return unlisted_machines(site, "gcp", _code, region_for)


@KINDS.kind("gcp-quota-of-service", sources=("Cloud TPU documentation, quotas of new projects",))
def machines_of_a_service(site: Site) -> Iterator[Precondition]:
    """Quotas of a service that counts its own accelerators: TPU VMs draw on none of Compute Engine's."""
    for pool in program_pools(site, "gcp"):
        try:
            chips = pool.peak_chips() if pool.service == _TPU_SERVICE else 0
        except (NotKnown, TypeMismatch):
            continue
        if chips:
            yield Precondition(
                f"{_TPU_SERVICE} quota of {chips} chips for {pool.name} in {region_for(pool.view)}",
                "New projects have few TPUs or none, and the service refuses what is beyond its quota.",
                f"gcloud beta quotas info list --service=tpu.googleapis.com --project={_project(pool.view)}",
                pool.view.urn,
                MachinesNeed("tpu.googleapis.com", "", chips, pool.purchase(), region_for(pool.view)),
            )


def _code(name: str, way: str) -> str | None:
    return quota_code(find_machine(name, GcpMachine), way)


def _machines(site: Site) -> Iterator[Taken]:
    for view in site.of_type(*DRAWING):
        try:
            for draw in draws_of(view):
                yield Taken(draw.quota, draw.amount, region_for(draw.by), draw.by, _project(draw.by))
        except (NotKnown, TypeMismatch):
            continue


def _disks(site: Site) -> Iterator[Taken]:
    """The disks of machines, as many as their pools may reach, and those beside them."""
    for view in site.of_type(*pools.TYPES):
        for pool in machine_pools(view):
            try:
                count = 0 if pool.service else pool.most()
                for disk in disks_of_machine(pool) if count else ():
                    yield from _of_disk(disk, count, view)
            except (NotKnown, TypeMismatch):
                continue
    homes = {region_for(cluster): cluster for cluster in site.of_type(CONTAINER_CLUSTER)}
    for claimed, count in claimed_disks(site) if len(homes) == 1 else ():
        yield from _of_disk(claimed, count, next(iter(homes.values())))
    for view in site.of_type(*DISKS):
        try:
            found = disk_of(view)
        except (NotKnown, TypeMismatch):
            continue
        if found is not None:
            yield from _of_disk(found, 1, view)


def _of_disk(disk: PersistentDisk, count: int, view: View) -> Iterator[Taken]:
    metric = disk_metric(disk.type)
    if metric is not None:
        yield Taken(metric, disk.gb * count, region_for(view), view, _project(view))


def _without_default_network(site: Site) -> frozenset[str]:
    """The projects that the program itself creates without the network called default."""
    created = (each for each in site.of_type(ORGANIZATIONS_PROJECT) if each.given("autoCreateNetwork") is False)
    return frozenset(str(each.given("projectId")) for each in created)


def _project(view: View) -> str:
    return project_for(view.site, view.urn)
