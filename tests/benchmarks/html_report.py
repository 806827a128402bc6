"""Measures the HTML report of each environment: what it takes beyond the rehearsal, imports included, and its size.

Each environment has a process of its own. Prints the median of several turns; asserts nothing.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TURNS = 3

RENDER = """
import json, sys, time
from penstock.app.assess import assess
from penstock.simulate.environment import find_environment
from penstock.report.redacted import redacted

whole = redacted(assess(find_environment(sys.argv[1])))
start, start_cpu = time.perf_counter(), time.process_time()
from penstock.report import html

text = html.render(whole)
seconds, cpu = time.perf_counter() - start, time.process_time() - start_cpu
print(json.dumps([seconds, cpu, len(text.encode()), len(whole.graph)]))
"""


def measured(environment: str) -> tuple[float, float, int, int]:
    """The seconds, those of them at work, the bytes and the resources of one report."""
    command = [sys.executable, "-c", RENDER, environment]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    seconds, cpu, size, resources = json.loads(done.stdout.splitlines()[-1])
    return seconds, cpu, size, resources


def main() -> None:
    """Prints a row for each environment of stacks/."""
    print("| environment | resources | HTML beyond the rehearsal | CPU | size |\n|---|---|---|---|---|")
    for stack in sorted((ROOT / "stacks").glob("Pulumi.*.yaml")):
        environment = stack.stem.removeprefix("Pulumi.")
        turns = [measured(environment) for _ in range(TURNS)]
        seconds, cpu = (statistics.median(turn[which] for turn in turns) for which in (0, 1))
        *_, size, resources = turns[0]
        print(f"| {environment} | {resources} | {seconds:.2f} s | {cpu:.2f} s | {size / 1000:.0f} kB |", flush=True)


if __name__ == "__main__":
    main()
