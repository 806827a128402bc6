"""Every machine that could do the work, ranked by cost and by time, and why the others cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

from penstock.catalog.sizing_assumptions import assumed
from penstock.catalog.software_stacks import USUAL
from penstock.core.quantities import GIB
from penstock.cost.bill import HOURS_A_MONTH, price_spread
from penstock.cost.purchase import PurchaseMix
from penstock.sizing.cost import Blend, CommittedSpend, blend_of, committed_spend
from penstock.sizing.energy import Energy, energy_of
from penstock.sizing.failures import HOUR_S
from penstock.sizing.hardware import Hardware, MachineOffer, all_hardware, offer_of
from penstock.sizing.memory_classes import memory_classes, recommended_range
from penstock.sizing.refusal import MORE_TIME, Refusal, refused_precision
from penstock.sizing.request import SizingRequest
from penstock.sizing.serving import ServingPlan, serving_plan
from penstock.sizing.storage import Demand, StorageChoice, storage_of
from penstock.sizing.training import TrainingPlan, cheapest_on, fastest_on

_AS_CHEAP = 1.05
_NEAR = 1.25
_OTHERS = "Allow more accelerators, regions or clouds."


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One machine type that does the work, with what it costs. Money in USD; None is "not known".

    Attributes:
        hours: how long machines are paid for: the job, or a month of serving.
        machine_usd: the machines of that time, at list price.
        blended_usd: the same in the mix that is asked for.
        storage_usd: storage of that time.
        commitment: the whole reservation, where the job is shorter than that.
        unverified: whether a price of it is a guess.
    """

    hardware: Hardware
    offer: MachineOffer
    plan: TrainingPlan | ServingPlan
    hours: float
    machine_usd: float | None
    blended_usd: float | None
    storage: StorageChoice | None
    storage_usd: float | None
    energy: Energy
    blend: Blend
    commitment: CommittedSpend | None
    unverified: bool

    @property
    def usd(self) -> float | None:
        """Machines in the mix, and storage; None where the machines have no price."""
        return None if self.blended_usd is None else self.blended_usd + (self.storage_usd or 0.0)

    @property
    def most_usd(self) -> float | None:
        """The upper bound of the cost: a price that no source confirms may be a quarter higher."""
        price = self.offer.price
        return None if self.usd is None or price is None else self.usd * (1 + price_spread(price))

    @property
    def compared_usd(self) -> float | None:
        """The cost by which choices are compared: its upper bound, and that of a port."""
        return None if self.most_usd is None else self.most_usd + self.is_port * assumed("port_cost")

    @property
    def is_port(self) -> bool:
        """True if programs written for CUDA must be ported to it."""
        return self.hardware.chip.software not in (USUAL, None)

    @property
    def cloud(self) -> str:
        """The cloud that sells it."""
        return self.hardware.cloud

    @property
    def spot_usd(self) -> float | None:
        """All machines as spot, with what interruptions waste; None without a spot price."""
        if self.offer.spot is None:
            return None
        return self.plan.nodes * self.hours * self.offer.spot.usd / (1 - assumed("spot_waste"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded:
    """A machine type that does not do the work, why, and what would help.

    `unmodelled` is one of whose chip too little is known. `token_seconds` and `first_token_seconds` are the least that
    it takes for a token, and to the first one, where that latency is the reason.
    """

    hardware: Hardware
    kind: Literal["unmodelled", "impossible", "unsold"]
    why: str
    fix: str
    token_seconds: float | None = None
    first_token_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The answer: choices by cost, those without a price after them, and what is left out.

    Attributes:
        memory_gib: the range of memory of an accelerator that fits the model; None where it is spread anyway.
        cost_decides: whether the cheapest is wanted, as where a deadline is given.
    """

    choices: tuple[Choice, ...]
    excluded: tuple[Excluded, ...]
    memory_gib: tuple[int, int] | None = None
    cost_decides: bool = False

    @property
    def cheapest(self) -> Choice | None:
        """The choice with the lowest cost; the fastest where no price is known."""
        return self.choices[0] if self.choices else None

    @property
    def recommended(self) -> Choice | None:
        """The choice to take unless something else decides.

        Costs are compared by their upper bounds, so that a guess wins only where it is cheaper even if it is wrong, and
        a port counts. Where a deadline is given, the cheapest is taken: more time never costs more. Where none is,
        machines that need no port, then machines whose memory fits the model, come before those that cost up to a
        quarter less; of what is then within a twentieth of the cheapest, it is the fastest, with a fabric between
        machines that train together. Without any price it is the fastest of all.
        """
        priced = [each for each in self.choices if each.usd is not None]
        if not priced:
            return self.fastest
        if self.cost_decides:
            return min(priced, key=_by_compared)
        near = _within(priced, _NEAR)
        native = [each for each in near if not each.is_port] or near
        fitting = [each for each in native if self.fits(each)]
        return min(_within(fitting or native, _AS_CHEAP), key=lambda each: (_lacks_fabric(each), _by_time(each)))

    @property
    def without_port(self) -> Choice | None:
        """The choice with the lowest bound of its cost that runs unchanged programs for CUDA."""
        native = [each for each in self.choices if each.usd is not None and not each.is_port]
        return min(native, key=_by_compared, default=None)

    def fits(self, choice: Choice) -> bool:
        """Return whether the memory of its accelerators is in the range that fits the model."""
        if self.memory_gib is None:
            return False
        low, high = self.memory_gib
        return low <= choice.hardware.memory / GIB <= high

    @property
    def fastest(self) -> Choice | None:
        """The choice that is done first; of a known price, where any has one."""
        priced = [each for each in self.choices if each.usd is not None]
        return min(priced or self.choices, key=_by_time, default=None)


def ranking_of(request: SizingRequest, progress: Callable[[int, int], None] | None = None) -> Ranking:
    """Rank every machine type of the clouds that are asked for.

    Args:
        request: What is asked.
        progress: Called with the count of the machine types that were tried, and of all.
    """
    choices: list[Choice] = []
    excluded: list[Excluded] = []
    asked = [
        hardware
        for hardware in all_hardware(request.clouds)
        if request.accelerator in (None, hardware.chip.accelerator)
        and request.machine_type in (None, hardware.machine_type)
    ]
    for number, hardware in enumerate(asked):
        if progress is not None:
            progress(number, len(asked))
        found = choice_of(request, hardware)
        if isinstance(found, Choice):
            choices.append(found)
        else:
            excluded.append(found)
    memory = recommended_range(memory_classes(request)) if request.trains else None
    return Ranking(
        choices=tuple(sorted(choices, key=_by_cost)),
        excluded=tuple(excluded),
        memory_gib=memory,
        cost_decides=request.cost_decides,
    )


def choice_of(request: SizingRequest, hardware: Hardware) -> Choice | Excluded:
    """What one machine type makes of a request."""
    chip = hardware.chip
    if not (chip.trains if request.trains else chip.serves):
        what = "measured utilisation" if chip.bf16_tflops is not None else "BF16 peak"
        return Excluded(
            hardware=hardware, kind="unmodelled", why=f"{chip.title} is not modelled: no {what} is known", fix=_OTHERS
        )
    offer = offer_of(hardware, request.region)
    if offer.region is None:
        where = request.region or "any region of the catalogue"
        return Excluded(hardware=hardware, kind="unsold", why=f"not known to be sold in {where}", fix=_OTHERS)
    mix = PurchaseMix.of(reserved=request.reserved, spot=request.spot)
    bought = _Purchase(offer, mix, blend_of(mix, offer, hardware.machine_type, hardware.cloud, request.years))
    plan = _plan(request, hardware, bought)
    if isinstance(plan, Refusal):
        return Excluded(
            hardware=hardware,
            kind="impossible",
            why=plan.why,
            fix=plan.fix,
            token_seconds=plan.token_seconds,
            first_token_seconds=plan.first_token_seconds,
        )
    return _priced(request, hardware, bought, plan)


class _Purchase(NamedTuple):
    """Where and how machines are bought, and what the mix makes of the price."""

    offer: MachineOffer
    mix: PurchaseMix
    blend: Blend


def _plan(request: SizingRequest, hardware: Hardware, bought: _Purchase) -> TrainingPlan | ServingPlan | Refusal:
    if not request.trains:
        return serving_plan(request, hardware)
    refused = refused_precision(hardware.chip, request.precision, "train")
    if refused is not None:
        return refused
    if request.accelerators is None:
        price = bought.offer.price
        if price is None:
            return cheapest_on(request, hardware, 1.0, lambda _: 0.0)
        return cheapest_on(request, hardware, price.usd * bought.blend.share, partial(_storage_usd, hardware.cloud))
    available = request.accelerators // hardware.each
    if available == 0:
        why = f"has {hardware.each} accelerators, more than the {request.accelerators} that there are"
        return Refusal(why=why, fix="Allow more accelerators, or machine types with fewer.")
    plan = fastest_on(request, hardware, available)
    if plan is not None and "deadline" not in request.defaulted and plan.wall_seconds > request.deadline_s:
        return Refusal(why=f"{request.accelerators:,} accelerators take longer than the deadline", fix=MORE_TIME)
    if plan is None:
        why = f"does not fit on {available * hardware.each:,} accelerators of {hardware.memory / GIB:.0f} GiB"
        return Refusal(why=why, fix="Allow more accelerators, or such with more memory.")
    return plan


def _storage_usd(cloud: str, demand: Demand) -> float:
    """What storage costs an hour; 0 where that is not known."""
    return (storage_of(demand, cloud).month_usd or 0.0) / HOURS_A_MONTH


def _priced(request: SizingRequest, hardware: Hardware, bought: _Purchase, plan: TrainingPlan | ServingPlan) -> Choice:
    offer, mix, blend = bought
    hours = plan.wall_seconds / HOUR_S if isinstance(plan, TrainingPlan) else float(HOURS_A_MONTH)
    machine = plan.nodes * hours * offer.price.usd if offer.price is not None else None
    storage = storage_of(plan.demand, hardware.cloud) if isinstance(plan, TrainingPlan) else None
    month = storage.month_usd if storage is not None else None
    storage_usd = month * hours / HOURS_A_MONTH if month is not None else None
    guessed = bool(offer.price and offer.price.unverified) or bool(storage and storage.unverified)
    return Choice(
        hardware=hardware,
        offer=offer,
        plan=plan,
        hours=hours,
        machine_usd=machine,
        blended_usd=machine * blend.share if machine is not None else None,
        storage=storage,
        storage_usd=storage_usd,
        energy=energy_of(hardware.chip, plan.accelerators, hours, region=offer.region, cloud=hardware.cloud),
        blend=blend,
        commitment=committed_spend(mix, offer, blend, nodes=plan.nodes, hours=hours, years=request.years),
        unverified=guessed or blend.unverified,
    )


def elsewhere(request: SizingRequest, choice: Choice, region: str) -> Choice | Excluded:
    """The same machine in another region of its cloud."""
    return choice_of(replace(request, region=region, clouds=(choice.cloud,)), choice.hardware)


def _within(choices: Sequence[Choice], factor: float) -> list[Choice]:
    """The choices that are compared by at most so many times as much as the cheapest of them."""
    least = min((each.compared_usd for each in choices if each.compared_usd is not None), default=0.0)
    return [each for each in choices if each.compared_usd is not None and each.compared_usd <= least * factor]


def _by_cost(choice: Choice) -> tuple[bool, float, tuple[float, bool, float, str]]:
    return choice.usd is None, choice.usd or 0.0, _by_time(choice)


def _by_compared(choice: Choice) -> tuple[bool, float, tuple[float, bool, float, str]]:
    return choice.compared_usd is None, choice.compared_usd or 0.0, _by_time(choice)


def _lacks_fabric(choice: Choice) -> bool:
    """Return whether machines that train together have only Ethernet between them."""
    return isinstance(choice.plan, TrainingPlan) and choice.plan.nodes > 1 and not choice.hardware.fast_fabric


def _by_time(choice: Choice) -> tuple[float, bool, float, str]:
    """The time, and of equal times the faster fabric between machines."""
    plan, hardware = choice.plan, choice.hardware
    seconds = plan.wall_seconds if isinstance(plan, TrainingPlan) else plan.load_token_seconds
    return seconds, not hardware.fast_fabric, -(hardware.network_gb_s or 0.0), hardware.machine_type
