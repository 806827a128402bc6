"""The first screen of a report: the choice, what it takes and costs, why it is that one, and what else there is."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog.mfu_fit import coefficient
from penstock.catalog.sizing_assumptions import assumed
from penstock.catalog.software_stacks import USUAL, find_stack
from penstock.report.sizing.numbers import held, lasted, paid
from penstock.report.sizing.scale import calendar_factor
from penstock.sizing.memory import Layout, Memory
from penstock.sizing.ranking import Choice, Ranking
from penstock.sizing.request import SizingRequest
from penstock.sizing.serving import ServingPlan
from penstock.sizing.training import TrainingPlan

_NEAR = 1.25


def summary_of(request: SizingRequest, ranking: Ranking, choice: Choice) -> tuple[tuple[str, str], ...]:
    """The rows of the first screen: what is asked most, each in a line or two."""
    return tuple(_rows(request, ranking, choice))


def _rows(request: SizingRequest, ranking: Ranking, choice: Choice) -> Iterator[tuple[str, str]]:
    plan = choice.plan
    if isinstance(plan, TrainingPlan):
        yield "time", _training_time(request, plan)
        memory, spread = plan.placement.memory, _spread(plan.placement.layout)
    else:
        yield "latency", _latency(request, plan)
        memory, spread = plan.memory, f"{plan.replicas:,} replicas of {plan.tensor}"
    yield "cost", _cost(choice)
    yield "memory", f"{_memory(choice, memory)}; {spread}"
    yield from _software(ranking, choice)
    yield "why this one", reason(ranking)
    yield from alternatives(ranking, choice)


def _training_time(request: SizingRequest, plan: TrainingPlan) -> str:
    text = lasted(plan.wall_seconds)
    if "mfu" in request.defaulted:
        fast, slow = (plan.wall_seconds * coefficient(each) for each in ("fast_tenth", "slow_tenth"))
        text += f" of training; four of five published runs took {lasted(fast)} to {lasted(slow)} for as much"
    longer = calendar_factor(request)
    if longer is not None:
        text += f"; expect up to {lasted(plan.wall_seconds * longer)} by the calendar (unverified)"
    return text


def _latency(request: SizingRequest, plan: ServingPlan) -> str:
    limit = request.traffic.first_token_s if request.traffic is not None else None
    allowed = f" of {lasted(limit)} allowed" if limit is not None else ""
    return (
        f"{lasted(plan.load_token_seconds)} a token at this load, {lasted(plan.token_seconds)} at a full batch, "
        f"{lasted(plan.first_token_seconds)} to the first{allowed}, without queueing; derived from published benchmarks"
    )


def _software(ranking: Ranking, choice: Choice) -> Iterator[tuple[str, str]]:
    """The port that a choice needs, and the best choice without one."""
    if not choice.is_port:
        return
    yield "software", f"a port to {port_of(choice)}"
    native = ranking.without_port
    if native is not None:
        yield "without a port", f"{named(native)}: {paid(native.usd)}{_guessed(native)}, {speed_of(native)}."


def port_of(choice: Choice) -> str:
    """The software stack of a choice, and what a program written for CUDA needs there."""
    stack = find_stack(choice.hardware.chip.software or USUAL)
    return f"{stack.title}: {stack.port}"


def _cost(choice: Choice) -> str:
    if choice.usd is None:
        return "unknown: the catalogue has no price"
    machines = f"machines {paid(choice.blended_usd)}"
    parts = machines if choice.storage_usd is None else f"{machines}, storage {paid(choice.storage_usd)}"
    price = choice.offer.price
    hour = f"; list price {price.usd:,.2f} USD for a machine and hour" if price is not None else ""
    month = "" if isinstance(choice.plan, TrainingPlan) else " a month"
    return f"{paid(choice.usd)}{month}: {parts}{hour}, without tax"


def _memory(choice: Choice, memory: Memory) -> str:
    usable = choice.hardware.usable(trains=isinstance(choice.plan, TrainingPlan))
    return f"{held(memory.total)} of {held(usable)} usable on each accelerator"


def _spread(layout: Layout) -> str:
    state = ("nothing", "the optimiser", "optimiser and gradients", "all state")[layout.stage]
    replicas = "1 replica" if layout.data == 1 else f"{layout.data:,} replicas that share {state}"
    return f"tensor {layout.tensor}, pipeline {layout.pipeline}, {replicas}"


def reason(ranking: Ranking) -> str:
    """The rule that chose, in a sentence."""
    choice, memory = ranking.recommended, ranking.memory_gib
    if choice is None or choice.usd is None:
        return "No machine that does it has a known price, so that it is the fastest."
    guesses = f"A price that no source confirms counts as a quarter higher, a port as {paid(assumed('port_cost'))}."
    if ranking.cost_decides:
        return f"Of what meets the deadline, it costs least. {guesses}"
    preferred = [] if choice.is_port else ["machines without a port"]
    if memory is not None and ranking.fits(choice):
        preferred.append(f"a memory of {memory[0]} to {memory[1]} GiB")
    first = f"Up to a quarter more cost, {' and '.join(preferred)} come first. " if preferred else ""
    return f"{first}Of what is within 5 % of the least cost, it is the fastest. {guesses}"


def alternatives(ranking: Ranking, choice: Choice) -> Iterator[tuple[str, str]]:
    """The cheapest and the fastest choice where they are others, and how many cost about as much."""
    cheapest, fastest = ranking.cheapest, ranking.fastest
    if choice.usd is not None and cheapest is not None and cheapest is not choice:
        costs = f"{paid(cheapest.usd)}{_guessed(cheapest)}, {speed_of(cheapest)}{_port(cheapest)}"
        yield "cheapest", f"{named(cheapest)}: {costs}."
    if fastest is not None and fastest is not choice:
        yield "fastest", f"{named(fastest)}: {speed_of(fastest)}, {paid(fastest.usd)}{_port(fastest)}."
    near = [each for each in ranking.choices if each.usd and choice.usd and each.usd <= choice.usd * _NEAR]
    near = [each for each in near if each is not choice]
    if near:
        clouds = ", ".join(sorted({each.cloud for each in near}))
        many = (
            f"{len(near)} more machine types of {clouds} cost"
            if len(near) > 1
            else f"1 more machine type of {clouds} costs"
        )
        yield (
            "similar cost",
            f"{many} at most a quarter more: deadline, capacity and region decide between them, not the price.",
        )


def _guessed(choice: Choice) -> str:
    return ", with a price that no source confirms" if choice.unverified else ""


def _port(choice: Choice) -> str:
    software = choice.hardware.chip.software
    return f", a port to {find_stack(software).title}" if choice.is_port and software is not None else ""


def named(choice: Choice) -> str:
    """A choice by its number of machines, type and place."""
    return f"{choice.plan.nodes:,} × {choice.hardware.machine_type} ({choice.cloud}, {choice.offer.region})"


def speed_of(choice: Choice) -> str:
    """How long a choice takes: a job, or a token."""
    plan = choice.plan
    if isinstance(plan, TrainingPlan):
        return lasted(plan.wall_seconds)
    return f"{lasted(plan.load_token_seconds)} a token"
