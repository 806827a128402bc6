"""Networks without a way out, whose nodes pull images from registries of the platform alone."""

from __future__ import annotations

from penstock.catalog import regions
from penstock.providers import built_clouds
from penstock.spec.platform import Spec, full_name


def is_closed(spec: Spec) -> bool:
    """Return whether nothing leads out of the network that the platform creates."""
    network = spec.network
    return spec.cloud.provider in built_clouds() and network.existing is None and network.egress != "nat"


def has_own_mirror(spec: Spec) -> bool:
    """Return whether the platform creates repositories for public images: on AWS, where no registry is named."""
    return spec.cloud.provider == "aws" and is_closed(spec) and spec.network.image_mirror is None


def own_mirror(spec: Spec) -> str | None:
    """The registry and path of these repositories; None where there are none, or the account is not described."""
    if not has_own_mirror(spec) or spec.cloud.account is None or spec.cloud.region is None:
        return None
    suffix = regions.find_region(spec.cloud.region, "aws").dns_suffix
    return f"{spec.cloud.account}.dkr.ecr.{spec.cloud.region}.{suffix}/{full_name(spec, 'mirror')}"
