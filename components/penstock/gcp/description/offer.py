"""The offer of Google Cloud to a description."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from penstock.catalog import limits
from penstock.core.errors import UnknownFact
from penstock.description.node_pool import NodePoolSpec
from penstock.description.offer import CloudOffer, LustreOffer, SoldElsewhere, TagForm
from penstock.description.storage import LustreSpec, SharedFilesSpec, filestore_gib, tib
from penstock.gcp.description import pools, ranges
from penstock.gcp.facts import address_ranges, filestore, lustre

_LABEL_CHARACTERS = "lower-case letters, digits, '-' and '_'"


@cache
def _tags() -> TagForm:
    key, value = (limits.find_limit(f"label_{part}_characters", "gcp").most for part in ("key", "value"))
    return TagForm(
        key=rf"[a-z][a-z0-9_-]{{0,{key - 1}}}",
        key_words=f"1 to {key} {_LABEL_CHARACTERS}, a letter first",
        value=rf"[a-z0-9_-]{{0,{value}}}",
        value_words=f"Up to {value} {_LABEL_CHARACTERS}",
        most=limits.find_limit("labels", "gcp").most,
        added="Pulumi's",
    )


def _steps(item: LustreSpec) -> lustre.ManagedLustreSteps:
    return lustre.steps(item.throughput_mbps_per_tib)


def _sold(item: LustreSpec) -> str:
    steps = _steps(item)
    sold = f"Sold from {tib(steps.minimum)} in steps of {tib(steps.step)}"
    if steps.threshold is not None and steps.large_step is not None:
        sold += f", beyond {tib(steps.threshold)} of {tib(steps.large_step)}"
    return f"{sold}, to {tib(steps.maximum)}."


def _zone_of(pool: NodePoolSpec, zones: Sequence[str]) -> str | None:
    """Return the one zone of a pool, where the catalogue has the slice that it asks for."""
    try:
        pools.slice_(pool)
    except UnknownFact:
        return None
    return pools.zone_of(pool, zones)


def shared_files_gib(item: SharedFilesSpec) -> int:
    """Return the size of a Filestore; by default the smallest of its tier."""
    if item.capacity_tib is None:
        return filestore.find_tier(item.tier.upper()).minimum_gib
    return filestore_gib(item.capacity_tib)


_REACHED = (".pkg.dev", "gcr.io")
"""Registries that private nodes reach (GKE documentation, Private Google Access)."""

OFFER: Final = CloudOffer(
    kubernetes="GKE",
    system_machines=("e2-standard-4", "n2-standard-4", "n4-standard-4"),
    plain_machine="e2-standard-8",
    fabrics=("tcpx", "tcpxo", "rdma"),
    public_registries=_REACHED,
    sold_elsewhere=(
        SoldElsewhere(
            capacity="capacity_block",
            seller="AWS",
            hint="On Google Cloud flex_start gives machines for days; a reservation holds them for longer.",
        ),
    ),
    network_sizes=(ranges.SHORTEST_PREFIX, ranges.LONGEST_PREFIX),
    unusable_ranges=address_ranges.reserved,
    access="dns",
    kept_days=7,  # all of them are billed as before, rolling checkpoints too; a week is Google's own default
    own_fields=(
        (("network", "existing", "pods_range"), None),
        (("network", "existing", "services_range"), None),
        (("cluster", "access"), "dns"),
        (("cluster", "node_upgrades"), None),
    ),
    own_storage_fields=(("nfs", "capacity_tib"), ("nfs", "tier")),
    mounts={"bucket": "gcsfuse-hierarchical", "lustre": "managed-lustre", "nfs": "filestore"},
    zonal_subnets=False,
    private_services=True,
    tags=_tags,
    lustre=LustreOffer(service="Managed Lustre", tiers=lustre.tiers, steps=_steps, sold=_sold),
    shared_files_gib=shared_files_gib,
    zone_of=_zone_of,
)
