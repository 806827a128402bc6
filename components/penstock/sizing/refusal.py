"""Why a machine type does not do the work, and what would help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.chips import Chip
from penstock.catalog.software_stacks import USUAL, find_stack

MORE_TIME = "Raise the deadline, or allow more clouds or accelerators."
MORE_MEMORY = "Allow accelerators with more memory, or more clouds."
FOUR_BITS = ("int4", "nf4")
"""Precisions of weights that are converted before they are multiplied."""
_WITH = {"fp8": "h100", "int8": "l40s", "fp4": "b200"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a machine type does not do the work.

    Attributes:
        why: the reason, which machine types have in common.
        fix: what would help, in a sentence.
        token_seconds: the least time between two tokens, where that latency is the reason.
        first_token_seconds: the least time to a first token, where that latency is the reason.
    """

    why: str
    fix: str
    token_seconds: float | None = None
    first_token_seconds: float | None = None


def refused_precision(chip: Chip, precision: str, work: Literal["train", "serve"]) -> Refusal | None:
    """The refusal of a chip that does not compute in a precision, or whose software keeps no weights in 4 bits."""
    if chip.peak_tflops(precision) is None:
        fix = f"Take --precision bf16, or an accelerator that has {precision.upper()}, such as {_WITH[precision]}."
        return Refusal(why=f"has no {precision.upper()}", fix=fix)
    stack = find_stack(chip.software or USUAL)
    if precision in FOUR_BITS and work not in stack.four_bits:
        return Refusal(why=f"keeps no weights in 4 bits: {stack.title}", fix="Take --precision bf16, or NVIDIA GPUs.")
    return None
