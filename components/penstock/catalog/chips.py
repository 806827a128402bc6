"""Accelerators as chips: what they compute, remember and draw, whichever cloud sells them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import record_of, records

Generation = Literal["a100", "h100", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One accelerator. None is "not known".

    Attributes:
        accelerator: as machine types name it, such as h100.
        title: as people say it.
        generation: whose measured utilisation its own is derived from; empty where nothing is measured.
        bf16_tflops: dense peak, in 10^12 operations a second.
        fp8_tflops: the same for FP8; None for a chip without it.
        int8_tops: the same for INT8.
        fp4_tflops: the same for FP4 with a scale for each block (NVFP4, MXFP4).
        memory_gb_s: bandwidth of its memory.
        scale_up_gb_s: bandwidth to its neighbours in one machine, one way.
        link: the link to these neighbours, as `catalog.links` has it; None where none is known.
        domain: accelerators of several machines that its scale-up links join; None where they end with the machine.
        power_w: rated power.
        software: the software stack that its programs are written for, in `catalog.software_stacks`.
        relative_mfu: its utilisation over that of its generation; None where nobody has measured it.
        relative_mfu_source: where that ratio comes from.
        relative_serving: the part of its peak that serving reaches, over that of NVIDIA GPUs; None where unknown.
        relative_serving_source: where that ratio comes from.
    """

    accelerator: str
    title: str
    generation: Generation
    bf16_tflops: float | None
    fp8_tflops: float | None
    int8_tops: float | None
    fp4_tflops: float | None
    memory_gb_s: float | None
    scale_up_gb_s: float | None
    link: str | None
    domain: int | None
    power_w: float | None
    software: str | None
    relative_mfu: float | None
    relative_mfu_source: str
    relative_serving: float | None
    relative_serving_source: str
    unverified: tuple[str, ...]
    source: str
    as_of: str

    @property
    def trains(self) -> bool:
        """Whether enough is known of it to say how long training takes."""
        return self.bf16_tflops is not None and self.relative_mfu is not None and self.generation != ""

    @property
    def serves(self) -> bool:
        """Whether enough is known of it to say how fast it generates text."""
        return self.bf16_tflops is not None and self.memory_gb_s is not None and self.relative_serving is not None

    def peak_tflops(self, precision: str) -> float | None:
        """The dense peak at which weights of a precision are multiplied, in 10^12 operations a second.

        Weights of 4 bits without FP4 (int4, nf4) are converted first and multiplied in BF16. None for a precision that
        the chip does not multiply in.
        """
        own = {"fp8": self.fp8_tflops, "int8": self.int8_tops, "fp4": self.fp4_tflops}
        return own.get(precision, self.bf16_tflops)


def find_chip(accelerator: str) -> Chip:
    """The chip of that name.

    Raises:
        UnknownFact: the catalogue has no such chip; the text names the nearest ones.
    """
    return record_of(Chip, "chips", accelerator, "accelerator")


def all_chips() -> tuple[Chip, ...]:
    """Every chip, in the order of the table."""
    return records(Chip, "chips")
