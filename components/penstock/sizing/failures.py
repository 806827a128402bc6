"""Stops of long jobs: how often to write checkpoints, and what is lost (Young 1974, Daly 2006).

All times are in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.failure_rates import failure_rate
from penstock.catalog.sizing_assumptions import assumed
from penstock.cost.interruptions import young_interval_s

HOUR_S = 3600.0
_MOST_LOST = 0.95
"""Beyond this a job hardly advances; the formula, which assumes rare stops, says nothing there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStops:
    """What stops cost a job.

    Attributes:
        mtbf_s: mean time between stops of the whole job.
        interval_s: time between checkpoints that loses least.
        writing: share of the time that training pauses for checkpoints.
        repeating: share spent on repeating what was not saved.
        restarting: share spent on starting again.
    """

    mtbf_s: float
    interval_s: float
    writing: float
    repeating: float
    restarting: float

    @property
    def lost(self) -> float:
        """The share of the time that brings nothing."""
        return min(_MOST_LOST, self.writing + self.repeating + self.restarting)


def job_mtbf(nodes: int, node_mtbf_s: float) -> float:
    """Mean time between stops of a job that any of its nodes stops."""
    return node_mtbf_s / nodes


def interruptions(pause_s: float, write_s: float, mtbf_s: float, restart_s: float) -> JobStops:
    """What is lost at the best interval, with checkpoints that are written while training goes on.

    With a pause of P for the copy of the state, W until the copy is stored, one stop in M and R until the job computes
    again, checkpoints every T lose P/T + (T/2 + W)/M + R/M: a stop falls back to the last one that is stored. The next
    one does not begin before that, so that T is W or more.
    """
    interval = max(write_s, young_interval_s(pause_s, mtbf_s))
    return JobStops(
        mtbf_s=mtbf_s,
        interval_s=interval,
        writing=pause_s / interval,
        repeating=(interval / 2 + write_s) / mtbf_s,
        restarting=restart_s / mtbf_s,
    )


def interruptions_of(nodes: int, generation: str) -> JobStops:
    """The interruptions of a job on so many nodes of a generation of accelerators, as they are assumed."""
    return interruptions(
        assumed("checkpoint_pause"),
        assumed("checkpoint_write"),
        job_mtbf(nodes, failure_rate(generation).node_mtbf_h * HOUR_S),
        start_s(),
    )


def wall_time(productive_s: float, lost: float) -> float:
    """The time that machines are paid for: until the first step, as after a stop, and while a share of it is lost."""
    return start_s() + productive_s / (1 - lost)


def start_s() -> float:
    """The seconds from the start of machines to the first step."""
    return assumed("restart") * 60
