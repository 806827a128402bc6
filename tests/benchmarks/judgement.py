"""Measures what cloud rules, diff, preconditions and timeline cost beside a rehearsal, in one process; asserts nothing.

What is compared differs at every template of machines: each pool is judged.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.p5_platform import Misconfiguration, platform

from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.graph.graph import Graph
from penstock.preconditions import preconditions_of
from penstock.rules.judge import judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings
from penstock.simulate.environment import find_environment
from penstock.simulate.project import project_at
from penstock.simulate.run import Rehearsal, rehearse
from penstock.timeline import timeline

TURNS = 5
PLATFORM_RESOURCES = 45
SIZES = (500, 1000, 2000, 4000)


def main() -> None:
    columns = ("rules", "diff", "preconditions", "timeline")
    print(
        f"{'program':16} {'resources':>9} {'rehearse':>9} {' '.join(f'{each:>13}' for each in columns)}  rules + diff"
    )
    stack = find_environment(str(project_at(Path(__file__).parents[2]).stack_file("aws-train")))
    report("aws-train", stack.rehearse, stack.rehearse().graph)
    for size in SIZES:
        count = size // PLATFORM_RESOURCES
        before = rehearse(partial(platforms, count, {"template": {"ebs_optimized": False}})).graph
        report(f"P5 × {count}", partial(rehearse, partial(platforms, count, {})), before)


def platforms(count: int, misconfiguration: Misconfiguration) -> None:
    """A program of so many platforms."""
    for index in range(count):
        platform(misconfiguration, f"p{index}-")()


def report(name: str, run: Callable[[], Rehearsal], before: Graph) -> None:
    graph = run().graph  # the first run imports what it needs
    whole = seconds(run)
    parts = [
        seconds(lambda: judge(graph, Settings(), RuleKind.PROVIDER)),
        seconds(lambda: findings_of(diff(before, graph))),
        seconds(lambda: preconditions_of(graph)),
        seconds(lambda: timeline.schedule(graph)),
    ]
    figures = " ".join(f"{part:11.3f} s" for part in parts)
    print(f"{name:16} {len(graph):9} {whole:7.2f} s {figures}  {sum(parts[:2]) / whole:12.0%}", flush=True)


def seconds(work: Callable[[], object]) -> float:
    """The median of some turns."""
    turns = []
    for _ in range(TURNS):
        started = time.perf_counter()
        work()
        turns.append(time.perf_counter() - started)
    return statistics.median(turns)


if __name__ == "__main__":
    main()
