"""A serving plan on one machine type: replicas that answer a load within a latency. Times in seconds.

Generating text reads all weights and caches for each token of each sequence of the batch (a roofline of bandwidth and
computation); reading a prompt is computation alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from penstock.catalog.sizing_assumptions import assumed
from penstock.economics.sizing.hardware import Hardware, most_accelerators
from penstock.economics.sizing.memory import GB, GIB, WEIGHT_BYTES, Memory, cache_bytes_per_token, serving_memory
from penstock.economics.sizing.refusal import MORE_MEMORY, WITH_FP8, Refusal
from penstock.economics.sizing.request import ServedLoad, SizingRequest

_TENSORS = (1, 2, 4, 8, 16)
_BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
_FEWEST_REPLICAS = 2
"""So that one can fail, or be updated, while the other answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingPlan:
    """Replicas of one model on machines of one type.

    Attributes:
        tensor: accelerators of a replica.
        batch: sequences that a replica generates at once.
        token_seconds: between two tokens of one sequence.
        prompt_seconds: to read a mean prompt, before the first token.
        replica_rate: requests that a replica answers in a second, at most.
        bound: what limits generation: bandwidth or computation.
        maximum_batch: sequences whose caches fit.
    """

    hardware: Hardware
    tensor: int
    batch: int
    replicas: int
    nodes: int
    memory: Memory
    token_seconds: float
    prompt_seconds: float
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
    if request.fp8 and hardware.chip.fp8_tflops is None:
        return Refusal(why="has no FP8", fix=WITH_FP8)
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
        request.shape, tensor=hardware.each, precision=request.precision, sequences=1, context=_context(request)
    )
    usable = hardware.usable(trains=False)
    if held.total > usable:
        count = f"{hardware.each} accelerators" if hardware.each > 1 else "1 accelerator"
        why = f"does not fit: {held.total / GIB:.0f} GiB on each of {count}, {usable / GIB:.0f} GiB usable"
        return Refusal(why=why, fix=f"{MORE_MEMORY} --precision fp8 or int4 takes less.")
    return Refusal(
        why="cannot generate a token within the latency",
        fix="Raise --token-latency, or allow more clouds.",
        token_seconds=_token_seconds(request, traffic, hardware, _widest(hardware), batch=1)[0],
    )


def _widest(hardware: Hardware) -> int:
    """The accelerators of the largest replica in one machine, which is the fastest."""
    return max(each for each in _TENSORS if each <= hardware.each)


def _context(request: SizingRequest) -> int:
    traffic = request.traffic
    return traffic.input_tokens + traffic.output_tokens if traffic is not None else request.sequence


def _replicas(request: SizingRequest, traffic: ServedLoad, hardware: Hardware, tensor: int) -> ServingPlan | None:
    """The plan with replicas of so many accelerators: the largest batch that fits and is fast enough."""
    best: ServingPlan | None = None
    fitting, usable = 0, hardware.usable(trains=False)
    for batch in _BATCHES:
        held = serving_memory(
            request.shape, tensor=tensor, precision=request.precision, sequences=batch, context=_context(request)
        )
        if held.total > usable:
            break
        fitting = batch
        token, bound = _token_seconds(request, traffic, hardware, tensor, batch)
        if token > traffic.token_latency_s:
            break
        prompt = request.shape.forward_flops() * traffic.input_tokens / _speed(hardware, tensor)
        rate = 1 / (prompt + token * traffic.output_tokens / batch)
        count = max(_FEWEST_REPLICAS, ceil(traffic.requests_per_second / (rate * assumed("serving_target"))))
        best = ServingPlan(
            hardware=hardware,
            tensor=tensor,
            batch=batch,
            replicas=count,
            nodes=ceil(count / (hardware.each // tensor)),
            memory=held,
            token_seconds=token,
            prompt_seconds=prompt,
            replica_rate=rate,
            bound=bound,
            maximum_batch=fitting,
        )
    return best


def _speed(hardware: Hardware, tensor: int) -> float:
    return (hardware.chip.bf16_tflops or 0) * 1e12 * tensor * assumed("prefill_mfu")


def _token_seconds(
    request: SizingRequest, traffic: ServedLoad, hardware: Hardware, tensor: int, batch: int
) -> tuple[float, str]:
    """The time of one token of every sequence: the weights that work, and half-filled answers, read once."""
    shape = request.shape
    working = shape.shared_parameters + shape.expert_parameters * min(
        1.0, batch * shape.experts_per_token / shape.experts
    )
    cached = cache_bytes_per_token(shape, request.precision) * batch
    read = WEIGHT_BYTES[request.precision] * working + cached * (traffic.input_tokens + traffic.output_tokens / 2)
    bandwidth = (hardware.chip.memory_gb_s or 0) * GB * tensor * assumed("memory_efficiency")
    memory_bound, compute_bound = read / bandwidth, shape.forward_flops() * batch / _speed(hardware, tensor)
    return max(memory_bound, compute_bound), "bandwidth" if memory_bound >= compute_bound else "computation"
