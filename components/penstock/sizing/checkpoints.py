"""Checkpoints: how large they are and how fast storage must take them."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.sizing_assumptions import assumed
from penstock.sizing.memory import adapter_parameters
from penstock.sizing.request import SizingRequest, Task

_RESUMABLE_BYTES = {"adamw": 14, "adamw-bf16-gradients": 14, "adamw-8bit": 8}
"""Weights in BF16, the master copy and both moments: 2 + 4 + 4 + 4, or 2 + 4 + 1 + 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A checkpoint from which training resumes: bytes, time to write it in seconds, and bytes a second for that."""

    size: float
    bytes_per_parameter: int
    write_seconds: float

    @property
    def bandwidth(self) -> float:
        """What storage must take, in bytes a second."""
        return self.size / self.write_seconds


def checkpoint_of(request: SizingRequest) -> Checkpoint:
    """The checkpoint of a job; of LoRA only the adapters change."""
    trained = request.shape.parameters
    if request.task is Task.LORA:
        trained = adapter_parameters(request.shape, request.lora_rank)
    each = _RESUMABLE_BYTES[request.optimizer]
    return Checkpoint(size=each * trained, bytes_per_parameter=each, write_seconds=assumed("checkpoint_write"))
