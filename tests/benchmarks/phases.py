"""Measures what the whole of `penstock rehearse` is spent on, phase by phase; asserts nothing.

Each environment is rehearsed in processes of its own: cold, as a command begins, and warm, as `--watch` does, in a fork
of a process that has rehearsed before. Figures are processor time, the least of some turns: other work on the machine
adds to it, and takes nothing away. The last column is the whole command by the clock.
"""

from __future__ import annotations

import gc
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from penstock.core import cycles

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = ("aws-train", "gcp-train", "azure-train", "aws-dev")
TURNS = 5
PHASES = ("imports", "description", "program", "rules", "policies", "cost and time", "secrets", "text")


def main() -> None:
    os.chdir(ROOT)
    print(f"| environment | | {' | '.join(PHASES)} | together | command |\n|---|---|{'---|' * (len(PHASES) + 2)}")
    for environment in ENVIRONMENTS:
        cold = least(lambda name=environment: measured(name, warm=False))  # type: ignore[misc]
        print(row(environment, "cold", cold, f"{command(environment):.2f} s"), flush=True)
        print(row(environment, "warm", least(lambda name=environment: measured(name, warm=True)), ""), flush=True)  # type: ignore[misc]


def row(environment: str, kind: str, phases: dict[str, float], whole: str) -> str:
    figures = [f"{phases[name] * 1000:.0f} ms" for name in PHASES]
    return f"| {environment} | {kind} | {' | '.join(figures)} | {sum(phases.values()):.2f} s | {whole} |"


def least(turn: Callable[[], dict[str, float]]) -> dict[str, float]:
    turns = [turn() for _ in range(TURNS)]
    return {name: min(each[name] for each in turns) for name in PHASES}


def command(environment: str) -> float:
    """The fastest of some whole commands by the clock."""
    seconds = []
    for _ in range(TURNS):
        started = time.perf_counter()
        penstock = str(Path(sys.executable).with_name("penstock"))
        subprocess.run([penstock, "rehearse", environment, "--out", os.devnull], check=False)
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def measured(environment: str, *, warm: bool) -> dict[str, float]:
    """The phases of a rehearsal in another process."""
    arguments = [sys.executable, __file__, environment, "warm" if warm else "cold"]
    return dict(json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout))


def phases(environment: str) -> dict[str, float]:
    """Rehearse as the command does, and return the processor time of each phase."""
    clock = [time.process_time()]

    def lap() -> float:
        clock.append(time.process_time())
        return clock[-1] - clock[-2]

    found: dict[str, float] = {}
    from rich.console import Console

    from penstock.app.assess import overview_of
    from penstock.app.judge import judge_policies
    from penstock.report import terminal
    from penstock.report.assessment import home_of
    from penstock.report.redacted import redacted
    from penstock.simulate import run
    from penstock.simulate.environment import find_environment

    found["imports"] = lap()
    it = find_environment(environment)
    found["description"] = lap()
    judge, spent = vars(run)["judge"], []

    def timed(*arguments: object, **named: object) -> object:
        started = time.process_time()
        try:
            return judge(*arguments, **named)
        finally:
            spent.append(time.process_time() - started)

    vars(run)["judge"] = timed
    rehearsal = it.rehearse()
    vars(run)["judge"] = judge
    found["rules"] = sum(spent)
    found["program"] = lap() - found["rules"]
    policies = judge_policies(rehearsal.graph, it.policies, beside=rehearsal.judgement)
    found["policies"] = lap()
    home = home_of(it.project, it.stack)
    whole = overview_of(rehearsal, environment=it.stack, cloud=it.cloud, policies=policies, home=home)
    whole = replace(whole, findings=it.located(whole.findings, whole.graph))
    found["cost and time"] = lap()
    whole = redacted(whole)
    found["secrets"] = lap()
    terminal.show(whole, Console(file=io.StringIO(), width=120), seconds=0)
    found["text"] = lap()
    return found


def in_process(environment: str, *, warm: bool) -> None:
    cycles.search_rarely()  # as the command does
    if warm:
        phases(environment)
        gc.collect()
        gc.freeze()
        sys.stdout.flush()
        process = os.fork()
        if process:
            os.waitpid(process, 0)
            return
    print(json.dumps(phases(environment)), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        in_process(sys.argv[1], warm=sys.argv[2] == "warm")
    else:
        main()
