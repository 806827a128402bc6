"""The difference that a change makes to a bill, by component."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.economics.cost.groups import by_component
from penstock.economics.cost.total import Cost
from penstock.resources.graph import Graph


@dataclass(frozen=True, slots=True)
class CostStep:
    """The expected monthly cost of a component before and after a change, in USD."""

    component: str
    old_usd: float
    new_usd: float

    @property
    def difference_usd(self) -> float:
        """What the component costs more; negative for less."""
        return self.new_usd - self.old_usd


@dataclass(frozen=True, slots=True)
class CostChange:
    """The bills before and after a change, and the components whose cost differs, the largest difference first.

    `newly_unpriced` are the resources that have no price and were not there before.
    """

    old: Cost
    new: Cost
    steps: tuple[CostStep, ...]
    newly_unpriced: tuple[str, ...]

    @property
    def difference_usd(self) -> float:
        """What a month costs more; negative for less."""
        return self.new.monthly_usd - self.old.monthly_usd


def cost_change(old: Cost, old_graph: Graph, new: Cost, new_graph: Graph) -> CostChange:
    """Return the difference between two bills, each with the Graph that it is of."""
    before = {group.name: group.monthly_usd for group in by_component(old, old_graph)}
    after = {group.name: group.monthly_usd for group in by_component(new, new_graph)}
    steps = [
        CostStep(name, round(before.get(name, 0.0), 2), round(after.get(name, 0.0), 2))
        for name in dict.fromkeys((*after, *before))
    ]
    changed = [step for step in steps if step.old_usd != step.new_usd]
    known = {each.urn for each in old.unpriced}
    unpriced = dict.fromkeys(each.urn for each in new.unpriced if each.urn not in known)
    return CostChange(old, new, tuple(sorted(changed, key=lambda step: -abs(step.difference_usd))), tuple(unpriced))
