"""A training plan on one machine type: how many, how long, and what it takes beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from penstock.economics.sizing.checkpoints import Checkpoint, checkpoint_of
from penstock.economics.sizing.failures import JobStops, interruptions_of, wall_time
from penstock.economics.sizing.hardware import Hardware, most_accelerators
from penstock.economics.sizing.memory import state_bytes
from penstock.economics.sizing.parallelism import Placement, compute_seconds, placement, utilisation
from penstock.economics.sizing.request import SizingRequest, Task
from penstock.economics.sizing.storage import Demand, demand_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """A job on so many machines of one type. Times in seconds.

    Attributes:
        nodes: machines that work; not more than there are, and fewer where more would take longer.
        productive_seconds: the computation, and what of the exchange does not hide behind it.
        wall_seconds: with checkpoints, repeated work and restarts.
        tokens_per_second: what all replicas together read while they run.
    """

    hardware: Hardware
    nodes: int
    placement: Placement
    checkpoint: Checkpoint
    interruptions: JobStops
    demand: Demand
    productive_seconds: float
    wall_seconds: float
    tokens_per_second: float

    @property
    def accelerators(self) -> int:
        """Accelerators that work."""
        return self.nodes * self.hardware.each


def plan_on(request: SizingRequest, hardware: Hardware, nodes: int) -> TrainingPlan | None:
    """The plan on exactly so many machines; None where the model does not fit."""
    found = placement(request, hardware, nodes)
    if found is None:
        return None
    productive = request.tokens / request.batch_tokens * found.step_seconds
    checkpoint = checkpoint_of(request)
    stops = interruptions_of(nodes, hardware.chip.generation)
    return TrainingPlan(
        hardware=hardware,
        nodes=nodes,
        placement=found,
        checkpoint=checkpoint,
        interruptions=stops,
        demand=demand_of(
            checkpoint,
            tokens_per_second=request.tokens / productive,
            tokens=request.tokens,
            dataset=request.dataset_bytes,
        ),
        productive_seconds=productive,
        wall_seconds=wall_time(productive, stops.lost),
        tokens_per_second=request.tokens / productive,
    )


def fastest_on(request: SizingRequest, hardware: Hardware, available: int) -> TrainingPlan | None:
    """The fastest plan on at most so many machines; more available machines never make it slower.

    Counts are tried from the largest: all of them up to 64 machines, and in steps of at most a hundredth above. Below
    one whose time without exchange and stops is already longer than the best plan, none can be faster; below one whose
    memory together does not hold the state of training, none fits.
    """
    best: TrainingPlan | None = None
    allowed = hardware.slices
    for nodes in range(min(available, hardware.most or available), 0, -1):
        if nodes % _step(nodes) or (allowed is not None and not _is_slices(nodes, allowed)):
            continue
        if nodes * hardware.each * hardware.usable(trains=True) < _least_bytes(request):
            break
        if best is not None and _least_seconds(request, hardware, nodes) >= best.wall_seconds:
            break
        plan = plan_on(request, hardware, nodes)
        if plan is not None and (best is None or plan.wall_seconds < best.wall_seconds):
            best = plan
    return best


def _step(nodes: int) -> int:
    """The step between the counts that are tried; the counts of more machines include those of fewer."""
    return next((step for most, step in ((64, 1), (256, 2), (2048, 8)) if nodes <= most), 64)


def _least_bytes(request: SizingRequest) -> float:
    """What all accelerators together hold at least: weights, and their gradients and optimiser where they change."""
    each = 2 if request.task is Task.LORA else state_bytes(request.optimizer)
    return each * request.shape.parameters


def fewest_on(request: SizingRequest, hardware: Hardware) -> TrainingPlan | str:
    """The plan on the fewest machines that hold the model and meet the deadline, or why there is none."""
    most = hardware.most or most_accelerators() // hardware.each
    allowed = hardware.slices
    start = _first(lambda nodes: _least_seconds(request, hardware, nodes) <= request.deadline_s, most)
    if start is None:
        return f"misses the deadline on {most * hardware.each:,} accelerators" + _joined(hardware)
    tried = 0
    nodes = start
    slowest: TrainingPlan | None = None
    while nodes <= most and tried < _MOST_TRIED:
        counted = nodes if allowed is None else _rounded(nodes, allowed)
        if counted is None:
            return "misses the deadline on the only slice that it comes in"
        plan = plan_on(request, hardware, counted)
        if plan is not None and plan.wall_seconds <= request.deadline_s:
            return plan
        slowest = plan or slowest
        grown = ceil(counted * (plan.wall_seconds / request.deadline_s if plan is not None else _GROWTH))
        nodes = _even(max(counted + 1, grown))
        tried += 1
    if slowest is None:
        return f"does not fit into {hardware.memory / 2**30:.0f} GiB accelerators, however it is spread"
    if nodes > most:
        return f"misses the deadline on {most * hardware.each:,} accelerators" + _joined(hardware)
    return "misses the deadline: more machines would take longer"


def _joined(hardware: Hardware) -> str:
    return f", the {hardware.most} machines that {hardware.cloud} joins by InfiniBand" if hardware.most else ""


_MOST_TRIED = 32
_GROWTH = 1.1
_EVEN = 8
_MANY = 512


def _even(nodes: int) -> int:
    """So many machines or a few more, a number that pipelines and tensors divide."""
    step = 1 if nodes <= _EVEN else _EVEN if nodes <= _MANY else _EVEN * _EVEN
    return ceil(nodes / step) * step


def _least_seconds(request: SizingRequest, hardware: Hardware, nodes: int) -> float:
    """The time without any exchange or stop, and without recomputation unless it is asked for."""
    reached = utilisation(request, hardware, nodes, recompute=request.recompute == "full")
    return request.tokens / request.batch_tokens * compute_seconds(request, hardware, nodes, reached)


def _first(holds: Callable[[int], bool], most: int) -> int | None:
    """The smallest number from 1 to `most` for which something holds that, once it does, goes on to hold."""
    if not holds(most):
        return None
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _is_slices(nodes: int, allowed: tuple[int, ...]) -> bool:
    return nodes in allowed or (allowed[-1] > 1 and nodes % allowed[-1] == 0)


def _rounded(nodes: int, allowed: tuple[int, ...]) -> int | None:
    """So many machines or more, in one slice or in several of the largest; one that is a single machine stays alone."""
    one = next((each for each in allowed if each >= nodes), None)
    if one is not None or allowed[-1] == 1:
        return one
    return ceil(nodes / allowed[-1]) * allowed[-1]
