"""How long a cloud takes to create what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import keyed, record_of_type, records_of_type


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
    found = record_of_type(Latency, "latencies", f"{type_} {variant}".strip())
    return found or record_of_type(Latency, "latencies", type_) or keyed(Latency, "latencies")["*"]


def of_replacing(type_: str, variant: str = "") -> Latency:
    """The latency of one machine that is replaced in a pool of this type.

    That of the pool itself, unless the table has one for its machines (`rolling`): a pool that does not wait for
    them is there sooner.
    """
    found = record_of_type(Latency, "latencies", f"{type_} rolling {variant}".strip())
    return found or record_of_type(Latency, "latencies", f"{type_} rolling") or latency_of(type_, variant)


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
    return tuple(each for each in records_of_type(ReplacementStep, "replacement_steps", type_) if each.type in kinds)


def of_reading() -> Latency:
    """The latency of a look-up of what is already there."""
    return keyed(Latency, "latencies")["* read"]
