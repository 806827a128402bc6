"""What a planner asks: the model, the task, and the limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from penstock.sizing.memory import WEIGHT_BYTES
from penstock.sizing.refusal import FOUR_BITS
from penstock.sizing.shape import ModelShape

DAY_S = 86400.0


class Task(StrEnum):
    """What is done with the model."""

    TRAIN = "train"
    FINETUNE = "finetune"
    LORA = "lora"
    SERVE = "serve"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedLoad:
    """The load of a served model; the lengths are means, in tokens.

    Attributes:
        token_latency_s: the most between two tokens.
        first_token_s: the most from a request to its first token; None for no limit.
    """

    requests_per_second: float
    input_tokens: int
    output_tokens: int
    token_latency_s: float
    first_token_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SizingRequest:
    """A whole question, valid and with every default filled in.

    Attributes:
        name: The name of what is written: Pulumi.NAME.yaml, its node pool and its jobs.
        tokens: Tokens to train on; 0 for serving.
        sequence: Tokens of one sequence.
        micro_batch: Sequences that one replica works on at once.
        batch_tokens: Tokens between two updates of the weights, of all replicas together; of few accelerators where
            nobody gave them.
        precision: bf16 or fp8; of LoRA also int4 or nf4, of its frozen weights; of serving also int8, fp4 or int4.
        optimizer: adamw, adamw-bf16-gradients or adamw-8bit.
        recompute: auto, none or full.
        deadline_s: The wall time that is allowed.
        clouds: Clouds to look at; all of them by default.
        region: The region to buy in; None for the cheapest that sells the machine.
        accelerator: The only accelerator to look at; None for all.
        accelerators: How many there are; None for as many as the deadline needs.
        machine_type: The only machine type to look at; None for all.
        mfu: The utilisation that the planner has measured; None to derive it.
        dataset_bytes: The training data on disk; None for text, whose size follows from the tokens.
        reserved: The share of machines bought for years.
        spot: The share of machines bought as spot.
        years: For how many years machines are reserved.
        lora_rank: The rank of adapters.
        context: Tokens of a request and its answer together, which the KV cache holds.
        on_premises: Whether to compare with machines of one's own.
        defaulted: The fields that nobody gave.
    """

    name: str
    task: Task
    shape: ModelShape
    tokens: float
    sequence: int
    micro_batch: int
    batch_tokens: float
    precision: str
    optimizer: str
    recompute: str
    deadline_s: float
    clouds: tuple[str, ...]
    region: str | None = None
    accelerator: str | None = None
    accelerators: int | None = None
    machine_type: str | None = None
    mfu: float | None = None
    dataset_bytes: float | None = None
    reserved: float = 0.0
    spot: float = 0.0
    years: int = 1
    lora_rank: int = 16
    traffic: ServedLoad | None = None
    on_premises: bool = False
    defaulted: frozenset[str] = field(default_factory=frozenset)

    @property
    def trains(self) -> bool:
        """Whether weights change."""
        return self.task is not Task.SERVE

    @property
    def cost_decides(self) -> bool:
        """Whether the cheapest is wanted that meets a deadline: one that is given, and sets the number of machines."""
        return self.trains and self.accelerators is None and "deadline" not in self.defaulted

    @property
    def fp8(self) -> bool:
        """Whether matrices are multiplied in FP8."""
        return self.precision == "fp8"

    @property
    def frozen_bytes(self) -> float | None:
        """Bytes of each frozen weight of LoRA: in 4 bits (QLoRA) or in BF16; None where all weights are trained."""
        if self.task is not Task.LORA:
            return None
        return WEIGHT_BYTES[self.precision if self.quantised else "bf16"]

    @property
    def quantised(self) -> bool:
        """True if the frozen weights of LoRA are kept in 4 bits: QLoRA."""
        return self.task is Task.LORA and self.precision in FOUR_BITS

    @property
    def flops_per_token(self) -> float:
        """Operations for one token; adapters need no gradient of the frozen weights, so that LoRA takes two thirds."""
        whole = self.shape.training_flops(self.sequence)
        return whole * 2 / 3 if self.task is Task.LORA else whole


@dataclass(frozen=True, slots=True)
class RequestProblem:
    """One field that cannot be used: what is wrong, and what would be right."""

    field: str
    message: str
    hint: str = ""
