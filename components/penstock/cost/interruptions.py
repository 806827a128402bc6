"""The time that interruptions cost a job that writes checkpoints, by Young and Daly.

With C seconds for a checkpoint, one interruption in M seconds of the whole job and R seconds until it computes again,
a checkpoint every T seconds loses C/T + T/(2M) + R/M of the time; T = sqrt(2 C M) loses least.

Young, "A first order approximation to the optimum checkpoint interval", CACM 17(9), 1974; Daly, "A higher order
estimate of the optimum checkpoint interval for restart dumps", FGCS 22, 2006.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Final

SECONDS_A_WEEK: Final = 604_800.0


def mean_time_s(interruptions_per_week: float, nodes: int = 1) -> float:
    """Return the seconds between interruptions of a job, each of whose nodes has so many in a week; inf for none."""
    stops = interruptions_per_week * nodes
    return SECONDS_A_WEEK / stops if stops > 0 else inf


def young_interval_s(checkpoint_s: float, mean_time_s: float) -> float:
    """Return the seconds between checkpoints that lose least time; inf where nothing interrupts."""
    return sqrt(2 * checkpoint_s * mean_time_s)


def daly_interval_s(checkpoint_s: float, mean_time_s: float) -> float:
    """Return Daly's estimate of the same, which holds also where interruptions are as frequent as checkpoints are long.

    It is `mean_time_s` where a checkpoint takes half as long or longer.
    """
    if mean_time_s == inf:
        return inf
    share = checkpoint_s / (2 * mean_time_s)
    if share >= 1:
        return mean_time_s
    return sqrt(2 * checkpoint_s * mean_time_s) * (1 + sqrt(share) / 3 + share / 9) - checkpoint_s


def lost_fraction(
    checkpoint_s: float, mean_time_s: float, restart_s: float = 0.0, interval_s: float | None = None
) -> float:
    """Return the share of the time that is lost to checkpoints, to repeated work and to restarts, at most 1.

    Args:
        checkpoint_s: The seconds that a checkpoint takes.
        mean_time_s: The seconds between interruptions of the job; inf for none.
        restart_s: The seconds from an interruption until the job computes again.
        interval_s: The seconds between checkpoints; by default Young's.
    """
    if mean_time_s == inf:
        return 0.0 if interval_s is None else min(1.0, checkpoint_s / interval_s)
    interval = young_interval_s(checkpoint_s, mean_time_s) if interval_s is None else interval_s
    lost = (checkpoint_s / interval if interval else 0.0) + interval / (2 * mean_time_s) + restart_s / mean_time_s
    return min(1.0, lost)


def effective_price(usd: float, lost: float) -> float:
    """Return the price of an hour of work where a share of each paid hour is lost; inf where all of it is."""
    return usd / (1 - lost) if lost < 1 else inf
