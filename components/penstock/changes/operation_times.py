"""The time that a change of machines takes, and the time after which the provider gives it up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from penstock.catalog import latencies, updates
from penstock.changes.rollouts import Rollout
from penstock.graph.graph import Resource
from penstock.graph.view import View
from penstock.simulate.lifecycle import Operation
from penstock.timeline import variants

_SECONDS: Final = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class Minutes:
    """Minutes of an operation: the median and the 95th percentile of its waves, one after the other."""

    median: float
    p95: float


def minutes_of(view: View, rollout: Rollout) -> Minutes:
    """Return how long a rollout takes: the start of machines of this kind once for each wave, without draining."""
    latency = latencies.of_replacing(view.type, variants.running_variant(view))
    waves = 1 if rollout.start_together else rollout.waves
    return Minutes(
        round((waves * latency.median_s + rollout.waiting_s) / 60, 1),
        round((waves * latency.p95_s + rollout.waiting_s) / 60, 1),
    )


def pause_of(type_: str, minutes: Minutes, rollout: Rollout, *, accelerated: bool) -> Minutes | None:
    """Return how long a rollout takes with draining, boot and image pull; None for machines that are not nodes."""
    steps = latencies.replacement_steps(type_, accelerated=accelerated)
    if not steps:
        return None
    waves = 1 if rollout.start_together else rollout.waves
    return Minutes(
        round(minutes.median + waves * sum(each.median_s for each in steps) / 60, 1),
        round(minutes.p95 + waves * sum(each.p95_s for each in steps) / 60, 1),
    )


def timeout_min(resource: Resource, operation: Operation) -> float | None:
    """Return the minutes that the provider waits for an operation; None where nobody says."""
    own, usual = resource.options.timeouts, updates.timeouts_of(resource.type)
    if operation is Operation.UPDATE:
        given, default = own.update, usual.update_min if usual else None
    else:
        given, default = own.create, usual.create_min if usual else None
    parts = re.findall(r"([\d.]+)(ms|h|m|s)", given)
    return sum(float(number) * _SECONDS[unit] for number, unit in parts) / 60 if parts else default
