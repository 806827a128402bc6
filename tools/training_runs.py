"""Published training runs, from tools/training_runs.csv: what each paper says, and the utilisation that follows.

The column `time` says how a paper gives its time, and by that alone a run is used or not:

- hours: accelerator hours of the run. Stops are part of them.
- throughput: step time, tokens a second or MFU, or an estimate from these. No stops are part of it.
- calendar: days times accelerators. They hold what a team did beside training, too; the fit has a term for that, which
  is not kept, and the score leaves them out.
- rough: rounded to weeks or months, or only a bound. Neither fitted nor scored.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from penstock.catalog.chips import Chip, find_chip
from penstock.sizing.failures import HOUR_S, interruptions_of
from penstock.sizing.shape import shape_of
from penstock.sizing.throughput import mfu, terms

RUNS = Path(__file__).parent / "training_runs.csv"
NODE = 8
_SCORED: Final = ("hours", "throughput")
_TWINS: Final = {"h800": "h100", "gh200": "h100"}
"""Chips that compute as one of the catalogue does."""
_PEAKS_BEFORE: Final = {"tpu-v3": 123.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A published run: sizes in 10^9, and accelerator hours as published or as they follow from the throughput."""

    name: str
    paper: str
    time: str
    parameters: float
    active: float
    tokens: float
    sequence: int
    accelerator: str
    accelerators: int
    accelerator_hours: float
    year: int
    fp8: bool
    full_recompute: bool
    unverified: tuple[str, ...]
    source: str

    @property
    def hopper(self) -> bool:
        """Whether it ran on a chip of the generation of H100."""
        return self.chip is not None and self.chip.generation == "h100"

    @property
    def fitted(self) -> bool:
        """Whether the fit sees it: on hardware that the fit is about, with a time that is more than rough."""
        name = _TWINS.get(self.accelerator, self.accelerator)
        return self.time != "rough" and name in ("a100", "a100-80gb", "h100", "h200")

    @property
    def scored(self) -> bool:
        """Whether its time says how fast it trained, and nothing else."""
        return self.fitted and self.time in _SCORED

    @property
    def mixture(self) -> bool:
        """Whether it is a mixture of experts."""
        return self.active < self.parameters

    @property
    def chip(self) -> Chip | None:
        """Its chip of the catalogue; None for one that the catalogue does not have."""
        name = _TWINS.get(self.accelerator, self.accelerator)
        return None if name in _PEAKS_BEFORE else find_chip(name)

    @property
    def kept(self) -> float:
        """The part of the time that stops leave; all of it where a throughput was published and not a whole run."""
        if self.time == "throughput":
            return 1.0
        generation = self.chip.generation if self.chip is not None else "a100"
        return 1 - interruptions_of(-(-self.accelerators // NODE), generation).lost

    @property
    def flops(self) -> float:
        """Model FLOPs of the whole run."""
        shape = shape_of(self.parameters * 1e9, active=self.active * 1e9)
        return shape.training_flops(self.sequence) * self.tokens * 1e9

    @property
    def mfu(self) -> float:
        """What it reached while it ran, over the BF16 peak."""
        chip = self.chip
        peak = (chip.bf16_tflops if chip is not None else None) or _PEAKS_BEFORE[self.accelerator]
        return self.flops / (self.accelerator_hours * HOUR_S * peak * 1e12) / self.kept

    @property
    def relative_mfu(self) -> float:
        """What its chip reaches of what its generation does."""
        chip = self.chip
        return (chip.relative_mfu if chip is not None else None) or 1.0

    @property
    def terms(self) -> Mapping[str, float]:
        """What the coefficients multiply."""
        return terms(
            hopper=self.hopper,
            active=self.active * 1e9,
            accelerators=self.accelerators,
            full_recompute=self.full_recompute,
            mixture=self.mixture,
        )

    def predicted_hours(self) -> float | None:
        """Accelerator hours as the shipped fit has them; None for a chip that the catalogue does not have."""
        chip = self.chip
        if chip is None or chip.bf16_tflops is None:
            return None
        reached = mfu(
            chip,
            active=self.active * 1e9,
            accelerators=self.accelerators,
            full_recompute=self.full_recompute,
            mixture=self.mixture,
            fp8=self.fp8,
        )
        return self.flops / (chip.bf16_tflops * 1e12 * reached) / HOUR_S / self.kept


def runs() -> tuple[Run, ...]:
    """Every published run: by generation, active parameters and name."""
    with RUNS.open(encoding="utf-8", newline="") as file:
        found = [_run(row) for row in csv.DictReader(file)]
    return tuple(sorted(found, key=lambda each: (each.hopper, each.active, each.name)))


def _run(row: Mapping[str, str]) -> Run:
    return Run(
        name=row["run"],
        paper=row["paper"],
        time=row["time"],
        parameters=float(row["parameters_b"]),
        active=float(row["active_b"]),
        tokens=float(row["tokens_b"]),
        sequence=int(row["sequence"]),
        accelerator=row["accelerator"],
        accelerators=int(row["accelerators"]),
        accelerator_hours=float(row["accelerator_hours"]),
        year=int(row["year"]),
        fp8=row["precision"] == "fp8",
        full_recompute=row["recompute"] == "full",
        unverified=tuple(row["unverified"].split()),
        source=row["source"],
    )
