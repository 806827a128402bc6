"""Quotas that a new project has too little of."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog.machines import find_machine
from penstock.catalog.quotas import quota_code
from penstock.preconditions.default_quotas import Taken, beyond_defaults, counted, unlisted_machines
from penstock.preconditions.gcp.places import project_for, region_for
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition
from penstock.resources.verdict import NotKnown, TypeMismatch
from penstock.resources.view import Site
from penstock.rules.gcp.quotas import DRAWING, draws_of

KINDS = Kinds()

_EVERY_GPU = "GPUS_ALL_REGIONS"


@KINDS.kind("gcp-quota", sources=("Cloud Quotas documentation, quota preferences", "Compute Engine quotas"))
def more_than_a_new_project_has(site: Site) -> Iterator[Precondition]:
    """Quotas of which the program can take more than a new project has: GPUs, TPUs, vCPU, addresses, networks."""
    machines = tuple(_machines(site))
    gpus = (Taken(_EVERY_GPU, each.amount, "", each.view) for each in machines if "GPU" in each.code)
    taken = (*machines, *gpus, *counted(site, "gcp", {"region": region_for}))
    for need in beyond_defaults(site, "gcp", taken):
        metric, _, family = need.quota.code.partition(":")
        place = "-per-project-region" if need.quota.place else "-per-project"
        dimensions = [f"region={need.place}"] if need.place else []
        if family:
            dimensions.append(f"{'tpu' if 'TPU' in metric else 'gpu'}_family={family}")
        yield Precondition(
            need.in_words("project"),
            "Google Cloud refuses what is beyond the quota, and an increase may take days.",
            f"gcloud beta quotas preferences create --service={need.quota.service} "
            f"--quota-id={metric.replace('_', '-')}{place} --preferred-value={need.amount} "
            + (f"--dimensions={','.join(dimensions)} " if dimensions else "")
            + f"--project={project_for(site, need.urn)}",
            need.urn,
        )


@KINDS.kind("gcp-quota-unlisted", sources=("Compute Engine quotas",))
def machines_of_quotas_without_a_code(site: Site) -> Iterator[Precondition]:
    """Quotas of machines with accelerators whose metrics are not known, such as those of new families on spot."""
    return unlisted_machines(site, "gcp", _code, region_for)


def _code(name: str, way: str) -> str | None:
    return quota_code(find_machine(name, "gcp"), way)


def _machines(site: Site) -> Iterator[Taken]:
    for view in site.of_type(*DRAWING):
        try:
            for draw in draws_of(view):
                yield Taken(draw.quota, draw.amount, region_for(draw.by), draw.by)
        except (NotKnown, TypeMismatch):
            continue
