"""Where AWS keeps the images of its own Kubernetes software."""

from __future__ import annotations

from penstock.catalog import regions
from penstock.catalog.tables import rows, unknown


def host(region: str) -> str:
    """The registry of EKS in a region: a closed network reaches only that of its own region.

    Raises:
        UnknownFact: no registry is known for that region.
    """
    accounts = {row["region"]: row["account"] for row in rows("aws/image_registries")}
    if region not in accounts:
        raise unknown("region with a registry of EKS", region, accounts)
    return f"{accounts[region]}.dkr.ecr.{region}.{regions.find_region(region, 'aws').dns_suffix}"
