"""Compute of SCALE: what one accelerator holds, which memory that takes, and how the model is spread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from penstock.catalog.sizing_assumptions import assumed, assumption
from penstock.core.quantities import GIB
from penstock.core.wording import plural
from penstock.report.sizing.document import ReportFigure, ReportSection, ReportTable
from penstock.report.sizing.numbers import held, sized
from penstock.sizing.memory import Layout, Memory, state_bytes, usable_memory
from penstock.sizing.memory_classes import memory_classes, recommended_range
from penstock.sizing.ranking import Choice
from penstock.sizing.request import SizingRequest, Task
from penstock.sizing.serving import ServingPlan

_MEMORY_WORDS = {
    "weights": "weights",
    "gradients": "gradients",
    "optimizer": "optimiser and master weights",
    "activations": "activations",
    "logits": "logits",
    "gathered": "layers gathered from other replicas",
    "cache": "KV cache",
    "overhead": "framework and communication",
}


def compute_section(request: SizingRequest, choice: Choice) -> ReportSection:
    """What one accelerator holds, why that size of memory, and how the model is spread."""
    plan = choice.plan
    if isinstance(plan, ServingPlan):
        return _serving_compute(choice, plan)
    layout, memory = plan.placement.layout, plan.placement.memory
    classes = memory_classes(request)
    span = recommended_range(classes)
    state = state_bytes(request.optimizer)
    sentences = []
    if span is not None and span[0] != span[1]:
        sentences.append(
            f"Accelerators with {span[0]} to {span[1]} GiB fit this model: {span[1]} GiB hold a whole replica without "
            f"sharing, and with {span[0]} GiB the optimiser is shared. Less takes more exchange or twice the "
            "computation; "
            "more stands idle."
        )
    elif span is None:
        sentences.append("A whole replica is more than most accelerators hold, so that the model is spread.")
    sentences.append(
        f"Spread over {plan.accelerators:,} × {choice.hardware.chip.title}: tensor {layout.tensor}, pipeline "
        f"{layout.pipeline}, experts {layout.expert}, {_replicas(layout)}; "
        f"activations are {'computed twice' if layout.recompute else 'kept'}; "
        f"{plural(layout.micro_batch, 'sequence')} at once. The simplest of the layouts that "
        "are within "
        "2 % of the fastest one that fits."
    )
    rows = tuple(
        (
            f"{each.gib} GiB",
            held(usable_memory(each.gib * GIB, trains=True)),
            each.remedy or "more than one machine of 8",
            held(each.held.total) if each.held else "",
        )
        for each in classes
    )
    figures = (
        ReportFigure(
            what="state of training",
            value=sized(state * request.shape.parameters),
            how=f"{state} bytes for each parameter: {request.optimizer}",
            source="ml-engineering, training performance",
        )
        if request.task is not Task.LORA
        else ReportFigure(
            what="state of training",
            value=sized((request.frozen_bytes or 2) * request.shape.parameters),
            how=f"frozen weights in {request.precision.upper() if request.quantised else 'BF16'}; adapters of rank "
            f"{request.lora_rank} add what is trained",
            source="ml-engineering, training performance",
        ),
        *_held(memory, choice, _TRAINED, trains=True),
    )
    table = ReportTable(
        title="What makes it fit, by the memory of an accelerator, in one machine of 8",
        heads=("memory", "usable", "what it takes", "held by each"),
        rows=rows,
    )
    return ReportSection(title="Compute", sentences=tuple(sentences), figures=figures, tables=(table,))


_TRAINED = {
    "weights": "2 bytes for each parameter (0.5 in 4 bits), divided by tensor and pipeline, of experts by experts and "
    "pipeline; and by replicas where they share them",
    "gradients": "4 bytes for each that is trained (2 with BF16 gradients), divided likewise",
    "optimizer": "12 bytes for each that is trained (6 with 8-bit moments), divided likewise",
    "activations": "34 × tokens × hidden × layers, without the matrix of scores (flash attention); 2 of 34 and one "
    "layer where they are computed twice; divided by tensor",
    "logits": "tokens × vocabulary × 6 bytes, divided by tensor",
    "gathered": "two layers at a time, and one that is converted from 4 bits",
    "overhead": "5 GiB on each accelerator",
}
_SERVED = {
    "weights": "bytes of the precision for each parameter, divided by tensor",
    "cache": "2 × bytes × layers × width of keys × sequences × tokens, divided by tensor",
    "activations": "8 × tokens × hidden, divided by tensor",
    "overhead": "5 GiB on each accelerator",
}


def _held(memory: Memory, choice: Choice, formulae: Mapping[str, str], *, trains: bool) -> Iterator[ReportFigure]:
    for each in fields(memory):
        value = getattr(memory, each.name)
        if value:
            yield ReportFigure(
                what=f"held: {_MEMORY_WORDS[each.name]}",
                value=held(value),
                how=formulae[each.name],
                source="EleutherAI/cookbook, ml-engineering",
            )
    hardware = choice.hardware
    usable, bound = hardware.usable(trains=trains), assumption("fragmentation" if trains else "serving_memory")
    yield ReportFigure(
        what="held by each accelerator",
        value=held(memory.total),
        how=f"of {held(usable)} that a job may hold on {hardware.chip.title}",
        source="the lines above",
    )
    yield ReportFigure(
        what="usable memory",
        value=held(usable),
        how=f"{held(hardware.memory)} of the cloud's API × {assumed('visible_memory'):g} that a framework sees × "
        + (f"(1 - {bound.value:g}) for fragments" if trains else f"{bound.value:g} that serving takes"),
        source=bound.source,
        unverified=bool(bound.unverified) or "memory_mib_each" in hardware.machine.unverified,
    )


def _replicas(layout: Layout) -> str:
    if layout.data == 1:
        return "one replica"
    return f"{layout.data:,} replicas that share {_shared(layout.stage)}"


def _shared(stage: int) -> str:
    return (
        "nothing (plain data parallelism)",
        "the optimiser (ZeRO-1)",
        "optimiser and gradients (ZeRO-2)",
        "optimiser, gradients and weights (ZeRO-3, FSDP)",
    )[stage]


def _serving_compute(choice: Choice, plan: ServingPlan) -> ReportSection:
    sentence = (
        f"{plan.replicas} replicas of {plan.tensor} × {choice.hardware.chip.title}, each with up to "
        f"{plan.batch} sequences at "
        f"once; {plan.bound} limits generation. {'Caches' if plan.batch == plan.maximum_batch else 'The latency'} "
        "bound the batch."
    )
    return ReportSection(
        title="Compute", sentences=(sentence,), figures=tuple(_held(plan.memory, choice, _SERVED, trains=False))
    )
