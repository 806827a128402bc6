"""How fast a model trains: model FLOPs utilisation (MFU), derived from class of hardware, size and scale.

The logarithm of MFU is linear in a few quantities. Their coefficients are fitted to published runs and to the measured
table of llm-foundry, and judged on papers that the fit has not seen (`tools/fit_mfu.py`).
"""

from __future__ import annotations

from math import exp, log2

from penstock.catalog.chips import Chip
from penstock.catalog.mfu_fit import coefficient
from penstock.core.errors import UnknownFact

FILLED = 16.0
"""Accelerators for each 10^9 active parameters up to which each has enough of the model to work on."""
_BILLION = 1e9


def terms(*, hopper: bool, active: float, accelerators: int, full_recompute: bool, mixture: bool) -> dict[str, float]:
    """The quantities that the coefficients of the fit multiply, by name.

    Args:
        hopper: Whether the chip is of the generation of H100 or later.
        active: Parameters that work on one token.
        accelerators: How many work on the job.
        full_recompute: Whether all activations are computed twice.
        mixture: Whether the model is a mixture of experts.
    """
    spread = max(0.0, log2(accelerators * _BILLION / active / FILLED))
    return {
        "base": 1.0,
        "hopper": float(hopper),
        "hopper_spread": spread if hopper else 0.0,
        "recompute": float(full_recompute),
        "mixture": float(mixture),
    }


def mfu(
    chip: Chip, *, active: float, accelerators: int, full_recompute: bool, mixture: bool = False, fp8: bool = False
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
        accelerators=accelerators,
        full_recompute=full_recompute,
        mixture=mixture,
    )
    gain = exp(coefficient("fp8")) if fp8 and chip.fp8_tflops else 1.0
    return chip.relative_mfu * gain * exp(sum(coefficient(name) * value for name, value in found.items()))
