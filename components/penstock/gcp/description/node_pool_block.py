"""The settings of a node pool for Google Cloud only."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, StrictBool

from penstock.description.block import SpecBlock


class GcpNodePool(SpecBlock):
    """Settings for Google Cloud only."""

    networking: Literal["auto", "multi_network", "dranet"] = Field(
        default="auto",
        description="How pods get the fabric's interfaces: by networks that Penstock creates, or by GKE's DRANET; auto "
        "is Google's recommendation for the machine type.",
    )
    queued: StrictBool = Field(
        default=False, description="With flex_start: queue until all machines can start together."
    )
    max_run_hours: Annotated[int, Field(ge=1, strict=True)] | None = Field(
        default=None, description="With flex_start: maximum run time of a machine in hours, at most seven days."
    )
    host_maintenance: Literal["as_needed", "periodic"] | None = Field(
        default=None, description="Host maintenance policy; that of the reservation, where there is one."
    )
    local_ssds: Annotated[int, Field(ge=0, strict=True)] | None = Field(
        default=None, description="Number of local SSDs for ephemeral storage, where the machine type allows a choice."
    )


def own_settings(pool: SpecBlock) -> GcpNodePool:
    """Return the settings of a node pool for Google Cloud only."""
    return next(value for _, value in pool if isinstance(value, GcpNodePool))


BLOCK: Final = GcpNodePool
