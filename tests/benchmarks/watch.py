"""Measures the time from an edit of a description to the verdict of `penstock rehearse ENV --watch`; asserts nothing.

Each edit changes the size of a pool. The median, the fastest and the slowest are printed, beside the processor time of
a run: on a machine with other work the latter says more.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = ("aws-train", "gcp-train", "azure-train", "aws-dev")
EDITS = 11
VERDICT = re.compile(rb"^\d\d:\d\d:\d\d \(", re.MULTILINE)
TO_WARM_UP_S = 15
QUIET_S = 0.6


def main() -> None:
    print("| environment | median | fastest | slowest | processor |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copy(ROOT / "Pulumi.yaml", home)
        shutil.copytree(ROOT / "stacks", home / "stacks")
        (home / ".venv").symlink_to(sys.prefix)  # the environment that `Pulumi.yaml` names
        for environment in ENVIRONMENTS:
            report(environment, home)


def report(environment: str, home: Path) -> None:
    file, output = home / "stacks" / f"Pulumi.{environment}.yaml", home / "output"
    text = file.read_text(encoding="utf-8")
    with output.open("wb") as printed:
        watch = subprocess.Popen(
            [str(Path(sys.executable).with_name("penstock")), "rehearse", environment, "--watch"],
            cwd=home,
            stdout=printed,
            stderr=subprocess.STDOUT,
        )
    wait_for(1, output)
    time.sleep(TO_WARM_UP_S)
    walls, processors = [], []
    for number in range(EDITS):
        before = processor_seconds(watch.pid)
        started = time.perf_counter()
        file.write_text(changed(text, number), encoding="utf-8")
        wait_for(number + 2, output)
        walls.append(time.perf_counter() - started)
        processors.append(processor_seconds(watch.pid) - before)
        time.sleep(QUIET_S)
    watch.terminate()
    watch.wait()
    figures = (statistics.median(walls), min(walls), max(walls), statistics.median(processors))
    print(f"| {environment} | {' | '.join(f'{figure:.2f} s' for figure in figures)} |", flush=True)


def changed(text: str, number: int) -> str:
    """A description in which a pool has one or two nodes more at most, in turns."""
    return re.sub(r"max: (\d+)", lambda found: f"max: {int(found[1]) + 1 + number % 2}", text, count=1)


def wait_for(verdicts: int, output: Path) -> None:
    while len(VERDICT.findall(output.read_bytes())) < verdicts:
        time.sleep(0.002)


def processor_seconds(process: int) -> float:
    """The processor time of a process and of those below it that have ended, where /proc has it; else 0."""
    children = Path(f"/proc/{process}/task/{process}/children")
    if not children.exists():
        return 0.0
    below = [int(each) for each in children.read_text().split()]
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    ticks = sum(int(each) for each in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK") + sum(map(processor_seconds, below))


if __name__ == "__main__":
    main()
