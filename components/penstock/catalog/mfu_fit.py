"""The fitted coefficients of model FLOPs utilisation; `python -m tools.fit_mfu` makes the table."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """One coefficient of the logarithm of MFU, and what it multiplies."""

    name: str
    value: float
    multiplies: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def coefficient(name: str) -> float:
    """The value of a coefficient.

    Raises:
        UnknownFact: the fit has no such coefficient.
    """
    return record_of(Coefficient, "mfu_fit", name, "coefficient of the MFU fit").value
