"""How often machines stop a job, by generation of their accelerators, as large runs and clusters have published it."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureRate:
    """The failures of one generation.

    Attributes:
        generation: as chips name it.
        node_mtbf_h: hours between stops of a job that one node of eight causes, whatever failed.
        meaning: what it follows from.
    """

    generation: str
    node_mtbf_h: float
    meaning: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def failure_rate(generation: str) -> FailureRate:
    """The failures of a generation.

    Raises:
        UnknownFact: nobody has published any.
    """
    return record_of(FailureRate, "failure_rates", generation, "generation of accelerators")
