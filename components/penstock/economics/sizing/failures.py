"""Stops of long jobs: how often to write checkpoints, and what is lost (Young 1974, Daly 2006).

All times are in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.sizing_assumptions import assumed
from penstock.economics.interruptions import young_interval_s

HOUR_S = 3600.0
_MOST_LOST = 0.95
"""Beyond this a job hardly advances; the formula, which assumes rare stops, says nothing there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStops:
    """What stops cost a job.

    Attributes:
        mtbf_s: mean time between stops of the whole job.
        interval_s: time between checkpoints that loses least.
        writing: share of the time spent on writing checkpoints.
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


def interruptions(write_s: float, mtbf_s: float, restart_s: float) -> JobStops:
    """What is lost at the best interval: C/T for writing, T/2M for repeating, R/M for restarting."""
    interval = young_interval_s(write_s, mtbf_s)
    return JobStops(
        mtbf_s=mtbf_s,
        interval_s=interval,
        writing=write_s / interval,
        repeating=interval / (2 * mtbf_s),
        restarting=restart_s / mtbf_s,
    )


def interruptions_of(nodes: int, write_s: float | None = None) -> JobStops:
    """The interruptions of a job on so many nodes, with the assumed time between stops and time to restart."""
    write = assumed("checkpoint_write") if write_s is None else write_s
    return interruptions(write, job_mtbf(nodes, assumed("node_mtbf") * HOUR_S), assumed("restart") * 60)


def wall_time(productive_s: float, lost: float) -> float:
    """The time that work takes when a share of the time is lost."""
    return productive_s / (1 - lost)
