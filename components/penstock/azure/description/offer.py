"""The offer of Azure to a description."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from penstock.azure.description import pools, ranges
from penstock.azure.facts import address_ranges, lustre
from penstock.catalog import limits
from penstock.core.quantities import GIB_PER_TIB
from penstock.description.offer import CloudOffer, LustreOffer, SoldElsewhere, TagForm
from penstock.description.storage import LustreSpec, SharedFilesSpec, tib

_KEY_CHARACTERS = 128
"""Of a key on storage accounts; other resources take 512."""


@cache
def _tags() -> TagForm:
    value = limits.find_limit("tag_value_characters", "azure").most
    return TagForm(
        key=rf"[^<>%&\\?/]{{1,{_KEY_CHARACTERS}}}",
        key_words=rf"1 to {_KEY_CHARACTERS} characters without < > % & \ ? /",
        value=rf".{{0,{value}}}",
        value_words=f"Up to {value} characters",
        most=limits.find_limit("tags", "azure").most,
        added="Azure's",
    )


def _steps(item: LustreSpec) -> lustre.AmlfsSteps:
    return lustre.steps(item.throughput_mbps_per_tib)


def _sold(item: LustreSpec) -> str:
    steps = _steps(item)
    return f"Sold from {tib(steps.minimum)} in steps of {tib(steps.step)}; Azure rounds others up."


def shared_files_gib(item: SharedFilesSpec) -> int:
    """Return the size of a share; by default the smallest on sale."""
    if item.capacity_tib is None:
        return limits.find_limit("premium_share_gib_least", "azure").most
    return math.ceil(item.capacity_tib * GIB_PER_TIB)


OFFER: Final = CloudOffer(
    kubernetes="AKS",
    system_machines=("Standard_D4ds_v5", "Standard_D4s_v5", "Standard_D4ds_v6"),
    plain_machine="Standard_D8ds_v5",
    fabrics=("infiniband",),
    sold_elsewhere=(
        SoldElsewhere(
            capacity="capacity_block",
            seller="AWS",
            hint="On Azure a capacity reservation group holds machines; spot gives them until Azure needs them.",
        ),
        SoldElsewhere(
            capacity="flex_start",
            seller="Google Cloud",
            hint="On Azure a capacity reservation group holds machines; spot gives them until Azure needs them.",
        ),
    ),
    network_sizes=(ranges.SHORTEST_PREFIX, ranges.LONGEST_PREFIX),
    unusable_ranges=lambda: (*address_ranges.reserved(), *address_ranges.aks(), address_ranges.rdma()),
    extended_support=False,  # only in the tier Premium, which clusters are not of
    kept_days=7,  # what is deleted is billed as before, rolling checkpoints too; a week is Azure's own default
    own_fields=(
        (("network", "existing", "pods_range"), None),
        (("network", "existing", "services_range"), None),
        (("cluster", "node_upgrades"), None),
    ),
    own_storage_fields=(("lustre", "importer"), ("nfs", "capacity_tib")),
    zonal_subnets=False,
    private_services=True,
    mounts={"lustre": "azure-managed-lustre", "nfs": "azure-files-nfs"},
    gates_nodes=False,
    runners=False,
    tags=_tags,
    lustre=LustreOffer(service="Azure Managed Lustre", tiers=lustre.tiers, steps=_steps, sold=_sold),
    shared_files_gib=shared_files_gib,
    zone_of=pools.zone_of,
)
