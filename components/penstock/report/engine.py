"""The steps of the Pulumi CLI on an environment, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from penstock.simulate.engine.steps import EngineStep


def lines(steps: Sequence[EngineStep]) -> Iterator[str]:
    """A line for each step, with the problems of one that failed below it."""
    yield "Under the Pulumi CLI, with simulated clouds:"
    width = max(len(step.name) for step in steps)
    for step in steps:
        counts = ", ".join(f"{count} {operation}" for operation, count in sorted(step.changes.items()))
        result = "failed" if not step.ok else counts or "nothing to do"
        yield f"  {step.name:<{width}}  {result}  ({step.seconds:.1f} s)"
        yield from (f"    {line}" for problem in step.problems for line in problem.splitlines())


def document(steps: Sequence[EngineStep]) -> dict[str, Any]:
    """The steps as data."""
    return {
        "steps": [
            {
                "name": step.name,
                "ok": step.ok,
                "changes": dict(step.changes),
                "seconds": round(step.seconds, 3),
                "problems": list(step.problems),
            }
            for step in steps
        ]
    }
