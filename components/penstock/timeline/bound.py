"""How early a schedule could end, and what each wait in it costs: longest paths through what must come before what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from penstock.timeline.needs import Edges

_END = ""


def heads(order: Sequence[str], before: Edges, seconds: Mapping[str, float]) -> dict[str, float]:
    """When each resource ends if any number may be under way at once; `order` has each after what comes before it."""
    ends: dict[str, float] = {}
    for urn in order:
        ends[urn] = seconds[urn] + max((ends[need] for need in before[urn]), default=0.0)
    return ends


def savings(
    order: Sequence[str], before: Edges, seconds: Mapping[str, float], target: str | None = None
) -> dict[tuple[str, str], float]:
    """How much earlier the target would end without one wait, for each wait (who, for whom) on the way to it.

    The target is a URN, or the end of everything. Any number of resources may be under way at once. Waits that are not
    named save nothing. Takes time in proportion to the waits, but for a logarithm.
    """
    goal = _END if target is None else target
    if target is None:
        order, before, seconds = [*order, _END], {**before, _END: frozenset(order)}, {**seconds, _END: 0.0}
    order = _leading_to(goal, order, before)
    ends = heads(order, before, seconds)
    tails = _tails(order, before, seconds)
    path = _longest_path(goal, before, ends)
    without = _without_each(path, order, before, ends, tails)
    return {(later, earlier): ends[goal] - length for (earlier, later), length in without.items()}


def _leading_to(goal: str, order: Sequence[str], before: Edges) -> list[str]:
    leading = {goal}
    for urn in reversed(order):
        if urn in leading:
            leading |= before[urn]
    return [urn for urn in order if urn in leading]


def _tails(order: Sequence[str], before: Edges, seconds: Mapping[str, float]) -> dict[str, float]:
    """How long it takes from the start of each resource to the end of the last one."""
    tails = dict.fromkeys(order, 0.0)
    for urn in reversed(order):
        tails[urn] += seconds[urn]
        for need in before[urn]:
            tails[need] = max(tails[need], tails[urn])
    return tails


def _longest_path(goal: str, before: Edges, ends: Mapping[str, float]) -> list[str]:
    path = [goal]
    while before[path[-1]]:
        path.append(max(sorted(before[path[-1]]), key=ends.__getitem__))
    return path[::-1]


def _without_each(
    path: Sequence[str], order: Sequence[str], before: Edges, ends: Mapping[str, float], tails: Mapping[str, float]
) -> dict[tuple[str, str], float]:
    """The longest way through all when one step of the longest path is taken out, for each of its steps.

    Cut the order just before the step's later end: whatever way is left either crosses the cut by another step or
    starts behind it. So one pass that keeps the steps across the cut in a heap finds all answers.
    """
    place = {urn: index for index, urn in enumerate(order)}
    steps = {later: (earlier, later) for earlier, later in pairwise(path)}
    after: dict[str, list[str]] = {urn: [] for urn in order}
    for urn in order:
        for need in before[urn]:
            after[need].append(urn)
    behind = [0.0] * (len(order) + 1)
    for index in range(len(order) - 1, -1, -1):
        behind[index] = max(behind[index + 1], tails[order[index]])

    lengths: dict[tuple[str, str], float] = {}
    across: list[tuple[float, int, str, str]] = []
    for index, urn in enumerate(order):
        step = steps.get(urn)
        if step is not None:
            # This is the last cut that the step itself crosses, so it may leave the heap for good.
            while across and (across[0][1] < index or across[0][2:] == step):
                heappop(across)
            lengths[step] = max(-across[0][0] if across else 0.0, behind[index])
        for later in after[urn]:
            heappush(across, (-(ends[urn] + tails[later]), place[later], urn, later))
    return lengths
