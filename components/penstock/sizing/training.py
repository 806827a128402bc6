"""A training plan on one machine type: how many, how long, and what it takes beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from penstock.core.quantities import GIB
from penstock.sizing.batches import batch_of
from penstock.sizing.checkpoints import Checkpoint, checkpoint_of
from penstock.sizing.failures import HOUR_S, JobStops, interruptions_of, wall_time
from penstock.sizing.hardware import Hardware, most_accelerators
from penstock.sizing.memory import state_bytes
from penstock.sizing.parallelism import Placement, compute_seconds, placement, utilisation
from penstock.sizing.refusal import MORE_MEMORY, MORE_TIME, Refusal
from penstock.sizing.request import SizingRequest, Task
from penstock.sizing.storage import Demand, demand_of

_OF_AN_OCTAVE = 8
"""The counts from a power of two to the next that a deadline is met with: pipelines and tensors divide them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """A job on so many machines of one type. Times in seconds.

    Attributes:
        nodes: machines that work; not more than there are, and fewer where more would take longer.
        batch_tokens: tokens between two updates of the weights.
        productive_seconds: the computation, and what of the exchange does not hide behind it.
        wall_seconds: with the start, checkpoints, repeated work and restarts.
        tokens_per_second: what all replicas together read while they run.
    """

    hardware: Hardware
    nodes: int
    batch_tokens: float
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
    request = _with_batch(request, nodes * hardware.each)
    found = placement(request, hardware, nodes)
    if found is None:
        return None
    productive = request.tokens / request.batch_tokens * found.step_seconds
    checkpoint = checkpoint_of(request)
    stops = interruptions_of(nodes, hardware.chip.generation)
    return TrainingPlan(
        hardware=hardware,
        nodes=nodes,
        batch_tokens=request.batch_tokens,
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


def _with_batch(request: SizingRequest, accelerators: int) -> SizingRequest:
    """The request with the batch that runs on so many accelerators take, where nobody gave one."""
    if request.task is not Task.TRAIN or "batch" not in request.defaulted:
        return request
    return replace(request, batch_tokens=batch_of(request.shape.parameters, request.sequence, accelerators))


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
    each = request.frozen_bytes or state_bytes(request.optimizer)
    return each * request.shape.parameters


def cheapest_on(
    request: SizingRequest, hardware: Hardware, machine_usd: float, storage_usd: Callable[[Demand], float]
) -> TrainingPlan | Refusal:
    """The cheapest plan that meets the deadline, then the fastest of these; or why there is none.

    The same counts are tried whatever the deadline, so that a later one only adds plans and never costs more. More
    machines never work fewer hours in all: once these alone cost more than the best plan, no larger count is cheaper.

    Args:
        request: What is asked.
        hardware: The machine type.
        machine_usd: One machine for an hour; any number where that is not known.
        storage_usd: What storage for a demand costs an hour.
    """
    most = hardware.most or most_accelerators() // hardware.each
    best: tuple[float, float] | None = None
    cheapest: TrainingPlan | None = None
    in_time = fits = False
    for nodes in _counts(hardware, most):
        least = wall_time(
            _least_seconds(request, hardware, nodes), interruptions_of(nodes, hardware.chip.generation).lost
        )
        if least > request.deadline_s:
            continue
        in_time = True
        if nodes * hardware.each * hardware.usable(trains=True) < _least_bytes(request):
            continue
        if best is not None and nodes * machine_usd * least / HOUR_S > best[0]:
            break
        plan = plan_on(request, hardware, nodes)
        fits = fits or plan is not None
        if plan is None or plan.wall_seconds > request.deadline_s:
            continue
        hours = plan.wall_seconds / HOUR_S
        cost = (hours * (nodes * machine_usd + storage_usd(plan.demand)), hours)
        if best is None or cost < best:
            best, cheapest = cost, plan
    return cheapest or _why_late(hardware, most, in_time=in_time, fits=fits)


def _counts(hardware: Hardware, most: int) -> Iterator[int]:
    """The numbers of machines that a deadline is met with, ascending: all up to 16, then an eighth apart at most."""
    nodes = 1
    while nodes <= most:
        if hardware.slices is None or _is_slices(nodes, hardware.slices):
            yield nodes
        nodes += max(1, 2 ** (nodes.bit_length() - 1) // _OF_AN_OCTAVE)


def _why_late(hardware: Hardware, most: int, *, in_time: bool, fits: bool) -> Refusal:
    if hardware.slices == (1,) and not in_time:
        return Refusal(why="misses the deadline on the only slice that it comes in", fix=MORE_TIME)
    if not in_time:
        joined = f", the {hardware.most} machines that {hardware.cloud} joins by InfiniBand" if hardware.most else ""
        return Refusal(why=f"misses the deadline on {most * hardware.each:,} accelerators{joined}", fix=MORE_TIME)
    if not fits:
        why = f"does not fit into {hardware.memory / GIB:.0f} GiB accelerators, however it is spread"
        return Refusal(why=why, fix=MORE_MEMORY)
    return Refusal(why="misses the deadline: more machines would take longer", fix=MORE_TIME)


def _least_seconds(request: SizingRequest, hardware: Hardware, nodes: int) -> float:
    """The time without any exchange or stop, and without recomputation unless it is asked for."""
    reached = utilisation(request, hardware, nodes, recompute=request.recompute == "full")
    return request.tokens / request.batch_tokens * compute_seconds(request, hardware, nodes, reached)


def _is_slices(nodes: int, allowed: tuple[int, ...]) -> bool:
    return nodes in allowed or (allowed[-1] > 1 and nodes % allowed[-1] == 0)
