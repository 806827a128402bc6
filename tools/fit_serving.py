"""The coefficients of serving: `python -m tools.fit_serving` writes catalog/data/serving_fit.csv.

The compute that each precision reaches, how much reading and computing overlap, the cost of experts, and the share of
its peak that MI300X reaches are fitted to the rows of tools/serving_runs.csv marked `fit`, one coefficient after the
other, until none gets better. The rest comes from a table below. `--report` prints each run with its error.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from math import exp, log
from statistics import fmean, median
from typing import Final

from penstock.catalog.tables import path_of
from penstock.sizing.serving_speed import ServingEfficiency
from tools.generated import DataSet, main, table
from tools.serving_runs import ServingRun, serving_runs

FIT_SOURCE: Final = "fit to published serving benchmarks, tools/fit_serving.py"
_GENERAL: Final = "general knowledge, not checked"
_GIVEN: Final[Mapping[str, tuple[float, str, str]]] = {
    "memory": (0.9, "part of the bandwidth of memory that generating reaches, beside the time of each step", _GENERAL),
    "attention": (0.6, "part of the BF16 peak that attention over a prompt reaches", "FlashAttention-2 (2307.08691)"),
    "step": (2.0, "milliseconds that each step takes beside reading and computing", _GENERAL),
    "compute_int8": (0.6, "part of the INT8 peak that multiplying reaches", _GENERAL),
}
_FITTED: Final[Mapping[str, tuple[float, float, float, str]]] = {
    # name: (where the search begins, least, most, meaning)
    "compute_bf16": (0.6, 0.1, 0.9, "part of the BF16 peak that multiplying reaches"),
    "compute_fp8": (0.6, 0.1, 0.9, "part of the FP8 peak that multiplying reaches"),
    "compute_fp4": (0.4, 0.1, 0.9, "part of the FP4 peak that multiplying reaches"),
    "overlap": (1.5, 1.0, 10.0, "the norm by which reading and computing add up: 1 one after the other, more overlap"),
    "mixture": (1.0, 0.5, 3.0, "times as long as a dense model that reads and computes as much, for experts"),
    "mi300x": (0.7, 0.1, 1.0, "share of its peaks that MI300X reaches, over that of the other GPUs; chips.csv has it"),
}
_STEPS: Final = (1.2, 1.05, 1.01, 1.002)


@cache
def coefficients() -> Mapping[str, float]:
    """The coefficients that come closest to the runs of the fit."""
    found = {name: start for name, (start, *_) in _FITTED.items()}
    least = _loss(found)
    for step in _STEPS:
        better = True
        while better:
            better = False
            for name, (_, low, high, _meaning) in _FITTED.items():
                for factor in (step, 1 / step):
                    tried = {**found, name: min(high, max(low, found[name] * factor))}
                    loss = _loss(tried)
                    if loss < least - 1e-9:
                        found, least, better = tried, loss, True
    return found


def efficiency(fitted: Mapping[str, float]) -> ServingEfficiency:
    """The efficiency with some fitted coefficients."""
    return ServingEfficiency(
        memory=_GIVEN["memory"][0],
        compute={
            **{each: fitted[f"compute_{each}"] for each in ("bf16", "fp8", "fp4")},
            "int8": _GIVEN["compute_int8"][0],
        },
        attention=_GIVEN["attention"][0],
        step_s=_GIVEN["step"][0] / 1000,
        overlap=fitted["overlap"],
        mixture=fitted["mixture"],
    )


def ratio(run: ServingRun) -> float:
    """The derived time over the published one."""
    found = coefficients()
    return run.ratio(efficiency(found), {"mi300x": found["mi300x"]})


def _loss(fitted: Mapping[str, float]) -> float:
    """The mean distance, each source and accelerator counting once."""
    groups: dict[tuple[str, str, str], list[float]] = {}
    found = efficiency(fitted)
    for run in serving_runs():
        if not run.held_out:
            off = abs(log(run.ratio(found, {"mi300x": fitted["mi300x"]})))
            groups.setdefault((run.source, run.accelerator, run.model), []).append(off)
    return fmean(fmean(each) for each in groups.values())


def data_set() -> DataSet:
    """The table of coefficients."""
    file = path_of("serving_fit")
    return DataSet({file: table(("name", "value", "meaning", "unverified", "source", "as_of"), _rows())}, [file])


def _rows() -> Iterator[tuple[object, ...]]:
    for name, (value, meaning, source) in _GIVEN.items():
        yield name, value, meaning, "value", source, "2026-11"
    found = coefficients()
    for name, (*_, meaning) in _FITTED.items():
        yield name, round(found[name], 4), meaning, "", FIT_SOURCE, "2026-11"


def report() -> str:
    """Every run with its derived time over the published one."""
    lines = [
        f"{run.title:70} {run.measured:15} {ratio(run):5.2f} {'held out' * run.held_out}" for run in serving_runs()
    ]
    return "\n".join((*lines, *summary()))


def summary() -> tuple[str, ...]:
    """The errors of what is held out, as docs/guides/sizing.md has them."""
    held = [run for run in serving_runs() if run.held_out]
    errors = {name: [abs(log(ratio(run))) for run in several] for name, several in _kinds(held).items()}
    near, double = (fmean(each <= log(most) for each in errors["all"]) for most in (1.25, 2))
    return (
        f"{len(held)} benchmarks are held out",
        f"median error is {_typical(errors['all']):.0%}",
        f"{near:.0%} come within 25 %, and {double:.0%} within a factor of two",
        f"Dense models have a median error of {_typical(errors['dense']):.0%}",
        f"mixtures of experts of {_typical(errors['experts']):.0%}",
    )


def _kinds(held: list[ServingRun]) -> dict[str, list[ServingRun]]:
    dense = [run for run in held if not run.shape.mixture]
    return {"all": held, "dense": dense, "experts": [run for run in held if run.shape.mixture]}


def _typical(errors: list[float]) -> float:
    return exp(median(errors)) - 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--report"]:
        print(report())
    else:
        main(data_set)
