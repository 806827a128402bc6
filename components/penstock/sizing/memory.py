"""What one accelerator holds: weights, gradients, optimiser, activations, logits, overhead and caches.

Bytes for each parameter and the formulae of activations are those of ml-engineering and EleutherAI/cookbook; attention
is computed without its matrix of scores (flash attention). All sizes are in bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from penstock.catalog.sizing_assumptions import assumed
from penstock.core.quantities import GIB
from penstock.sizing.shape import ModelShape

GB = 10**9
SHARED_WEIGHTS = 3
"""The stage from which on replicas share weights, too."""
_LAYER_BYTES = 34
"""Activations of one layer for each token and hidden unit, in mixed precision."""
_KEPT_BYTES = 2
_LOGIT_BYTES = 2 + 4
_GATHERED_LAYERS = 2
_ADAPTED_WIDTHS = 19
"""Input and output widths of the matrices of one layer together, in hidden sizes: attention 8, feed-forward 11."""
_STATE_BYTES: Final = {
    # optimizer: (weights, gradients, optimiser with the master copy of the weights)
    "adamw": (2, 4, 12),
    "adamw-bf16-gradients": (2, 2, 12),
    "adamw-8bit": (2, 4, 6),
}
WEIGHT_BYTES: Final = {"bf16": 2.0, "fp8": 1.0, "int8": 1.0, "fp4": 0.5625, "int4": 0.5, "nf4": 0.516}
"""Bytes of one parameter that does not change; FP4 has a scale of a byte for every 16, NF4 one quantised twice."""
_SMALL_CACHES = ("fp8", "fp4")
"""Precisions of weights whose caches are kept in FP8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a model is spread over accelerators.

    Attributes:
        tensor: accelerators that share each matrix, all in one machine.
        pipeline: groups that hold some layers each.
        expert: accelerators that share the experts of a layer.
        data: replicas that work on different sequences.
        stage: what replicas share instead of each holding it: 0 nothing, 1 the optimiser, 2 also gradients, 3 also
            weights (ZeRO, FSDP).
        recompute: whether activations are computed again instead of kept.
        micro_batch: sequences that a replica works on at once.
    """

    tensor: int = 1
    pipeline: int = 1
    expert: int = 1
    data: int = 1
    stage: int = 0
    recompute: bool = False
    micro_batch: int = 1

    @property
    def accelerators(self) -> int:
        """How many it takes; experts are spread over those that are there anyway."""
        return self.tensor * self.pipeline * self.data


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What one accelerator holds, in bytes."""

    weights: float = 0.0
    gradients: float = 0.0
    optimizer: float = 0.0
    activations: float = 0.0
    logits: float = 0.0
    gathered: float = 0.0
    cache: float = 0.0
    overhead: float = 0.0

    @property
    def total(self) -> float:
        """All of it."""
        state = self.weights + self.gradients + self.optimizer
        return state + self.activations + self.logits + self.gathered + self.cache + self.overhead


def usable_memory(nominal: float, *, trains: bool) -> float:
    """The bytes that a job may hold of an accelerator's nominal memory: what a framework sees, less what stays free.

    Training leaves room for fragments of the allocator; serving takes the share that vLLM takes by default. What the
    framework, kernels and NCCL hold is counted as `Memory.overhead`.
    """
    seen = nominal * assumed("visible_memory")
    return seen * (1 - assumed("fragmentation")) if trains else seen * assumed("serving_memory")


def state_bytes(optimizer: str) -> int:
    """Bytes of each parameter that is trained: 18 for AdamW in mixed precision."""
    return sum(_STATE_BYTES[optimizer])


def training_memory(
    shape: ModelShape,
    layout: Layout,
    *,
    sequence: int,
    optimizer: str = "adamw",
    lora_rank: int | None = None,
    frozen_bytes: float | None = None,
) -> Memory:
    """What one accelerator holds while it trains.

    Args:
        shape: The model.
        layout: How it is spread.
        sequence: Tokens of one sequence.
        optimizer: Of `_STATE_BYTES`.
        lora_rank: The rank of adapters where only they are trained; None where all weights are.
        frozen_bytes: Bytes of each weight that adapters leave frozen; None for those of BF16.
    """
    shared = shape.shared_parameters / (layout.tensor * layout.pipeline)
    experts = shape.expert_parameters / (layout.expert * layout.pipeline)
    expert_copies = max(1.0, layout.tensor * layout.data / layout.expert)
    weights: float
    weights, gradients, moments = _STATE_BYTES[optimizer]
    trained, trained_experts = shared, experts
    unpacked = 0.0
    if frozen_bytes is not None and frozen_bytes < weights:
        unpacked = weights * (shared + experts) * layout.pipeline / shape.layers
    if lora_rank is not None:
        weights = frozen_bytes or weights
        trained, trained_experts = adapter_parameters(shape, lora_rank) / (layout.tensor * layout.pipeline), 0.0

    def held(stage: int, each: float, dense: float, mixture: float) -> float:
        split = layout.stage >= stage
        return each * (dense / (layout.data if split else 1) + mixture / (expert_copies if split else 1))

    tokens = sequence * layout.micro_batch
    layer = _LAYER_BYTES * tokens * shape.hidden
    kept = _KEPT_BYTES * tokens * shape.hidden * shape.layers + layer if layout.recompute else layer * shape.layers
    gathered = _GATHERED_LAYERS * weights * (shared + experts) * layout.pipeline / shape.layers
    return Memory(
        weights=held(SHARED_WEIGHTS, weights, shared, experts),
        gradients=held(2, gradients, trained, trained_experts),
        optimizer=held(1, moments, trained, trained_experts),
        activations=kept / layout.tensor,
        logits=tokens * shape.vocabulary * _LOGIT_BYTES / layout.tensor,
        gathered=(gathered if layout.stage >= SHARED_WEIGHTS and layout.data > 1 else 0.0) + unpacked,
        overhead=assumed("framework_overhead") * GIB,
    )


def adapter_parameters(shape: ModelShape, rank: int) -> float:
    """The parameters of adapters on every matrix of every layer."""
    return rank * _ADAPTED_WIDTHS * shape.hidden * shape.layers


def cache_bytes_per_token(shape: ModelShape, precision: str) -> float:
    """Bytes of the keys and values of one token: two, of so many bytes, in each layer."""
    return 2 * (1 if precision in _SMALL_CACHES else 2) * shape.layers * shape.kv_width


def serving_memory(shape: ModelShape, *, tensor: int, precision: str, sequences: int, context: int) -> Memory:
    """What one accelerator of a replica holds while it serves so many sequences of so many tokens."""
    cache = cache_bytes_per_token(shape, precision) * sequences * context
    return Memory(
        weights=WEIGHT_BYTES[precision] * shape.parameters / tensor,
        cache=cache / min(tensor, shape.kv_heads),
        activations=_KEPT_BYTES * 4 * context * shape.hidden / tensor,
        overhead=assumed("framework_overhead") * GIB,
    )
