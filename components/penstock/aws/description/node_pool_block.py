"""The settings of a node pool for AWS only."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from penstock.description.block import FactKey, SpecBlock


class AwsNodePool(SpecBlock):
    """Settings for AWS only."""

    ami_type: FactKey | None = Field(default=None, description="EKS AMI type; by default that of the machine type.")
    efa_interfaces: Literal["ip_optimized", "bandwidth_optimized"] = Field(
        default="ip_optimized",
        description="One IP address per node, or one per network card that carries IP traffic beside EFA.",
    )
    release: Annotated[str, StringConstraints(pattern=r"^1\.\d{2}\.\d+-\d{8}$")] | None = Field(
        default=None,
        description="Release of the EKS image, such as 1.35.2-20261105; by default the newest, whenever EKS creates "
        "or replaces the machines.",
    )


def own_settings(pool: SpecBlock) -> AwsNodePool:
    """Return the settings of a node pool for AWS only."""
    return next(value for _, value in pool if isinstance(value, AwsNodePool))


BLOCK: Final = AwsNodePool
