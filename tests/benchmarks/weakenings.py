"""Weakens every resource of our environments in every way we know, and prints the share that the packs notice."""

from __future__ import annotations

import sys
from collections import Counter

from tests.environments import STACKS
from tests.policies.test_weakenings import broken, broken_before, graph
from tests.policies.weakening import unprotected, weakened
from tests.policies.weakenings import WEAKENINGS

from penstock.rules.levels import Category


def main() -> None:
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for stack in STACKS:
        ways = [(each.category, each.name, weak) for each in WEAKENINGS for _, weak in weakened(graph(stack), each)]
        ways += [(Category.RESILIENCE, "not protected", weak) for _, weak in unprotected(graph(stack))]
        for concern, name, weak in ways:
            noticed = any(other is concern for other, *_ in broken(weak, stack) - broken_before(stack))
            for row in (concern.value, "all"):
                tried[row] += 1
                found[row] += noticed
            if not noticed:
                missed[f"{concern.value}: {name}"] += 1
        print(f"{stack}: {len(ways)} ways", file=sys.stderr, flush=True)
    print(f"{'concern':24} {'noticed':>8} {'of':>6}")
    for row in (*Category, "all"):
        print(f"{row:24} {found[row]:8} {tried[row]:6}  {found[row] / tried[row] if tried[row] else 1:4.0%}")
    for name, count in missed.most_common():
        print(f"missed {count:4} × {name}")


if __name__ == "__main__":
    main()
