"""Rules on zones: which of them sell the machines and TPUs that are to start there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from penstock.catalog import machine_zones
from penstock.core.wording import inflect, listed
from penstock.gcp.model import places
from penstock.gcp.model.gce import machine_named
from penstock.gcp.model.gke import GkePool, ProvisionedPool
from penstock.gcp.model.pools import read_pools
from penstock.gcp.rules import nodes
from penstock.gcp.types import (
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_GROUP_MANAGER,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER,
    COMPUTE_RESERVATION,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    TPU_V2_VM,
    WORKBENCH_INSTANCE,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, fail
from penstock.graph.view import View
from penstock.model.pools.pool import MachinePool
from penstock.rules.levels import HIGH, LOW, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_TPU = re.compile(r"(?P<version>v\d+[a-z]*|tpu7x)-\d+")
_MACHINES_OF_TPUS = {
    "v4": "ct4p-hightpu-4t",
    "v5litepod": "ct5lp-hightpu-4t",
    "v5p": "ct5p-hightpu-4t",
    "v6e": "ct6e-standard-4t",
    "tpu7x": "tpu7x-standard-4t",
}
"""The machines of each version of TPU, by its name in accelerator types (Cloud TPU documentation, TPU versions)."""


_SHAPES_OF_CHOICE = ("ANY", "ANY_SINGLE_ZONE")
"""Shapes of a group that need not start machines in each zone: the provider tests A3 so, in a zone without A3."""

_STARTERS = (
    CONTAINER_NODE_POOL,
    CONTAINER_CLUSTER,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_GROUP_MANAGER,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER,
    WORKBENCH_INSTANCE,
    COMPUTE_RESERVATION,
)


@dataclass(frozen=True, slots=True)
class _Start:
    """Machines that are to start: their type and zones, and where to change one or the other.

    Google may choose among the zones: one that sells the machines is then enough.
    """

    machine_type: str
    zones: Sequence[str] | None
    path: str
    holder: View
    google_chooses: bool = False


def _starts(view: View) -> Iterator[_Start]:
    if view.type == COMPUTE_RESERVATION:
        for starter in nodes.starters(view):
            yield _Start(starter.name or "", [places.place(view)], "zone", view)
        return
    for pool in read_pools(view):
        if not isinstance(pool, ProvisionedPool):
            path = _zones_path(pool)
            for named in pool.machine_types():
                holder = pool.view if path else named.holder
                yield _Start(named.name, _zones(pool, named.name), path or named.path, holder, _google_chooses(view))


@RULES.rule(
    on=_STARTERS,
    each_of=_starts,
    severity=HIGH,
    rationale=(
        "A region seldom sells accelerators in all of its zones: GKE answers that the accelerator type does not exist "
        "in the zone, and Compute Engine that it finds no such machine type."
    ),
    fix="Set nodeLocations (zone of a machine, distributionPolicyZones of a group) to zones that sell the type.",
    joins=True,
    sources=(
        "machine types by zone of the Compute Engine API (catalogue, gcp_machine_zones)",
        "GKE, 400: Accelerator type does not exist in zone (kubernetes-engine-samples issue 1738)",
    ),
)
def gcp_machine_type_zone(start: _Start) -> Verdict:
    """Each zone in which machines are to start sells their machine type."""
    if machine_named(start.machine_type) is None:
        return NOT_APPLICABLE
    if start.zones is None:  # Google chooses among the zones of the region
        raise NotKnown
    return _judged(start.machine_type, start)


@RULES.rule(
    on=_STARTERS,
    each_of=_starts,
    severity=LOW,
    rationale=(
        "Of some types, such as G4 and A4X, no whole list of zones is known here. Others may sell them; in a zone that "
        "does not, GKE answers that the accelerator type does not exist."
    ),
    fix="Look whether the zone sells the type: gcloud compute machine-types list --zones=ZONE --filter=name=TYPE.",
    joins=True,
    sources=("[?] tables of GPU types by zone (catalogue, gcp_zones_seen)",),
)
def gcp_machine_type_zone_unlisted(start: _Start) -> Verdict:
    """Machines of a type without a whole list of zones start in zones that are known to sell it."""
    zones = start.zones or ()
    region = places.region_of(zones[0]) if zones else None
    seen = machine_zones.zones_seen(start.machine_type, region or "", "gcp")
    if not seen:
        return NOT_APPLICABLE
    strange = [zone for zone in zones if zone not in seen]
    return allow(
        not strange,
        f"whether {listed(strange)} sells {start.machine_type} is not known",
        hint=f"In {region} {listed(seen)} {inflect(len(seen), 'is', 'are')} known to sell it.",
        path=start.path,
    )


@RULES.rule(
    on=TPU_V2_VM,
    severity=HIGH,
    rationale="Cloud TPU creates no slice in a zone without TPUs of that version.",
    fix="Set zone to one that has the version of acceleratorType, such as us-central1-b for v6e.",
    sources=("Cloud TPU documentation, TPU regions and zones (catalogue, gcp_machine_zones)",),
)
def gcp_tpu_zone(view: View) -> Verdict:
    """The zone of a TPU VM has TPUs of its version."""
    written = view.text("acceleratorType")
    named = _TPU.fullmatch(written or "")
    machine_type = _MACHINES_OF_TPUS.get(named["version"]) if named is not None else None
    if machine_type is None:
        return NOT_APPLICABLE
    return _judged(written or "", _Start(machine_type, [places.place(view)], "zone", view))


def _google_chooses(view: View) -> bool:
    """Return whether Google places the machines of a group in those of its zones that have room for them."""
    return (
        view.type == COMPUTE_REGION_INSTANCE_GROUP_MANAGER
        and view.text("distributionPolicyTargetShape") in _SHAPES_OF_CHOICE
    )


def _zones(pool: MachinePool, machine_type: str) -> Sequence[str] | None:
    """The zones of a pool; of no interest, and so none, for machines that the catalogue does not know."""
    return pool.zones() if machine_named(machine_type) is not None else ()


def _zones_path(pool: MachinePool) -> str:
    """The path of a pool's own zones; empty for one that inherits them."""
    if isinstance(pool, GkePool):
        return pool.block.at("nodeLocations") if "nodeLocations" in pool.block else ""
    return next((key for key in ("distributionPolicyZones", "zone") if key in pool.view), "")


def _judged(shown: str, start: _Start) -> Verdict:
    """The verdict on machines, or a TPU of the name that is `shown`, in each of their zones."""
    zones = start.zones or ()
    sold = {zone: machine_zones.is_sold(start.machine_type, zone, "gcp") for zone in zones}
    lacking = [zone for zone, found in sold.items() if found is False]
    if lacking and not (start.google_chooses and len(lacking) < len(sold)):
        region = places.region_of(lacking[0]) or lacking[0]
        selling = machine_zones.zones_selling(start.machine_type, region, "gcp")
        hint = f"In {region} {listed(selling)} {inflect(len(selling), 'sells', 'sell')} it."
        return fail(f"{shown} is not sold in {listed(lacking)}", hint=hint, path=start.path, urn=start.holder.urn)
    if None in sold.values():
        raise NotKnown
    return PASS
