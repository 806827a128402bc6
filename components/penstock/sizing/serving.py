"""A serving plan on one machine type: replicas that answer a load within its latencies. Times in seconds.

A replica reads new prompts between two steps, so that the time between two tokens of a sequence has both.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from penstock.catalog.sizing_assumptions import assumed
from penstock.core.quantities import GIB
from penstock.core.wording import plural
from penstock.sizing.hardware import Hardware, most_accelerators
from penstock.sizing.memory import Memory, serving_memory
from penstock.sizing.refusal import MORE_MEMORY, Refusal, refused_precision
from penstock.sizing.request import ServedLoad, SizingRequest
from penstock.sizing.serving_speed import Replica, fitted_efficiency

_TENSORS = (1, 2, 4, 8, 16)
_BATCHES = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
_FEWEST_MACHINES = 2
"""Machines, and zones, so that one can fail, or be updated, while the other answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingPlan:
    """Replicas of one model on machines of one type.

    Attributes:
        tensor: accelerators of a replica.
        batch: sequences that a replica generates at once.
        token_seconds: between two tokens of one sequence, with the prompts that are read in between, at a full batch.
        load_token_seconds: the same with the sequences of the given load.
        prompt_seconds: to read a mean prompt.
        first_token_seconds: from a request to its first token, without queueing.
        replica_rate: requests that a replica answers in a second, at most.
        bound: what limits generation: bandwidth, computation or exchange.
        maximum_batch: sequences whose caches fit.
    """

    hardware: Hardware
    tensor: int
    batch: int
    replicas: int
    nodes: int
    memory: Memory
    token_seconds: float
    load_token_seconds: float
    prompt_seconds: float
    first_token_seconds: float
    replica_rate: float
    bound: str
    maximum_batch: int

    @property
    def accelerators(self) -> int:
        """Accelerators of all machines, also those that no replica takes."""
        return self.nodes * self.hardware.each


def serving_plan(request: SizingRequest, hardware: Hardware) -> ServingPlan | Refusal:
    """The plan with the fewest machines, or why there is none."""
    traffic = request.traffic
    if traffic is None:
        return Refusal(why="no load is given", fix="Give --requests-per-second.")
    refused = refused_precision(hardware.chip, request.precision, "serve")
    if refused is not None:
        return refused
    found = [
        plan
        for tensor in _TENSORS
        if tensor <= hardware.each and (plan := _replicas(request, traffic, hardware, tensor)) is not None
    ]
    if not found:
        return _why_not(request, traffic, hardware)
    fewest = min(found, key=lambda each: (each.nodes, each.tensor))
    if fewest.accelerators > most_accelerators():
        why = f"needs more than {most_accelerators():,} accelerators, which nobody sells together"
        return Refusal(why=why, fix="Lower the load, or divide it between regions.")
    return fewest


def _why_not(request: SizingRequest, traffic: ServedLoad, hardware: Hardware) -> Refusal:
    held = serving_memory(
        request.shape,
        tensor=hardware.each,
        precision=request.precision,
        sequences=1,
        context=traffic.input_tokens + traffic.output_tokens,
    )
    usable = hardware.usable(trains=False)
    if held.total > usable:
        count = plural(hardware.each, "accelerator")
        why = f"does not fit: {held.total / GIB:.0f} GiB on each of {count}, {usable / GIB:.0f} GiB usable"
        return Refusal(why=why, fix=f"{MORE_MEMORY} --precision fp8 or int4 takes less.")
    alone = [_latencies(_replica(request, hardware, each), traffic, 1) for each in _TENSORS if each <= hardware.each]
    token, first = min(each.token for each in alone), min(each.first for each in alone)
    if token > traffic.token_latency_s:
        return Refusal(
            why="cannot generate a token within the latency",
            fix="Raise --token-latency, or allow more clouds.",
            token_seconds=token,
        )
    return Refusal(
        why="cannot generate the first token in time",
        fix="Raise --first-token, or allow more clouds.",
        first_token_seconds=first,
    )


def _replica(request: SizingRequest, hardware: Hardware, tensor: int) -> Replica:
    return Replica(
        shape=request.shape,
        chip=hardware.chip,
        link=hardware.link,
        tensor=tensor,
        precision=request.precision,
        efficiency=fitted_efficiency(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Latencies:
    """The times that those who ask see, at a batch: to read the prompt, to the first token, and between tokens."""

    prompt: float
    first: float
    token: float
    bound: str

    def meets(self, traffic: ServedLoad) -> bool:
        limit = traffic.first_token_s
        return self.token <= traffic.token_latency_s and (limit is None or self.first <= limit)


def _latencies(replica: Replica, traffic: ServedLoad, batch: int) -> _Latencies:
    prompt = replica.prompt_seconds(traffic.input_tokens)
    step = replica.step(batch, traffic.input_tokens + traffic.output_tokens / 2)
    return _Latencies(
        prompt=prompt,
        first=prompt + step.seconds,
        token=step.seconds + prompt * batch / traffic.output_tokens,
        bound=step.bound,
    )


def _replicas(request: SizingRequest, traffic: ServedLoad, hardware: Hardware, tensor: int) -> ServingPlan | None:
    """The plan with replicas of so many accelerators: the largest batch that fits and is fast enough."""
    best: ServingPlan | None = None
    fitting, usable = 0, hardware.usable(trains=False)
    replica = _replica(request, hardware, tensor)
    for batch in _BATCHES:
        held = serving_memory(
            request.shape,
            tensor=tensor,
            precision=request.precision,
            sequences=batch,
            context=traffic.input_tokens + traffic.output_tokens,
        )
        if held.total > usable:
            break
        fitting = batch
        found = _latencies(replica, traffic, batch)
        if not found.meets(traffic):
            break
        rate = batch / (found.token * traffic.output_tokens)
        count = max(_FEWEST_MACHINES, ceil(traffic.requests_per_second / (rate * assumed("serving_target"))))
        best = ServingPlan(
            hardware=hardware,
            tensor=tensor,
            batch=batch,
            replicas=count,
            nodes=max(_FEWEST_MACHINES, ceil(count / (hardware.each // tensor))),
            memory=held,
            token_seconds=found.token,
            load_token_seconds=_load_token_seconds(replica, traffic, count, batch),
            prompt_seconds=found.prompt,
            first_token_seconds=found.first,
            replica_rate=rate,
            bound=found.bound,
            maximum_batch=fitting,
        )
    return best


def _load_token_seconds(replica: Replica, traffic: ServedLoad, replicas: int, full: int) -> float:
    """The time between two tokens with the fewest sequences at which so many replicas answer the load."""
    wanted = traffic.requests_per_second * traffic.output_tokens / replicas
    for batch in _BATCHES:
        token = _latencies(replica, traffic, batch).token
        if batch >= full or batch / token >= wanted:
            return token
    return token
