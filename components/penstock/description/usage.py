"""The declared usage of a stack, `penstock:usage`: what no program says and a bill depends on.

config:
  penstock:usage:
    storage: {datasets: {gb: 40000, reads: 2000000}, checkpoints: {gb: {low: 5000, expected: 8000, high: 20000}}}
    network: {egress_gb: 500, cross_zone_gb: 2000}
    logs: {logs: {gb: 120}}
    services: {events: {operations: 8000000}}
    pools: {batch: {nodes: 4, hours: 200, interruptions_per_week: 3}}
    jobs: {pretrain: {pool: train, nodes: 16, hours: 300}}

All amounts are of a month. What is not declared is not known, and never counts as nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from pydantic import Field, GetJsonSchemaHandler, ValidationError, model_validator
from pydantic_core import CoreSchema, PydanticCustomError

from penstock.catalog.prices import HOURS_A_MONTH
from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding
from penstock.description.block import SpecBlock
from penstock.description.codes import Code
from penstock.description.own_keys import USAGE
from penstock.description.positions import Path, Place, written
from penstock.description.problems import Coded, Problem, finding

_ROUNDING = 1e-6

Number = Annotated[float, Field(ge=0, le=1e15, strict=True)]
Share = Annotated[float, Field(ge=0, le=1, strict=True)]


class UsageAmount(SpecBlock):
    """An amount of a month: `500`, or `{low: 300, expected: 500, high: 900}`."""

    low: Number = Field(description="The least.")
    expected: Number = Field(description="The likely amount.")
    high: Number = Field(description="The most.")

    @model_validator(mode="before")
    @classmethod
    def _a_number_is_certain(cls, value: Any) -> Any:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return {"low": value, "expected": value, "high": value}
        if not isinstance(value, dict | UsageAmount):
            raise PydanticCustomError("amount_type", "neither a number nor bounds")
        return value

    @model_validator(mode="after")
    def _bounds_are_in_order(self) -> Self:
        if not self.low <= self.expected <= self.high:
            raise PydanticCustomError("amount_order", "low, expected and high are not in this order")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        bounds = handler.resolve_ref_schema(handler(core))
        return {"anyOf": [{"type": "number", "minimum": 0}, bounds], "description": bounds.pop("description")}


class StorageUsage(SpecBlock):
    """What a bucket, a file share, a registry or a database holds, and the requests to it."""

    gb: UsageAmount | None = Field(default=None, description="GB stored, without old versions.")
    old_versions_gb: UsageAmount | None = Field(
        default=None, description="GB of overwritten versions that versioning keeps."
    )
    deleted_gb: UsageAmount | None = Field(default=None, description="GB of deleted data that soft delete keeps.")
    backup_gb: UsageAmount | None = Field(default=None, description="GB of backups and snapshots.")
    reads: UsageAmount | None = Field(default=None, description="Requests that read.")
    writes: UsageAmount | None = Field(default=None, description="Requests that write or list.")


class NetworkUsage(SpecBlock):
    """Traffic that is paid for."""

    egress_gb: UsageAmount | None = Field(default=None, description="GB out to the internet.")
    cross_zone_gb: UsageAmount | None = Field(default=None, description="GB between zones of the region.")
    cross_region_gb: UsageAmount | None = Field(default=None, description="GB to other regions of the cloud.")
    nat_gb: UsageAmount | None = Field(default=None, description="GB through NAT gateways, both ways.")
    endpoint_gb: UsageAmount | None = Field(default=None, description="GB through private endpoints.")


class LogUsage(SpecBlock):
    """What a log takes in and keeps."""

    gb: UsageAmount | None = Field(default=None, description="GB written.")
    kept_gb: UsageAmount | None = Field(default=None, description="GB kept.")


class RequestUsage(SpecBlock):
    """Requests to a key, a secret or a load balancer."""

    requests: UsageAmount | None = Field(default=None, description="Requests.")
    capacity_units: UsageAmount | None = Field(
        default=None, description="Capacity units of a load balancer, on average over the month."
    )


class PoolUsage(SpecBlock):
    """How a node pool runs, and how its machines are bought."""

    nodes: UsageAmount | None = Field(
        default=None, description="Nodes that run; by default from min, as started, to max."
    )
    hours: Annotated[float, Field(ge=0, le=HOURS_A_MONTH, strict=True)] = Field(
        default=HOURS_A_MONTH, description="Hours of the month that they run, of 730; what is reserved is paid always."
    )
    reserved: Share | None = Field(default=None, description="Share of the nodes that is reserved or committed to.")
    spot: Share | None = Field(default=None, description="Share of the nodes that is spot.")
    on_demand: Share | None = Field(default=None, description="Share of the nodes that is bought on demand.")
    commitment: Literal["none", "1y", "3y"] = Field(
        default="none", description="Term of the commitment behind the reserved share."
    )
    discount: Share | None = Field(
        default=None, description="Discount of the commitment as a share, such as 0.37, where you know your own."
    )
    interruptions_per_week: Number = Field(default=0, description="Interruptions of a spot node in a week of running.")
    checkpoint_minutes: Annotated[float, Field(gt=0, le=1440, strict=True)] = Field(
        default=1, description="Minutes that writing a checkpoint takes."
    )
    restart_minutes: Annotated[float, Field(ge=0, le=1440, strict=True)] = Field(
        default=10, description="Minutes from an interruption until the job computes again."
    )

    @property
    def shares(self) -> tuple[float, float, float] | None:
        """The shares of reserved, spot and on-demand nodes; None where none is declared."""
        given = (self.reserved, self.spot, self.on_demand)
        return None if given == (None, None, None) else (given[0] or 0.0, given[1] or 0.0, given[2] or 0.0)

    @model_validator(mode="after")
    def _shares_are_the_whole(self) -> Self:
        if self.shares is not None and abs(sum(self.shares) - 1) > _ROUNDING:
            raise PydanticCustomError("shares_sum", "reserved, spot and on_demand do not add up to 1")
        return self


class JobUsage(SpecBlock):
    """A job whose cost is of interest: the nodes of one pool for some hours, its data and its egress."""

    pool: str = Field(description="Name of the node pool.")
    nodes: Annotated[int, Field(ge=1, strict=True)] = Field(description="Nodes that it takes.")
    hours: Annotated[float, Field(gt=0, le=1e6, strict=True)] = Field(description="Hours from its start to its end.")
    storage: dict[str, Number] = Field(
        default_factory=dict, description="GB that it keeps while it runs, by the name of the storage."
    )
    egress_gb: Number = Field(default=0, description="GB that it sends to the internet.")


class Usage(SpecBlock):
    """What a month uses: declared by people, because no program says it."""

    storage: dict[str, StorageUsage] = Field(
        default_factory=dict, description="By name of the storage in the description, or of the resource."
    )
    network: NetworkUsage = Field(default=NetworkUsage(), description="Traffic that is paid for.")
    logs: dict[str, LogUsage] = Field(default_factory=dict, description="By name of the log group or workspace.")
    requests: dict[str, RequestUsage] = Field(
        default_factory=dict, description="By name of the key, secret or load balancer."
    )
    services: dict[str, dict[str, UsageAmount]] = Field(
        default_factory=dict,
        description="By name of a resource: amounts that its service bills by use, as a bill names them.",
    )
    volumes_gb: UsageAmount | None = Field(default=None, description="GB of the volumes that pods claim.")
    snapshots_gb: UsageAmount | None = Field(default=None, description="GB of snapshots of volumes.")
    pools: dict[str, PoolUsage] = Field(default_factory=dict, description="By name of the node pool.")
    jobs: dict[str, JobUsage] = Field(default_factory=dict, description="By a name of your own.")


def parse_usage(block: Any, file: str | None = None, places: Mapping[Path, Place] | None = None) -> Usage:
    """Return the declared usage; `file` and `places` give findings their lines.

    Raises:
        InvalidDescription: something of it has no right form; carries every finding.
    """
    if not isinstance(block, Mapping):
        hint = "Such as {storage: {datasets: {gb: 40000}}, network: {egress_gb: 500}}."
        raise InvalidDescription(
            [_placed(Code.WRONG_KIND, Problem((), "Usage is a block of fields.", hint), file, places)]
        )
    try:
        found = Usage.model_validate(block)
    except ValidationError as error:
        from penstock.description import type_mismatches  # only a mistake needs it

        problems = list(dict.fromkeys(type_mismatches.problems(error, block, Usage)))
        raise InvalidDescription([_placed(code, problem, file, places) for code, problem in problems]) from None
    problems = list(_dangling(found))
    if problems:
        raise InvalidDescription([_placed(code, problem, file, places) for code, problem in problems])
    return found


def _dangling(usage: Usage) -> Iterator[Coded]:
    """Jobs on storage that nobody declared."""
    for name, job in usage.jobs.items():
        for storage in job.storage:
            if storage not in usage.storage:
                message = f"{storage!r} is not declared below storage."
                known = ", ".join(usage.storage) or "nothing"
                yield Code.UNKNOWN_WORD, Problem(("jobs", name, "storage", storage), message, f"Declared: {known}.")


def _placed(code: str, problem: Problem, file: str | None, places: Mapping[Path, Place] | None) -> Finding:
    path = ("config", USAGE, *problem.path)
    known = places or {}
    place = next((known[path[:end]] for end in range(len(path), 1, -1) if path[:end] in known), None)
    below = written(problem.path)
    return replace(finding(code, problem, file if place else None, place), path=f"{USAGE}.{below}" if below else USAGE)
