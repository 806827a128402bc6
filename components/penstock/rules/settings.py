"""Configuration of rules: the packs of policies in force, levels, parameters and waivers.

A stack file holds it below `penstock:policies`, for any program; what a description of ours says of itself
(`environment`, `compliance`, `waivers`, `budget.max_accelerators`) counts, too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from penstock.rules.levels import Enforcement, RuleSeverity, UndeterminedLevel
from penstock.rules.waivers import Origin, Waiver

KEY: Final = "penstock:policies"
DESCRIPTION: Final = "penstock:platform"

Framework = Literal["hipaa", "gdpr", "soc2", "pci", "iso27001"]
Pack = Literal["baseline", "strict", "regulated", "hipaa", "gdpr", "soc2", "pci", "iso27001", "cost", "sovereign"]
FRAMEWORKS: Final[tuple[Framework, ...]] = get_args(Framework)
"""The frameworks, each of which is also a pack."""

Residency = Annotated[str, Field(pattern="^[a-z]{2}$", description="eu, or the ISO 3166 code of a country: us, gb.")]


class _Block(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Parameters(_Block):
    """The figures and lists that rules hold resources to; those that name none by default ask for nothing then."""

    required_tags: tuple[str, ...] = Field(default=("environment", "owner"), description="Keys of tags on everything.")
    allowed_regions: tuple[str, ...] = Field(default=(), description="Where anything may lie; residency adds its own.")
    public_ports: tuple[Annotated[int, Field(ge=0, le=65535)], ...] = Field(
        default=(80, 443), description="Ports that may be open to the whole internet."
    )
    public_load_balancers: bool = Field(default=False, description="Whether load balancers may face the internet.")
    allowed_machine_types: tuple[str, ...] = Field(default=(), description="The machine types that may be used.")
    allowed_registries: tuple[str, ...] = Field(default=(), description="Where images may come from: nvcr.io, ….")
    max_accelerators: Annotated[int, Field(ge=0)] | None = Field(default=None, description="Of all pools together.")
    max_tpu_chips: Annotated[int, Field(ge=0)] | None = Field(default=None, description="Of all slices together.")
    max_file_system_tib: Annotated[float, Field(ge=0)] | None = Field(default=None, description="Of one Lustre.")
    permissions_boundary: bool = Field(default=False, description="Whether each IAM role needs a boundary.")
    confidential_nodes: bool = Field(default=False, description="Whether nodes must encrypt their memory.")
    encrypted_pod_traffic: bool = Field(default=False, description="Whether nodes must encrypt what pods send.")
    fips: bool = Field(default=False, description="Whether nodes must use cryptography validated by FIPS 140.")
    log_retention_days: Annotated[int, Field(ge=1)] = Field(default=90, description="How long logs stay at least.")
    backup_retention_days: Annotated[int, Field(ge=1)] = Field(default=7, description="How long backups stay at least.")


class Settings(_Block):
    """The enabled policy packs, levels, parameters and waivers."""

    packs: tuple[Pack, ...] = Field(default=("baseline",), description="The enabled policy packs.")
    frameworks: tuple[Framework, ...] = Field(
        default=(), description="Frameworks to report on, by control; each enables the pack of its name."
    )
    residency: Residency | None = Field(default=None, description="Where data stays; enables the pack sovereign.")
    environment: Literal["dev", "staging", "prod"] | None = Field(
        default=None, description="In prod more rules apply; without one what is for prod only does not apply."
    )
    enforcement: Mapping[RuleSeverity, Enforcement] = Field(
        default_factory=dict,
        description="Of policies by severity; without it the packs decide.",
    )
    rules: Mapping[str, Enforcement] = Field(
        default_factory=dict,
        description="By rule or category (`provider` for all provider rules); wins, and enables what no pack does.",
    )
    unknown: UndeterminedLevel = Field(
        default=UndeterminedLevel.COUNTED, description="What an undetermined policy does."
    )
    parameters: Parameters = Parameters()
    waivers: tuple[Waiver, ...] = Field(
        default=(),
        description="What may be broken where, why, and until when.",
    )

    def written_in(self, file: str) -> Settings:
        """The same settings, as if a file of that name had them: those of another revision have no lines in it."""
        waivers = (
            each if each.origin is None else each.written_at(Origin(each.origin.path, file)) for each in self.waivers
        )
        return self.model_copy(update={"waivers": tuple(waivers)})


def declared(config: Mapping[str, str]) -> dict[str, Any]:
    """The settings of a stack's configuration as plain data: `penstock:policies`, and what a description adds to it.

    Nothing is judged yet. A value that is not JSON stays a text, which `Settings` then refuses.
    """
    block = own(config)
    if not isinstance(block, Mapping):
        return {KEY: block}
    return _described(_object(config.get(DESCRIPTION)), dict(block))


def own(config: Mapping[str, str]) -> Any:
    """Return the settings of `penstock:policies` by itself."""
    return _object(config.get(KEY))


def _described(description: Any, block: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(description, Mapping):
        return block
    compliance, budget = (_block(description, key) for key in ("compliance", "budget"))
    added = {
        "environment": description.get("environment"),
        "frameworks": compliance.get("frameworks"),
        "residency": compliance.get("residency"),
    }
    merged = {**{key: value for key, value in added.items() if value}, **block}
    enforcement = block.get("enforcement", {})
    if description and merged.get("environment") == "prod" and isinstance(enforcement, Mapping):
        merged["enforcement"] = {"high": "mandatory", **enforcement}
    mine, others = block.get("waivers", []), description.get("waivers")
    if isinstance(mine, list) and isinstance(others, list):
        merged["waivers"] = [*mine, *others]
    most = budget.get("max_accelerators")
    parameters = block.get("parameters", {})
    if most is not None and isinstance(parameters, Mapping):
        merged["parameters"] = {"max_accelerators": most, **parameters}
    return merged


def _block(description: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A part of a description, which may not have been judged yet."""
    found = description.get(key)
    return found if isinstance(found, Mapping) else {}


def _object(text: str | None) -> Any:
    if text is None:
        return {}
    try:
        return json.loads(text)
    except ValueError:
        return text
