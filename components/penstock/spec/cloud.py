"""Where the platform stands."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from penstock.spec.block import Block, FactKey


class CloudSpec(Block):
    """The cloud, its region, and the account that nothing may be built outside of."""

    provider: Literal["aws", "gcp", "azure", "kubernetes"] = Field(
        description="The cloud; aws and gcp are built today."
    )
    region: FactKey | None = Field(default=None, description="A region of the cloud, such as us-east-1 or us-central1.")
    zones: tuple[str, ...] = Field(default=(), description="Zones to use; by default the first three of the region.")
    account: str | None = Field(
        default=None,
        description="Refuse to run in any other account: its number on AWS; on Google Cloud the id of the project, "
        "which is always given.",
    )
    profile: Literal["generic", "k3s", "dgx", "coreweave", "nebius", "oke"] | None = Field(
        default=None, description="What kind of cluster it is, for provider kubernetes."
    )
