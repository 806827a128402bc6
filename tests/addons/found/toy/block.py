"""The block of the toy add-on."""

from __future__ import annotations

from pydantic import Field

from penstock.description.addon_block import AddonBlock


class ToySpec(AddonBlock):
    """Wooden blocks."""

    blocks: int = Field(default=1, description="Number of blocks.")
