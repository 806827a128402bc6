"""The cloud, region and zones of the platform."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticKnownError

from penstock.providers import all_providers, built_providers, provider_named
from penstock.spec.block import FactKey, SpecBlock
from penstock.spec.problems import Problem
from penstock.wording import listed

ProfileName = Literal["generic", "k3s", "dgx", "coreweave", "nebius", "oke"]
"""The kinds of clusters that exist already; `catalog.kubernetes.profiles` has what they bring."""

UNBUILT_CODE = "SPEC-020"
"""One code for all that is not built yet: a description that is refused with it is right, only early."""


def _registered(name: object) -> object:
    """Return the name of a registered provider.

    Raises:
        PydanticKnownError: there is none of that name.
    """
    if not isinstance(name, str) or provider_named(name) is None:
        raise PydanticKnownError("literal_error", {"expected": listed(_names())})
    return name


def _names() -> list[str]:
    return [provider.name for provider in all_providers()]


def _with_names(schema: dict[str, Any]) -> None:
    schema["enum"] = _names()


def not_built(provider: str) -> Problem:
    """Return the problem that Penstock builds on no provider of that name."""
    hint = f"Supported today: {listed(built_providers())}."
    return Problem(("cloud", "provider"), f"Provider {provider} is not supported yet.", hint)


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
