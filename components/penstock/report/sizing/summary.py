"""The first screen of a report: the choice, what it takes and costs, why it is that one, and what else there is."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog.mfu_fit import coefficient
from penstock.economics.sizing.memory import Layout, Memory
from penstock.economics.sizing.ranking import Choice, Ranking
from penstock.economics.sizing.request import SizingRequest
from penstock.economics.sizing.training import TrainingPlan
from penstock.report.sizing.numbers import held, lasted, paid
from penstock.report.sizing.scale import calendar_factor

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
        first = lasted(plan.prompt_seconds + plan.token_seconds)
        yield "latency", f"{lasted(plan.token_seconds)} a token, {first} to the first, by a roofline without queueing"
        memory, spread = plan.memory, f"{plan.replicas:,} replicas of {plan.tensor}"
    yield "cost", _cost(choice)
    yield "memory", f"{_memory(choice, memory)}; {spread}"
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
    if ranking.cost_decides:
        return "Confirmed prices come first; of what then meets the deadline, it is the cheapest."
    memory = ranking.memory_gib
    fitting = (
        f", then a memory of {memory[0]} to {memory[1]} GiB up to a quarter more cost" if memory is not None else ""
    )
    return f"Confirmed prices come first{fitting}; of what is then within 5 % of the least cost, it is the fastest."


def alternatives(ranking: Ranking, choice: Choice) -> Iterator[tuple[str, str]]:
    """The cheapest and the fastest choice where they are others, and how many cost about as much."""
    cheapest, fastest = ranking.cheapest, ranking.fastest
    if choice.usd is not None and cheapest is not None and cheapest is not choice:
        guess = ", with a price that no source confirms" if cheapest.unverified else ""
        yield "cheapest", f"{named(cheapest)}: {paid(cheapest.usd)}{guess}, {speed_of(cheapest)}."
    if fastest is not None and fastest is not choice:
        yield "fastest", f"{named(fastest)}: {speed_of(fastest)}, {paid(fastest.usd)}."
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


def named(choice: Choice) -> str:
    """A choice by its number of machines, type and place."""
    return f"{choice.plan.nodes:,} × {choice.hardware.machine_type} ({choice.cloud}, {choice.offer.region})"


def speed_of(choice: Choice) -> str:
    """How long a choice takes: a job, or a token."""
    plan = choice.plan
    if isinstance(plan, TrainingPlan):
        return lasted(plan.wall_seconds)
    return f"{lasted(plan.token_seconds)} a token"
