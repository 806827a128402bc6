"""How long a cloud takes to create what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed, records


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Seconds from the request until the resource can be used. `unverified` names the figures that are a guess."""

    min_s: float
    median_s: float
    p95_s: float
    unverified: tuple[str, ...]
    source: str
    as_of: str


def latency_of(type_: str, variant: str = "") -> Latency:
    """The latency of a resource type, by its Pulumi token and what makes it slower (`accelerated`, `efa`).

    A type that the table does not have takes as long as small resources do.
    """
    table = keyed(Latency, "latencies")
    return table.get(f"{type_} {variant}".strip()) or table.get(type_) or table["*"]


def of_replacing(type_: str, variant: str = "") -> Latency:
    """The latency of one machine that is replaced in a pool of this type.

    That of the pool itself, unless the table has one for its machines (`rolling`): a pool that does not wait for
    them is there sooner.
    """
    table = keyed(Latency, "latencies")
    found = table.get(f"{type_} rolling {variant}".strip()) or table.get(f"{type_} rolling")
    return found or latency_of(type_, variant)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacementStep:
    """Seconds of a step between the stop of a node's pods and their start on another node, beside the machine's own."""

    type: str
    step: str
    median_s: float
    p95_s: float
    unverified: tuple[str, ...]
    source: str
    as_of: str


def replacement_steps(type_: str, *, accelerated: bool) -> tuple[ReplacementStep, ...]:
    """Return the further steps when a node of such a pool is replaced; none for machines that are not nodes."""
    kinds = {type_, f"{type_} accelerated"} if accelerated else {type_}
    return tuple(each for each in records(ReplacementStep, "replacement_steps") if each.type in kinds)


def of_reading() -> Latency:
    """The latency of a look-up of what is already there."""
    return keyed(Latency, "latencies")["* read"]
