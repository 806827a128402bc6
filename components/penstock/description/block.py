"""The base of every block of the description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, StrictBool, StringConstraints

from penstock.graph.source_block import Path, carried

Name = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z](-?[a-z0-9])*$", max_length=40),
    Field(description="Up to 40 lower-case letters, digits and single hyphens between them, starting with a letter."),
]
"""What every cloud accepts as part of a name."""

FactKey = Annotated[str, StringConstraints(max_length=64)]
"""What is looked up in the catalogue: a region, an accelerator, a machine type."""


class SpecBlock(BaseModel):
    """A part of the description: closed to unknown fields, and never changed once read."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class ComponentSpec(SpecBlock):
    """The description of a component: plain data that is valid before anything is created."""

    tags: dict[str, str] = Field(default_factory=dict, description="Tags on every resource of this component.")

    _block_path: Path | None = PrivateAttr(default=None)
    """The path of the block in the description; None for a component that is used alone."""

    def at(self, path: Path) -> Self:
        """Return the block as the one at a path of the description."""
        placed = self.model_copy()
        placed._block_path = path  # noqa: SLF001 - of a copy of its own
        return placed

    def inputs(self, decided_by: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The inputs that a component registers: policies read there what its resources only return later.

        `decided_by` has the fields that decide what the component makes, as `SourceBlock` has them.
        """
        return self.model_dump(mode="json", exclude_none=True) | carried(self._block_path, decided_by or {})


class HoldingSpec(ComponentSpec):
    """The description of a component that holds data, which is lost with the component."""

    protect: StrictBool | None = Field(default=None, description="Deletion protection of data; by default on in prod.")
