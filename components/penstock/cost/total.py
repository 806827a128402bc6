"""The bill of a month, and the sums of its lines."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

from penstock.core.findings import UsageProblem
from penstock.cost.bill import Line, Unpriced, UnpricedMachines


class Total(ABC):
    """A sum of lines that knows what it leaves out: then it is the least, and has no upper bound."""

    __slots__ = ()
    lines: tuple[Line, ...]
    unpriced: tuple[Unpriced, ...]

    @property
    def monthly_usd(self) -> float:
        """The sum of all lines, as expected; what has no figure is not in it."""
        return sum(line.monthly_usd for line in self.lines)

    @property
    def known_usd(self) -> float | None:
        """The sum of all lines; None where none has an amount."""
        return self.monthly_usd if any(line.high_usd for line in self.lines) else None

    @property
    def low_usd(self) -> float:
        """The least that the lines may cost."""
        return sum(line.low_usd for line in self.lines)

    @property
    def high_usd(self) -> float | None:
        """The most that the lines may cost; None where something that has no figure may come to it."""
        return None if any(each.is_open for each in self.unpriced) else sum(line.high_usd for line in self.lines)

    @property
    def omitted(self) -> tuple[Unpriced, ...]:
        """Costs that are in no line, the largest first: machines by their accelerators, then the rest."""
        return tuple(sorted((each for each in self.unpriced if each.is_omitted), key=_size))

    @property
    def is_complete(self) -> bool:
        """True if nothing is left out but what is billed by a use that nobody declared."""
        return not self.omitted

    @property
    def unpriced_machines(self) -> tuple[tuple[Unpriced, UnpricedMachines], ...]:
        """The machines among the omitted that have no price, the largest pool first."""
        found = ((each, each.machines) for each in self.omitted if each.missing == "price")
        return tuple((each, machines) for each, machines in found if machines is not None)


@dataclass(frozen=True, slots=True)
class Cost(Total):
    """The bill of a month: what could be priced, the dearest first, and what could not.

    `unmatched` are the paths of declared usage that belongs to nothing in the program, and `misdeclared`
    what the program cannot hold of it.
    """

    lines: tuple[Line, ...]
    unpriced: tuple[Unpriced, ...]
    unmatched: tuple[str, ...] = ()
    misdeclared: tuple[UsageProblem, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.monthly_usd:,.2f} USD a month, {len(self.lines)} lines, {len(self.unpriced)} without a price>"


def _size(each: Unpriced) -> tuple[float, float]:
    machines = each.machines
    return (0, 0) if machines is None else (-machines.count * machines.accelerators, -machines.count)
