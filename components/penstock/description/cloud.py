"""The cloud, region and zones of the platform."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticKnownError

from penstock.core.wording import listed
from penstock.description.block import FactKey, SpecBlock
from penstock.providers import built_providers

ProfileName = Literal["generic", "k3s", "dgx", "coreweave", "nebius", "oke"]
"""The kinds of clusters that exist already; `penstock.kubernetes.facts.profiles` has what they bring."""


def _registered(name: object) -> object:
    """Return the name of a provider that Penstock builds on.

    Raises:
        PydanticKnownError: there is none of that name.
    """
    if name not in built_providers():
        raise PydanticKnownError("literal_error", {"expected": listed(built_providers())})
    return name


def _with_names(schema: dict[str, Any]) -> None:
    schema["enum"] = list(built_providers())


class CloudSpec(SpecBlock):
    """The cloud, its region and zones, and the only account to build in."""

    provider: Annotated[str, BeforeValidator(_registered)] = Field(
        description="aws, gcp, azure, or kubernetes for a cluster that exists.",
        json_schema_extra=_with_names,
    )
    region: FactKey | None = Field(
        default=None, description="A region of the cloud, such as us-east-1, us-central1 or eastus."
    )
    zones: tuple[str, ...] = Field(default=(), description="Zones to use; by default the first three of the region.")
    account: str | None = Field(
        default=None,
        description="The only account to run in: its number on AWS; on Google Cloud the id of the project, "
        "which is required; on Azure the id of the subscription.",
    )
    profile: ProfileName | None = Field(
        default=None, description="Kind of cluster, for provider kubernetes; generic by default."
    )
