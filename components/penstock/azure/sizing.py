"""What sizing needs of Azure."""

from __future__ import annotations

from penstock.azure.facts import lustre
from penstock.sizing.cloud_sizing import CloudSizing, LustreSale, PricedItem

SIZING = CloudSizing(
    bucket=PricedItem("blob", "Standard_ZRS hot"),  # as an account of ours is, where the region has zones
    lustre=LustreSale(price=PricedItem("managed-lustre", "{tier} MB/s/TiB"), tiers=lustre.tiers, steps=lustre.steps),
    system_pool={"nodes": 3},
    system_machines=("Standard_D8ds_v5",),
    names_zones=True,
    account="00000000-0000-0000-0000-000000000000",
    cluster={
        "admins": ["group:11111111-1111-1111-1111-111111111111"],
        "deployer_cidrs": ["203.0.113.0/24"],
    },
)
