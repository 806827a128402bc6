"""The fitted coefficients of serving; `python -m tools.fit_serving` makes the table."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingCoefficient:
    """One coefficient of the time that serving takes, and its meaning."""

    name: str
    value: float
    meaning: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def serving_coefficient(name: str) -> ServingCoefficient:
    """The coefficient of that name.

    Raises:
        UnknownFact: the fit has no such coefficient.
    """
    return record_of(ServingCoefficient, "serving_fit", name, "coefficient of serving")
