"""The coefficients of model FLOPs utilisation: `python -m tools.fit_mfu` writes catalog/data/mfu_fit.csv.

Two fits, one after the other, of the logarithm of MFU (the terms are in `penstock.economics.sizing.throughput`):

1. tools/mfu_measured.csv, what llm-foundry measured on A100 and H100: base, hopper, long, hopper_long, scale and small.
   Rows whose HFU is above their MFU recompute activations; they have a term of their own, which is not kept, because
   the second fit has one for whole runs. FP8 is the geometric mean over pairs of rows that differ in precision alone.
2. What is left of tools/training_runs.csv, published runs on A100 and H100: production, recompute, hopper_production
   and hopper_large. The runs are sorted by generation, active parameters and name; every second one, from the first,
   is fitted, and the others are held out. Outliers weigh less (Huber); terms are held near 0 by a small ridge.

`--report` prints every run with its published and its predicted time, and what share comes within 20 %.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import fmean, median

from penstock.catalog.chips import Chip, find_chip
from penstock.catalog.tables import path_of
from penstock.economics.sizing.failures import HOUR_S, interruptions_of
from penstock.economics.sizing.shape import shape_of
from penstock.economics.sizing.throughput import NODE, mfu, terms
from tools.generated import DataSet, main, table

MEASURED = Path(__file__).parent / "mfu_measured.csv"
RUNS = Path(__file__).parent / "training_runs.csv"
BENCHMARK = ("base", "hopper", "long", "hopper_long", "scale", "small")
PRODUCTION = ("production", "recompute", "hopper_production", "hopper_large")
WITHIN = 0.2
_SIZES = {"125m": 0.125, "350m": 0.35, "760m": 0.76, "1b": 1.3, "3b": 2.7, "7b": 6.7, "13b": 13, "30b": 30, "70b": 65}
_TWINS = {"h800": "h100", "gh200": "h100"}
"""Chips that compute as one of the catalogue does."""
_PEAKS_BEFORE = {"tpu-v3": 123.0}
_RIDGE, _HUBER, _ROUNDS = 0.3, 0.15, 30
_MULTIPLIES = {
    "base": "1",
    "hopper": "1 for H100 and later generations",
    "long": "doublings of the sequence above 2,048",
    "hopper_long": "the same for H100 and later",
    "scale": "doublings of the accelerators above 8",
    "small": "doublings of the active parameters above 2.7B, where fewer",
    "fp8": "1 for FP8",
    "production": "doublings of the accelerators above 8, over 5, at most 1",
    "recompute": "1 where all activations are recomputed",
    "hopper_production": "as production, for H100 and later",
    "hopper_large": "doublings of the active parameters above 15B, for H100 and later",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A published run: sizes in 10^9, and accelerator hours as published or as they follow from the throughput."""

    name: str
    kind: str
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
    source: str

    @property
    def hopper(self) -> bool:
        """Whether it ran on H100 or one of its twins."""
        return _TWINS.get(self.accelerator, self.accelerator) == "h100"

    @property
    def fitted_to(self) -> bool:
        """Whether it ran on hardware that the fit is about."""
        return self.hopper or self.accelerator.startswith("a100")

    @property
    def chip(self) -> Chip | None:
        """Its chip of the catalogue; None for one that the catalogue does not have."""
        name = _TWINS.get(self.accelerator, self.accelerator)
        return None if name in _PEAKS_BEFORE else find_chip(name)

    @property
    def kept(self) -> float:
        """The part of the time that stops leave; all of it where a throughput was published and not a whole run."""
        return 1.0 if self.kind != "run" else 1 - interruptions_of(-(-self.accelerators // NODE)).lost

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
    def terms(self) -> Mapping[str, float]:
        """What the coefficients multiply."""
        return terms(
            hopper=self.hopper,
            active=self.active * 1e9,
            sequence=self.sequence,
            accelerators=self.accelerators,
            full_recompute=self.full_recompute,
        )

    def predicted_hours(self) -> float | None:
        """Accelerator hours as the shipped fit has them; None for a chip that the catalogue does not have."""
        chip = self.chip
        if chip is None or chip.bf16_tflops is None:
            return None
        reached = mfu(
            chip,
            active=self.active * 1e9,
            sequence=self.sequence,
            accelerators=self.accelerators,
            full_recompute=self.full_recompute,
            fp8=self.fp8,
        )
        return self.flops / (chip.bf16_tflops * 1e12 * reached) / HOUR_S / self.kept


def runs() -> tuple[Run, ...]:
    """Every published run: by generation, active parameters and name."""
    with RUNS.open(encoding="utf-8", newline="") as file:
        found = [_run(row) for row in csv.DictReader(file)]
    return tuple(sorted(found, key=lambda each: (each.hopper, each.active, each.name)))


def halves() -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """The runs that are fitted, and those that are held out."""
    known = [each for each in runs() if each.fitted_to]
    return tuple(known[::2]), tuple(known[1::2])


def error(run: Run) -> float | None:
    """The predicted time over the published one, minus 1."""
    hours = run.predicted_hours()
    return None if hours is None else hours / run.accelerator_hours - 1


def coefficients() -> dict[str, float]:
    """Both fits, in the order of the table."""
    measured = _measured()
    rows = [(*(each[name] for name in BENCHMARK), each["recompute"]) for each, _ in measured]
    benchmark = dict(zip(BENCHMARK, _solved(rows, [value for _, value in measured]), strict=False))
    benchmark["fp8"] = _fp8_gain()
    fitted, _ = halves()
    left = [
        log(each.mfu)
        - sum(benchmark[name] * each.terms[name] for name in BENCHMARK)
        - (benchmark["fp8"] if each.fp8 else 0.0)
        for each in fitted
    ]
    rows = [tuple(each.terms[name] for name in PRODUCTION) for each in fitted]
    return {**benchmark, **dict(zip(PRODUCTION, _robust(rows, left), strict=True))}


def data_set() -> DataSet:
    """The table of coefficients."""
    file = path_of("mfu_fit")
    rows = (
        (
            name,
            round(value, 4),
            _MULTIPLIES[name],
            "",
            "fit to published training runs, tools/fit_mfu.py"
            if name in PRODUCTION
            else "llm-foundry, measured throughput; tools/fit_mfu.py",
            "2026-11",
        )
        for name, value in coefficients().items()
    )
    header = ("name", "value", "multiplies", "unverified", "source", "as_of")
    return DataSet({file: table(header, rows)}, [file] if file.exists() else [])


def report() -> str:
    """Every run with its published and predicted days, and how many come within 20 %."""
    fitted, held_out = halves()
    rest = [each for each in runs() if not each.fitted_to]
    lines = [f"{'run':32} {'MFU':>5} {'published h':>12} {'predicted h':>12} {'error':>6}"]
    for title, several in (("fitted", fitted), ("held out", held_out), ("other hardware", rest)):
        errors = [value for each in several if (value := error(each)) is not None]
        within = sum(abs(value) <= WITHIN for value in errors)
        typical = median(abs(value) for value in errors)
        lines.append(f"-- {title}: {within} of {len(errors)} within 20 %, median error {typical:.0%}")
        for each in several:
            hours, off = each.predicted_hours(), error(each)
            shown = "not modelled" if hours is None or off is None else f"{hours:12,.0f} {off:+6.0%}"
            lines.append(f"{each.name:32} {each.mfu:5.2f} {each.accelerator_hours:12,.0f} {shown}")
    return "\n".join(lines)


def _run(row: Mapping[str, str]) -> Run:
    return Run(
        name=row["run"],
        kind=row["kind"],
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
        source=row["source"],
    )


def _measured() -> list[tuple[dict[str, float], float]]:
    found = []
    for row in _rows_of("bf16"):
        recomputed = float(row["hfu_pct"]) > 1.2 * float(row["mfu_pct"])
        each = terms(
            hopper=row["gpu"].startswith("h100"),
            active=_SIZES[row["model"]] * 1e9,
            sequence=int(row["seq_len"]),
            accelerators=int(row["gpus"]),
            full_recompute=recomputed,
        )
        found.append((each, log(float(row["mfu_pct"]) / 100)))
    return found


def _rows_of(precision: str) -> list[dict[str, str]]:
    with MEASURED.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["precision"] == precision]


def _fp8_gain() -> float:
    """The mean logarithm of FP8 over BF16 throughput; MFU of FP8 is over a peak that is twice as high."""
    keys = ("model", "seq_len", "gpus", "gpu")
    plain = {tuple(row[key] for key in keys): float(row["mfu_pct"]) for row in _rows_of("bf16")}
    fast = {tuple(row[key] for key in keys): float(row["mfu_pct"]) for row in _rows_of("fp8")}
    return fmean(log(2 * value / plain[key]) for key, value in fast.items() if key in plain)


def _robust(rows: Sequence[Sequence[float]], wanted: Sequence[float]) -> list[float]:
    weights = [1.0] * len(rows)
    for _ in range(_ROUNDS):
        scaled = [[value * weight**0.5 for value in row] for row, weight in zip(rows, weights, strict=True)]
        found = _solved(scaled, [value * weight**0.5 for value, weight in zip(wanted, weights, strict=True)], _RIDGE)
        off = [
            abs(value - sum(map(float.__mul__, map(float, row), found)))
            for row, value in zip(rows, wanted, strict=True)
        ]
        weights = [min(1.0, _HUBER / max(each, 1e-9)) for each in off]
    return found


def _solved(rows: Sequence[Sequence[float]], wanted: Sequence[float], ridge: float = 0.0) -> list[float]:
    """Least squares by the normal equations, which are small; the first term is not held back."""
    size = len(rows[0])
    system = [
        [sum(row[i] * row[j] for row in rows) + (ridge if i == j and i else 0.0) for j in range(size)]
        + [sum(row[i] * value for row, value in zip(rows, wanted, strict=True))]
        for i in range(size)
    ]
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(system[row][i]))
        system[i], system[pivot] = system[pivot], system[i]
        for j in range(size):
            if j != i:
                factor = system[j][i] / system[i][i]
                system[j] = [a - factor * b for a, b in zip(system[j], system[i], strict=True)]
    return [system[i][size] / system[i][i] for i in range(size)]


if __name__ == "__main__":
    if sys.argv[1:] == ["--report"]:
        print(report())
    else:
        main(data_set)
