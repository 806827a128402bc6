"""Which memory an accelerator needs: for each size on sale, the least that makes a model fit into one machine."""

from __future__ import annotations

from dataclasses import dataclass, replace

from penstock.core.quantities import GIB
from penstock.sizing.memory import Layout, Memory, training_memory, usable_memory
from penstock.sizing.request import SizingRequest, Task

_ACCELERATORS = 8
_SIZES_GIB = (16, 24, 32, 40, 48, 80, 96, 141, 180, 192, 288)
"""Memories of accelerators on sale, as their makers round them."""
_REMEDIES: tuple[tuple[str, Layout], ...] = (
    ("a whole replica on each accelerator", Layout(data=_ACCELERATORS)),
    ("the optimiser shared by 8 (ZeRO-1)", Layout(data=_ACCELERATORS, stage=1)),
    ("optimiser and gradients shared by 8 (ZeRO-2)", Layout(data=_ACCELERATORS, stage=2)),
    ("weights shared by 8, too (ZeRO-3, FSDP)", Layout(data=_ACCELERATORS, stage=3)),
    ("activations computed twice, and the optimiser shared by 8", Layout(data=_ACCELERATORS, stage=1, recompute=True)),
    ("activations computed twice, and all state shared by 8", Layout(data=_ACCELERATORS, stage=3, recompute=True)),
    ("each matrix and all state shared by 8", Layout(tensor=_ACCELERATORS)),
    ("each matrix shared by 8, and activations computed twice", Layout(tensor=_ACCELERATORS, recompute=True)),
)
_MOST_HAVE_GIB = 96
_LIGHT = 2
"""The remedies that cost next to nothing: none, or sharing the optimiser."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryClass:
    """A size of memory in GiB, and what makes the model fit; None where one machine of eight does not hold it."""

    gib: int
    remedy: str | None
    held: Memory | None
    light: bool


def memory_classes(request: SizingRequest) -> tuple[MemoryClass, ...]:
    """Every size on sale, ascending, with the first remedy that makes the model fit."""
    rank = request.lora_rank if request.task is Task.LORA else None
    needs: list[MemoryClass] = []
    for number, (name, plain) in enumerate(_REMEDIES):
        layout = replace(plain, micro_batch=request.micro_batch)
        held = training_memory(
            request.shape,
            layout,
            sequence=request.sequence,
            optimizer=request.optimizer,
            lora_rank=rank,
            frozen_bytes=request.frozen_bytes,
        )
        needs.append(MemoryClass(gib=0, remedy=name, held=held, light=number < _LIGHT))
    nothing = MemoryClass(gib=0, remedy=None, held=None, light=False)
    return tuple(
        replace(_first_within(usable_memory(gib * GIB, trains=True), needs) or nothing, gib=gib) for gib in _SIZES_GIB
    )


def _first_within(usable: float, needs: list[MemoryClass]) -> MemoryClass | None:
    return next((each for each in needs if each.held is not None and each.held.total <= usable), None)


def recommended_range(classes: tuple[MemoryClass, ...]) -> tuple[int, int] | None:
    """From the smallest memory that needs no more than a shared optimiser to the smallest that needs nothing.

    None where a whole replica takes more than the memory that most accelerators have: such a model is spread anyway.
    """
    whole = next((each.gib for each in classes if each.remedy == _REMEDIES[0][0]), None)
    if whole is None or whole > _MOST_HAVE_GIB:
        return None
    return next(each.gib for each in classes if each.light), whole
