"""Breaks the environments one field at a time, and prints the share that rules or types notice, by family and kind."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from tests.mutations import caught, mutations

from penstock.simulate.environment import find_environment
from penstock.simulate.project import project_at

EVERY = 1 if "--all" in sys.argv else 7
"""Judges each seventh mutation unless asked for all."""


def main() -> None:
    project = project_at(Path(__file__).parents[2])
    tried: Counter[tuple[str, str]] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    missed: dict[str, list[str]] = {}
    for stack in project.stacks():
        graph = find_environment(str(project.stack_file(stack))).rehearse().graph
        for mutation in list(mutations(graph))[::EVERY]:
            noticed = caught(mutation)
            for row in ((mutation.family, "all"), ("all", mutation.kind), ("all", "all")):
                tried[row] += 1
                found[row] += noticed
            if not noticed:
                missed.setdefault(mutation.family, []).append(str(mutation))
    for row in sorted(tried):
        print(f"{row[0]:28} {row[1]:16} {found[row]:6} of {tried[row]:6}  {found[row] / tried[row]:4.0%}")
    if "--missed" in sys.argv:
        for family, names in sorted(missed.items()):
            print(family, *sorted(set(names)), sep="\n    ")


if __name__ == "__main__":
    main()
