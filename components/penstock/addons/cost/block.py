"""What teams use, in money."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from penstock.description.addon_block import AddonBlock
from penstock.description.block import ComponentSpec


class CostSpec(AddonBlock, ComponentSpec):
    """Cost by team, queue and pool."""

    accelerator_hour_usd: Annotated[float, Field(gt=0, strict=True)] | None = Field(
        default=None,
        description="Price of one accelerator for an hour, in USD: on clusters that no cloud sells.",
    )
