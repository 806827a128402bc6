"""The coefficients of model FLOPs utilisation: `python -m tools.fit_mfu` writes catalog/data/mfu_fit.csv.

One fit of the logarithm of MFU (the terms are in `penstock.sizing.throughput`) to the published runs on A100
and H100 (`tools.training_runs`). A paper weighs as the root of its runs, outliers weigh less (Huber), and terms are
held near 0 by a small ridge. FP8 is not fitted, as only few runs used it: it is the mean gain over the models that were
measured in both precisions, tools/fp8_measured.csv and tools/mfu_measured.csv.

The score is by paper: each is predicted by a fit that has seen none of its runs. `--report` prints every run with its
published and its predicted hours, the errors of that score, and those of what llm-foundry measured
(tools/mfu_measured.csv), which no fit sees. `--markdown` prints the table of docs/guides/sizing.md.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import exp, log
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Final, NamedTuple

from penstock.catalog.tables import path_of
from penstock.sizing.throughput import terms
from tools.generated import DataSet, main, table
from tools.training_runs import Run, runs

MEASURED = Path(__file__).parent / "mfu_measured.csv"
FP8 = Path(__file__).parent / "fp8_measured.csv"
WITHIN = 0.2
_SIZES: Final = {
    "125m": 0.125,
    "350m": 0.35,
    "760m": 0.76,
    "1b": 1.3,
    "3b": 2.7,
    "7b": 6.7,
    "13b": 13,
    "30b": 30,
    "70b": 65,
}
_RIDGE, _HUBER, _ROUNDS = 0.1, 0.15, 12
_MULTIPLIES: Final = {
    "base": "1",
    "hopper": "1 for H100 and later generations",
    "hopper_spread": "for H100 and later, doublings above 16 of the accelerators for each 10^9 active parameters",
    "recompute": "1 where all activations are recomputed",
    "mixture": "1 for a mixture of experts",
    "fp8": "1 for FP8",
}
_SPREAD: Final = {
    "fast_tenth": "nothing: a tenth of the published runs took less than this part of the time that is derived",
    "slow_tenth": "nothing: a tenth of them took more than this part of it",
    "calendar_time": "nothing: calendar days of published runs over the training in them, where papers give only those",
}
_ALIKE_SIZE, _ALIKE_NUMBER = 1.5, 3.0
"""How many times the active parameters, and the accelerators, one run has of another that is like it."""
_CALENDAR: Final = "calendar"
"""A term of the fit alone: how much longer calendar time is than training."""
NAMES: Final = tuple(name for name in _MULTIPLIES if name != "fp8")


class _Row(NamedTuple):
    """A row of the fit: what the coefficients multiply, the logarithm of MFU, how much it weighs, and its paper."""

    values: tuple[float, ...]
    wanted: float
    weight: float
    paper: str


@cache
def coefficients(without: str = "") -> Mapping[str, float]:
    """The coefficients, in the order of the table, from all papers but one; with that of calendar time."""
    found = _robust([each for each in _rows() if each.paper != without])
    return dict(zip((*NAMES, _CALENDAR), found, strict=True)) | {"fp8": fp8_gain()}


@cache
def fp8_gain() -> float:
    """The mean logarithm of FP8 over BF16 throughput; each model counts once."""
    gains: dict[str, list[float]] = defaultdict(list)
    with FP8.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            gains[row["model"]].append(log(float(row["bf16_step_s"]) / float(row["fp8_step_s"])))
    keys = ("model", "seq_len", "gpus", "gpu")
    plain = {tuple(row[key] for key in keys): float(row["mfu_pct"]) for row in _measured("bf16")}
    for row in _measured("fp8"):  # its MFU is over a peak that is twice as high
        before = plain.get(tuple(row[key] for key in keys))
        if before is not None:
            gains[row["model"]].append(log(2 * float(row["mfu_pct"]) / before))
    return fmean(fmean(each) for each in gains.values())


def unseen_error(run: Run) -> float:
    """The predicted time over the published one, minus 1, from a fit that has not seen the paper of the run."""
    found = coefficients(run.paper)
    predicted = sum(found[name] * value for name, value in run.terms.items()) + (found["fp8"] if run.fp8 else 0.0)
    return run.mfu / (run.relative_mfu * exp(predicted)) - 1


def error(run: Run) -> float | None:
    """The time that the shipped fit predicts over the published one, minus 1."""
    hours = run.predicted_hours()
    return None if hours is None else hours / run.accelerator_hours - 1


def alike() -> list[tuple[Run, Run]]:
    """Pairs of scored runs of two papers that the fit can hardly tell apart; what is between them is a team's work."""
    scored = [each for each in runs() if each.scored]
    return [pair for pair in combinations(scored, 2) if pair[0].paper != pair[1].paper and _are_alike(*pair)]


def times_apart() -> list[float]:
    """For each pair of runs that are alike, how many times as long one took for the same work, in order."""
    return sorted(_ratio(one.mfu, other.mfu) for one, other in alike())


def _are_alike(one: Run, other: Run) -> bool:
    kinds = {(run.hopper, run.full_recompute, run.mixture, run.fp8) for run in (one, other)}
    is_near = _ratio(one.active, other.active) <= _ALIKE_SIZE
    return len(kinds) == 1 and is_near and _ratio(one.accelerators, other.accelerators) <= _ALIKE_NUMBER


def _ratio(one: float, other: float) -> float:
    return max(one, other) / min(one, other)


def spread() -> dict[str, float]:
    """The published over the derived time that a tenth of the runs is below, and a tenth above; and calendar time."""
    tenths = quantiles([1 / (1 + unseen_error(each)) for each in runs() if each.scored], n=10)
    return {"fast_tenth": tenths[0], "slow_tenth": tenths[-1], "calendar_time": exp(-coefficients()[_CALENDAR])}


def data_set() -> DataSet:
    """The table of coefficients."""
    file = path_of("mfu_fit")
    found = {**coefficients(), **spread()}
    rows = (
        (
            name,
            round(found[name], 4),
            meaning,
            "",
            "NVIDIA/dgxc-benchmarking, both precisions; llm-foundry, measured throughput; tools/fit_mfu.py"
            if name == "fp8"
            else "fit to published training runs, tools/fit_mfu.py",
            "2026-11",
        )
        for name, meaning in (_MULTIPLIES | _SPREAD).items()
    )
    header = ("name", "value", "multiplies", "unverified", "source", "as_of")
    return DataSet({file: table(header, rows)}, [file] if file.exists() else [])


def report() -> str:
    """Every run with its published and predicted hours, and how many come within 20 %."""
    lines = [f"{'run':32} {'time':10} {'MFU':>5} {'published h':>12} {'predicted h':>12} {'error':>6} {'unseen':>6}"]
    for title, several in _groups():
        errors = [unseen_error(each) for each in several if each.fitted]
        if errors:
            within = sum(abs(value) <= WITHIN for value in errors)
            typical = median(abs(value) for value in errors)
            lines.append(f"-- {title}: {within} of {len(errors)} unseen within 20 %, median error {typical:.0%}")
        else:
            lines.append(f"-- {title}")
        for each in several:
            hours, off = each.predicted_hours(), error(each)
            shown = "not modelled" if hours is None or off is None else f"{hours:12,.0f} {off:+6.0%}"
            unseen = f" {unseen_error(each):+6.0%}" if each.fitted else ""
            lines.append(
                f"{each.name:32} {each.time:10} {each.mfu:5.2f} {each.accelerator_hours:12,.0f} {shown}{unseen}"
            )
    benchmark = _benchmark_errors()
    within = sum(abs(value) <= WITHIN for value in benchmark)
    lines.append(f"llm-foundry: {within} of {len(benchmark)} within 20 %, in the middle {median(benchmark):+.0%}")
    apart = times_apart()
    near = sum(each <= 1 + WITHIN for each in apart)
    lines.append(f"{len(apart)} pairs of runs are alike: {near} within 20 % of each other, two {apart[-1]:.1f} apart")
    longer = spread()["calendar_time"] - 1
    lines.append(f"calendar time is {longer:.0%} longer than training")
    return "\n".join(lines)


def markdown() -> str:
    """The table of docs/guides/sizing.md: runs with a time of training alone, as a fit without their paper has them."""
    lines = ["| run | on | published, hours | derived, hours | error |", "|---|---|---|---|---|"]
    for each in sorted((run for run in runs() if run.scored), key=lambda run: run.name.lower()):
        off = unseen_error(each)
        mark = " \\*" if "accelerator_hours" in each.unverified else ""
        lines.append(
            f"| {each.name}{_options(each)} | {each.accelerators:,} × {each.accelerator} "
            f"| {each.accelerator_hours:,.0f}{mark} | {each.accelerator_hours * (1 + off):,.0f} | {off:+.0%} |"
        )
    return "\n".join(lines)


def _options(run: Run) -> str:
    given = ["full recomputation"] * run.full_recompute + ["FP8"] * run.fp8 + ["experts"] * run.mixture
    return f" ({', '.join(given)})" if given else ""


def _groups() -> Iterator[tuple[str, list[Run]]]:
    known = runs()
    yield "time of training alone", [each for each in known if each.scored]
    yield "calendar time", [each for each in known if each.fitted and not each.scored]
    yield "rough, not fitted", [each for each in known if each.time == "rough"]
    yield "other hardware, not fitted", [each for each in known if each.time != "rough" and not each.fitted]


@cache
def _rows() -> tuple[_Row, ...]:
    fitted = [each for each in runs() if each.fitted]
    number: dict[str, int] = defaultdict(int)
    for each in fitted:
        number[each.paper] += 1
    found = [
        _Row(
            (*(each.terms[name] for name in NAMES), float(each.time == _CALENDAR)),
            log(each.mfu / each.relative_mfu) - (fp8_gain() if each.fp8 else 0.0),
            number[each.paper] ** -0.5,
            each.paper,
        )
        for each in fitted
    ]
    return tuple(found)


def _benchmark_errors() -> list[float]:
    """The measured MFU of llm-foundry over the predicted one, minus 1; rows with an HFU above their MFU recompute."""
    found = coefficients()
    errors = []
    for row in _measured("bf16"):
        quantities = terms(
            hopper=row["gpu"].startswith("h100"),
            active=_SIZES[row["model"]] * 1e9,
            accelerators=int(row["gpus"]),
            full_recompute=float(row["hfu_pct"]) > 1.2 * float(row["mfu_pct"]),
            mixture=False,
        )
        predicted = exp(sum(found[name] * value for name, value in quantities.items()))
        errors.append(float(row["mfu_pct"]) / 100 / predicted - 1)
    return errors


def _measured(precision: str) -> list[dict[str, str]]:
    with MEASURED.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["precision"] == precision]


def _robust(rows: Sequence[_Row]) -> list[float]:
    """Least squares, repeated with the weight of outliers reduced to what makes their pull that of Huber's loss."""
    weights = [row.weight for row in rows]
    found: list[float] = []
    for _ in range(_ROUNDS):
        found = _solved(rows, weights)
        off = [abs(row.wanted - sum(a * b for a, b in zip(row.values, found, strict=True))) for row in rows]
        weights = [row.weight * min(1.0, _HUBER / max(each, 1e-9)) for row, each in zip(rows, off, strict=True)]
    return found


def _solved(rows: Sequence[_Row], weights: Sequence[float]) -> list[float]:
    """Weighted least squares by the normal equations, which are small; the first term is not held back."""
    size = len(rows[0].values)
    system = [[_RIDGE if i == j and i else 0.0 for j in range(size)] + [0.0] for i in range(size)]
    for row, weight in zip(rows, weights, strict=True):
        kept = [(i, value) for i, value in enumerate(row.values) if value]
        for i, value in kept:
            scaled = weight * value
            for j, other in kept:
                system[i][j] += scaled * other
            system[i][size] += scaled * row.wanted
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(system[row][i]))
        system[i], system[pivot] = system[pivot], system[i]
        for j in range(size):
            if j != i:
                factor = system[j][i] / system[i][i]
                system[j] = [a - factor * b for a, b in zip(system[j], system[i], strict=True)]
    return [system[i][size] / system[i][i] for i in range(size)]


if __name__ == "__main__":
    if sys.argv[1:] in (["--report"], ["--markdown"]):
        print(report() if sys.argv[1:] == ["--report"] else markdown())
    else:
        main(data_set)
