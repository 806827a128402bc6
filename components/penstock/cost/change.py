"""The difference that a change makes to a bill, by component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.cost.bill import Unpriced
from penstock.cost.groups import CostGroup, by_component
from penstock.cost.still_paid import StillPaid, still_paid
from penstock.cost.total import Cost
from penstock.graph.graph import Graph

if TYPE_CHECKING:
    from penstock.description.usage import Usage


@dataclass(frozen=True, slots=True)
class CostStep:
    """The expected monthly cost of a component before and after a change, in USD: what has a figure.

    The difference is not known where something without a figure comes, goes or changes.
    """

    component: str
    old_usd: float
    new_usd: float
    is_known: bool = True

    @property
    def difference_usd(self) -> float | None:
        """The additional cost of the component, negative for a saving; None where it is not known."""
        return self.new_usd - self.old_usd if self.is_known else None


@dataclass(frozen=True, slots=True)
class CostChange:
    """The bills before and after a change, and the components whose cost differs, the largest difference first.

    `unknown` is what has no figure, and came, went or changed: then the difference is not known. `still_paid` is what
    reservations outside the program bill on, which is not saved. `newly_unpriced` are the resources that have no price
    and were not there before.
    """

    old: Cost
    new: Cost
    steps: tuple[CostStep, ...]
    unknown: tuple[Unpriced, ...]
    still_paid: tuple[StillPaid, ...]
    newly_unpriced: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """True if both bills leave out the same, and all that is still paid has a price."""
        return not self.unknown and all(each.monthly_usd is not None for each in self.still_paid)

    @property
    def difference_usd(self) -> float | None:
        """The additional cost of a month, negative for a saving; None where it is not known."""
        if not self.is_known:
            return None
        return self.new.monthly_usd + self.still_paid_usd - self.old.monthly_usd

    @property
    def still_paid_usd(self) -> float:
        """The sum of what is still paid, as far as it has a price."""
        return sum(each.monthly_usd or 0 for each in self.still_paid)

    @property
    def share(self) -> float | None:
        """The difference as a share of the bill before; None where either is not known as a whole."""
        difference, old = self.difference_usd, self.old
        if difference is None or not (old.is_complete and self.new.is_complete and old.monthly_usd):
            return None
        return difference / old.monthly_usd


def cost_change(old: Cost, old_graph: Graph, new: Cost, new_graph: Graph, usage: Usage | None = None) -> CostChange:
    """Return the difference between two bills, each with the Graph that it is of, and the usage of both."""
    paid = still_paid(old_graph, new_graph, usage)
    before = {group.name: group for group in by_component(old, old_graph)}
    after = {group.name: group for group in by_component(new, new_graph)}
    unknown = _differing(old, old_graph, new, new_graph)
    steps = [_step(name, before.get(name), after.get(name), unknown) for name in dict.fromkeys((*after, *before))]
    steps += [
        CostStep(f"{each.reservation} (outside)", 0.0, each.monthly_usd or 0.0, each.monthly_usd is not None)
        for each in paid
    ]
    changed = [step for step in steps if not step.is_known or step.old_usd != step.new_usd]
    known = {each.urn for each in old.unpriced}
    unpriced = dict.fromkeys(each.urn for each in new.unpriced if each.urn not in known)
    return CostChange(
        old,
        new,
        tuple(sorted(changed, key=lambda step: (step.is_known, -abs(step.new_usd - step.old_usd)))),
        unknown,
        paid,
        tuple(unpriced),
    )


def _step(name: str, old: CostGroup | None, new: CostGroup | None, unknown: Sequence[Unpriced]) -> CostStep:
    nothing = CostGroup(name, (), ())
    before, after = old or nothing, new or nothing
    is_known = not any(each in unknown for each in (*before.unpriced, *after.unpriced))
    return CostStep(name, round(before.monthly_usd, 2), round(after.monthly_usd, 2), is_known)


def _differing(old: Cost, old_graph: Graph, new: Cost, new_graph: Graph) -> tuple[Unpriced, ...]:
    """Omissions of only one of two bills, or of both where the inputs of the resource, and so its price, differ."""

    def is_same(each: Unpriced) -> bool:
        before, after = old_graph.resources.get(each.urn), new_graph.resources.get(each.urn)
        if each.missing == "price" and each.machines is not None:
            return True  # type, number and region are the same
        return before is not None and after is not None and before.inputs == after.inputs

    both = [each for each in new.omitted if each in old.omitted and is_same(each)]
    return tuple(dict.fromkeys(each for each in (*new.omitted, *old.omitted) if each not in both))
