"""Prints the errors of sizing on published figures, at a base revision and now; asserts nothing.

Training times come from tools/training_runs.csv, each by a fit that has not seen its paper. Serving benchmarks are in
tools/serving_runs.csv; those held out were never fitted. A base without these runs has no column.

Usage: sizing_errors.py [BASE]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from math import exp, log
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
_NOW = "--ratios"
_QUARTER = 1.25


def ratios() -> dict[str, list[float]]:
    """The derived time over the published one, of every run, by what it is."""
    from tools import fit_mfu
    from tools.training_runs import runs

    found: dict[str, list[float]] = defaultdict(list)
    for run in runs():
        if run.scored:
            found["training, paper not seen"].append(1 + fit_mfu.unseen_error(run))
        elif not run.fitted and run.time in ("hours", "throughput") and (off := fit_mfu.error(run)) is not None:
            found[f"training, hardware not fitted: {run.accelerator}"].append(1 + off)
    try:
        from tools import fit_serving
        from tools.serving_runs import serving_runs
    except ImportError:
        return found
    for each in serving_runs():
        ratio = fit_serving.ratio(each)
        if not each.held_out:
            found["serving, fitted"].append(ratio)
            continue
        found["serving, held out"].append(ratio)
        kind = "experts" if each.shape.mixture else "dense"
        found[f"serving, held out: {kind}"].append(ratio)
        found[f"serving, held out: {kind}, {each.accelerator}"].append(ratio)
    return found


def at(base: str) -> dict[str, list[float]]:
    """The same at a base revision."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "base"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(before), base], cwd=ROOT, check=True)
        try:
            env = {**os.environ, "PYTHONPATH": f"{before / 'components'}{os.pathsep}{before}"}
            command = [sys.executable, str(Path(__file__)), _NOW]
            printed = subprocess.run(command, check=True, cwd=before, env=env, capture_output=True, text=True).stdout
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(before)], cwd=ROOT, check=True)
    found: dict[str, list[float]] = json.loads(printed)
    return found


def row(found: list[float]) -> str:
    """The middle, the share within a quarter, and the share within a factor of two."""
    if not found:
        return "| | | | "
    middle = exp(median(log(each) for each in found))
    typical = exp(median(abs(log(each)) for each in found)) - 1
    near = sum(1 / _QUARTER <= each <= _QUARTER for each in found) / len(found)
    double = sum(1 / 2 <= each <= 2 for each in found) / len(found)
    return f"| {middle:.2f} | {typical:.0%} | {near:.0%} | {double:.0%} "


def main() -> None:
    """Prints a row for each kind of run."""
    if sys.argv[1:] == [_NOW]:
        print(json.dumps(ratios()))
        return
    before = at(sys.argv[1]) if sys.argv[1:] else {}
    heads = "| derived ÷ published | median error | within 25 % | within a factor of 2 "
    print(f"Times that sizing derives{f', at {sys.argv[1]} and now' if before else ''}:\n")
    print(f"| runs | number {heads if before else ''}{heads}|")
    print(f"|---|---{'|---' * 4 * (2 if before else 1)}|")
    for name, found in sorted(ratios().items()):
        print(f"| {name} | {len(found)} {row(before.get(name, [])) if before else ''}{row(found)}|")


if __name__ == "__main__":
    main()
