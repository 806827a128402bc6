"""How to spread a model over accelerators: by trying every layout, and taking the simplest of the fastest that fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import inf
from typing import NamedTuple

from penstock.catalog.sizing_assumptions import assumed
from penstock.sizing.hardware import Hardware
from penstock.sizing.memory import Layout, Memory, adapter_parameters, training_memory
from penstock.sizing.request import SizingRequest, Task
from penstock.sizing.throughput import mfu
from penstock.sizing.traffic import StepTraffic, micro_batches, step_traffic

_POWERS = (1, 2, 4, 8, 16, 32, 64)
_TENSORS = (1, 2, 4, 8)
_EXPERTS = (1, 8, 32, 64)
_STAGES = (0, 1, 2, 3)
_CHUNKS = 8
"""Chunks of layers that a stage takes in turn, at most; 5 to 12 in NVIDIA/dgxc-benchmarking for 70B, 340B and 405B."""
_AS_FAST = 1.02
"""Layouts that differ by less are as fast, and the simpler one is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A layout on some machines, what one accelerator holds, and how long a step takes.

    Attributes:
        step_seconds: computation at the derived utilisation, what of the exchange does not hide behind it, and what
            stages of the pipeline wait beyond what they wait in the runs that were measured.
        waiting: the computation that passes while stages of the pipeline wait, as a share of the rest.
    """

    layout: Layout
    memory: Memory
    nodes: int
    mfu: float
    step_seconds: float
    traffic: StepTraffic
    waiting: float


def placement(request: SizingRequest, hardware: Hardware, nodes: int) -> Placement | None:
    """The best layout on exactly so many machines; None where no layout fits."""
    return _placement(replace(request, name="", deadline_s=1.0, defaulted=frozenset()), _Key(hardware), nodes)


class _Key:
    """Machines that differ in name and price only have the same layouts."""

    def __init__(self, hardware: Hardware) -> None:
        self.hardware = hardware
        self._key = (hardware.chip.accelerator, hardware.each, hardware.memory, hardware.network_gb_s)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._key == other._key


@lru_cache(maxsize=65536)
def _placement(request: SizingRequest, key: _Key, nodes: int) -> Placement | None:
    least = compute_seconds(
        request, key.hardware, nodes, utilisation(request, key.hardware, nodes, recompute=request.recompute == "full")
    )
    fitting: list[Placement] = []
    for each in _fitting(request, key.hardware, nodes):
        if each.step_seconds <= least * _AS_FAST:
            return each  # all that is simpler was slower, and nothing is faster than the computation alone
        fitting.append(each)
    fastest = min((each.step_seconds for each in fitting), default=0.0)
    return next((each for each in fitting if each.step_seconds <= fastest * _AS_FAST), None)


def _fitting(request: SizingRequest, hardware: Hardware, nodes: int) -> Iterator[Placement]:
    """The layouts that fit, the simplest first, but for those that cannot be taken.

    These are slower than one before even without exchange; or differ from one that fits in sharing more state alone,
    which is never faster; or hold activations for which there is no room, however state is shared.
    """
    crowded: set[tuple[object, ...]] = set()
    settled: set[tuple[object, ...]] = set()
    speeds: dict[bool, _Speed] = {}
    fastest = inf
    usable = hardware.usable(trains=True)
    rank = request.lora_rank if request.task is Task.LORA else None
    for layout in _layouts(request, hardware, nodes):
        unshared = (layout.pipeline, layout.recompute, layout.tensor, layout.expert, layout.micro_batch)
        kept = (layout.recompute, layout.tensor, layout.micro_batch)
        if unshared in settled or kept in crowded:
            continue
        speed = speeds.get(layout.recompute)
        if speed is None:
            reached = utilisation(request, hardware, nodes, recompute=layout.recompute)
            speed = _Speed(reached, compute_seconds(request, hardware, nodes, reached))
            speeds[layout.recompute] = speed
        waiting = _waiting(layout, request)
        if speed.compute_seconds * (1 + _beyond_usual(waiting)) > fastest * _AS_FAST:
            continue
        held = training_memory(
            request.shape,
            layout,
            sequence=request.sequence,
            optimizer=request.optimizer,
            lora_rank=rank,
            frozen_bytes=request.frozen_bytes,
        )
        if held.total > usable:
            if held.activations + held.logits + held.overhead > usable:
                crowded.add(kept)
            continue
        found = _placed(request, hardware, nodes, _Fit(layout, held, speed, waiting))
        settled.add(unshared)
        fastest = min(fastest, found.step_seconds)
        yield found


def utilisation(request: SizingRequest, hardware: Hardware, nodes: int, *, recompute: bool) -> float:
    """The MFU of a job: as measured by the planner, or derived."""
    if request.mfu is not None:
        return request.mfu
    reached = mfu(
        hardware.chip,
        active=request.shape.active,
        accelerators=nodes * hardware.each,
        full_recompute=recompute and not _recomputes_anyway(request, hardware),
        mixture=request.shape.mixture,
        fp8=request.fp8,
    )
    return reached / assumed("quantised_slowdown") if request.quantised else reached


def _recomputes_anyway(request: SizingRequest, hardware: Hardware) -> bool:
    """Return whether the measured utilisation includes recomputation, as that of programs compiled by XLA does."""
    return hardware.chip.software == "xla" and request.recompute == "auto"


def compute_seconds(request: SizingRequest, hardware: Hardware, nodes: int, reached: float) -> float:
    """The computation of one step."""
    peak = (hardware.chip.bf16_tflops or 0) * 1e12
    return request.batch_tokens * request.flops_per_token / (nodes * hardware.each * peak * reached)


class _Speed(NamedTuple):
    """A utilisation, and the computation of a step at it."""

    mfu: float
    compute_seconds: float


class _Fit(NamedTuple):
    """A layout that fits, what an accelerator then holds, how fast it computes, and what its stages wait."""

    layout: Layout
    memory: Memory
    speed: _Speed
    waiting: float


def _placed(request: SizingRequest, hardware: Hardware, nodes: int, fit: _Fit) -> Placement:
    layout = fit.layout
    compute = fit.speed.compute_seconds
    rank = request.lora_rank if request.task is Task.LORA else None
    traffic = step_traffic(
        request.shape,
        layout,
        hardware,
        nodes=nodes,
        sequence=request.sequence,
        batch_tokens=request.batch_tokens,
        compute_seconds=compute,
        trained=adapter_parameters(request.shape, rank) if rank is not None else None,
        weight_bytes=request.frozen_bytes,
    )
    return Placement(
        layout=layout,
        memory=fit.memory,
        nodes=nodes,
        mfu=fit.speed.mfu,
        step_seconds=compute * (traffic.slowdown + _beyond_usual(fit.waiting)),
        traffic=traffic,
        waiting=fit.waiting,
    )


def _beyond_usual(waiting: float) -> float:
    """What stages wait beyond what they wait in the runs that were measured."""
    return max(0.0, waiting - assumed("pipeline_waiting"))


def _waiting(layout: Layout, request: SizingRequest) -> float:
    """(p-1) / (m v): stages, micro-batches, and chunks of layers that each stage takes in turn (interleaved 1F1B)."""
    chunks = max(1, min(_CHUNKS, request.shape.layers // layout.pipeline))
    return (layout.pipeline - 1) / (micro_batches(layout, request.sequence, request.batch_tokens) * chunks)


def _layouts(request: SizingRequest, hardware: Hardware, nodes: int) -> Iterator[Layout]:
    """Every layout that uses all accelerators and has a sequence for each replica, the simplest first."""
    total, shape = nodes * hardware.each, request.shape
    sequences = max(1.0, request.batch_tokens / request.sequence)
    recomputes = {"none": (False,), "full": (True,), "auto": (False, True)}[request.recompute]
    batches = tuple(dict.fromkeys((request.micro_batch, 1)))
    experts = tuple(each for each in _EXPERTS if each <= shape.experts)
    widest = min(hardware.each, shape.heads)
    for pipeline, tensor, recompute in product(_POWERS, _TENSORS, recomputes):
        data, rest = divmod(total, pipeline * tensor)
        if pipeline > shape.layers or tensor > widest or rest or data > sequences:
            continue
        if request.quantised and pipeline * tensor > 1:
            continue  # frameworks of 4-bit weights share them between replicas, and divide no matrix
        for expert, stage, batch in product(experts, _STAGES if data > 1 else (0,), batches):
            if (total // pipeline) % expert or batch * data > sequences:
                continue
            yield Layout(
                tensor=tensor,
                pipeline=pipeline,
                expert=expert,
                data=data,
                stage=stage,
                recompute=recompute,
                micro_batch=batch,
            )
