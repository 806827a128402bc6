"""The bill of a month."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.economics.cost.bill import Line, Unpriced


@dataclass(frozen=True, slots=True)
class Cost:
    """The bill of a month: what could be priced, the dearest first, and what could not.

    `unmatched` are the paths of declared usage that belongs to nothing in the program.
    """

    lines: tuple[Line, ...]
    unpriced: tuple[Unpriced, ...]
    unmatched: tuple[str, ...] = ()

    @property
    def monthly_usd(self) -> float:
        """The sum of all lines, as expected."""
        return sum(line.monthly_usd for line in self.lines)

    @property
    def low_usd(self) -> float:
        """The least that the lines may cost; what has no price is not in it."""
        return sum(line.low_usd for line in self.lines)

    @property
    def high_usd(self) -> float:
        """The most that the lines may cost; what has no price is not in it."""
        return sum(line.high_usd for line in self.lines)
