"""The block of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from penstock.description.addon_block import AddonBlock
from penstock.description.block import HoldingSpec, Name


class RegistrySpec(AddonBlock, HoldingSpec):
    """Container image repositories, scanned on push."""

    repositories: tuple[Name, ...] = Field(description="A list of names, such as [trainer].")

    def names_once(self) -> Mapping[str, Sequence[str]]:
        """Return the repositories."""
        return {"repositories": self.repositories}
