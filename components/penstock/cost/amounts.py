"""Amounts that are known within bounds: the least, the expected and the most."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of units with its bounds, `low` ≤ `expected` ≤ `high`; all three are equal where it is certain."""

    low: float
    expected: float
    high: float

    def __mul__(self, factor: float) -> Amount:
        """Return each bound times a factor that is not negative."""
        return Amount(self.low * factor, self.expected * factor, self.high * factor)

    def __add__(self, other: Amount) -> Amount:
        """Return the sum: both may be at their least, or at their most, together."""
        return Amount(self.low + other.low, self.expected + other.expected, self.high + other.high)

    def times(self, other: Amount) -> Amount:
        """Return the product, bound by bound; neither amount is negative."""
        return Amount(self.low * other.low, self.expected * other.expected, self.high * other.high)

    def beyond(self, free: float) -> Amount:
        """Return the part above an allowance that is free."""
        return Amount(*(max(0.0, each - free) for each in (self.low, self.expected, self.high)))

    def within(self, floor: float, ceiling: float | None) -> Amount:
        """Return the part between two limits; None is no limit."""
        above = self.beyond(floor)
        if ceiling is None:
            return above
        room = ceiling - floor
        return Amount(min(above.low, room), min(above.expected, room), min(above.high, room))


def exactly(number: float) -> Amount:
    """Return a number as an amount that is certain."""
    return Amount(number, number, number)


def amount_of(units: Amount | float) -> Amount:
    """Return an amount as it is, and a number as an exact one."""
    return units if isinstance(units, Amount) else exactly(units)


NOTHING = exactly(0)
