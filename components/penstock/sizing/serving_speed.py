"""Speed of a model that is served: the time to read a prompt, and the time of a token. Times in seconds.

Reading a prompt multiplies all its tokens with the active weights, and each token with those before it (attention).
Generating a token reads weights and caches, and multiplies as much for each sequence of the batch. Accelerators that
share a matrix add up their parts twice in each layer, over the links of their machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from penstock.catalog.chips import Chip
from penstock.catalog.links import AcceleratorLink, find_link
from penstock.catalog.serving_fit import serving_coefficient
from penstock.sizing.memory import GB, WEIGHT_BYTES, cache_bytes_per_token
from penstock.sizing.shape import ModelShape
from penstock.sizing.traffic import ring_bytes

PRECISIONS = ("bf16", "fp8", "int8", "fp4")
"""Precisions with a peak of their own."""
_ACTIVATION_BYTES = 2
_SUMS_OF_A_LAYER = 2
_TERA, _MICRO = 1e12, 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingEfficiency:
    """The parts of what chips promise that serving reaches.

    Attributes:
        memory: of the bandwidth of memory.
        compute: of the peak of each precision.
        attention: of the BF16 peak, for attention over a prompt.
        step_s: what each step takes beside reading and computing: launches, sampling, scheduling.
        overlap: the norm by which reading and computing add up: 1 one after the other, more the more they overlap.
        mixture: how many times as long a mixture of experts takes as a dense model that reads and computes as much.
    """

    memory: float
    compute: Mapping[str, float]
    attention: float
    step_s: float
    overlap: float
    mixture: float


@cache
def fitted_efficiency() -> ServingEfficiency:
    """The efficiency of published benchmarks, as `tools/fit_serving.py` has it."""
    return ServingEfficiency(
        memory=serving_coefficient("memory").value,
        compute={each: serving_coefficient(f"compute_{each}").value for each in PRECISIONS},
        attention=serving_coefficient("attention").value,
        step_s=serving_coefficient("step").value / 1000,
        overlap=serving_coefficient("overlap").value,
        mixture=serving_coefficient("mixture").value,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """The time of one token of every sequence of a batch, and what takes most of it."""

    seconds: float
    bound: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """One copy of a model on accelerators of one machine that share each matrix.

    Attributes:
        link: what joins the accelerators; None for a single one, and where no link is known.
        tensor: how many there are.
        precision: of the weights.
        efficiency: what of their peaks is reached.
    """

    shape: ModelShape
    chip: Chip
    link: AcceleratorLink | None
    tensor: int
    precision: str
    efficiency: ServingEfficiency

    def prompt_seconds(self, tokens: int) -> float:
        """The time to read one prompt of so many tokens."""
        shape = self.shape
        matrices = shape.forward_flops() * tokens / self._speed()
        attention = shape.attention_flops(tokens) / (self._peak("bf16") * self.efficiency.attention)
        return (matrices + attention + self._exchange(tokens)) * self._mixture()

    def step(self, batch: int, context: float) -> StepTime:
        """The time of one token of so many sequences, each with so many tokens on average."""
        shape, overlap = self.shape, self.efficiency.overlap
        caches = cache_bytes_per_token(shape, self.precision) * batch * context
        weights = WEIGHT_BYTES[self.precision] * shape.working_parameters(batch)
        bandwidth = (self.chip.memory_gb_s or 0) * GB * self.tensor * self.efficiency.memory
        reading, computing = (weights + caches) / bandwidth, shape.forward_flops() * batch / self._speed()
        both = (reading**overlap + computing**overlap) ** (1 / overlap)
        exchange = self._exchange(batch)
        parts = {"bandwidth": reading, "computation": computing, "exchange": exchange}
        seconds = (both + exchange) * self._mixture() + self.efficiency.step_s
        return StepTime(seconds=seconds, bound=max(parts, key=lambda each: parts[each]))

    def _peak(self, precision: str) -> float:
        return (self.chip.peak_tflops(precision) or 0) * _TERA * self.tensor * (self.chip.relative_serving or 1)

    def _speed(self) -> float:
        own = self.precision if self.precision in PRECISIONS else "bf16"
        return self._peak(self.precision) * self.efficiency.compute[own]

    def _mixture(self) -> float:
        return self.efficiency.mixture if self.shape.mixture else 1.0

    def _exchange(self, tokens: int) -> float:
        """The sums of all layers over so many tokens."""
        if self.tensor == 1 or self.link is None:
            return 0.0
        slow = self._slowest_link(self.link)
        sent = ring_bytes(_ACTIVATION_BYTES * self.shape.hidden * tokens, self.tensor)
        return _SUMS_OF_A_LAYER * self.shape.layers * (slow.latency_us * _MICRO + sent / (slow.gb_s * GB))

    def _slowest_link(self, link: AcceleratorLink) -> AcceleratorLink:
        if link.joins is not None and self.tensor > link.joins and link.beyond is not None:
            return find_link(link.beyond)
        return link
