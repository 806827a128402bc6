"""How fast a model trains: model FLOPs utilisation (MFU), derived from class of hardware, size and scale.

The logarithm of MFU is linear in a few quantities. The first four coefficients are fitted to the measured table of
llm-foundry; the others to half of the published runs, and checked against the other half (`tools/fit_mfu.py`).
"""

from __future__ import annotations

from math import exp, log2

from penstock.catalog.chips import Chip
from penstock.catalog.mfu_fit import coefficient
from penstock.errors import UnknownFact

SMALL = 2.7e9
"""Parameters below which matrices are too small to fill an A100 or H100."""
LARGE = 15e9
"""Parameters above which matrices begin to fill Hopper and what came after it."""
NODE = 8
FULL_SCALE_DOUBLINGS = 5
"""Doublings of one node after which a run has all that keeps production below a benchmark: at 256 accelerators."""
_SHORT = 2048


def terms(*, hopper: bool, active: float, sequence: int, accelerators: int, full_recompute: bool) -> dict[str, float]:
    """The quantities that the coefficients of the fit multiply, by name.

    Args:
        hopper: Whether the chip is of the generation of H100 or later.
        active: Parameters that work on one token.
        sequence: Tokens of one sequence.
        accelerators: How many work on the job.
        full_recompute: Whether all activations are computed twice.
    """
    long = max(0.0, log2(sequence / _SHORT))
    ramp = min(1.0, max(0.0, log2(accelerators / NODE) / FULL_SCALE_DOUBLINGS))
    return {
        "base": 1.0,
        "hopper": float(hopper),
        "long": long,
        "hopper_long": long if hopper else 0.0,
        "scale": log2(accelerators / NODE),
        "small": min(0.0, log2(active / SMALL)),
        "production": ramp,
        "recompute": float(full_recompute),
        "hopper_production": ramp if hopper else 0.0,
        "hopper_large": max(0.0, log2(active / LARGE)) if hopper else 0.0,
    }


def mfu(
    chip: Chip, *, active: float, sequence: int, accelerators: int, full_recompute: bool, fp8: bool = False
) -> float:
    """Model FLOPs over the BF16 peak of the accelerators, also for FP8, where it can pass what BF16 reaches.

    Raises:
        UnknownFact: nobody has measured the chip, so that nothing can be derived for it.
    """
    if not chip.trains or chip.relative_mfu is None:
        raise UnknownFact(f"{chip.title} has no measured utilisation")
    found = terms(
        hopper=chip.generation == "h100",
        active=active,
        sequence=sequence,
        accelerators=accelerators,
        full_recompute=full_recompute,
    )
    gain = exp(coefficient("fp8")) if fp8 and chip.fp8_tflops else 1.0
    return chip.relative_mfu * gain * exp(sum(coefficient(name) * value for name, value in found.items()))
