"""What sizing needs of AWS."""

from __future__ import annotations

from penstock.aws.facts import lustre
from penstock.sizing.cloud_sizing import CloudSizing, LustreSale, PricedItem

SIZING = CloudSizing(
    bucket=PricedItem("s3", "standard storage first 50 TB"),
    lustre=LustreSale(
        price=PricedItem("fsx-lustre", "persistent2 ssd {tier} MB/s/TiB"), tiers=lustre.tiers, steps=lustre.steps
    ),
    system_pool={"nodes": {"min": 2, "max": 6}},
    system_machines=("m7i.2xlarge", "m6i.2xlarge"),
    account="123456789012",
    cluster={"deployer_cidrs": ["203.0.113.0/24"], "admins": ["arn:aws:iam::123456789012:role/platform"]},
    reservations={"capacity_block": "cr-0123456789abcdef0"},
)
