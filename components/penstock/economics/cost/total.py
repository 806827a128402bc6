"""The bill of a month."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.economics.cost.bill import Line, Unpriced
from penstock.findings import UsageProblem


@dataclass(frozen=True, slots=True)
class Cost:
    """The bill of a month: what could be priced, the dearest first, and what could not.

    `unmatched` are the paths of declared usage that belongs to nothing in the program, and `misdeclared`
    what the program cannot hold of it.
    """

    lines: tuple[Line, ...]
    unpriced: tuple[Unpriced, ...]
    unmatched: tuple[str, ...] = ()
    misdeclared: tuple[UsageProblem, ...] = ()

    @property
    def monthly_usd(self) -> float:
        """The sum of all lines, as expected."""
        return sum(line.monthly_usd for line in self.lines)

    @property
    def known_usd(self) -> float | None:
        """The sum of all lines; None where none has an amount."""
        return self.monthly_usd if any(line.high_usd for line in self.lines) else None

    @property
    def low_usd(self) -> float:
        """The least that the lines may cost; what has no price is not in it."""
        return sum(line.low_usd for line in self.lines)

    @property
    def high_usd(self) -> float:
        """The most that the lines may cost; what has no price is not in it."""
        return sum(line.high_usd for line in self.lines)
